//! The hand-written evaluation of tic-tac-toe: lines that can still be completed.

use super::{Shape, TicTacToe};
use crate::Heuristics;

/// The bonus for each line without an opposing mark, in centipawns.
const OPEN_LINE: i32 = 10;

impl<S: Shape> Heuristics for TicTacToe<S> {
    #[inline]
    fn winning_move(&self) -> Option<u8> {
        self.completing_move(self.mover)
    }

    #[inline]
    fn blocking_move(&self) -> Option<u8> {
        self.completing_move(self.waiting)
    }

    fn ends_on_edge(&self, mv: u8) -> bool {
        let (rows, columns) = (self.shape.rows(), self.shape.columns());
        let (row, column) = (mv as usize / columns, mv as usize % columns);
        row == 0 || column == 0 || row + 1 == rows || column + 1 == columns
    }

    fn heuristic(&self) -> i32 {
        let open = |own: u64| self.shape.count_lines(own | self.empty) as i32;
        OPEN_LINE * (open(self.mover) - open(self.waiting))
    }

    fn material(&self) -> i32 {
        0
    }

    /// 0 because both sides place one mark per move.
    fn piece_difference(&self) -> i32 {
        0
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Classic, Sized};
    use super::*;
    use crate::Notation;

    #[test]
    fn open_lines_are_counted() {
        let heuristic = |text: &str| TicTacToe::new(Classic).parse(text).unwrap().heuristic();
        assert_eq!(heuristic(".../.../..."), 0);
        assert_eq!(heuristic(".../.x./..."), -OPEN_LINE * 4);
        assert_eq!(heuristic("o../.x./..."), OPEN_LINE, "five open lines against four");
    }

    #[test]
    fn the_generic_board_counts_lines_like_the_classic_board() {
        let sized = Sized::new(3, 3, 3);
        assert!((0..512).all(|cells| sized.count_lines(cells) == Classic.count_lines(cells)));
    }
}
