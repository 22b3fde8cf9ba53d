//! Selection (Kocsis and Szepesvári 2006, "Bandit based Monte-Carlo planning"): following the formula from the root to a node that is
//! not fully expanded or whose value is known.

use super::formulas::{self, Formula};
use super::node::{Node, UNIT};
use super::simulator::{Simulator, Step};
use super::variants::Variant;
use crate::{GameRules, Side};

impl<'a, P: GameRules> Simulator<'a, P> {
    #[inline]
    pub(super) fn select<const SHARED: bool, V: Variant>(&mut self) {
        self.drawn_nodes = 0;
        self.repeated = false;
        self.actions.clear();
        let resumed = if SHARED { self.resume_batch() } else { None };
        let starts_at_root = resumed.is_none();
        // A local copy can be kept in registers.
        let mut position = resumed.unwrap_or_else(|| self.start_path::<SHARED>());
        let mut turn = position.turn();
        let solver = V::SOLVER.unwrap_or(self.config.solver);
        // Sums of rewards are in units, so the exploration constant is scaled accordingly.
        let c = self.config.c / UNIT;
        let mut node = self.last();
        loop {
            let children = self.tree.children(node);
            if SHARED && starts_at_root && self.uses_subtree_batches {
                self.consider_batch(node.visits(), &position);
            }
            let policy = self.root_policy.filter(|_| self.path.len() == 1);
            node = match policy {
                Some(policy) => policy.select(self.tree, self.config, turn),
                None => {
                    let limit = if V::GENERAL { self.candidates(node, turn) } else { children.len() as u32 };
                    let untried = node.tried_children() < limit && !(V::GENERAL && self.config.first_play >= 0.0);
                    if untried || children.is_empty() {
                        break;
                    }
                    self.best_child::<V>(node, children, turn, limit, c)
                }
            };
            if solver && node.is_proven() {
                node = match policy {
                    None => self.skip_draw(node, children.iter()),
                    // Sequential halving visits its candidates equally often.
                    Some(policy) if policy.gumbel.is_some() => node,
                    Some(policy) => self.skip_draw(node, policy.allowed(self.tree)),
                };
            }
            self.play_to::<SHARED, V>(&mut position, turn, node);
            turn = position.turn();
            if solver && node.is_proven() {
                break;
            }
            // In a tree, a node has only one history, so a repetition is proven at the node. In a graph, repetition depends on the
            // path.
            if V::GENERAL && self.config.transpositions {
                self.position = position.clone();
                self.repeated = self.is_repetition();
                if self.repeated {
                    break;
                }
            }
        }
        if SHARED && starts_at_root {
            self.commit_visits();
        }
        self.position = position;
    }

    /// The child with the highest score among the first `limit` children of a node. `c` is the exploration constant in units.
    #[inline(always)]
    fn best_child<V: Variant>(&self, node: &Node, children: &'a [Node], turn: Side, limit: u32, c: f64) -> &'a Node {
        if V::PLAIN {
            let explore = c * self.sqrt_ln.get(node.visits());
            return match V::SOLVER {
                Some(true) => formulas::uct::<true>(children, turn, explore),
                _ => formulas::uct::<false>(children, turn, explore),
            };
        }
        let explore = self.config.c * self.sqrt_ln.get(node.visits());
        let enhancements = &self.tree.enhancements;
        if let (true, Some(minimax)) = (V::MINIMAX, &enhancements.minimax) {
            return formulas::uct_with_minimax(self.tree, minimax, node, turn, explore);
        }
        let amaf = enhancements.amaf.as_ref().map_or(0..0, |amaf| amaf.source(&self.path, turn));
        let visits = if self.config.transpositions { self.tree.visits_below(children) } else { node.visits() };
        let first = node.children().start;
        let chosen = Formula::new(self.tree, self.config, visits, amaf).select(first..first + limit, turn);
        chosen.map_or(&children[0], |slot| self.tree.node(slot))
    }

    /// Starts a path at the root.
    #[inline(always)]
    fn start_path<const SHARED: bool>(&mut self) -> P {
        self.path.clear();
        self.keys.clear();
        let root = self.tree.root();
        root.add_visit::<SHARED>(self.inv_sqrt);
        let position = self.root.position().clone();
        self.path.push(Step { node: root, mover: position.turn().other() });
        position
    }
}
