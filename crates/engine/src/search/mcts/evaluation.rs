//! Evaluation: the first side's reward at the last node of the path, in [`UNIT`]s.

use super::node::{ONE, PackedValue, UNIT};
use super::simulator::Simulator;
use crate::search::config::{Cutoff, Leaf};
use crate::search::playout::policy_playout;
use crate::search::quiescence::{expected_score, expected_score_after_captures};
use crate::search::table_values::table_value;
use crate::{GameRules, Outcome, Reason, Side};

/// The value of a piece in centipawns for [`Cutoff::Pieces`].
const PIECE_VALUE: i32 = 100;

/// The first side's reward for a result.
fn reward(winner: Option<Side>) -> u64 {
    match winner {
        Some(Side::First) => ONE,
        Some(Side::Second) => 0,
        None => ONE / 2,
    }
}

/// The first side's reward for an expected score of the side to move, rounded down.
fn reward_of_score(turn: Side, score: f64) -> u64 {
    let first = if turn == Side::First { score } else { 1.0 - score };
    (first / UNIT) as u64
}

impl<P: GameRules> Simulator<'_, P> {
    /// The reward: the proven value if there is one, otherwise the result of a playout or an evaluation.
    #[inline]
    pub(super) fn evaluate(&mut self) -> u64 {
        if let Some(reward) = self.proven_reward() {
            return reward;
        }
        if self.config.leaf == Leaf::Heuristic {
            return self
                .stored_evaluation()
                .unwrap_or_else(|| self.known_reward().unwrap_or_else(|| self.expected_reward(&self.position)));
        }
        let max_plies = self.max_playout_plies();
        let actions = (self.config.rave > 0.0).then_some(&mut self.actions);
        let (end, playout) = policy_playout(&self.position, &mut self.rng, max_plies, &self.policy, self.evaluators, actions);
        if self.position.is_interrupted() {
            return 0;
        }
        let reward = match playout.outcome {
            Some(outcome) if playout.plies == 0 => self.prove(outcome.into()),
            Some(outcome) => reward(outcome.winner),
            None => self.cutoff_reward(&end),
        };
        self.stats.add_playout(playout, reward as f64 * UNIT);
        reward
    }

    /// The evaluation of the last node, if implicit minimax has stored it. The outcome of a finished game is then found only when the
    /// node is expanded, but its evaluation is almost the same.
    #[inline(always)]
    fn stored_evaluation(&self) -> Option<u64> {
        let minimax = self.tree.enhancements.minimax.as_ref().filter(|_| self.path.len() > 1)?;
        let step = &self.path[self.path.len() - 1];
        let units = u64::from(minimax.units(self.tree.slot(step.node)));
        Some(if step.mover == Side::First { units } else { ONE - units })
    }

    /// The maximum length of a playout, which grows with the visits of the leaf's parent if `deepening` is set.
    #[inline(always)]
    fn max_playout_plies(&self) -> u32 {
        if self.config.deepening == 0.0 {
            return self.config.playout_plies;
        }
        let parent = self.path[self.path.len().saturating_sub(2)].node;
        let added = self.config.deepening * f64::from(parent.visits().max(1)).log2();
        self.config.playout_plies.saturating_add(added as u32)
    }

    /// The reward if the value of the last node is known without generating its moves.
    #[inline(always)]
    fn proven_reward(&self) -> Option<u64> {
        if let Some(proven) = self.last().proven() {
            return Some(reward(proven.winner));
        }
        if let Some(reward) = self.repetition_reward() {
            return Some(reward);
        }
        let value = if self.config.tables && self.path.len() > 1 { table_value(&self.position)? } else { return None };
        // A win at an unknown distance may be prevented by the move limit.
        let is_certain = value.winner.is_none() || value.distance.is_some();
        Some(if is_certain { self.prove(value.into()) } else { reward(value.winner) })
    }

    /// The reward if the position is drawn by repetition.
    #[inline(always)]
    fn repetition_reward(&self) -> Option<u64> {
        if self.config.transpositions {
            return self.is_repetition().then_some(ONE / 2);
        }
        self.is_repetition().then(|| self.prove(Outcome::draw(Reason::Repetition).into()))
    }

    /// The reward if the game is over at the last node or its value is known.
    pub(super) fn known_reward(&self) -> Option<u64> {
        self.proven_reward().or_else(|| self.position.outcome().map(|outcome| self.prove(outcome.into())))
    }

    /// The reward of a playout that is cut off at a position.
    fn cutoff_reward(&self, position: &P) -> u64 {
        match self.config.cutoff {
            Cutoff::Draw => ONE / 2,
            Cutoff::Pieces => reward_of_score(position.turn(), expected_score(PIECE_VALUE * position.piece_difference())),
            Cutoff::Material => reward_of_score(position.turn(), expected_score(position.material())),
            Cutoff::Heuristic => self.expected_reward(position),
        }
    }

    /// The first side's expected reward according to the evaluation.
    pub(super) fn expected_reward(&self, position: &P) -> u64 {
        reward_of_score(position.turn(), expected_score_after_captures(position, self.evaluators.weights.as_deref()))
    }

    /// Stores the proven value of the last node, unless the simulation was interrupted, and returns its reward.
    fn prove(&self, value: PackedValue) -> u64 {
        if !self.position.is_interrupted() {
            self.last().prove(value);
        }
        reward(value.winner)
    }
}
