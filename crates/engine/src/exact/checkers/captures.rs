//! Finds the positions of a row in which the side to move can capture.
//!
//! Captures are mandatory and lead to slices with fewer pieces, so such positions are resolved by searching the captures,
//! and their stored values are don't-cares.

use super::combinations::Combinations;
use crate::bits::each_bit;
use crate::games::checkers::board::{CAN_JUMP, step, step_back};

/// The men of both sides, which are the same for all positions in a row.
#[derive(Clone, Copy)]
pub(super) struct FixedMen {
    /// Men of the side to move.
    pub(super) own_men: u32,
    /// Men of the opponent.
    pub(super) other_men: u32,
    /// Whether White is to move.
    pub(super) white: bool,
}

impl FixedMen {
    /// The two forward directions of the side to move.
    pub(super) fn forward(self) -> [usize; 2] {
        if self.white { [0, 1] } else { [2, 3] }
    }

    /// Fills `row`, indexed by the opponent's kings, with the positions in which the side to move, with kings on `own`, can
    /// capture.
    pub(super) fn captures_over_opponent_kings(self, own: u32, others: &Combinations, row: &mut [u32]) {
        row.fill(0);
        let occupied = self.own_men | self.other_men | own;
        each_bit((self.own_men | own).into(), |square| {
            let from = 1u32 << square;
            let directions: &[usize] = if own & from != 0 { &[0, 1, 2, 3] } else { &self.forward() };
            for &direction in directions {
                let over = step(from & CAN_JUMP[direction], direction);
                let to = step(over, direction) & !occupied;
                if to == 0 || over & (self.own_men | own) != 0 {
                    continue;
                }
                let blocked = others.containing(to.trailing_zeros());
                if over & self.other_men != 0 {
                    row.iter_mut().zip(blocked).for_each(|(word, blocked)| *word |= !blocked);
                } else {
                    let captured = others.containing(over.trailing_zeros());
                    for ((word, blocked), captured) in row.iter_mut().zip(blocked).zip(captured) {
                        *word |= captured & !blocked;
                    }
                }
            }
        });
    }

    /// Fills `row`, indexed by the kings of the side to move, with the positions in which it can capture, given the opponent's
    /// kings on `other`.
    pub(super) fn captures_over_own_kings(self, other: u32, owns: &Combinations, row: &mut [u32]) {
        row.fill(0);
        let occupied = self.own_men | self.other_men | other;
        each_bit((self.other_men | other).into(), |square| {
            let over = 1u32 << square;
            for (direction, starts) in CAN_JUMP.into_iter().enumerate() {
                let to = step(over, direction) & !occupied;
                let from = step_back(over, direction) & starts;
                if to == 0 || from == 0 || from & (self.other_men | other) != 0 {
                    continue;
                }
                let blocked = owns.containing(to.trailing_zeros());
                if from & self.own_men == 0 {
                    let present = owns.containing(from.trailing_zeros());
                    for ((word, blocked), present) in row.iter_mut().zip(blocked).zip(present) {
                        *word |= present & !blocked;
                    }
                } else if self.forward().contains(&direction) {
                    row.iter_mut().zip(blocked).for_each(|(word, blocked)| *word |= !blocked);
                }
            }
        });
    }
}
