//! Move ordering: the better the first move, the more cutoffs.

use smallvec::SmallVec;

use super::config::Config;
use crate::rng::mix;
use crate::{GameRules, Side};

/// The code that represents no move. A real move with this code would merely be searched first.
pub(super) const NO_MOVE: u16 = u16::MAX;

const TABLE_MOVE: i32 = 1 << 30;
const CAPTURE: i32 = 1 << 28;
const KILLER: i32 = 1 << 27;
/// Captures that lose material come after all quiet moves.
const LOSING_CAPTURE: i32 = -(1 << 28);
/// The maximum absolute value of the history counters.
const MAX_HISTORY: i32 = 1 << 14;

/// A move with its code and rank.
#[derive(Clone, Copy)]
pub(super) struct RankedMove<M> {
    pub(super) mv: M,
    pub(super) code: u16,
    /// The material gained by the move in centipawns; 0 for a quiet move.
    pub(super) gain: i32,
    rank: i32,
}

impl<M> RankedMove<M> {
    /// A root move. It has no rank because the root orders its moves itself.
    pub(super) fn new(mv: M, code: u16, gain: i32) -> RankedMove<M> {
        RankedMove { mv, code, gain, rank: 0 }
    }

    /// Whether the move is quiet and neither the table move nor a killer move.
    pub(super) fn is_ordinary(&self) -> bool {
        self.gain == 0 && self.rank < KILLER
    }

    /// Whether the move is a capture that loses material.
    pub(super) fn is_losing_capture(&self) -> bool {
        self.rank <= LOSING_CAPTURE / 2
    }

    /// The sum of the history counters of an ordinary move, each scaled to the range from -1 to 1.
    pub(super) fn history(&self) -> f32 {
        self.rank as f32 / MAX_HISTORY as f32
    }
}

/// The moves of a position.
pub(super) type RankedMoves<M> = SmallVec<[RankedMove<M>; 64]>;

/// The context in which the moves of a position are ordered.
#[derive(Clone, Copy)]
pub(super) struct Context {
    pub(super) turn: Side,
    pub(super) ply: i32,
    /// The code of the previous move.
    pub(super) previous: u16,
}

/// Statistics of quiet moves that caused cutoffs. Each thread has its own.
pub(super) struct MoveOrdering {
    /// Two killer moves per ply.
    killers: Vec<[u16; 2]>,
    /// A counter for each side and move code. It rises when the move causes a cutoff and falls when a later move does.
    history: Vec<i16>,
    /// Like `history`, for each pair of consecutive moves, indexed by a hash of both.
    continuation: Vec<i16>,
}

impl MoveOrdering {
    pub(super) fn new(plies: usize) -> MoveOrdering {
        MoveOrdering { killers: vec![[NO_MOVE; 2]; plies], history: vec![0; 2 << 16], continuation: vec![0; 2 << 16] }
    }

    /// Resets all statistics.
    pub(super) fn clear(&mut self) {
        self.killers.fill([NO_MOVE; 2]);
        self.history.fill(0);
        self.continuation.fill(0);
    }

    /// Prepares for the next search: clears the killer moves, whose plies belong to the previous search, and halves the counters.
    pub(super) fn start_search(&mut self) {
        self.killers.fill([NO_MOVE; 2]);
        self.history.iter_mut().chain(&mut self.continuation).for_each(|counter| *counter /= 2);
    }

    /// Generates and ranks the legal moves: the table move, captures by gain, killer moves, then other moves by history.
    #[inline]
    pub(super) fn rank<P: GameRules>(
        &self,
        position: &P,
        config: &Config,
        context: Context,
        table_move: u16,
        moves: &mut RankedMoves<P::Move>,
    ) {
        let killers = if config.killers { self.killers[context.ply as usize] } else { [NO_MOVE; 2] };
        position.coded_moves(|mv, code| {
            let gain = position.capture_gain(mv);
            let rank = match code {
                code if code == table_move => TABLE_MOVE,
                _ if gain > 0 => CAPTURE + position.capture_order(mv, gain),
                code if code == killers[0] => KILLER + 1,
                code if code == killers[1] => KILLER,
                code => {
                    let history = if config.history { self.history[history_index(context, code)] } else { 0 };
                    let continuation =
                        if config.continuation { self.continuation[continuation_index(context, code)] } else { 0 };
                    i32::from(history) + i32::from(continuation)
                }
            };
            moves.push(RankedMove { mv, code, gain, rank });
        });
    }

    /// Records a quiet move that caused a cutoff and the quiet moves that were tried before it.
    #[inline]
    pub(super) fn add_cutoff<M>(&mut self, context: Context, depth: i32, cutoff: u16, tried: &[RankedMove<M>]) {
        let killers = &mut self.killers[context.ply as usize];
        if killers[0] != cutoff {
            *killers = [cutoff, killers[0]];
        }
        let bonus = (depth * depth * 8 + 32 * depth).min(MAX_HISTORY / 8);
        self.add(context, cutoff, bonus);
        for other in tried.iter().filter(|other| other.gain == 0) {
            self.add(context, other.code, -bonus);
        }
    }

    /// Moves the counters towards their maximum if the bonus is positive, otherwise towards their minimum.
    fn add(&mut self, context: Context, code: u16, bonus: i32) {
        let add = |counter: &mut i16| {
            let value = i32::from(*counter);
            *counter = (value + bonus - value * bonus.abs() / MAX_HISTORY) as i16;
        };
        add(&mut self.history[history_index(context, code)]);
        add(&mut self.continuation[continuation_index(context, code)]);
    }
}

#[inline]
fn history_index(context: Context, code: u16) -> usize {
    (context.turn as usize) << 16 | usize::from(code)
}

#[inline]
fn continuation_index(context: Context, code: u16) -> usize {
    let hash = mix(u64::from(context.previous) << 16 | u64::from(code));
    (context.turn as usize) << 16 | (hash >> 48) as usize
}

/// Moves the highest-ranked move from `index` on (the first one if tied) to `index` and returns it. With `exchange`, captures that
/// lose material come last.
#[inline]
pub(super) fn pick_next<P: GameRules>(
    position: &P,
    moves: &mut [RankedMove<P::Move>],
    index: usize,
    exchange: bool,
) -> RankedMove<P::Move> {
    loop {
        let (mut best, mut highest) = (index, i32::MIN);
        for (other, mv) in moves.iter().enumerate().skip(index) {
            if mv.rank > highest {
                (best, highest) = (other, mv.rank);
            }
        }
        let chosen = &mut moves[best];
        if exchange && (CAPTURE..TABLE_MOVE).contains(&chosen.rank) && !position.exchange_gains(chosen.mv, 0) {
            chosen.rank += LOSING_CAPTURE - CAPTURE;
            continue;
        }
        moves.swap(index, best);
        return moves[index];
    }
}
