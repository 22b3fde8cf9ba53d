//! How threads that share a tree keep out of each other's way.
//!
//! A simulation writes to every node of its path, and near the root all threads write to the same few: their lines of memory would
//! travel from core to core all the time. So a thread that comes through a much visited node stays below it for several simulations,
//! and the nodes above take these all at once.

use super::mcts::Walker;
use super::node::ONE;
use crate::{Position, Side};

/// A node of so many visits can be stayed below.
const CROWDED: u32 = 1 << 10;
/// Visits of the node for each simulation of a stay: it stays a small share of what is known.
const SHARE: u32 = 1 << 7;
/// Simulations of a stay at most.
const LONGEST: u32 = 16;

/// A place below which a thread makes several simulations.
pub(super) struct Stay<P> {
    /// What stands on the board there.
    position: P,
    /// Nodes on the way there, itself included; 0 for no stay.
    steps: usize,
    /// Keys on the way there.
    keys: usize,
    /// Simulations to be made, counted as visits of the nodes on the way from the beginning.
    planned: u32,
    made: u32,
    /// What the first side got in them.
    rewards: u64,
}

impl<P> Stay<P> {
    pub(super) fn none(position: P) -> Stay<P> {
        Stay { position, steps: 0, keys: 0, planned: 0, made: 0, rewards: 0 }
    }

    /// Nodes that take the rewards of the stay when it ends, not each in its turn.
    #[inline(always)]
    pub(super) fn steps(&self) -> usize {
        self.steps
    }
}

impl<P: Position> Walker<'_, P> {
    /// Goes back to where the thread stays and returns the position there; `None` where a simulation begins at the root.
    #[inline]
    pub(super) fn resume(&mut self) -> Option<P> {
        if self.stay.steps == 0 {
            return None;
        }
        self.path.truncate(self.stay.steps);
        self.keys.truncate(self.stay.keys);
        if self.config.solver && self.last().proof().is_some() {
            self.leave();
            return None;
        }
        Some(self.stay.position.clone())
    }

    /// Notes the last node as a place to stay if it is visited enough; a deeper one will replace it.
    #[inline(always)]
    pub(super) fn consider_stay(&mut self, visits: u32, position: &P) {
        if visits >= CROWDED && self.drawn == 0 {
            let planned = (visits / SHARE).min(LONGEST);
            let (steps, keys) = (self.path.len(), self.keys.len());
            self.stay = Stay { position: position.clone(), steps, keys, planned, made: 0, rewards: 0 };
        }
    }

    /// Begins the stay that was noted on the way down, unless the way turned out to be special.
    pub(super) fn settle(&mut self) {
        if self.drawn > 0 {
            self.stay.steps = 0;
        }
        for step in &self.path[..self.stay.steps] {
            step.node.enter_more(self.stay.planned - 1, self.thinness);
        }
    }

    /// Takes the reward of a simulation of the stay, which ends with the last one planned.
    #[inline]
    pub(super) fn add_to_stay(&mut self, reward: u64) {
        self.stay.rewards += if self.drawn > 0 { ONE / 2 } else { reward };
        self.stay.made += 1;
        if self.stay.made == self.stay.planned {
            self.leave();
        }
    }

    /// Ends the stay: the nodes above take what was found, and give back what was not made.
    pub(super) fn leave(&mut self) {
        let Stay { planned, made, rewards, .. } = self.stay;
        for step in &self.path[..self.stay.steps] {
            let node = step.node;
            let rewards = if step.mover == Side::First { rewards } else { u64::from(made) * ONE - rewards };
            node.add::<true>(rewards as f64);
            if made < planned {
                node.withdraw(planned - made, self.thinness);
            }
        }
        self.stay.steps = 0;
    }
}
