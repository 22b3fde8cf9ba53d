//! Selection formulas.
//!
//! `N` is the number of simulations through the parent, including the current one; `n` and `w` are the number of simulations through a
//! child and the sum of their rewards for the side to move. UCT is `w/n + c * sqrt(ln N / n)`. With `explore = c * sqrt(ln N)`, equal
//! for all children, and `t = 1 / sqrt(n)`, stored in the child, it becomes `(w * t + explore) * t`, which needs no division or square
//! root.

use std::hint::select_unpredictable;
use std::ops::Range;
use std::sync::LazyLock;
use std::sync::atomic::Ordering::Relaxed;

use super::enhancements::{Enhancements, ImplicitMinimax};
use super::node::{Node, UNIT};
use super::tree::Tree;
use crate::Side;
use crate::search::config::{Config, Selection};

/// A function of an integer, tabulated for small arguments.
pub(super) struct LookupTable {
    values: Box<[f64]>,
    function: fn(u32) -> f64,
}

/// `sqrt(ln n)`.
pub(super) static SQRT_LN: LazyLock<LookupTable> = LazyLock::new(|| LookupTable::new(1 << 16, |n| f64::from(n).ln().sqrt()));
/// `1 / sqrt(n)`, and a large finite number for 0, so that UCT prefers a child whose only simulation was discarded.
pub(super) static INV_SQRT: LazyLock<LookupTable> =
    LazyLock::new(|| LookupTable::new(1 << 14, |n| if n == 0 { 1e100 } else { 1.0 / f64::from(n).sqrt() }));

impl LookupTable {
    fn new(size: u32, function: fn(u32) -> f64) -> LookupTable {
        LookupTable { values: (0..size).map(function).collect(), function }
    }

    #[inline(always)]
    pub(super) fn get(&self, n: u32) -> f64 {
        match self.values.get(n as usize) {
            Some(&value) => value,
            None => self.compute(n),
        }
    }

    #[cold]
    fn compute(&self, n: u32) -> f64 {
        (self.function)(n)
    }
}

/// The first child with the highest UCT value. Every child must have been visited. With the solver, proven losses are skipped unless
/// all children are lost.
#[inline(always)]
pub(super) fn uct<const SOLVER: bool>(children: &[Node], turn: Side, explore: f64) -> &Node {
    let (mut best, mut highest) = (&children[0], -1.0);
    for node in children {
        let (sum, t) = node.sum_and_inv_sqrt_visits();
        // Branch-free because the comparison is unpredictable.
        let score = select_unpredictable(SOLVER && node.is_won_by(turn.other()), -1.0, (sum * t + explore) * t);
        let better = score > highest;
        best = select_unpredictable(better, node, best);
        highest = select_unpredictable(better, score, highest);
    }
    best
}

/// Like [`uct`], with implicit minimax: `(1 - weight) * mean + weight * minimax` instead of the mean.
#[inline(always)]
pub(super) fn uct_with_minimax<'a>(
    tree: &'a Tree,
    minimax: &ImplicitMinimax,
    parent: &Node,
    turn: Side,
    explore: f64,
) -> &'a Node {
    let slots = parent.children();
    let children = tree.block(slots.clone());
    let (of_mean, of_minimax) = ((1.0 - minimax.weight()) * UNIT, minimax.weight() * UNIT);
    let (mut best, mut highest) = (0, -1.0);
    for (index, (node, value)) in children.iter().zip(minimax.block(slots)).enumerate() {
        let (sum, t) = node.sum_and_inv_sqrt_visits();
        let score = (of_mean * sum * t + explore) * t + of_minimax * f64::from(value.load(Relaxed));
        let score = select_unpredictable(node.is_won_by(turn.other()), -1.0, score);
        let better = score > highest;
        best = select_unpredictable(better, index, best);
        highest = select_unpredictable(better, score, highest);
    }
    &children[best]
}

/// The parts of a child's score in the selection formula.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Score {
    /// The mean reward, mixed with the minimax and AMAF values.
    pub(super) mean: f64,
    /// The exploration term.
    pub(super) exploration: f64,
    /// The progressive bias.
    pub(super) bias: f64,
}

impl Score {
    pub(super) fn total(self) -> f64 {
        self.mean + self.exploration + self.bias
    }
}

/// The selection formula at a node, with all enhancements.
pub(super) struct Formula<'a> {
    tree: &'a Tree,
    config: &'a Config,
    logarithm: f64,
    /// The factor of the exploration term shared by all children.
    explore: f64,
    /// The slots whose AMAF values are used.
    amaf: Range<u32>,
}

impl<'a> Formula<'a> {
    /// The formula for the children of a node with `visits` visits, including the current one.
    pub(super) fn new(tree: &'a Tree, config: &'a Config, visits: u32, amaf: Range<u32>) -> Formula<'a> {
        let total = f64::from(visits.max(1));
        let explore = match config.selection {
            Selection::Puct => config.c * total.sqrt(),
            Selection::Uct => config.c * SQRT_LN.get(visits.max(1)),
            Selection::Ucb1Tuned => config.c,
        };
        Formula { tree, config, logarithm: total.ln(), explore, amaf }
    }

    /// The score of a child.
    pub(super) fn score(&self, slot: u32) -> Score {
        let node = self.tree.node(slot);
        let Enhancements { minimax, amaf, variance, priors } = &self.tree.enhancements;
        let n = f64::from(node.visits());
        let mut mean = if n > 0.0 { node.total() / n } else { self.config.first_play.max(0.0) };
        if let Some(minimax) = minimax {
            mean = minimax.mix(slot, mean);
        }
        if let Some(amaf) = amaf {
            mean = amaf.mix(slot, self.amaf.clone(), n, mean);
        }
        let prior = priors.as_ref().map_or(0.0, |priors| priors.get(slot));
        let exploration = match (self.config.selection, variance) {
            (Selection::Puct, _) => self.explore * prior / (1.0 + n),
            _ if n == 0.0 => 0.0,
            (_, Some(variance)) => self.explore * variance.exploration(slot, node.total(), n, self.logarithm),
            _ => self.explore * (1.0 / n.sqrt()),
        };
        Score { mean, exploration, bias: self.config.bias * prior / (n + 1.0) }
    }

    /// The first candidate with the highest score, skipping proven losses for `turn` unless all candidates are lost.
    pub(super) fn select(&self, candidates: impl Iterator<Item = u32> + Clone, turn: Side) -> Option<u32> {
        let lost = |slot: &u32| self.config.solver && self.tree.node(*slot).is_won_by(turn.other());
        let mut best = candidates.clone().next()?;
        let mut highest = f64::NEG_INFINITY;
        for slot in candidates.filter(|slot| !lost(slot)) {
            let score = self.score(slot).total();
            if score > highest {
                (best, highest) = (slot, score);
            }
        }
        Some(best)
    }
}
