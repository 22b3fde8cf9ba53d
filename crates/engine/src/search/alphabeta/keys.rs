//! Position keys for repetition and the transposition table.

use super::negamax::AlphaBeta;
use crate::evaluate::IncrementalEvaluator;
use crate::rng::mix;
use crate::{GameRules, Position};

/// If there are at least this many reversible plies, their number is part of the table key, because a draw by the move limit may be
/// near.
const MIN_KEYED_CLOCK: u32 = 16;

impl<P: GameRules, E: IncrementalEvaluator<P>> AlphaBeta<'_, P, E> {
    /// Pushes the key of a position before its moves are searched.
    pub(super) fn push_key(&mut self, position: &P, key: u64) {
        if position.repetition_limit() > 0 {
            self.keys.push(key);
        }
    }

    /// Pops the key of a position after its moves have been searched.
    pub(super) fn pop_key(&mut self, position: &P) {
        if position.repetition_limit() > 0 {
            self.keys.pop();
        }
    }

    /// Whether there have been enough reversible plies for a draw by repetition.
    #[inline]
    pub(super) fn may_repeat(&self, position: &P) -> bool {
        let limit = position.repetition_limit();
        let limit = if self.config.early_repetition { limit.min(2) } else { limit };
        limit > 0 && position.reversible_plies().saturating_add(1) >= limit
    }

    /// Whether the position is drawn by repetition or, with `early`, repeats a position within the search.
    pub(super) fn is_repetition(&self, position: &P, key: u64, early: bool) -> bool {
        let first = self.keys.len() - (position.reversible_plies() as usize).min(self.keys.len());
        let early = early && self.config.early_repetition;
        let mut occurrences = 1;
        for (index, &earlier) in self.keys.iter().enumerate().skip(first).rev() {
            if earlier == key {
                occurrences += 1;
                if early && index >= self.game_keys || occurrences >= position.repetition_limit() {
                    return true;
                }
            }
        }
        false
    }
}

/// The key of a position in the transposition table.
#[inline]
pub(super) fn table_key<P: Position>(position: &P, key: u64) -> u64 {
    match position.reversible_plies() {
        plies if plies < MIN_KEYED_CLOCK => key,
        plies => key ^ mix(plies.into()),
    }
}
