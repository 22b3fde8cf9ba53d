//! Which child to follow: the formulas of the selection phase.
//!
//! `N` is the number of simulations through the parent, this one included, `n` and `w` the simulations through a child and the sum
//! of their rewards for the side to move. UCT is `w/n + c * sqrt(ln N / n)`. With `explore = c * sqrt(ln N)`, the same for all
//! children, and `t = 1 / sqrt(n)`, kept in the child, that is `(w * t + explore) * t`: no division, no root.

use std::hint::select_unpredictable;
use std::sync::LazyLock;

use super::config::{Config, Selection};
use super::node::{Node, UNIT};
use super::tree::Tree;
use crate::Side;

/// A function of small numbers, looked up.
pub(super) struct Table {
    values: Box<[f64]>,
    function: fn(u32) -> f64,
}

/// `sqrt(ln n)`.
pub(super) static SPREAD: LazyLock<Table> = LazyLock::new(|| Table::new(1 << 16, |n| f64::from(n).ln().sqrt()));
/// `1 / sqrt(n)`.
pub(super) static THINNESS: LazyLock<Table> = LazyLock::new(|| Table::new(1 << 14, |n| 1.0 / f64::from(n).sqrt()));

impl Table {
    fn new(size: u32, function: fn(u32) -> f64) -> Table {
        Table { values: (0..size).map(function).collect(), function }
    }

    #[inline(always)]
    pub(super) fn of(&self, n: u32) -> f64 {
        match self.values.get(n as usize) {
            Some(&value) => value,
            None => self.beyond(n),
        }
    }

    #[cold]
    fn beyond(&self, n: u32) -> f64 {
        (self.function)(n)
    }
}

/// The first child with the highest UCT value; each has been tried. With the solver, children that are known to lose are passed
/// over while another is left.
#[inline(always)]
pub(super) fn uct<const SOLVER: bool>(children: &[Node], turn: Side, explore: f64) -> &Node {
    let (mut best, mut highest) = (&children[0], -1.0);
    for node in children {
        let (sum, t) = node.sum_and_thinness();
        // Which child is better no processor can guess: no branches.
        let score = select_unpredictable(SOLVER && node.is_won_by(turn.other()), -1.0, (sum * t + explore) * t);
        let better = score > highest;
        best = select_unpredictable(better, node, best);
        highest = select_unpredictable(better, score, highest);
    }
    best
}

/// The first child with the highest value by the formula and the enhancements of the configuration. `amaf` is the block of
/// children whose results count wherever they were made: the parent's own, or an ancestor's (GRAVE).
pub(super) fn general<'a>(
    tree: &'a Tree,
    children: std::ops::Range<u32>,
    amaf: std::ops::Range<u32>,
    parent_visits: u32,
    turn: Side,
    config: &Config,
) -> &'a Node {
    let total = f64::from(parent_visits.max(1));
    let logarithm = total.ln();
    // What is the same for all siblings is computed once, as far as the formula needs it.
    let explore = match config.selection {
        Selection::Puct => config.c * total.sqrt(),
        Selection::Uct => config.c * logarithm.sqrt(),
        Selection::Ucb1Tuned => config.c,
    };
    let (mut best, mut highest) = (tree.node(children.start), f64::NEG_INFINITY);
    for slot in children {
        let node = tree.node(slot);
        if config.solver && node.is_won_by(turn.other()) {
            continue;
        }
        let n = f64::from(node.visits());
        let (sum, t) = node.sum_and_thinness();
        let mut mean = if n > 0.0 { sum * UNIT * t * t } else { config.first_play.max(0.0) };
        if tree.has_extras() {
            let extra = tree.extra(slot);
            if config.minimax > 0.0 {
                mean = (1.0 - config.minimax) * mean + config.minimax * extra.minimax();
            }
            if config.rave > 0.0 {
                // beta = m / (m + n + rave * m * n), m being the number of such simulations (Cazenave 2015).
                let twin = amaf.clone().find(|&other| tree.extra(other).action() == extra.action());
                let (sum, m) = twin.map_or((0.0, 0.0), |other| tree.extra(other).amaf());
                if m > 0.0 {
                    let beta = m / (m + n + config.rave * m * n);
                    mean = (1.0 - beta) * mean + beta * sum / m;
                }
            }
        }
        let bonus = match config.selection {
            Selection::Puct => explore * tree.extra(slot).prior() / (1.0 + n),
            _ if n == 0.0 => 0.0,
            Selection::Uct => explore * t,
            Selection::Ucb1Tuned => {
                let variance = tree.extra(slot).squares() / n - (node.total() / n).powi(2) + (2.0 * logarithm / n).sqrt();
                explore * (logarithm / n * variance.min(0.25)).sqrt()
            }
        };
        let bias = if config.bias > 0.0 { config.bias * tree.extra(slot).prior() / (n + 1.0) } else { 0.0 };
        let score = mean + bonus + bias;
        if score > highest {
            (best, highest) = (node, score);
        }
    }
    best
}
