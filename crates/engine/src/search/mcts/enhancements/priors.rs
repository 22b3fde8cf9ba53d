//! Move priors, for PUCT (Silver et al. 2017, "Mastering the game of Go without human knowledge") and progressive bias (Chaslot et al.
//! 2008, "Progressive strategies for Monte-Carlo tree search").

use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;

use crate::search::mcts::columns::{AnyColumn, Column};
use crate::search::mcts::node::UNIT;

pub(in crate::search::mcts) struct Priors {
    /// The prior probability of the move to the node in units, rounded down.
    values: Column<AtomicU32>,
}

impl Priors {
    pub(super) fn new(slots: usize) -> Priors {
        Priors { values: Column::new(slots) }
    }

    pub(super) fn columns(&self) -> impl Iterator<Item = &dyn AnyColumn> {
        std::iter::once(&self.values as &dyn AnyColumn)
    }

    pub(super) fn units(&self, slot: u32) -> u32 {
        self.values.get(slot).load(Relaxed)
    }

    /// The prior probability of the move to a node.
    #[inline(always)]
    pub(in crate::search::mcts) fn get(&self, slot: u32) -> f64 {
        f64::from(self.units(slot)) * UNIT
    }

    /// Sets a prior from 0 to 1.
    pub(in crate::search::mcts) fn set(&self, slot: u32, prior: f64) {
        self.values.get(slot).store((prior / UNIT) as u32, Relaxed);
    }
}

/// Probabilities proportional to the weights; uniform if all weights are 0.
pub(in crate::search::mcts) fn normalise(weights: &[f64]) -> Vec<f64> {
    let sum: f64 = weights.iter().sum();
    let uniform = 1.0 / weights.len().max(1) as f64;
    weights.iter().map(|&weight| if sum > 0.0 { weight / sum } else { uniform }).collect()
}
