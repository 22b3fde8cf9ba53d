//! Selective pruning and reductions, which risk overlooking a good move in order to search the others more deeply.
//!
//! Null-move pruning is described by Donninger (1993), "Null move and deep search", futility pruning and razoring by Heinz (1998),
//! "Extended futility pruning", and late move reductions by Romstad (2006), "An introduction to late move reductions". None of them
//! returns an unproven win or loss, and windows that test the distance to a win or loss are searched without them.

use std::sync::LazyLock;

use super::negamax::{AlphaBeta, Node};
use super::ordering::{NO_MOVE, RankedMove};
use super::window::Window;
use crate::GameRules;
use crate::evaluate::IncrementalEvaluator;
use crate::search::quiescence::MAX_EVALUATION;

/// A quiet move rarely changes the evaluation by more than this per ply, in centipawns.
const FUTILITY_MARGIN: i32 = 90;
const FUTILITY_DEPTH: i32 = 7;
const RAZOR_MARGIN: i32 = 260;
const RAZOR_DEPTH: i32 = 2;
const LATE_MOVE_DEPTH: i32 = 5;
/// Up to this depth, captures that lose more than [`EXCHANGE_MARGIN`] per ply are skipped.
const EXCHANGE_DEPTH: i32 = 5;
const EXCHANGE_MARGIN: i32 = 100;

/// The reduction of quiet moves by depth and index, in plies.
static REDUCTIONS: LazyLock<[[f32; 64]; 64]> = LazyLock::new(|| {
    let reduction = |depth: usize, index: usize| 0.6 + (depth.max(1) as f32).ln() * (index.max(1) as f32).ln() / 2.2;
    std::array::from_fn(|depth| std::array::from_fn(|index| reduction(depth, index)))
});

impl<P: GameRules, E: IncrementalEvaluator<P>> AlphaBeta<'_, P, E> {
    /// The score of a position that need not be searched because of futility pruning, razoring or null-move pruning. Also sets the
    /// fields `improving` and `selective` of the node.
    pub(super) fn prune(&mut self, node: &mut Node<P>) -> Option<i32> {
        if !P::FORWARD_PRUNING || !self.config.prunes_by_evaluation() {
            return None;
        }
        let Node { position, depth, ply, window, .. } = *node;
        let evaluation = self.evaluate(position);
        self.evaluations[ply as usize] = Some(evaluation);
        let before = if ply >= 2 { self.evaluations[ply as usize - 2] } else { None };
        node.improving = before.is_none_or(|before| evaluation > before);
        node.selective = true;
        if window.is_open() {
            return None;
        }
        let Window { alpha, beta } = window;
        let margin = FUTILITY_MARGIN * (depth - i32::from(node.improving));
        if self.config.futility && depth <= FUTILITY_DEPTH && evaluation - margin >= beta {
            self.inexact = true;
            return Some(evaluation);
        }
        if self.config.razoring && depth <= RAZOR_DEPTH && evaluation + RAZOR_MARGIN * depth <= alpha {
            let score = self.evaluate_leaf(position, ply, window);
            if score <= alpha {
                return Some(score);
            }
        }
        if self.config.null_move && depth >= 3 && evaluation >= beta && self.previous[ply as usize] != NO_MOVE {
            return self.search_null_move(node, evaluation);
        }
        None
    }

    /// The score after a null move; `None` if it is below beta or a null move is not possible.
    fn search_null_move(&mut self, node: &Node<P>, evaluation: i32) -> Option<i32> {
        let Node { position, key, depth, ply, window, .. } = *node;
        let next = position.null_move()?;
        let reduction = 4 + depth / 4 + ((evaluation - window.beta) / 200).min(3);
        self.previous[ply as usize + 1] = NO_MOVE;
        self.push_key(position, key);
        self.evaluator.push_null(position, &next);
        let score = -self.negamax(&next, next.key(), depth - reduction, ply + 1, window.negated());
        self.evaluator.pop();
        self.pop_key(position);
        if score < window.beta || self.stopped {
            return None;
        }
        self.inexact = true;
        // A win after a null move proves nothing.
        Some(score.min(MAX_EVALUATION))
    }

    /// Whether a move near a leaf is skipped. No move is skipped before one that avoids a loss is found, because the position would be
    /// considered lost.
    pub(super) fn is_pruned(&self, node: &Node<P>, mv: &RankedMove<P::Move>, index: usize, best: i32) -> bool {
        let Node { depth, ply, window, .. } = *node;
        let Some(evaluation) = self.evaluations[ply as usize] else {
            return false;
        };
        if best <= -MAX_EVALUATION {
            return false;
        }
        if mv.gain > 0 {
            let margin = -EXCHANGE_MARGIN * depth;
            return mv.is_losing_capture() && depth <= EXCHANGE_DEPTH && !node.position.exchange_gains(mv.mv, margin);
        }
        let most = (3 + depth * depth) as usize;
        let is_late = mv.is_ordinary() && index >= if node.improving { most } else { most / 2 + 1 };
        if self.config.late_moves && depth <= LATE_MOVE_DEPTH && is_late {
            return true;
        }
        let margin = FUTILITY_MARGIN * (depth + 1);
        let is_futile = mv.is_ordinary() && depth <= FUTILITY_DEPTH && evaluation + margin <= window.alpha;
        self.config.futility && is_futile
    }

    /// The depth reduction of a move that does not give check, in plies.
    pub(super) fn reduction(&self, node: &Node<P>, mv: &RankedMove<P::Move>, index: usize) -> i32 {
        if !self.config.reductions || node.depth < 3 || index < 3 || !mv.is_ordinary() || self.verifying {
            return 0;
        }
        if !P::FORWARD_PRUNING {
            return 1 + i32::from(index >= 8 && node.depth >= 6);
        }
        let mut reduction = REDUCTIONS[node.depth.min(63) as usize][index.min(63)];
        reduction -= f32::from(u8::from(node.window.is_open())) + mv.history();
        if !node.improving {
            reduction += 0.5;
        }
        (reduction as i32).clamp(0, node.depth - 2)
    }
}
