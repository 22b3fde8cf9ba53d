//! The phases' part in the enhancements that keep more than a node holds: priors, RAVE, implicit minimax, variances.

use super::config::Selection;
use super::mcts::Walker;
use super::node::Node;
use super::quiesce;
use crate::{Position, Side};

impl<P: Position> Walker<'_, P> {
    /// What the side to move may expect, 0 to 1, without any playout.
    pub(super) fn expectation(&self, position: &P) -> f64 {
        quiesce::expectation(position, self.judges.weights.as_deref())
    }

    /// What is known of the children of a node before any is tried; `priors` are an evaluator's, none for the game's own.
    pub(super) fn fill_extras(&mut self, node: &Node, priors: &[f64]) {
        let children = node.children();
        let made = |child: u32| self.position.decode(self.tree.node(child).code());
        for child in children.clone() {
            let (mv, extra) = (made(child), self.tree.extra(child));
            if self.config.rave > 0.0 {
                extra.set_action(self.position.action(mv));
            }
            if self.config.minimax > 0.0 {
                let mut next = self.position.clone();
                next.play(mv);
                let value = self.expectation(&next);
                extra.set_minimax(if next.turn() == self.position.turn() { value } else { 1.0 - value });
            }
        }
        if !self.config.needs_priors() {
            return;
        }
        let weight = |(index, child)| match priors.get(index) {
            Some(&prior) => prior,
            None => self.policy.weight(&self.position, made(child)),
        };
        let weights: Vec<f64> = children.clone().enumerate().map(weight).collect();
        let sum: f64 = weights.iter().sum();
        let even = 1.0 / weights.len() as f64;
        let noise: Vec<f64> = match self.path.len() == 1 && self.config.noise > 0.0 {
            true => weights.iter().map(|_| -(1.0 - self.rng.unit()).ln()).collect(),
            false => Vec::new(),
        };
        let noise_sum: f64 = noise.iter().sum();
        for (index, child) in children.enumerate() {
            let mut prior = if sum > 0.0 { weights[index] / sum } else { even };
            if noise_sum > 0.0 {
                prior += self.config.noise * (noise[index] / noise_sum - prior);
            }
            self.tree.extra(child).set_prior(prior);
        }
    }

    /// The children whose results count for RAVE at the last node: its own, or with GRAVE those of the nearest ancestor with
    /// enough visits; none without RAVE.
    #[inline(always)]
    pub(super) fn amaf_block(&self) -> std::ops::Range<u32> {
        if self.config.rave == 0.0 {
            return 0..0;
        }
        let step = self.path.iter().rev().find(|step| step.node.visits() >= self.config.grave);
        step.map_or(self.tree.root(), |step| step.node).children()
    }

    /// Adds a simulation to what the enhancements keep.
    pub(super) fn back_up_extras(&mut self, reward: u64) {
        let seen_by = |side: Side| if side == Side::First { reward } else { super::node::ONE - reward };
        if self.config.selection == Selection::Ucb1Tuned {
            for step in &self.path {
                self.tree.extra_of(step.node).add_square(seen_by(step.mover));
            }
        }
        if self.config.rave > 0.0 {
            for (depth, step) in self.path.iter().enumerate() {
                let later = &self.made[depth.min(self.made.len())..];
                let Some(&(turn, _)) = later.first() else {
                    break;
                };
                for child in step.node.children() {
                    let extra = self.tree.extra(child);
                    if later.contains(&(turn, extra.action())) {
                        extra.add_amaf(seen_by(turn));
                    }
                }
            }
        }
        if self.config.minimax > 0.0 {
            for pair in self.path.windows(2).rev() {
                let (parent, turn) = (pair[0], pair[1].mover);
                let values = parent.node.children().map(|child| self.tree.extra(child).minimax());
                let best = values.fold(0.0, f64::max);
                let value = if parent.mover == turn { best } else { 1.0 - best };
                let extra = self.tree.extra_of(parent.node);
                if value as f32 == extra.minimax() as f32 {
                    break; // nothing changes further up either
                }
                extra.set_minimax(value);
            }
        }
    }
}
