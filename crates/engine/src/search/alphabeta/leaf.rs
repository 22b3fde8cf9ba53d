//! Leaf scores.

use super::negamax::AlphaBeta;
use super::window::Window;
use crate::evaluate::IncrementalEvaluator;
use crate::search::quiescence::{MAX_EVALUATION, Quiescence, WIN, outcome_score};
use crate::{GameRules, ProvenValue, Side};

/// The maximum number of consecutive captures in quiescence search, more than are possible in any game.
const MAX_CAPTURES: u32 = 32;

impl<P: GameRules, E: IncrementalEvaluator<P>> AlphaBeta<'_, P, E> {
    /// The score of a position at the horizon.
    pub(super) fn evaluate_leaf(&mut self, position: &P, ply: i32, window: Window) -> i32 {
        self.inexact = true;
        if self.config.quiescence {
            let mut quiescence = Quiescence::new(&mut *self.evaluator);
            quiescence.delta = self.config.delta && P::FORWARD_PRUNING && !self.verifying;
            quiescence.exchange = self.config.exchange && !self.verifying;
            let score = quiescence.search(position, window.alpha, window.beta, MAX_CAPTURES, ply);
            self.nodes += quiescence.visited - 1;
            return score;
        }
        if position.count_moves() == 0 {
            return outcome_score(position.no_move_outcome(), position.turn(), ply);
        }
        self.evaluate(position)
    }

    /// The evaluation of a position in centipawns for the side to move, well below any win.
    pub(super) fn evaluate(&mut self, position: &P) -> i32 {
        self.evaluator.evaluate(position).clamp(-MAX_EVALUATION, MAX_EVALUATION)
    }
}

/// The score for `side` of a proven value `ply` plies from the root. A win at an unknown distance scores higher than any evaluation
/// and lower than any win at a known distance.
pub(super) fn proven_score(proven: ProvenValue, side: Side, ply: i32) -> i32 {
    const UNKNOWN_DISTANCE: i32 = (WIN + MAX_EVALUATION) / 2;
    let Some(winner) = proven.winner else {
        return 0;
    };
    let score = proven.distance.map_or(UNKNOWN_DISTANCE - ply, |distance| WIN - ply - distance as i32);
    if winner == side { score } else { -score }
}
