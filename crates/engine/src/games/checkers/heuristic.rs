//! The hand-written evaluation of checkers, in centipawns. It uses features from Samuel (1959), "Some studies in machine
//! learning using the game of checkers".

use super::{Checkers, Move, board};
use crate::{Heuristics, ProvenValue, Side};

const MAN: i32 = 100;
/// The value of a king minus that of a man.
const CROWN: i32 = 30;
/// The bonus for each possible step.
const MOBILITY: i32 = 2;
/// The bonus for each piece on one of the eight central squares.
const CENTRE: i32 = 4;
/// The bonus for each possible single capture.
const THREAT: i32 = 8;
/// The bonus for each man on its own back row.
const BACK_ROW: i32 = 7;
/// The bonus for each row that a man has advanced.
const ADVANCE: i32 = 2;
/// Encourages the side ahead to exchange: the bonus is its material lead in men times this constant, divided by the number of pieces.
const EXCHANGE: i32 = 60;

/// The eight central squares.
pub(super) const CENTRE_SQUARES: u32 = set_of(&[10, 11, 14, 15, 18, 19, 22, 23]);

const fn set_of(numbers: &[u8]) -> u32 {
    let (mut set, mut index) = (0, 0);
    while index < numbers.len() {
        set |= board::bit(numbers[index]);
        index += 1;
    }
    set
}

/// Set `k` contains the squares whose row, counted from 0 at the top, has bit `k` set, so three popcounts sum its rows.
const ROW_BITS: [u32; 3] = {
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

/// The sum of the rows, counted from 0 at the top, of the squares in a set.
#[inline(always)]
pub(super) fn sum_of_rows(set: u32) -> i32 {
    let count = |power: usize| ((set & ROW_BITS[power]).count_ones() << power) as i32;
    count(0) + count(1) + count(2)
}

impl Checkers {
    /// The material value of a set of pieces.
    #[inline(always)]
    pub(super) fn material_of(&self, pieces: u32) -> i32 {
        pieces.count_ones() as i32 * MAN + (pieces & self.kings).count_ones() as i32 * CROWN
    }
}

impl Heuristics for Checkers {
    const TUNING: &'static [(&'static str, &'static str)] =
        &[("leaf", "heuristic"), ("playout_plies", "6"), ("cutoff", "heuristic"), ("minimax", "0.85"), ("c", "0.2")];

    #[inline(always)]
    fn proven_value(&self) -> Option<ProvenValue> {
        self.probe_tables()
    }

    fn captures(&self, mv: Move) -> bool {
        mv.captured != 0
    }

    fn ends_on_edge(&self, mv: Move) -> bool {
        let cell = board::cell(board::number(mv.to.into()));
        matches!(cell % 8, 0 | 7) || matches!(cell / 8, 0 | 7)
    }

    #[inline]
    fn capture_gain(&self, mv: Move) -> i32 {
        self.material_of(mv.captured)
    }

    #[inline]
    fn capture_moves(&self, visit: impl FnMut(Move, i32)) -> bool {
        match self.turn {
            Side::First => self.visit_captures::<false>(visit),
            Side::Second => self.visit_captures::<true>(visit),
        }
    }

    #[inline]
    fn material(&self) -> i32 {
        let (own, other) = self.own_and_other();
        self.material_of(own) - self.material_of(other)
    }

    #[inline]
    fn piece_difference(&self) -> i32 {
        let (own, other) = self.own_and_other();
        own.count_ones() as i32 - other.count_ones() as i32
    }

    #[inline]
    fn heuristic(&self) -> i32 {
        let (black, white) = (self.black, self.white);
        let material = self.material_of(black) - self.material_of(white);
        let (black_men, white_men) = (black & !self.kings, white & !self.kings);
        let (black_steps, black_jumps) = self.count_steps_and_jumps::<false>();
        let (white_steps, white_jumps) = self.count_steps_and_jumps::<true>();
        let count = |set: u32| set.count_ones() as i32;
        // Black's men advance from row 0 to row 7, white's from row 7 to row 0.
        let advance = sum_of_rows(black_men) - (7 * count(white_men) - sum_of_rows(white_men));
        let value = material
            + EXCHANGE * material / (MAN * count(black | white).max(1))
            + MOBILITY * (black_steps - white_steps)
            + THREAT * (black_jumps - white_jumps)
            + CENTRE * (count(black & CENTRE_SQUARES) - count(white & CENTRE_SQUARES))
            + BACK_ROW * (count(black_men & board::WHITE_CROWN) - count(white_men & board::BLACK_CROWN))
            + ADVANCE * advance;
        if self.turn == Side::First { value } else { -value }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Draws;
    use super::*;
    use crate::Notation;

    fn heuristic(text: &str) -> i32 {
        Checkers::start(Draws::English).parse(text).unwrap().heuristic()
    }

    #[test]
    fn the_start_position_is_even() {
        assert_eq!(Checkers::start(Draws::English).heuristic(), 0);
    }

    #[test]
    fn the_evaluation_is_symmetric() {
        assert_eq!(heuristic("B:W21,30,K7:B1,2,11,18"), heuristic("W:W32,31,22,15:B12,3,K26"));
    }

    #[test]
    fn each_feature_contributes() {
        assert!(heuristic("B:W32:B1,2") > 60);
        assert!(heuristic("B:W32:BK15") > heuristic("B:W32:B15"));
        assert!(heuristic("B:W32:BK15") > heuristic("B:W32:BK4"), "centre and mobility");
        assert!(heuristic("B:W28,K20:B2,16") > heuristic("B:W28,K20:B6,16"), "back row");
        assert_eq!(sum_of_rows(board::bit(1) | board::bit(32) | board::bit(14)), 10);
    }
}
