//! The analysis of a position from its search trees.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::formulas::{Formula, Score};
use super::search::Search;
use super::simulator::Step;
use super::tree::Tree;
use crate::search::analysis::{Analysis, MoveAnalysis, TreeNode};
use crate::search::config::MoveChoice;
use crate::{GameRules, Line, ProvenValue, Side};

impl<P: GameRules> Search<P> {
    /// The current analysis.
    pub fn analysis(&self) -> Analysis {
        let turn = self.root.position().turn();
        let moves: Vec<MoveAnalysis> = self.root.legal_moves().into_iter().map(|mv| self.analyse_move(mv)).collect();
        let visits: u64 = moves.iter().map(|mv| mv.visits).sum();
        let total: f64 = moves.iter().map(|mv| mv.value * mv.visits as f64).sum();
        let proven = self.trees.iter().find_map(|tree| tree.root().proven()).map(ProvenValue::from);
        let value = match proven {
            Some(proven) => proven.value(turn),
            None if visits == 0 => 0.5,
            // Simulations skip proven draws, so the mean may be below 0.5 even though a draw can be chosen.
            None if moves.iter().any(MoveAnalysis::is_proven_draw) => (total / visits as f64).max(0.5),
            None => total / visits as f64,
        };
        Analysis {
            best: self.best_index(&moves),
            value,
            score: None,
            proven,
            stats: self.stats.clone(),
            nodes: self.trees.iter().map(Tree::len).sum::<usize>() as u64,
            bytes: self.trees.iter().map(Tree::bytes).sum(),
            seconds: self.elapsed().as_secs_f64(),
            moves,
        }
    }

    /// The analysis of a root move. A move that is not allowed has no statistics, even if an earlier run searched it.
    fn analyse_move(&self, mv: P::Move) -> MoveAnalysis {
        let code = self.root.position().encode(mv);
        let (mut visits, mut total, mut prior, mut proven, mut pv) = (0, 0.0, None, None, Vec::new());
        for tree in self.trees.iter().filter(|_| self.is_allowed(mv)) {
            let Some(slot) = tree.root().children().find(|&slot| tree.node(slot).move_code() == code) else {
                continue;
            };
            let node = tree.node(slot);
            visits += u64::from(node.visits());
            total += node.total();
            proven = proven.or(node.proven().map(ProvenValue::from));
            prior = prior.or(tree.enhancements.priors.as_ref().map(|priors| priors.get(slot)));
            if pv.is_empty() {
                pv = principal_variation(&self.root, tree, slot);
            }
        }
        let value = match proven {
            Some(proven) => proven.value(self.root.position().turn()),
            None if visits == 0 => 0.5,
            None => total / visits as f64,
        };
        let text = self.root.position().move_text(mv);
        if pv.is_empty() {
            pv.push(text.clone());
        }
        MoveAnalysis { text, visits, value, prior, score: None, proven, pv }
    }

    /// The index of the best move: the quickest proven win, otherwise the best unproven or drawn move by the configured choice,
    /// otherwise the slowest proven loss. A proven draw is preferred to moves with a lower value even if it has few visits, because
    /// simulations skip proven draws. Only moves allowed at the root are considered.
    fn best_index(&self, moves: &[MoveAnalysis]) -> usize {
        let turn = self.root.position().turn();
        let legal = self.root.legal_moves();
        let gumbel = self.gumbel_choice().and_then(|code| legal.iter().position(|&mv| self.root.position().encode(mv) == code));
        let rank = |index: usize| {
            let mv: &MoveAnalysis = &moves[index];
            let distance = mv.proven.and_then(|proven| proven.distance).map_or(f64::INFINITY, f64::from);
            match mv.proven.and_then(|proven| proven.winner) {
                Some(winner) if winner == turn => (2, -distance),
                Some(_) => (0, distance),
                None if gumbel == Some(index) => (1, f64::INFINITY),
                None => (1, self.merit(mv)),
            }
        };
        let allowed: Vec<usize> = (0..moves.len()).filter(|&index| self.is_allowed(legal[index])).collect();
        let mut best = allowed.first().copied().unwrap_or(0);
        for &index in &allowed {
            if rank(index) > rank(best) {
                best = index;
            }
        }
        match allowed.iter().find(|&&index| moves[index].is_proven_draw()).copied() {
            Some(draw) if moves[best].value < 0.5 => draw,
            _ => best,
        }
    }

    /// The code of the move chosen by sequential halving, if it is used with a single tree and has completed a simulation.
    fn gumbel_choice(&self) -> Option<u16> {
        let ([tree], Some(policy)) = (&self.trees[..], self.root_policy(0)) else {
            return None;
        };
        let gumbel = policy.gumbel.as_ref().filter(|_| self.stats.simulations > 0)?;
        Some(tree.node(gumbel.best(tree, self.root.position().turn())).move_code())
    }

    fn merit(&self, mv: &MoveAnalysis) -> f64 {
        let visits = mv.visits as f64;
        match self.config.choice {
            MoveChoice::Visits => visits,
            MoveChoice::Value => {
                if visits > 0.0 {
                    mv.value
                } else {
                    -1.0
                }
            }
            MoveChoice::LowerBound => mv.value - (1.0 / visits.max(1e-9)).sqrt(),
        }
    }

    /// The `count` most visited nodes of the first tree, parents before children.
    pub fn top_nodes(&self, count: usize) -> Vec<TreeNode> {
        let tree = &self.trees[0];
        let mut formulas: Vec<Formula> = Vec::new();
        let mut steps: Vec<Step> = Vec::new();
        let mut queue = BinaryHeap::from([(tree.root().visits(), Reverse(0), None::<usize>)]);
        let mut positions: Vec<P> = Vec::new();
        let mut nodes: Vec<TreeNode> = Vec::new();
        while let Some((visits, Reverse(slot), parent)) = queue.pop().filter(|_| nodes.len() < count) {
            let node = tree.node(slot);
            let (position, text, score) = match parent {
                None => (self.root.position().clone(), String::new(), Score::default()),
                Some(parent) => {
                    let before: &P = &positions[parent];
                    let mv = before.decode(node.move_code());
                    let mut after = before.clone();
                    after.play(mv);
                    (after, before.move_text(mv), formulas[parent].score(slot))
                }
            };
            let children = node.children();
            let turn = position.turn();
            steps.push(Step { node, mover: parent.map_or(turn.other(), |parent| nodes[parent].turn) });
            let visited = children.clone().filter(|&child| tree.node(child).visits() > 0);
            queue.extend(visited.map(|child| (tree.node(child).visits(), Reverse(child), Some(nodes.len()))));
            nodes.push(TreeNode {
                parent,
                text,
                turn,
                visits,
                value: node.mean(),
                total: node.total(),
                minimax: tree.enhancements.minimax.as_ref().filter(|_| parent.is_some()).map(|minimax| minimax.value(slot)),
                exploration: score.exploration,
                score: score.total(),
                proven: node.proven().map(ProvenValue::from),
                children: children.len(),
            });
            positions.push(position);
            let amaf = tree.enhancements.amaf.as_ref().map_or(0..0, |amaf| {
                let ancestors = std::iter::successors(Some(nodes.len() - 1), |&index| nodes[index].parent);
                let mut path: Vec<Step> = ancestors.map(|index| steps[index]).collect();
                path.reverse();
                amaf.source(&path, turn)
            });
            let simulations = if self.config.transpositions { tree.visits_below(tree.children(node)) } else { visits };
            formulas.push(Formula::new(tree, &self.config, simulations, amaf));
        }
        nodes
    }
}

/// The moves of the most visited path that starts with a child of the root.
fn principal_variation<P: GameRules>(root: &Line<P>, tree: &Tree, child: u32) -> Vec<String> {
    const MAX_LENGTH: usize = 32;
    let mut position = root.position().clone();
    let mut texts = Vec::new();
    let mut next = Some(child);
    while let Some(slot) = next.filter(|_| texts.len() < MAX_LENGTH) {
        let mv = position.decode(tree.node(slot).move_code());
        match position.move_text(mv) {
            // A position that could not be computed in time has no move texts.
            text if text.is_empty() => break,
            text => texts.push(text),
        }
        position.play(mv);
        let turn = position.turn();
        next = tree
            .node(slot)
            .children()
            .filter(|&slot| tree.node(slot).visits() > 0)
            .max_by_key(|&slot| preference(tree, slot, turn));
    }
    texts
}

/// Orders the children of a node for the principal variation: proven wins first, proven losses last, the others by visits.
fn preference(tree: &Tree, slot: u32, turn: Side) -> (i32, u32) {
    let node = tree.node(slot);
    let proven = node.proven().and_then(|proven| proven.winner).map_or(0, |winner| if winner == turn { 1 } else { -1 });
    (proven, node.visits())
}
