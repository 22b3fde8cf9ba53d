//! Checkers positions as planes.

use super::{Checkers, board, relative};
use crate::bits::each_bit;
use crate::{PlaneLayout, Planes, Side};

const NAMES: [&str; 5] = [
    "own men",
    "own kings",
    "opposing men",
    "opposing kings",
    "plies without progress, as a fraction of the move limit (constant plane)",
];
const CELLS: usize = 64;

/// The viewer's men move up the board. The move limit depends on the option `draws`.
impl Planes for Checkers {
    fn plane_layout(&self) -> PlaneLayout {
        PlaneLayout::new(NAMES, 8, 8)
    }

    fn write_planes(&self, viewer: Side, values: &mut [f32]) {
        let (own, other) = if viewer == Side::First { (self.black, self.white) } else { (self.white, self.black) };
        let kinds = [own & !self.kings, own & self.kings, other & !self.kings, other & self.kings];
        for (plane, pieces) in kinds.into_iter().enumerate() {
            each_bit(pieces.into(), |bit| values[plane * CELLS + board::cell(relative(bit, viewer) as u8)] = 1.0);
        }
        values[kinds.len() * CELLS..].fill(f32::from(self.clock) / f32::from(self.move_limit()));
    }
}
