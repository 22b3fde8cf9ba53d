//! RAVE (Gelly and Silver 2011, "Monte-Carlo tree search and rapid action value estimation in computer Go") and GRAVE (Cazenave 2015,
//! "Generalized rapid action value estimation").
//!
//! The AMAF ("all moves as first") value of a move is the mean reward of the simulations in which its side played the same action at
//! any later point. A child scores `(1 - beta) * mean + beta * amaf` with `beta = m / (m + n + bias * m * n)`, where `n` is its number
//! of visits and `m` the number of AMAF simulations.

use std::ops::Range;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicU32, AtomicU64};

use super::Reward;
use crate::Side;
use crate::search::mcts::columns::{AnyColumn, Column};
use crate::search::mcts::node::UNIT;
use crate::search::mcts::simulator::Step;

pub(in crate::search::mcts) struct Amaf {
    bias: f64,
    /// The minimum number of visits for a node to use its own AMAF values instead of an ancestor's.
    min_visits: u32,
    /// Sums of rewards in units, for the side that moved to the node.
    sums: Column<AtomicU64>,
    visits: Column<AtomicU32>,
    /// [`crate::Learning::action`] of the move to the node.
    actions: Column<AtomicU32>,
}

impl Amaf {
    pub(super) fn new(bias: f64, min_visits: u32, slots: usize) -> Amaf {
        let (sums, visits, actions) = (Column::new(slots), Column::new(slots), Column::new(slots));
        Amaf { bias, min_visits, sums, visits, actions }
    }

    pub(super) fn columns(&self) -> impl Iterator<Item = &dyn AnyColumn> {
        [&self.sums as &dyn AnyColumn, &self.visits, &self.actions].into_iter()
    }

    /// Sets the action of a new node.
    pub(in crate::search::mcts) fn open(&self, slot: u32, action: usize) {
        self.actions.get(slot).store(action as u32, Relaxed);
    }

    fn action(&self, slot: u32) -> u32 {
        self.actions.get(slot).load(Relaxed)
    }

    /// The children whose AMAF values the last node of the path uses: those of the nearest node with the same side to move and enough
    /// visits or, if there is none, of the topmost node with the same side to move. `turn` is the side to move at the last node.
    pub(in crate::search::mcts) fn source(&self, path: &[Step], turn: Side) -> Range<u32> {
        let mut source = 0..0;
        let mut side = turn;
        for step in path.iter().rev() {
            if side == turn {
                source = step.node.children();
                if step.node.visits() >= self.min_visits {
                    break;
                }
            }
            side = step.mover;
        }
        source
    }

    /// Mixes the mean of a child that has `n` visits with the AMAF value of its action in `source`.
    pub(in crate::search::mcts) fn mix(&self, slot: u32, source: Range<u32>, n: f64, mean: f64) -> f64 {
        let action = self.action(slot);
        let Some(same) = source.into_iter().find(|&other| self.action(other) == action) else {
            return mean;
        };
        let m = f64::from(self.visits.get(same).load(Relaxed));
        if m == 0.0 {
            return mean;
        }
        let amaf = self.sums.get(same).load(Relaxed) as f64 * UNIT / m;
        let beta = m / (m + n + self.bias * m * n);
        (1.0 - beta) * mean + beta * amaf
    }

    /// For every node on the path, adds the reward to the children whose actions were played later in the simulation. `actions` are
    /// the sides and actions of all moves of the simulation.
    pub(in crate::search::mcts) fn back_up(&self, path: &[Step], actions: &[(Side, usize)], reward: Reward) {
        for (depth, step) in path.iter().enumerate() {
            let later = &actions[depth.min(actions.len())..];
            let Some(&(turn, _)) = later.first() else {
                break;
            };
            for slot in step.node.children() {
                if later.contains(&(turn, self.action(slot) as usize)) {
                    self.sums.get(slot).fetch_add(reward.at(depth + 1, turn), Relaxed);
                    self.visits.get(slot).fetch_add(1, Relaxed);
                }
            }
        }
    }
}
