//! Quiescence search: evaluation after pending captures.

use std::marker::PhantomData;
use std::sync::LazyLock;

use crate::evaluate::{IncrementalEvaluator, StaticEvaluator, Weights};
use crate::{GameRules, Outcome, Side};

/// The score of an immediate win; a win in `n` plies is `WIN - n`.
pub const WIN: i32 = 30_000;
/// Evaluations are clamped to this absolute value, well below any win.
pub const MAX_EVALUATION: i32 = 20_000;
/// The maximum number of consecutive captures considered by the tree search.
const MAX_CAPTURES: u32 = 4;
/// A capture is pruned if its gain and this margin together do not raise the evaluation above alpha.
const DELTA_MARGIN: i32 = 150;

/// The expected score of the side to move after pending captures, from 0 to 1, according to weights or the game's heuristic.
pub fn expected_score_after_captures<P: GameRules>(position: &P, weights: Option<&Weights>) -> f64 {
    let mut evaluator = StaticEvaluator::new(weights);
    let mut quiescence = Quiescence { delta: P::FORWARD_PRUNING, exchange: true, ..Quiescence::new(&mut evaluator) };
    expected_score(quiescence.search(position, -WIN, WIN, MAX_CAPTURES, 0))
}

/// Converts a score in centipawns to an expected score on the Elo scale: `1 / (1 + 10^(-score / 400))`.
#[inline]
pub fn expected_score(score: i32) -> f64 {
    const LARGEST: i32 = 4096;
    static TABLE: LazyLock<Vec<f64>> = LazyLock::new(|| (-LARGEST..=LARGEST).map(compute).collect());
    fn compute(score: i32) -> f64 {
        1.0 / (1.0 + 10f64.powf(-f64::from(score) / 400.0))
    }
    match TABLE.get((score + LARGEST) as usize) {
        Some(&value) => value,
        None => compute(score),
    }
}

/// The score for `side` of a game that ends `ply` plies from the root.
#[inline]
pub fn outcome_score(outcome: Outcome, side: Side, ply: i32) -> i32 {
    match outcome.winner {
        None => 0,
        Some(winner) if winner == side => WIN - ply,
        Some(_) => ply - WIN,
    }
}

/// A quiescence search.
pub struct Quiescence<'a, P, E> {
    evaluator: &'a mut E,
    /// Prunes captures that cannot raise the evaluation above alpha.
    pub delta: bool,
    /// Prunes captures that lose material by static exchange evaluation.
    pub exchange: bool,
    /// The number of positions visited.
    pub visited: u64,
    position: PhantomData<P>,
}

impl<'a, P: GameRules, E: IncrementalEvaluator<P>> Quiescence<'a, P, E> {
    /// A search without pruning. The last position of the evaluator's line must be the position to search.
    pub fn new(evaluator: &'a mut E) -> Self {
        Quiescence { evaluator, delta: false, exchange: false, visited: 0, position: PhantomData }
    }

    /// The score for the side to move after at most `depth` captures. A side that is not forced to capture may stand pat. Exact
    /// between `alpha` and `beta`, otherwise a bound.
    pub fn search(&mut self, position: &P, mut alpha: i32, beta: i32, depth: u32, ply: i32) -> i32 {
        self.visited += 1;
        if let Some(outcome) = position.early_outcome() {
            return outcome_score(outcome, position.turn(), ply);
        }
        let mut captures = smallvec::SmallVec::<[(i32, i32, P::Move); 32]>::new();
        let has_quiet_move = position.capture_moves(|mv, gain| captures.push((position.capture_order(mv, gain), gain, mv)));
        if captures.is_empty() && !has_quiet_move {
            return outcome_score(position.no_move_outcome(), position.turn(), ply);
        }
        if captures.is_empty() || depth == 0 {
            return self.evaluate(position);
        }
        let mut best = -WIN;
        // A capture with at most this gain cannot raise alpha.
        let mut min_gain = i32::MIN;
        if has_quiet_move {
            best = self.evaluate(position);
            if best >= beta {
                return best;
            }
            if self.delta {
                min_gain = alpha - best - DELTA_MARGIN;
            }
        }
        let exchange = self.exchange && has_quiet_move;
        if captures.len() > 1 {
            captures.sort_by_key(|&(order, _, _)| -order);
        }
        for (_, gain, mv) in captures {
            if gain <= min_gain || exchange && !position.exchange_gains(mv, 0) {
                continue;
            }
            alpha = alpha.max(best);
            let mut next = position.clone();
            next.play(mv);
            self.evaluator.push(position, mv, &next);
            let score = match next.turn() == position.turn() {
                true => self.search(&next, alpha, beta, depth - 1, ply + 1),
                false => -self.search(&next, -beta, -alpha, depth - 1, ply + 1),
            };
            self.evaluator.pop();
            best = best.max(score);
            if best >= beta {
                break;
            }
        }
        best
    }

    fn evaluate(&mut self, position: &P) -> i32 {
        self.evaluator.evaluate(position).clamp(-MAX_EVALUATION, MAX_EVALUATION)
    }
}
