//! Expansion: creating the children of a node and trying the next one.

use super::enhancements::normalise;
use super::node::{Node, ONE};
use super::simulator::Simulator;
use super::transpositions::transposition_key;
use super::variants::Variant;
use crate::search::config::Leaf;
use crate::{GameRules, Side};

impl<P: GameRules> Simulator<'_, P> {
    /// Expands the last node on its second visit and appends its next untried child to the path.
    #[inline]
    pub(super) fn expand<const SHARED: bool, V: Variant>(&mut self) {
        let node = self.last();
        // The root is expanded before the search, unless memory is exhausted.
        if self.path.len() > 1 && (node.visits() == 1 || node.is_proven() || self.repeated) {
            return;
        }
        // With a batch evaluator, nodes are expanded after their evaluation.
        if node.first_child_and_count().1 == 0
            && (self.config.leaf == Leaf::Evaluator || !self.create_children::<SHARED>(node, &[]))
        {
            return;
        }
        let mut position = self.position.clone();
        let turn = position.turn();
        let limit = if V::GENERAL { self.candidates(node, turn) } else { node.children().len() as u32 };
        if let Some(index) = node.try_next_child::<SHARED>(limit) {
            self.play_to::<SHARED, V>(&mut position, turn, self.tree.node(node.children().start + index));
            self.position = position;
        }
    }

    /// Creates the children of a node in random order or, if an evaluator provided `priors`, in descending order of prior. Returns
    /// `false` if there are no legal moves, memory is exhausted, or another thread is expanding the node.
    pub(super) fn create_children<const SHARED: bool>(&mut self, node: &Node, priors: &[f64]) -> bool {
        if !node.claim::<SHARED>() {
            return false;
        }
        self.codes.clear();
        let outcome = if self.path.len() == 1 { None } else { self.position.early_outcome() };
        if outcome.is_none() {
            let (codes, position) = (&mut self.codes, &self.position);
            position.legal_moves(|mv| codes.push(position.encode(mv)));
        }
        let key = if self.config.transpositions { transposition_key(&self.position, self.ply()) } else { 0 };
        if self.position.is_interrupted() {
            return node.disclaim::<SHARED>();
        }
        if self.codes.is_empty() {
            node.prove(outcome.unwrap_or_else(|| self.position.no_move_outcome()).into());
            return node.disclaim::<SHARED>();
        }
        if self.config.transpositions && self.share_children(node, key) {
            return true;
        }
        let priors = self.order_codes(priors);
        let Some(block) = self.tree.take_block::<SHARED>(self.codes.len() as u32, &mut self.reserve) else {
            return node.disclaim::<SHARED>();
        };
        for (child, &code) in self.tree.block(block.clone()).iter().zip(&self.codes) {
            child.set_move_code(code);
        }
        if self.has_enhancements {
            self.open_enhancements(block.clone(), &priors);
            if self.position.is_interrupted() {
                self.tree.discard(block);
                return node.disclaim::<SHARED>();
            }
        }
        // Publish the children to other threads only now that they are complete.
        self.tree.attach(node, &block, 0);
        if self.config.transpositions {
            self.tree.transpositions.insert(key, &block);
        }
        true
    }

    /// Initialises the enhancements' data for new children. `priors` come from an evaluator; if empty, the playout policy is used.
    fn open_enhancements(&self, children: std::ops::Range<u32>, priors: &[f64]) {
        let enhancements = &self.tree.enhancements;
        let move_of = |child: u32| self.position.decode(self.tree.node(child).move_code());
        if let Some(amaf) = &enhancements.amaf {
            children.clone().for_each(|child| amaf.open(child, self.position.action(move_of(child))));
        }
        if let Some(minimax) = &enhancements.minimax {
            let turn = self.position.turn();
            for child in children.clone() {
                let mut next = self.position.clone();
                next.play(move_of(child));
                let first = self.expected_reward(&next);
                minimax.set(child, if turn == Side::First { first } else { ONE - first });
            }
        }
        if let Some(stored) = &enhancements.priors {
            let weight = |(index, child)| match priors.get(index) {
                Some(&prior) => prior,
                None => self.policy.weight(&self.position, move_of(child)),
            };
            let weights: Vec<f64> = children.clone().enumerate().map(weight).collect();
            children.zip(normalise(&weights)).for_each(|(child, prior)| stored.set(child, prior));
        }
    }

    /// Orders the move codes of a node to be expanded, with an immediately winning move first, and returns the priors in that order.
    #[inline(always)]
    fn order_codes(&mut self, priors: &[f64]) -> Vec<f64> {
        let mut ordered = Vec::new();
        if priors.len() == self.codes.len() {
            let mut pairs: Vec<(u16, f64)> = self.codes.iter().copied().zip(priors.iter().copied()).collect();
            pairs.sort_by(|(_, one), (_, other)| other.total_cmp(one));
            (self.codes, ordered) = pairs.into_iter().unzip();
        } else {
            for last in (1..self.codes.len()).rev() {
                self.codes.swap(last, self.rng.below(last as u32 + 1) as usize);
            }
        }
        let winning = if self.config.decisive && self.path.len() > 1 { self.position.winning_move() } else { None };
        if let Some(winning) = winning {
            let code = self.position.encode(winning);
            if let Some(index) = self.codes.iter().position(|&other| other == code) {
                self.codes.swap(0, index);
                if !ordered.is_empty() {
                    ordered.swap(0, index);
                }
            }
        }
        ordered
    }
}
