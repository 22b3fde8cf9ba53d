//! Simulations whose leaves are evaluated in batches.
//!
//! The search collects a batch of leaves, evaluates them in one call and then backs all of them up. Until then, the visits on their
//! paths count as losses (virtual loss), so that the next path in the batch leads elsewhere.

use super::node::UNIT;
use super::simulator::{Simulator, Step};
use crate::evaluate::{BatchEvaluator, Evaluation};
use crate::{GameRules, Side};

/// A simulation waiting for its leaf to be evaluated.
struct Pending<'a, P> {
    position: P,
    path: Vec<Step<'a>>,
    drawn_nodes: usize,
    actions: Vec<(Side, usize)>,
}

impl<P: GameRules> Simulator<'_, P> {
    /// Runs at most `limit` simulations with one evaluator call. Returns the number of simulations run, which is at least one unless
    /// interrupted.
    pub(super) fn simulate_batch<const SHARED: bool>(&mut self, evaluator: &dyn BatchEvaluator<P>, limit: u64) -> u64 {
        let before = self.stats.simulations;
        let mut batch: Vec<Pending<P>> = Vec::new();
        while self.stats.simulations - before + (batch.len() as u64) < limit {
            self.descend::<SHARED>();
            let known_reward = self.known_reward();
            if self.position.is_interrupted() {
                self.discard::<SHARED>();
                break;
            }
            if let Some(reward) = known_reward {
                self.back_up::<SHARED>(reward);
                continue;
            }
            if batch.iter().any(|pending| pending.path.last().is_some_and(|step| std::ptr::eq(step.node, self.last()))) {
                // The leaf is already in the batch, so remove the visits of this simulation and evaluate the batch.
                for step in &self.path {
                    step.node.remove_visits(1, self.inv_sqrt);
                }
                break;
            }
            batch.push(Pending {
                position: self.position.clone(),
                path: self.path.clone(),
                drawn_nodes: self.drawn_nodes,
                actions: self.actions.clone(),
            });
        }
        if batch.is_empty() {
            return self.stats.simulations - before;
        }
        let positions: Vec<&P> = batch.iter().map(|pending| &pending.position).collect();
        let evaluations = evaluator.evaluate(&positions);
        for (index, pending) in batch.into_iter().enumerate() {
            Pending { position: self.position, path: self.path, drawn_nodes: self.drawn_nodes, actions: self.actions } =
                pending;
            let missing = Evaluation { value: 0.5, priors: Vec::new() };
            let evaluation = evaluations.get(index).unwrap_or(&missing);
            if !self.position.is_interrupted() {
                self.create_children::<SHARED>(self.last(), &evaluation.priors);
            }
            if self.position.is_interrupted() {
                self.discard::<SHARED>();
                continue;
            }
            let value = evaluation.value.clamp(0.0, 1.0);
            let first = if self.position.turn() == Side::First { value } else { 1.0 - value };
            self.back_up::<SHARED>((first / UNIT) as u64);
        }
        self.stats.simulations - before
    }
}
