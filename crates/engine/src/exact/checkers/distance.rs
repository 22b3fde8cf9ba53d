//! Distances to the end of the game for the positions of a placement of men whose values are known.
//!
//! Positions are resolved in order of distance. A won position has distance `n` if a move leads to a lost one at distance
//! `n - 1`; a lost position has distance `n` if all its moves lead to won ones, whose largest distance is `n - 1`. Captures and
//! man moves lead to other placements, whose distances are already known.

use super::Value;
use super::combinations::{Combinations, combinations, rank};
use super::file::NO_DISTANCE;
use super::slice::{LoadedSlices, Slice};
use crate::games::checkers::Checkers;
use crate::{Position, Side};

/// State of a position whose distance is not known yet.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// A draw, an impossible position, or a position resolved by its captures.
    Inactive,
    Won,
    /// Number of unresolved king moves, and the lower bound on the distance given by man moves.
    Lost {
        unresolved: u8,
        min_distance: u8,
    },
}

/// Computes distances placement by placement.
pub(super) struct DistanceSolver<'a> {
    loaded: &'a LoadedSlices,
    kings: [&'static Combinations; 2],
    states: [Vec<State>; 2],
    distances: [Vec<u8>; 2],
    /// Bucket queue by distance: side to move, rank of its kings, rank of the opponent's kings.
    buckets: Vec<Vec<(u8, u32, u32)>>,
}

impl<'a> DistanceSolver<'a> {
    /// Returns a solver for a slice. The distances of all positions reachable from it must be loaded.
    pub(super) fn new(loaded: &'a LoadedSlices, slice: &Slice) -> DistanceSolver<'a> {
        let kings = [slice.material.black.kings, slice.material.white.kings].map(|count| combinations(count.into()));
        let buckets = vec![Vec::new(); usize::from(NO_DISTANCE) + 2];
        DistanceSolver { loaded, kings, states: Default::default(), distances: Default::default(), buckets }
    }

    /// Appends the distances of a placement, first with Black and then with White to move. `value_of` returns the value of a
    /// position given its side to move, own kings and opponent's kings.
    pub(super) fn solve(&mut self, men: [u32; 2], out: &mut Vec<u8>, value_of: impl Fn(usize, u32, u32) -> Value) {
        let all_men = men[0] | men[1];
        let size = self.kings[0].sets.len() * self.kings[1].sets.len();
        for side in 0..2 {
            self.states[side].clear();
            self.states[side].resize(size, State::Inactive);
            self.distances[side].clear();
            self.distances[side].resize(size, NO_DISTANCE);
            let (own_sets, opponent_sets) = (self.kings[side], self.kings[1 - side]);
            for (other_rank, &other) in opponent_sets.sets.iter().enumerate().filter(|(_, other)| **other & all_men == 0) {
                for (own_rank, &own) in own_sets.sets.iter().enumerate().filter(|(_, own)| **own & (all_men | other) == 0) {
                    let value = value_of(side, own, other);
                    if value != Value::Draw {
                        let position = match side {
                            0 => Checkers::from_sets(men[0] | own, men[1] | other, own | other, Side::First),
                            _ => Checkers::from_sets(men[0] | other, men[1] | own, own | other, Side::Second),
                        };
                        self.initialize(side, own_rank, other_rank, &position, value);
                    }
                }
            }
        }
        for ply in 0..usize::from(NO_DISTANCE) {
            while let Some((side, own, other)) = self.buckets[ply].pop() {
                self.finalize(side.into(), own as usize, other as usize, ply as u8, all_men);
            }
        }
        self.distances.iter().for_each(|distances| out.extend_from_slice(distances));
    }

    fn slot(&self, side: usize, own: usize, other: usize) -> usize {
        other * self.kings[side].sets.len() + own
    }

    fn push(&mut self, ply: u8, side: usize, own: usize, other: usize) {
        self.buckets[usize::from(ply)].push((side as u8, own as u32, other as u32));
    }

    /// Sets the initial state of a position from its moves to other placements.
    fn initialize(&mut self, side: usize, own_rank: usize, other_rank: usize, position: &Checkers, value: Value) {
        let (mut unresolved, mut captures) = (0, false);
        let (mut shortest, mut longest) = (NO_DISTANCE, 0);
        position.legal_moves(|mv| {
            captures |= mv.captured != 0;
            let (.., kings) = position.sets();
            if mv.captured == 0 && kings >> mv.from & 1 != 0 {
                unresolved += 1;
                return;
            }
            let mut after = position.clone();
            after.play(mv);
            let (black, white, _) = after.sets();
            let captured_all = black == 0 || white == 0;
            if captured_all || self.loaded.value(&after) == value.for_the_other() {
                let plies = if captured_all { 1 } else { self.loaded.distance(&after).saturating_add(1) };
                (shortest, longest) = (shortest.min(plies), longest.max(plies));
            }
        });
        let slot = self.slot(side, own_rank, other_rank);
        if value == Value::Win {
            if !captures {
                self.states[side][slot] = State::Won;
            }
            if shortest != NO_DISTANCE {
                self.push(shortest, side, own_rank, other_rank);
            }
        } else if unresolved == 0 {
            self.push(longest, side, own_rank, other_rank);
        } else {
            self.states[side][slot] = State::Lost { unresolved, min_distance: longest };
        }
    }

    /// Sets the distance of a position and updates the positions from which a king move leads to it.
    fn finalize(&mut self, side: usize, own: usize, other: usize, ply: u8, men: u32) {
        let slot = self.slot(side, own, other);
        if self.distances[side][slot] != NO_DISTANCE {
            return;
        }
        self.distances[side][slot] = ply;
        let lost = ply.is_multiple_of(2);
        let own_kings = self.kings[side].sets[own];
        let mover = 1 - side;
        for &(from, square) in self.kings[mover].king_moves(other) {
            if (men | own_kings) >> square & 1 != 0 {
                continue;
            }
            let from_slot = self.slot(mover, from as usize, own);
            match self.states[mover][from_slot] {
                State::Won if lost => self.push(ply + 1, mover, from as usize, own),
                State::Lost { unresolved, min_distance } if !lost => {
                    self.states[mover][from_slot] = State::Lost { unresolved: unresolved - 1, min_distance };
                    if unresolved == 1 {
                        self.push(min_distance.max(ply + 1), mover, from as usize, own);
                    }
                }
                _ => {}
            }
        }
    }
}

/// Returns the distances of one section in index order.
pub(super) fn distances_in_file_order(slice: &Slice, side: usize) -> Vec<u8> {
    let kings = [slice.material.black.kings, slice.material.white.kings].map(|count| combinations(count.into()));
    let (own_sets, opponent_sets) = (kings[side], kings[1 - side]);
    let table = &slice.sides[side];
    let mut bytes = Vec::new();
    slice.men.for_each(|placement, black, white| {
        let distances = &table.distances[placement * table.distances_stride()..][..table.distances_stride()];
        for (other_rank, &other) in opponent_sets.sets.iter().enumerate().filter(|(_, other)| **other & (black | white) == 0) {
            for (own_rank, &own) in own_sets.sets.iter().enumerate() {
                if own & (black | white | other) == 0 {
                    bytes.push(distances[other_rank * own_sets.sets.len() + own_rank]);
                }
            }
        }
    });
    bytes
}

/// Appends the distances of a placement, given in index order, in the layout of [`DistanceSolver::solve`].
pub(super) fn expand_distances(kings: [u8; 2], men: u32, list: &[u8], out: &mut Vec<u8>) {
    let [own_sets, opponent_sets] = kings.map(|count| combinations(count.into()));
    let start = out.len();
    out.resize(start + own_sets.sets.len() * opponent_sets.sets.len(), NO_DISTANCE);
    let mut list = list.iter();
    for &other in opponent_sets.sets.iter().filter(|other| **other & men == 0) {
        for &own in own_sets.sets.iter().filter(|own| **own & (men | other) == 0) {
            if let Some(&plies) = list.next() {
                out[start + rank(other) * own_sets.sets.len() + rank(own)] = plies;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bits::each_bit;

    #[test]
    fn expanding_distances_stores_each_entry_once() {
        let mut out = Vec::new();
        expand_distances([1, 1], 0, &vec![7; 32 * 31], &mut out);
        assert_eq!(out.iter().filter(|&&plies| plies == 7).count(), 32 * 31);
        let mut diagonal = 0;
        each_bit(u64::from(u32::MAX), |bit| diagonal += usize::from(out[bit as usize * 33] == NO_DISTANCE));
        assert_eq!(diagonal, 32);
    }
}
