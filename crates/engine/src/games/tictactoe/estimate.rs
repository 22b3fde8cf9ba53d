//! The rule of thumb of tic-tac-toe: lines that can still be filled.

use super::{Shape, TicTacToe};

/// A line that the other side has no mark on, in hundredths of a man.
const OPEN: i32 = 10;

impl<S: Shape> TicTacToe<S> {
    /// How much the side to move stands better.
    pub(super) fn weigh(&self) -> i32 {
        let open = |own: u64| self.shape.count_lines(own | self.empty) as i32;
        OPEN * (open(self.mover) - open(self.waiting))
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Classic, Family};
    use super::*;
    use crate::Position;

    #[test]
    fn open_lines_are_counted() {
        let estimate = |text: &str| TicTacToe::new(Classic).parse(text).unwrap().estimate();
        assert_eq!(estimate(".../.../..."), 0);
        assert_eq!(estimate(".../.x./..."), -OPEN * 4);
        assert_eq!(estimate("o../.x./..."), OPEN, "five open lines against four");
    }

    #[test]
    fn the_family_counts_like_the_classic_board() {
        let family = Family::new(3, 3, 3);
        assert!((0..512).all(|cells| family.count_lines(cells) == Classic.count_lines(cells)));
    }
}
