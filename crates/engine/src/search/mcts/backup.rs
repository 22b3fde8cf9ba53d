//! Backup: adding the reward of a simulation to the nodes on its path.

use super::node::ONE;
use super::simulator::Simulator;
use crate::GameRules;

impl<P: GameRules> Simulator<'_, P> {
    /// Adds a reward, given from the first side's point of view, to every node on the path and propagates proven values.
    #[inline]
    pub(super) fn back_up<const SHARED: bool>(&mut self, first: u64) {
        self.stats.simulations += 1;
        let depth = self.path.len() as u32 - 1;
        self.stats.total_depth += u64::from(depth);
        self.stats.max_depth = self.stats.max_depth.max(depth);
        let batched = if SHARED { self.batch.path_len() } else { 0 };
        let [draw, rewards @ ..] = [ONE / 2, first, ONE - first].map(|reward| reward as f64);
        for (depth, step) in self.path.iter().enumerate().skip(batched) {
            step.node.add_reward::<SHARED>(if depth < self.drawn_nodes { draw } else { rewards[step.mover as usize] });
        }
        if self.config.transpositions {
            self.recompute_means();
        }
        if self.config.solver && self.last().is_proven() {
            self.back_up_proven_value();
        }
        if self.has_enhancements {
            self.back_up_enhancements(first);
        }
        if batched > 0 {
            self.add_to_batch(first);
        }
    }

    /// Updates the data of the enhancements along the path.
    #[inline]
    fn back_up_enhancements(&self, first: u64) {
        let (enhancements, reward) = (&self.tree.enhancements, self.reward(first));
        if let Some(minimax) = &enhancements.minimax {
            minimax.back_up(self.tree, &self.path, self.position.turn(), self.config.transpositions);
        }
        if let Some(variance) = &enhancements.variance {
            variance.back_up(self.tree, &self.path, reward);
        }
        if let Some(amaf) = &enhancements.amaf {
            amaf.back_up(&self.path, &self.actions, reward);
        }
    }
}
