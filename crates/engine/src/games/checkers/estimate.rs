//! The rule of thumb of checkers: features that Samuel (1959, "Some studies in machine learning using the game of checkers") weighed,
//! with weights by hand, in hundredths of a man.

use super::{Checkers, board};
use crate::Side;

const MAN: i32 = 100;
/// What a king is worth more than a man.
const CROWN: i32 = 30;
/// A step that can be made.
const MOBILITY: i32 = 2;
/// A piece on one of the eight squares in the middle.
const CENTRE: i32 = 4;
/// A capture that is possible where the pieces stand.
const THREAT: i32 = 8;
/// A man that still keeps the other side from crowning.
const BACK_ROW: i32 = 7;
/// A row that a man has gone forward.
const ADVANCE: i32 = 2;
/// The side with more pieces gains by exchanges: its lead, times this, over the number of pieces.
const EXCHANGE: i32 = 60;

pub(super) const MIDDLE: u32 = between(&[10, 11, 14, 15, 18, 19, 22, 23]);

const fn between(numbers: &[u8]) -> u32 {
    let (mut set, mut index) = (0, 0);
    while index < numbers.len() {
        set |= board::bit(numbers[index]);
        index += 1;
    }
    set
}

/// Bit `k` of the row of each square, counted from the top, is in set `k`: three counts add the rows of all men.
const ROWS: [u32; 3] = {
    let mut sets = [0; 3];
    let mut number = 1;
    while number <= 32 {
        let row = (number - 1) / 4;
        let mut power = 0;
        while power < 3 {
            if row >> power & 1 != 0 {
                sets[power as usize] |= board::bit(number);
            }
            power += 1;
        }
        number += 1;
    }
    sets
};

/// The rows of all squares of a set, added up, the top row being 0.
#[inline(always)]
pub(super) fn rows(set: u32) -> i32 {
    let count = |power: usize| ((set & ROWS[power]).count_ones() << power) as i32;
    count(0) + count(1) + count(2)
}

impl Checkers {
    /// What pieces are worth.
    #[inline(always)]
    pub(super) fn worth(&self, pieces: u32) -> i32 {
        pieces.count_ones() as i32 * MAN + (pieces & self.kings).count_ones() as i32 * CROWN
    }

    /// How much the side to move stands better.
    #[inline]
    pub(super) fn weigh(&self) -> i32 {
        let (black, white) = (self.black, self.white);
        let material = self.worth(black) - self.worth(white);
        let (black_men, white_men) = (black & !self.kings, white & !self.kings);
        let (black_steps, black_jumps) = self.reach::<false>();
        let (white_steps, white_jumps) = self.reach::<true>();
        let count = |set: u32| set.count_ones() as i32;
        // Black goes down the rows, white up from row 7.
        let advance = rows(black_men) - (7 * count(white_men) - rows(white_men));
        let value = material
            + EXCHANGE * material / (MAN * count(black | white).max(1))
            + MOBILITY * (black_steps - white_steps)
            + THREAT * (black_jumps - white_jumps)
            + CENTRE * (count(black & MIDDLE) - count(white & MIDDLE))
            + BACK_ROW * (count(black_men & board::WHITE_CROWN) - count(white_men & board::BLACK_CROWN))
            + ADVANCE * advance;
        if self.turn == Side::First { value } else { -value }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Draws;
    use super::*;
    use crate::Position;

    fn estimate(text: &str) -> i32 {
        Checkers::start(Draws::English).parse(text).unwrap().estimate()
    }

    #[test]
    fn the_start_is_even() {
        assert_eq!(Checkers::start(Draws::English).estimate(), 0);
    }

    #[test]
    fn turning_the_board_round_changes_nothing() {
        assert_eq!(estimate("B:W21,30,K7:B1,2,11,18"), estimate("W:W32,31,22,15:B12,3,K26"));
    }

    #[test]
    fn each_feature_counts() {
        assert!(estimate("B:W32:B1,2") > 60);
        assert!(estimate("B:W32:BK15") > estimate("B:W32:B15"));
        assert!(estimate("B:W32:BK15") > estimate("B:W32:BK4"), "centre and mobility");
        assert!(estimate("B:W28,K20:B2,16") > estimate("B:W28,K20:B6,16"), "back row");
        assert_eq!(rows(board::bit(1) | board::bit(32) | board::bit(14)), 10);
    }
}
