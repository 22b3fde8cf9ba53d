//! Plies to the end, for the positions of one placement of men whose values are known.
//!
//! Counted from the end: a position is settled at ply `n` when a step leads to a lost one settled at `n - 1`, or when all its
//! steps lead to won ones, the last of them settled at `n - 1`. Captures, crownings and steps of men lead to other placements,
//! where everything is settled already.

use super::Value;
use super::file::NO_DISTANCE;
use super::memory::{Memory, Slice};
use super::subsets::{Subsets, rank, subsets};
use crate::games::checkers::Checkers;
use crate::{Position, Side};

/// What is known of a position before it is settled.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// Drawn, or no position, or settled by a capture.
    Apart,
    Won,
    /// Steps of kings not settled yet, and the least distance because of steps of men.
    Lost {
        open: u8,
        least: u8,
    },
}

/// Settles one placement after another.
pub(super) struct Settler<'a> {
    memory: &'a Memory,
    kings: [&'static Subsets; 2],
    states: [Vec<State>; 2],
    plies: [Vec<u8>; 2],
    /// The positions to settle at each ply: side to move, rank of its kings, rank of the other's.
    due: Vec<Vec<(u8, u32, u32)>>,
}

impl<'a> Settler<'a> {
    /// A settler of a slice; the distances of everything its placements lead to must be in memory.
    pub(super) fn new(memory: &'a Memory, slice: &Slice) -> Settler<'a> {
        let kings = [slice.material.black.kings, slice.material.white.kings].map(|count| subsets(count.into()));
        let due = vec![Vec::new(); usize::from(NO_DISTANCE) + 2];
        Settler { memory, kings, states: Default::default(), plies: Default::default(), due }
    }

    /// Appends the distances of a placement, black to move and then white to move; `value` knows what a position is worth.
    pub(super) fn settle(&mut self, men: [u32; 2], out: &mut Vec<u8>, value: impl Fn(usize, u32, u32) -> Value) {
        let all_men = men[0] | men[1];
        let size = self.kings[0].sets.len() * self.kings[1].sets.len();
        for side in 0..2 {
            self.states[side].clear();
            self.states[side].resize(size, State::Apart);
            self.plies[side].clear();
            self.plies[side].resize(size, NO_DISTANCE);
            let (owns, others) = (self.kings[side], self.kings[1 - side]);
            for (other_rank, &other) in others.sets.iter().enumerate().filter(|(_, other)| **other & all_men == 0) {
                for (own_rank, &own) in owns.sets.iter().enumerate().filter(|(_, own)| **own & (all_men | other) == 0) {
                    let worth = value(side, own, other);
                    if worth != Value::Draw {
                        let position = match side {
                            0 => Checkers::of(men[0] | own, men[1] | other, own | other, Side::First),
                            _ => Checkers::of(men[0] | other, men[1] | own, own | other, Side::Second),
                        };
                        self.begin(side, own_rank, other_rank, &position, worth);
                    }
                }
            }
        }
        for ply in 0..usize::from(NO_DISTANCE) {
            while let Some((side, own, other)) = self.due[ply].pop() {
                self.settle_one(side.into(), own as usize, other as usize, ply as u8, all_men);
            }
        }
        self.plies.iter().for_each(|plies| out.extend_from_slice(plies));
    }

    fn place(&self, side: usize, own: usize, other: usize) -> usize {
        other * self.kings[side].sets.len() + own
    }

    fn push(&mut self, ply: u8, side: usize, own: usize, other: usize) {
        self.due[usize::from(ply)].push((side as u8, own as u32, other as u32));
    }

    /// Notes what a position's moves to other placements say.
    fn begin(&mut self, side: usize, own_rank: usize, other_rank: usize, position: &Checkers, worth: Value) {
        let (mut open, mut captures) = (0, false);
        let (mut shortest, mut longest) = (NO_DISTANCE, 0);
        position.legal_moves(|mv| {
            captures |= mv.captured != 0;
            let (.., kings) = position.sets();
            if mv.captured == 0 && kings >> mv.from & 1 != 0 {
                open += 1;
                return;
            }
            let mut after = position.clone();
            after.play(mv);
            let (black, white, _) = after.sets();
            let gone = black == 0 || white == 0;
            if gone || self.memory.value(&after) == worth.for_the_other() {
                let plies = if gone { 1 } else { self.memory.plies(&after).saturating_add(1) };
                (shortest, longest) = (shortest.min(plies), longest.max(plies));
            }
        });
        let place = self.place(side, own_rank, other_rank);
        if worth == Value::Win {
            if !captures {
                self.states[side][place] = State::Won;
            }
            if shortest != NO_DISTANCE {
                self.push(shortest, side, own_rank, other_rank);
            }
        } else if open == 0 {
            self.push(longest, side, own_rank, other_rank);
        } else {
            self.states[side][place] = State::Lost { open, least: longest };
        }
    }

    /// Settles a position, and tells those from which a king's step leads here.
    fn settle_one(&mut self, side: usize, own: usize, other: usize, ply: u8, men: u32) {
        let place = self.place(side, own, other);
        if self.plies[side][place] != NO_DISTANCE {
            return;
        }
        self.plies[side][place] = ply;
        let lost = ply.is_multiple_of(2);
        let standing = self.kings[side].sets[own];
        let before = 1 - side;
        for &(from, square) in self.kings[before].steps(other) {
            if (men | standing) >> square & 1 != 0 {
                continue;
            }
            let from_place = self.place(before, from as usize, own);
            match self.states[before][from_place] {
                State::Won if lost => self.push(ply + 1, before, from as usize, own),
                State::Lost { open, least } if !lost => {
                    self.states[before][from_place] = State::Lost { open: open - 1, least };
                    if open == 1 {
                        self.push(least.max(ply + 1), before, from as usize, own);
                    }
                }
                _ => {}
            }
        }
    }
}

/// The distances of one section in the order of files.
pub(super) fn in_order(slice: &Slice, side: usize) -> Vec<u8> {
    let kings = [slice.material.black.kings, slice.material.white.kings].map(|count| subsets(count.into()));
    let (owns, others) = (kings[side], kings[1 - side]);
    let half = &slice.halves[side];
    let mut bytes = Vec::new();
    slice.men.each(|placement, black, white| {
        let plies = &half.plies[placement * half.plies_stride()..][..half.plies_stride()];
        for (other_rank, &other) in others.sets.iter().enumerate().filter(|(_, other)| **other & (black | white) == 0) {
            for (own_rank, &own) in owns.sets.iter().enumerate() {
                if own & (black | white | other) == 0 {
                    bytes.push(plies[other_rank * owns.sets.len() + own_rank]);
                }
            }
        }
    });
    bytes
}

/// Appends the distances of a placement from a file's list, as [`Settler::settle`] would.
pub(super) fn spread(kings: [u8; 2], men: u32, list: &[u8], out: &mut Vec<u8>) {
    let [owns, others] = kings.map(|count| subsets(count.into()));
    let start = out.len();
    out.resize(start + owns.sets.len() * others.sets.len(), NO_DISTANCE);
    let mut list = list.iter();
    for &other in others.sets.iter().filter(|other| **other & men == 0) {
        for &own in owns.sets.iter().filter(|own| **own & (men | other) == 0) {
            if let Some(&plies) = list.next() {
                out[start + rank(other) * owns.sets.len() + rank(own)] = plies;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bits::each_bit;

    #[test]
    fn a_list_spread_has_every_entry_once() {
        let mut out = Vec::new();
        spread([1, 1], 0, &vec![7; 32 * 31], &mut out);
        assert_eq!(out.iter().filter(|&&plies| plies == 7).count(), 32 * 31);
        let mut diagonal = 0;
        each_bit(u64::from(u32::MAX), |bit| diagonal += usize::from(out[bit as usize * 33] == NO_DISTANCE));
        assert_eq!(diagonal, 32);
    }
}
