//! The tuples of Connect Four for Q-learning: every line of cells that could win, pairs of columns, and the bottom of three columns.
//! N-tuple networks on this game go back to Thill, Koch and Konen (2012), "Reinforcement learning with n-tuples on the game Connect-4".

use super::{ConnectFour, Shape};
use crate::bits::each_bit;

/// The kinds of tuples, in the highest bits of their numbers.
const LINE: u64 = 1 << 60;
const PAIR: u64 = 2 << 60;
const TRIPLE: u64 = 3 << 60;
const TURN: u64 = 4 << 60;

/// The number of rows at the bottom of three adjacent columns.
const TRIPLE_ROWS: u32 = 4;

/// The contents of a cell, seen by the side to move.
const OWN: u8 = 1;
const OTHER: u8 = 2;
/// A free cell in which a disc can land now.
const PLAYABLE: u8 = 3;

impl<S: Shape> ConnectFour<S> {
    /// Calls `visit` with the number of each tuple of the board and of its mirror image, so that both share their weights.
    #[inline]
    pub(super) fn each_tuple(&self, mut visit: impl FnMut(u64)) {
        let mut cells = [0u8; 64];
        each_bit(self.mover, |bit| cells[bit as usize] = OWN);
        each_bit(self.mover ^ self.all, |bit| cells[bit as usize] = OTHER);
        each_bit(self.landing(), |bit| cells[bit as usize] = PLAYABLE);
        visit(TURN | u64::from(self.all.count_ones() & 1));
        for is_mirrored in [false, true] {
            self.lines(&cells, is_mirrored, &mut visit);
            self.columns(is_mirrored, &mut visit);
        }
    }

    /// The number of the column at `index`, counted from the right in the mirror image.
    #[inline(always)]
    fn oriented(&self, index: u32, is_mirrored: bool) -> u32 {
        if is_mirrored { self.shape.columns() - 1 - index } else { index }
    }

    #[inline]
    fn lines(&self, cells: &[u8; 64], is_mirrored: bool, visit: &mut impl FnMut(u64)) {
        let (columns, rows, length) = (self.shape.columns(), self.shape.rows(), self.shape.line());
        for (direction, (across, up)) in [(0, 1), (1, 0), (1, 1), (1, -1i32)].into_iter().enumerate() {
            for first in 0..columns {
                if first + across * (length - 1) >= columns {
                    break;
                }
                for row in 0..rows {
                    let last = row as i32 + up * (length as i32 - 1);
                    if !(0..rows as i32).contains(&last) {
                        continue;
                    }
                    let mut contents = 0u64;
                    for step in 0..length {
                        let column = self.oriented(first + across * step, is_mirrored);
                        let cell = column * (rows + 1) + (row as i32 + up * step as i32) as u32;
                        contents = contents.wrapping_mul(4).wrapping_add(cells[cell as usize].into());
                    }
                    let place = (u64::from(first) * 64 + u64::from(row)) * 4 + direction as u64;
                    visit(LINE | place << 40 | contents & ((1 << 40) - 1));
                }
            }
        }
    }

    #[inline]
    fn columns(&self, is_mirrored: bool, visit: &mut impl FnMut(u64)) {
        let (columns, rows) = (self.shape.columns(), self.shape.rows());
        // The code of a column is the set of its own discs and, as a sentinel, the bit above its top disc.
        let column = |index: u32, visible: u32| {
            let cells = self.column(self.oriented(index, is_mirrored));
            let shift = cells.trailing_zeros();
            let (own, all) = ((self.mover & cells) >> shift, (self.all & cells) >> shift);
            let limit = 1u64 << visible;
            if all + 1 > limit { own & (limit - 1) | limit } else { own | (all + 1) }
        };
        for index in 1..columns {
            let contents = column(index - 1, rows) << 24 ^ column(index, rows);
            visit(PAIR | u64::from(index) << 54 | contents & ((1 << 54) - 1));
        }
        for index in 2..columns {
            let contents = (0..3).fold(0, |code, offset| code << (TRIPLE_ROWS + 1) | column(index - 2 + offset, TRIPLE_ROWS));
            visit(TRIPLE | u64::from(index) << 54 | contents);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Sized, Standard};
    use super::*;
    use crate::{Learning, Notation};

    fn tuples<S: Shape>(shape: S, moves: &str) -> Vec<u64> {
        let mut found = Vec::new();
        ConnectFour::new(shape).parse(moves).unwrap().visit_tuples(|tuple| found.push(tuple));
        found.sort_unstable();
        found
    }

    #[test]
    fn a_mirrored_board_has_the_same_tuples() {
        assert_eq!(tuples(Standard, "4433321177"), tuples(Standard, "4455567711"));
        assert_ne!(tuples(Standard, "1"), tuples(Standard, "2"));
    }

    #[test]
    fn every_winning_line_is_a_tuple_of_both_orientations() {
        let lines = |found: Vec<u64>| found.into_iter().filter(|tuple| tuple >> 60 == 1).count();
        assert_eq!(lines(tuples(Standard, "44")), 2 * 69);
        assert_eq!(lines(tuples(Sized::new(5, 4, 4), "33")), 2 * (4 * 2 + 5 + 2 * 2));
    }

    #[test]
    fn full_columns_differ_from_columns_with_free_cells() {
        assert_ne!(tuples(Standard, "111111"), tuples(Standard, "11111"));
        let pair = |moves| tuples(Standard, moves).into_iter().filter(|tuple| tuple >> 60 == 2).collect::<Vec<u64>>();
        assert_ne!(pair("111111"), pair("1111"));
    }
}
