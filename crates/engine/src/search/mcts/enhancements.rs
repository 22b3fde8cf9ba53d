//! The enhancements that store data alongside the nodes. Each has its own file, columns and hooks: `open` when the children of a node
//! are created, a term of the selection score, and `back_up` after a simulation.

mod amaf;
mod minimax;
mod priors;
mod variance;

pub(super) use amaf::Amaf;
pub(super) use minimax::ImplicitMinimax;
pub(super) use priors::{Priors, normalise};
pub(super) use variance::Variance;

use super::columns::AnyColumn;
use super::node::ONE;
use super::serialization::Reader;
use super::simulator::Step;
use crate::Side;
use crate::search::config::{Config, Selection};

/// The enabled enhancements of a tree.
#[derive(Default)]
pub(super) struct Enhancements {
    pub(super) minimax: Option<ImplicitMinimax>,
    pub(super) amaf: Option<Amaf>,
    pub(super) variance: Option<Variance>,
    pub(super) priors: Option<Priors>,
}

impl Enhancements {
    /// The enhancements enabled by a configuration, for a tree with `slots` slots.
    pub(super) fn new(config: &Config, slots: usize) -> Enhancements {
        Enhancements {
            minimax: (config.minimax > 0.0).then(|| ImplicitMinimax::new(config.minimax, slots)),
            amaf: (config.rave > 0.0).then(|| Amaf::new(config.rave, config.grave, slots)),
            variance: (config.selection == Selection::Ucb1Tuned).then(|| Variance::new(slots)),
            priors: config.needs_priors().then(|| Priors::new(slots)),
        }
    }

    /// Whether no enhancement is enabled.
    pub(super) fn is_empty(&self) -> bool {
        self.columns().next().is_none()
    }

    /// Memory per slot in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.columns().map(AnyColumn::bytes).sum()
    }

    pub(super) fn reset(&self, slot: u32) {
        self.columns().for_each(|column| column.reset(slot));
    }

    pub(super) fn copy(&self, from: u32, to: u32) {
        self.columns().for_each(|column| column.copy(from, to));
    }

    pub(super) fn write(&self, slot: u32, bytes: &mut Vec<u8>) {
        self.columns().for_each(|column| column.write(slot, bytes));
    }

    /// Reads what [`Enhancements::write`] wrote; `None` if the data ends too early or is invalid.
    pub(super) fn read(&self, slot: u32, reader: &mut Reader) -> Option<()> {
        self.columns().try_for_each(|column| column.read(slot, reader))?;
        let is_probability = |units: Option<u32>| units.is_none_or(|units| u64::from(units) <= ONE);
        let minimax = self.minimax.as_ref().map(|minimax| minimax.units(slot));
        let prior = self.priors.as_ref().map(|priors| priors.units(slot));
        (is_probability(minimax) && is_probability(prior)).then_some(())
    }

    fn columns(&self) -> impl Iterator<Item = &dyn AnyColumn> {
        let minimax = self.minimax.iter().flat_map(ImplicitMinimax::columns);
        let amaf = self.amaf.iter().flat_map(Amaf::columns);
        let variance = self.variance.iter().flat_map(Variance::columns);
        let priors = self.priors.iter().flat_map(Priors::columns);
        minimax.chain(amaf).chain(variance).chain(priors)
    }
}

/// The reward of a simulation for the nodes on its path.
#[derive(Clone, Copy)]
pub(super) struct Reward {
    /// The first side's reward in [`UNIT`](super::node::UNIT)s.
    pub(super) first: u64,
    /// The number of nodes from the start of the path for which the simulation counts as a draw.
    pub(super) drawn_nodes: usize,
}

impl Reward {
    /// The reward of `side` at a depth on the path, in units.
    #[inline(always)]
    pub(super) fn at(self, depth: usize, side: Side) -> u64 {
        match side {
            _ if depth < self.drawn_nodes => ONE / 2,
            Side::First => self.first,
            Side::Second => ONE - self.first,
        }
    }

    /// The reward of the side that moved to a node on the path, in units.
    #[inline(always)]
    pub(super) fn of_step(self, depth: usize, step: &Step) -> u64 {
        self.at(depth, step.mover)
    }
}
