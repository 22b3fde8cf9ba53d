//! Connect Four positions as planes.

use super::{ConnectFour, Shape};
use crate::bits::each_bit;
use crate::{PlaneLayout, Planes, Position, Side};

/// The board has the same orientation for both viewers.
impl<S: Shape> Planes for ConnectFour<S> {
    fn plane_layout(&self) -> PlaneLayout {
        PlaneLayout::new(["own discs", "opposing discs"], self.shape.rows() as usize, self.shape.columns() as usize)
    }

    fn write_planes(&self, viewer: Side, values: &mut [f32]) {
        let cells = (self.shape.rows() * self.shape.columns()) as usize;
        let (mover, waiting) = (self.mover, self.mover ^ self.all);
        let sides = if viewer == self.turn() { [mover, waiting] } else { [waiting, mover] };
        for (plane, discs) in sides.into_iter().enumerate() {
            each_bit(discs, |bit| values[plane * cells + self.cell_index(bit)] = 1.0);
        }
    }
}
