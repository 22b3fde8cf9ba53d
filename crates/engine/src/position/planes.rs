//! Positions as planes, the input of convolutional networks.

use super::{Position, Side};

/// The names and the size of a game's planes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlaneLayout {
    /// A description of each plane; empty if the game has no planes.
    pub names: Vec<String>,
    /// The number of rows in each plane.
    pub rows: usize,
    /// The number of columns in each plane.
    pub columns: usize,
}

impl PlaneLayout {
    /// A layout with the given names.
    pub fn new(names: impl IntoIterator<Item = impl Into<String>>, rows: usize, columns: usize) -> PlaneLayout {
        PlaneLayout { names: names.into_iter().map(Into::into).collect(), rows, columns }
    }

    /// The number of values that encode a position.
    pub fn values(&self) -> usize {
        self.names.len() * self.rows * self.columns
    }
}

/// The encoding of a position as planes: images with one value per cell, from the point of view of one side.
///
/// Plane `p`, row `r` and column `c` have the index `(p * rows + r) * columns + c`, with row 0 at the top. All values lie between 0
/// and 1. The encoding depends on the position alone and not on the moves that led to it, so a search can encode its leaves.
pub trait Planes: Position {
    /// The layout of the planes of the position's game.
    fn plane_layout(&self) -> PlaneLayout;

    /// Writes the planes for `viewer`, normally the side to move, to a slice of [`PlaneLayout::values`] zeros.
    fn write_planes(&self, viewer: Side, values: &mut [f32]);
}
