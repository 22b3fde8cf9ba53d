//! The hand-written evaluation of Connect Four: open lines, threats and discs in the central columns.

use super::shape::runs;
use super::{ConnectFour, Shape};
use crate::bits::nth_bit;
use crate::{Heuristics, Rng};

/// The bonus for each line that a side can still complete, in centipawns.
const OPEN_LINE: i32 = 2;
/// The bonus for each empty cell that would complete a line.
const THREAT: i32 = 25;
/// The bonus for each disc in the central column, or in the two central columns.
const CENTRE: i32 = 4;

impl<S: Shape> Heuristics for ConnectFour<S> {
    #[inline]
    fn winning_move(&self) -> Option<u8> {
        self.completing_move(self.mover)
    }

    #[inline]
    fn blocking_move(&self) -> Option<u8> {
        self.completing_move(self.mover ^ self.all)
    }

    #[inline]
    fn play_decisive(&mut self, rng: &mut Rng) -> Option<u8> {
        let landing = self.landing();
        let (winning, blocking) = (self.shape.completing(self.mover), self.shape.completing(self.mover ^ self.all));
        // A disc directly below a cell that completes an opponent's line lets the opponent play there.
        let safe = landing & !(blocking >> 1);
        let non_empty = |cells: u64| if cells == 0 { None } else { Some(cells) };
        let cells =
            non_empty(winning & landing).or(non_empty(blocking & landing)).or(non_empty(safe)).or(non_empty(landing))?;
        let cell = nth_bit(cells, rng.below(cells.count_ones()));
        self.place(cell);
        Some((cell.trailing_zeros() / (self.shape.rows() + 1)) as u8)
    }

    fn ends_on_edge(&self, mv: u8) -> bool {
        mv == 0 || u32::from(mv) + 1 == self.shape.columns()
    }

    fn heuristic(&self) -> i32 {
        let waiting = self.mover ^ self.all;
        self.evaluate_side(self.mover) - self.evaluate_side(waiting)
    }

    fn material(&self) -> i32 {
        0
    }

    /// 0 because both sides place one disc per move.
    fn piece_difference(&self) -> i32 {
        0
    }
}

impl<S: Shape> ConnectFour<S> {
    fn evaluate_side(&self, own: u64) -> i32 {
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
        OPEN_LINE * open + THREAT * threats.count_ones() as i32 + CENTRE * (own & centre).count_ones() as i32
    }
}

/// The empty cells that would complete a line of `length` cells `step` bits apart.
#[inline(always)]
fn completing(own: u64, empty: u64, step: u32, length: u32) -> u64 {
    let shift_down = |cells: u64, by: u32| if by < 64 { cells >> by } else { 0 };
    let shift_up = |cells: u64, by: u32| if by < 64 { cells << by } else { 0 };
    (0..length).fold(0, |cells, gap| {
        let (before, after) = (gap, length - 1 - gap);
        let below = if before == 0 { u64::MAX } else { runs(own, step, before) };
        let above = if after == 0 { u64::MAX } else { shift_down(runs(own, step, after), (gap + 1) * step) };
        cells | shift_up(below & above & shift_down(empty, gap * step), gap * step)
    })
}

#[cfg(test)]
mod tests {
    use super::super::Standard;
    use super::*;
    use crate::Notation;

    fn heuristic(text: &str) -> i32 {
        ConnectFour::new(Standard).parse(text).unwrap().heuristic()
    }

    #[test]
    fn completing_cells_can_be_at_either_end_or_in_the_middle() {
        assert_eq!(completing(0b0111_0110_1110, 0b1000_1001_0001, 1, 4), 0b1000_1001_0001);
        assert_eq!(completing(0b0011, 0b1100, 1, 4), 0);
    }

    #[test]
    fn central_discs_and_threats_contribute() {
        assert_eq!(heuristic(""), 0);
        assert!(heuristic("4") < heuristic("1"));
        assert!(heuristic("12131") < -10, "three in a column");
    }
}
