//! Batches of simulations in a subtree, which reduce contention between threads that share a tree.
//!
//! A simulation updates every node on its path, and near the root all threads update the same few nodes, whose cache lines would move
//! from core to core. A thread that reaches a frequently visited node therefore runs several simulations below it and updates the
//! nodes above it once.

use super::node::ONE;
use super::simulator::Simulator;
use crate::{GameRules, Side};

/// The minimum number of visits of a node at which a batch can start.
const MIN_VISITS: u32 = 1 << 10;
/// The number of visits of the node per simulation in a batch, so that a batch is a small fraction of the node's statistics.
const VISITS_PER_SIMULATION: u32 = 1 << 7;
/// The maximum number of simulations in a batch.
const MAX_SIMULATIONS: u32 = 16;

/// A batch of simulations that start at the same node.
pub(super) struct SubtreeBatch<P> {
    /// The position at the node.
    position: P,
    /// The length of the path to the node, including the node; 0 if there is no batch.
    path_len: usize,
    /// The number of keys on the path to the node.
    keys_len: usize,
    /// The number of simulations to run. All are added to the visits of the path at the start.
    planned: u32,
    completed: u32,
    /// The sum of the first side's rewards, in units.
    rewards: u64,
}

impl<P> SubtreeBatch<P> {
    pub(super) fn none(position: P) -> SubtreeBatch<P> {
        SubtreeBatch { position, path_len: 0, keys_len: 0, planned: 0, completed: 0, rewards: 0 }
    }

    /// The number of nodes that are updated at the end of the batch.
    #[inline(always)]
    pub(super) fn path_len(&self) -> usize {
        self.path_len
    }
}

impl<P: GameRules> Simulator<'_, P> {
    /// Truncates the path to the node of the batch and returns its position; `None` if the simulation starts at the root.
    #[inline]
    pub(super) fn resume_batch(&mut self) -> Option<P> {
        if self.batch.path_len == 0 {
            return None;
        }
        self.path.truncate(self.batch.path_len);
        self.keys.truncate(self.batch.keys_len);
        if self.config.solver && self.last().is_proven() {
            self.finish_batch();
            return None;
        }
        Some(self.batch.position.clone())
    }

    /// Plans a batch at the last node if it has enough visits. The plan replaces one for a shallower node.
    #[inline(always)]
    pub(super) fn consider_batch(&mut self, visits: u32, position: &P) {
        if visits >= MIN_VISITS && self.drawn_nodes == 0 {
            let planned = (visits / VISITS_PER_SIMULATION).min(MAX_SIMULATIONS);
            let (path_len, keys_len) = (self.path.len(), self.keys.len());
            self.batch = SubtreeBatch { position: position.clone(), path_len, keys_len, planned, completed: 0, rewards: 0 };
        }
    }

    /// Starts the planned batch by adding its visits to the path, unless the path contains drawn nodes.
    pub(super) fn commit_visits(&mut self) {
        if self.drawn_nodes > 0 {
            self.batch.path_len = 0;
        }
        for step in &self.path[..self.batch.path_len] {
            step.node.add_visits(self.batch.planned - 1, self.inv_sqrt);
        }
    }

    /// Adds the reward of a simulation to the batch and finishes the batch after the last simulation.
    #[inline]
    pub(super) fn add_to_batch(&mut self, reward: u64) {
        self.batch.rewards += if self.drawn_nodes > 0 { ONE / 2 } else { reward };
        self.batch.completed += 1;
        if self.batch.completed == self.batch.planned {
            self.finish_batch();
        }
    }

    /// Finishes the batch: adds its rewards to the path and removes unused visits.
    pub(super) fn finish_batch(&mut self) {
        let SubtreeBatch { planned, completed, rewards, .. } = self.batch;
        for step in &self.path[..self.batch.path_len] {
            let node = step.node;
            let rewards = if step.mover == Side::First { rewards } else { u64::from(completed) * ONE - rewards };
            node.add_reward::<true>(rewards as f64);
            if completed < planned {
                node.remove_visits(planned - completed, self.inv_sqrt);
            }
        }
        self.batch.path_len = 0;
    }
}
