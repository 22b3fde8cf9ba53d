//! Which positions of a row have a capture: they are valued from smaller slices, and no file need hold them.

use super::subsets::Subsets;
use crate::bits::each_bit;
use crate::games::checkers::board::{CAN_JUMP, step, step_back};

/// What stands still in a row.
#[derive(Clone, Copy)]
pub(super) struct Still {
    /// Men of the side to move.
    pub(super) own_men: u32,
    /// Men of the other.
    pub(super) other_men: u32,
    /// Whether white moves.
    pub(super) white: bool,
}

impl Still {
    /// The two forward directions of the side to move.
    pub(super) fn forward(self) -> [usize; 2] {
        if self.white { [0, 1] } else { [2, 3] }
    }

    /// Fills `row`, of bits over the other's kings, with those that the side to move, with kings on `own`, can capture from.
    pub(super) fn captures_by(self, own: u32, others: &Subsets, row: &mut [u32]) {
        row.fill(0);
        let still = self.own_men | self.other_men | own;
        each_bit((self.own_men | own).into(), |square| {
            let from = 1u32 << square;
            let directions: &[usize] = if own & from != 0 { &[0, 1, 2, 3] } else { &self.forward() };
            for &direction in directions {
                let over = step(from & CAN_JUMP[direction], direction);
                let to = step(over, direction) & !still;
                if to == 0 || over & (self.own_men | own) != 0 {
                    continue;
                }
                let blocked = others.with(to.trailing_zeros());
                if over & self.other_men != 0 {
                    row.iter_mut().zip(blocked).for_each(|(word, blocked)| *word |= !blocked);
                } else {
                    let taken = others.with(over.trailing_zeros());
                    for ((word, blocked), taken) in row.iter_mut().zip(blocked).zip(taken) {
                        *word |= taken & !blocked;
                    }
                }
            }
        });
    }

    /// Fills `row`, of bits over the kings of the side to move, with those that can capture, the other's kings on `other`.
    pub(super) fn captures_of(self, other: u32, owns: &Subsets, row: &mut [u32]) {
        row.fill(0);
        let still = self.own_men | self.other_men | other;
        each_bit((self.other_men | other).into(), |square| {
            let over = 1u32 << square;
            for (direction, starts) in CAN_JUMP.into_iter().enumerate() {
                let to = step(over, direction) & !still;
                let from = step_back(over, direction) & starts;
                if to == 0 || from == 0 || from & (self.other_men | other) != 0 {
                    continue;
                }
                let blocked = owns.with(to.trailing_zeros());
                if from & self.own_men == 0 {
                    let there = owns.with(from.trailing_zeros());
                    for ((word, blocked), there) in row.iter_mut().zip(blocked).zip(there) {
                        *word |= there & !blocked;
                    }
                } else if self.forward().contains(&direction) {
                    row.iter_mut().zip(blocked).for_each(|(word, blocked)| *word |= !blocked);
                }
            }
        });
    }
}
