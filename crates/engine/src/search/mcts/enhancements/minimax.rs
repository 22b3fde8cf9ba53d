//! Implicit minimax backups (Lanctot, Winands, Pepels and Sturtevant 2014, "Monte Carlo tree search with heuristic evaluations using
//! implicit minimax backups").
//!
//! Each node stores the minimax value of the evaluations below it. The selection formula uses `(1 - weight) * mean + weight * minimax`
//! instead of the mean. Proven values, including draws by repetition, replace evaluations.

use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;

use crate::Side;
use crate::search::mcts::columns::{AnyColumn, Column};
use crate::search::mcts::node::{Node, ONE, PackedValue, UNIT};
use crate::search::mcts::simulator::Step;
use crate::search::mcts::tree::Tree;

pub(in crate::search::mcts) struct ImplicitMinimax {
    weight: f64,
    /// The minimax value in units, from 0 to [`ONE`], for the side that moved to the node.
    values: Column<AtomicU32>,
}

impl ImplicitMinimax {
    pub(super) fn new(weight: f64, slots: usize) -> ImplicitMinimax {
        ImplicitMinimax { weight, values: Column::new(slots) }
    }

    pub(super) fn columns(&self) -> impl Iterator<Item = &dyn AnyColumn> {
        std::iter::once(&self.values as &dyn AnyColumn)
    }

    pub(in crate::search::mcts) fn weight(&self) -> f64 {
        self.weight
    }

    /// The value in units.
    #[inline(always)]
    pub(in crate::search::mcts) fn units(&self, slot: u32) -> u32 {
        self.values.get(slot).load(Relaxed)
    }

    /// The value, from 0 to 1, for the side that moved to the node.
    #[inline(always)]
    pub(in crate::search::mcts) fn value(&self, slot: u32) -> f64 {
        f64::from(self.units(slot)) * UNIT
    }

    /// The values of consecutive slots.
    #[inline(always)]
    pub(in crate::search::mcts) fn block(&self, slots: std::ops::Range<u32>) -> &[AtomicU32] {
        self.values.block(slots)
    }

    /// Sets the value of a node.
    pub(in crate::search::mcts) fn set(&self, slot: u32, units: u64) {
        self.values.get(slot).store(units as u32, Relaxed);
    }

    /// Sets the value of a proven node to which `mover` moved.
    pub(in crate::search::mcts) fn set_proven(&self, slot: u32, proven: PackedValue, mover: Side) {
        self.set(slot, proven.units(mover));
    }

    /// Mixes a mean with the minimax value.
    #[inline(always)]
    pub(in crate::search::mcts) fn mix(&self, slot: u32, mean: f64) -> f64 {
        (1.0 - self.weight) * mean + self.weight * self.value(slot)
    }

    /// Updates the path from the last node up. In a tree, stops at the first value that does not change; in a graph, continues to the
    /// root, because other paths may have changed the children of the nodes above.
    #[inline]
    pub(in crate::search::mcts) fn back_up(&self, tree: &Tree, path: &[Step], turn: Side, is_graph: bool) {
        let mut turn = turn;
        for (depth, step) in path.iter().enumerate().rev() {
            let slot = tree.slot(step.node);
            let units = self.best_below(step.node, step.mover, turn);
            turn = step.mover;
            let is_last = depth + 1 == path.len();
            match units {
                Some(units) if units != u64::from(self.units(slot)) => self.set(slot, units),
                // The last node may be new, in which case its parent does not reflect its value yet.
                _ if is_last || is_graph => {}
                _ => return,
            }
        }
    }

    /// The value of a node in units: the proven value, otherwise the best value of its children, if it has any. `turn` is the side to
    /// move at the node.
    #[inline(always)]
    fn best_below(&self, node: &Node, mover: Side, turn: Side) -> Option<u64> {
        if let Some(proven) = node.proven() {
            return Some(proven.units(mover));
        }
        let values = self.values.block(node.children());
        let best = u64::from(values.iter().map(|value| value.load(Relaxed)).max()?);
        Some(if mover == turn { best } else { ONE - best })
    }
}
