//! UCB1-Tuned (Auer, Cesa-Bianchi and Fischer 2002, "Finite-time analysis of the multiarmed bandit problem"): exploration scaled
//! by an upper confidence bound on the variance.

use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

use super::Reward;
use crate::search::mcts::columns::{AnyColumn, Column};
use crate::search::mcts::node::{ONE, UNIT};
use crate::search::mcts::simulator::Step;
use crate::search::mcts::tree::Tree;

pub(in crate::search::mcts) struct Variance {
    /// Sums of squared rewards in units; each square is rounded down.
    squares: Column<AtomicU64>,
}

impl Variance {
    pub(super) fn new(slots: usize) -> Variance {
        Variance { squares: Column::new(slots) }
    }

    pub(super) fn columns(&self) -> impl Iterator<Item = &dyn AnyColumn> {
        std::iter::once(&self.squares as &dyn AnyColumn)
    }

    /// The exploration term before the constant: `sqrt(ln N / n * min(1/4, V))` with `V = squares / n - mean^2 + sqrt(2 ln N / n)`.
    pub(in crate::search::mcts) fn exploration(&self, slot: u32, total: f64, n: f64, logarithm: f64) -> f64 {
        let mean_square = self.squares.get(slot).load(Relaxed) as f64 * UNIT / n;
        let mean = total / n;
        let variance = mean_square - mean * mean + (2.0 * logarithm / n).sqrt();
        // With transpositions, the mean also depends on simulations along other paths, whose squares are not in the sum.
        (logarithm / n * variance.clamp(0.0, 0.25)).sqrt()
    }

    /// Adds the squared reward to every node on the path.
    pub(in crate::search::mcts) fn back_up(&self, tree: &Tree, path: &[Step], reward: Reward) {
        for (depth, step) in path.iter().enumerate() {
            let reward = reward.of_step(depth, step);
            self.squares.get(tree.slot(step.node)).fetch_add(reward * reward / ONE, Relaxed);
        }
    }
}
