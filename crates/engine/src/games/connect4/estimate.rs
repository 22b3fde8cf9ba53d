//! The rule of thumb of Connect Four: lines that can still be filled, cells that would complete one, the middle column.

use super::shape::runs;
use super::{ConnectFour, Shape};

/// A line that can still be filled, in hundredths of a man.
const OPEN: i32 = 2;
/// An empty cell that would complete a line.
const THREAT: i32 = 25;
/// A disc in the middle column (or the two of them).
const CENTRE: i32 = 4;

impl<S: Shape> ConnectFour<S> {
    /// How much the side to move stands better.
    pub(super) fn weigh(&self) -> i32 {
        let waiting = self.mover ^ self.all;
        self.weigh_side(self.mover) - self.weigh_side(waiting)
    }

    fn weigh_side(&self, own: u64) -> i32 {
        let shape = self.shape;
        let (height, line) = (shape.rows() + 1, shape.line());
        let empty = shape.full() & !self.all;
        let (mut open, mut threats) = (0, 0);
        for step in [1, height - 1, height, height + 1] {
            open += runs(own | empty, step, line).count_ones() as i32;
            threats |= completing(own, empty, step, line);
        }
        let columns = shape.columns();
        let centre = self.column(columns / 2) | self.column((columns - 1) / 2);
        OPEN * open + THREAT * threats.count_ones() as i32 + CENTRE * (own & centre).count_ones() as i32
    }
}

/// The empty cells that would complete a line of `length` cells a `step` apart.
#[inline(always)]
fn completing(own: u64, empty: u64, step: u32, length: u32) -> u64 {
    let down = |cells: u64, by: u32| if by < 64 { cells >> by } else { 0 };
    let up = |cells: u64, by: u32| if by < 64 { cells << by } else { 0 };
    (0..length).fold(0, |cells, hole| {
        let (before, after) = (hole, length - 1 - hole);
        let below = if before == 0 { u64::MAX } else { runs(own, step, before) };
        let above = if after == 0 { u64::MAX } else { down(runs(own, step, after), (hole + 1) * step) };
        cells | up(below & above & down(empty, hole * step), hole * step)
    })
}

#[cfg(test)]
mod tests {
    use super::super::Standard;
    use super::*;
    use crate::Position;

    fn estimate(text: &str) -> i32 {
        ConnectFour::new(Standard).parse(text).unwrap().estimate()
    }

    #[test]
    fn completing_cells_are_found_on_both_sides_and_between() {
        assert_eq!(completing(0b0111_0110_1110, 0b1000_1001_0001, 1, 4), 0b1000_1001_0001);
        assert_eq!(completing(0b0011, 0b1100, 1, 4), 0);
    }

    #[test]
    fn the_middle_and_threats_count() {
        assert_eq!(estimate(""), 0);
        assert!(estimate("4") < estimate("1"));
        assert!(estimate("12131") < -10, "three on top of each other");
    }
}
