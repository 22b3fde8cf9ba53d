//! What a search thinks, at any time.

use super::config::{Final, Selection};
use super::node::Proof;
use super::run::Search;
use super::tree::Tree;
use crate::{Line, Position, Side};

/// What was done, for reports.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// Simulations made.
    pub simulations: u64,
    /// Sum of the lengths of their paths, in plies from the root.
    pub depth: u64,
    /// The longest path.
    pub deepest: u32,
    /// Playouts won by the first side, won by the second, drawn or cut off.
    pub results: [u64; 3],
    /// Playouts by length, in sixteen bins of ten plies, the last for all longer ones.
    pub lengths: [u64; 16],
}

impl Work {
    /// Adds what another thread did.
    pub fn add(&mut self, other: &Work) {
        self.simulations += other.simulations;
        self.depth += other.depth;
        self.deepest = self.deepest.max(other.deepest);
        for (sum, more) in self.results.iter_mut().zip(other.results) {
            *sum += more;
        }
        for (sum, more) in self.lengths.iter_mut().zip(other.lengths) {
            *sum += more;
        }
    }
}

/// What the search thinks of one legal move. Values are for the side to move: 1 a win, 0.5 a draw, 0 a loss.
#[derive(Clone, Debug, PartialEq)]
pub struct MoveThought {
    /// The move's name.
    pub text: String,
    /// Simulations that began with it.
    pub visits: u64,
    /// Their mean reward; 0.5 without any.
    pub value: f64,
    /// How likely it was before any simulation, where that is asked.
    pub prior: Option<f64>,
    /// What is certain.
    pub proof: Option<Proof>,
    /// Best play after it as far as the tree goes, itself included.
    pub line: Vec<String>,
}

/// What the search thinks of its position.
#[derive(Clone, Debug, PartialEq)]
pub struct Thought {
    /// Every legal move, in the order of the rules.
    pub moves: Vec<MoveThought>,
    /// Index of the move to play.
    pub best: usize,
    /// The mean of all simulations for the side to move.
    pub value: f64,
    /// What is certain.
    pub proof: Option<Proof>,
    /// What this run did.
    pub work: Work,
    /// Seconds since the run began.
    pub seconds: f64,
    /// Nodes of the trees.
    pub nodes: usize,
    /// Their memory.
    pub bytes: usize,
}

/// One node of the tree, for people to look at. Values are for the side that moved to it.
#[derive(Clone, Debug, PartialEq)]
pub struct TreeNode {
    /// Index of its parent in the list; the root, which comes first, has none.
    pub parent: Option<usize>,
    /// The name of the move that leads here; empty for the root.
    pub text: String,
    /// The side to move here.
    pub turn: Side,
    /// Simulations.
    pub visits: u32,
    /// Their mean reward.
    pub value: f64,
    /// The sum of their rewards.
    pub total: f64,
    /// The minimax of judgements below, for the side that moved here, where the selection weighs it in with the value.
    pub minimax: Option<f64>,
    /// What the formula adds to the value for being little explored: `c * sqrt(ln N / n)` in UCT.
    pub bonus: f64,
    /// What is certain.
    pub proof: Option<Proof>,
    /// Moves from here.
    pub children: usize,
}

impl<P: Position> Search<P> {
    /// The `count` most visited nodes of the first tree, parents before children.
    pub fn top(&self, count: usize) -> Vec<TreeNode> {
        let tree = &self.trees[0];
        let root = self.root.position().clone();
        let mut open = std::collections::BinaryHeap::from([(tree.node(0).visits(), std::cmp::Reverse(0), None::<usize>)]);
        let mut positions: Vec<P> = Vec::new();
        let mut nodes: Vec<TreeNode> = Vec::new();
        while let Some((visits, std::cmp::Reverse(slot), parent)) = open.pop().filter(|_| nodes.len() < count) {
            let node = tree.node(slot);
            let (position, text, bonus) = match parent {
                None => (root.clone(), String::new(), 0.0),
                Some(parent) => {
                    let before: &P = &positions[parent];
                    let mv = before.decode(node.code());
                    let mut after = before.clone();
                    after.play(mv);
                    (after, before.move_text(mv), self.bonus(nodes[parent].visits, slot))
                }
            };
            let children = node.children();
            let tried = children.clone().filter(|&child| tree.node(child).visits() > 0);
            open.extend(tried.map(|child| (tree.node(child).visits(), std::cmp::Reverse(child), Some(nodes.len()))));
            nodes.push(TreeNode {
                parent,
                text,
                turn: position.turn(),
                visits,
                value: node.mean(),
                total: node.total(),
                minimax: (parent.is_some() && self.config.minimax > 0.0).then(|| tree.extra(slot).minimax()),
                bonus,
                proof: node.proof(),
                children: children.len(),
            });
            positions.push(position);
        }
        nodes
    }

    /// What the formula of the selection adds to the mean of a node.
    fn bonus(&self, parent_visits: u32, slot: u32) -> f64 {
        let tree = &self.trees[0];
        let (total, n) = (f64::from(parent_visits.max(1)), f64::from(tree.node(slot).visits().max(1)));
        match self.config.selection {
            Selection::Puct => self.config.c * tree.extra(slot).prior() * total.sqrt() / (1.0 + n),
            Selection::Uct | Selection::Ucb1Tuned => self.config.c * (total.ln() / n).sqrt(),
        }
    }

    /// What the search thinks now.
    pub fn thought(&self) -> Thought {
        let turn = self.root.position().turn();
        let moves: Vec<MoveThought> = self.root.legal_moves().into_iter().map(|mv| self.move_thought(mv)).collect();
        let visits: u64 = moves.iter().map(|thought| thought.visits).sum();
        let total: f64 = moves.iter().map(|thought| thought.value * thought.visits as f64).sum();
        let proof = self.trees.iter().find_map(|tree| tree.node(0).proof());
        let value = match proof {
            Some(proof) => proof.winner.map_or(0.5, |winner| f64::from(winner == turn)),
            None if visits == 0 => 0.5,
            None => total / visits as f64,
        };
        Thought {
            best: self.best(&moves),
            value,
            proof,
            work: self.work.clone(),
            seconds: self.elapsed().as_secs_f64(),
            nodes: self.trees.iter().map(Tree::len).sum(),
            bytes: self.trees.iter().map(Tree::bytes).sum(),
            moves,
        }
    }

    fn move_thought(&self, mv: P::Move) -> MoveThought {
        let code = self.root.position().encode(mv);
        let (mut visits, mut total, mut prior, mut proof, mut line) = (0, 0.0, None, None, Vec::new());
        for tree in &self.trees {
            let Some(slot) = tree.node(0).children().find(|&slot| tree.node(slot).code() == code) else {
                continue;
            };
            let node = tree.node(slot);
            visits += u64::from(node.visits());
            total += node.total();
            proof = proof.or(node.proof());
            if self.config.needs_priors() {
                prior = prior.or(Some(tree.extra(slot).prior()));
            }
            if line.is_empty() {
                line = best_line(&self.root, tree, slot);
            }
        }
        let turn = self.root.position().turn();
        let value = match proof {
            Some(proof) => proof.winner.map_or(0.5, |winner| f64::from(winner == turn)),
            None if visits == 0 => 0.5,
            None => total / visits as f64,
        };
        let text = self.root.position().move_text(mv);
        if line.is_empty() {
            line.push(text.clone());
        }
        MoveThought { text, visits, value, prior, proof, line }
    }

    /// A proven win before everything, the quickest first; a proven loss after everything, the slowest first; between them by the
    /// configured choice, and of equals the first. Nothing that promises less is chosen where a draw is certain: simulations pass over
    /// it to look for more, so that it may have few of them.
    fn best(&self, moves: &[MoveThought]) -> usize {
        let turn = self.root.position().turn();
        let rank = |thought: &MoveThought| match thought.proof {
            Some(Proof { winner: Some(winner), distance }) if winner == turn => (2, -f64::from(distance)),
            Some(Proof { winner: Some(_), distance }) => (0, f64::from(distance)),
            _ => (1, self.merit(thought)),
        };
        let mut best = 0;
        for (index, thought) in moves.iter().enumerate() {
            if rank(thought) > rank(&moves[best]) {
                best = index;
            }
        }
        let draw = moves.iter().position(|thought| thought.proof.is_some_and(|proof| proof.winner.is_none()));
        match draw {
            Some(draw) if moves[best].value < 0.5 => draw,
            _ => best,
        }
    }

    fn merit(&self, thought: &MoveThought) -> f64 {
        let visits = thought.visits as f64;
        match self.config.choice {
            Final::Visits => visits,
            Final::Value => {
                if visits > 0.0 {
                    thought.value
                } else {
                    -1.0
                }
            }
            Final::LowerBound => thought.value - (1.0 / visits.max(1e-9)).sqrt(),
        }
    }
}

/// The most visited way down from a child of the root.
fn best_line<P: Position>(root: &Line<P>, tree: &Tree, child: u32) -> Vec<String> {
    const LONGEST: usize = 32;
    let mut position = root.position().clone();
    let mut texts = Vec::new();
    let mut next = Some(child);
    while let Some(slot) = next.filter(|_| texts.len() < LONGEST) {
        let mv = position.decode(tree.node(slot).code());
        texts.push(position.move_text(mv));
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

fn preference(tree: &Tree, slot: u32, turn: Side) -> (i32, u32) {
    let node = tree.node(slot);
    let known = node.proof().and_then(|proof| proof.winner).map_or(0, |winner| if winner == turn { 1 } else { -1 });
    (known, node.visits())
}
