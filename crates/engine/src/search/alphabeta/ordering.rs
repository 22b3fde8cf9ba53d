//! Which move to try first: the better the first one, the more the others are cut off.

use smallvec::SmallVec;

use super::config::Config;
use crate::{Position, Side};

/// No move has this code, or if one has, it is only tried a little early.
pub(super) const NO_MOVE: u16 = u16::MAX;

const FROM_TABLE: i32 = 1 << 30;
const CAPTURE: i32 = 1 << 28;
const KILLER: i32 = 1 << 27;
/// History counts stay below this.
const MOST: i32 = 1 << 24;

/// A move with its code and its place in the queue.
#[derive(Clone, Copy)]
pub(super) struct Candidate<M> {
    pub(super) mv: M,
    pub(super) code: u16,
    rank: i32,
}

impl<M> Candidate<M> {
    /// Whether it neither captures nor was thought good elsewhere.
    pub(super) fn is_quiet(&self) -> bool {
        self.rank < KILLER
    }
}

/// The moves of one position.
pub(super) type Candidates<M> = SmallVec<[Candidate<M>; 64]>;

/// What refuted positions before.
pub(super) struct Memory {
    /// Two quiet moves a ply.
    killers: Vec<[u16; 2]>,
    /// For each side and code, how often and how deep a quiet move refuted.
    history: Vec<i32>,
}

impl Memory {
    pub(super) fn new(plies: usize) -> Memory {
        Memory { killers: vec![[NO_MOVE; 2]; plies], history: vec![0; 2 << 16] }
    }

    /// Lists the legal moves, ranked: the table's move, captures by what they take, killers, history.
    #[inline]
    pub(super) fn list<P: Position>(
        &self,
        position: &P,
        config: &Config,
        ply: i32,
        first: u16,
        candidates: &mut Candidates<P::Move>,
    ) {
        let killers = if config.killers { self.killers[ply as usize] } else { [NO_MOVE; 2] };
        let history = &self.history[(position.turn() as usize) << 16..][..1 << 16];
        position.coded_moves(|mv, code| {
            let gain = position.gain(mv);
            let rank = match code {
                code if code == first => FROM_TABLE,
                _ if gain > 0 => CAPTURE + gain,
                code if code == killers[0] => KILLER + 1,
                code if code == killers[1] => KILLER,
                code if config.history => history[usize::from(code)],
                _ => 0,
            };
            candidates.push(Candidate { mv, code, rank });
        });
    }

    /// Remembers a quiet move that refuted a position.
    #[inline]
    pub(super) fn refuted(&mut self, turn: Side, ply: i32, depth: i32, code: u16) {
        let killers = &mut self.killers[ply as usize];
        if killers[0] != code {
            *killers = [code, killers[0]];
        }
        let count = &mut self.history[(turn as usize) << 16 | usize::from(code)];
        *count = (*count + depth * depth).min(MOST);
    }
}

/// Brings the highest ranked of the moves from `index` on to `index`; of equals the first.
#[inline]
pub(super) fn take_best<M: Copy>(candidates: &mut [Candidate<M>], index: usize) -> Candidate<M> {
    let (mut best, mut highest) = (index, i32::MIN);
    for (place, candidate) in candidates.iter().enumerate().skip(index) {
        if candidate.rank > highest {
            (best, highest) = (place, candidate.rank);
        }
    }
    candidates.swap(index, best);
    candidates[index]
}
