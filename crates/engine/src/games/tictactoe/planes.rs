//! Tic-tac-toe positions as planes.

use super::{Shape, TicTacToe};
use crate::bits::each_bit;
use crate::{PlaneLayout, Planes, Position, Side};

/// The board has the same orientation for both viewers.
impl<S: Shape> Planes for TicTacToe<S> {
    fn plane_layout(&self) -> PlaneLayout {
        PlaneLayout::new(["own marks", "opposing marks"], self.shape.rows(), self.shape.columns())
    }

    fn write_planes(&self, viewer: Side, values: &mut [f32]) {
        let cells = self.shape.rows() * self.shape.columns();
        let (mover, waiting) = (self.mover, self.waiting);
        let sides = if viewer == self.turn() { [mover, waiting] } else { [waiting, mover] };
        for (plane, marks) in sides.into_iter().enumerate() {
            each_bit(marks, |bit| values[plane * cells + self.cell_index(bit as usize)] = 1.0);
        }
    }
}
