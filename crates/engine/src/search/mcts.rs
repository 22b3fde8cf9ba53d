//! Monte Carlo Tree Search: the four phases, one function each, and the walker that goes through them.
//!
//! A simulation selects a path down the tree, expands it by one node, evaluates that node, and backs the reward up the path. Rewards
//! are 1 for a win, 0.5 for a draw, 0 for a loss; a node keeps them for the side that moved to it.

use super::config::{Config, Leaf};
use super::node::{Node, ONE, Proof, UNIT};
use super::playout::{self, Policy};
use super::select::{self, SPREAD, THINNESS, Table};
use super::tree::Tree;
use crate::search::quiesce::expectation;
use crate::{Line, Outcome, Position, Reason, Rng, Side};

/// A node on the way, with the side that moved to it.
#[derive(Clone, Copy)]
pub(super) struct Step {
    pub(super) slot: u32,
    pub(super) mover: Side,
}

/// What a thread carries down the tree. It draws from a generator of its own.
pub(super) struct Walker<'a, P: Position> {
    root: &'a Line<P>,
    pub(super) tree: &'a Tree,
    pub(super) config: &'a Config,
    pub(super) policy: Policy,
    spread: &'static Table,
    thinness: &'static Table,
    /// Plain UCT, with nothing that needs more than the nodes.
    plain: bool,
    pub(super) rng: Rng,
    pub(super) position: P,
    pub(super) path: Vec<Step>,
    /// Nodes at the beginning of the path for which this simulation is a draw, whatever it finds further on.
    drawn: usize,
    /// Keys of the positions before the current one, back to the last move that cannot be taken back.
    keys: Vec<u64>,
    codes: Vec<u16>,
    /// Side and action of every move of the simulation, kept for RAVE only.
    pub(super) made: Vec<(Side, usize)>,
    pub(super) work: Work,
}

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

/// What the first side gets.
fn reward_of(winner: Option<Side>) -> u64 {
    match winner {
        Some(Side::First) => ONE,
        Some(Side::Second) => 0,
        None => ONE / 2,
    }
}

impl<'a, P: Position> Walker<'a, P> {
    pub(super) fn new(root: &'a Line<P>, tree: &'a Tree, config: &'a Config, rng: Rng) -> Self {
        Walker {
            root,
            tree,
            config,
            policy: Policy::of(config),
            spread: &SPREAD,
            thinness: &THINNESS,
            plain: !tree.has_extras() && config.first_play < 0.0 && config.widening == 0.0,
            rng,
            position: root.position().clone(),
            path: Vec::with_capacity(64),
            drawn: 0,
            keys: Vec::new(),
            codes: Vec::new(),
            made: Vec::new(),
            work: Work::default(),
        }
    }

    /// One simulation. `SHARED` says whether other threads work on the same tree.
    #[inline]
    pub(super) fn simulate<const SHARED: bool>(&mut self) {
        self.select::<SHARED>();
        self.expand::<SHARED>();
        let reward = self.evaluate();
        self.back_up::<SHARED>(reward);
    }

    /// **Selection**: from the root down, by the formula, to a node that is not fully opened yet, or whose value is known.
    #[inline]
    fn select<const SHARED: bool>(&mut self) {
        // A copy of its own stays in registers on the way down.
        let mut position = self.root.position().clone();
        self.path.clear();
        self.drawn = 0;
        self.keys.clear();
        self.made.clear();
        let mut turn = position.turn();
        let mut node = self.tree.node(0);
        node.enter::<SHARED>(self.thinness);
        self.path.push(Step { slot: 0, mover: turn.other() });
        loop {
            let children = node.children();
            let open = if self.plain { children.len() as u32 } else { self.opened(node.visits(), children.len() as u32) };
            if (node.tried() < open && self.config.first_play < 0.0) || children.is_empty() {
                break;
            }
            let block = self.tree.block(children.clone());
            let mut index = if self.plain {
                select::uct(block, node.visits(), turn, self.config, self.spread)
            } else {
                let opened = children.start..children.start + open;
                select::general(self.tree, opened, self.amaf_block(), node.visits(), turn, self.config)
            };
            if self.config.solver && block[index as usize].proof().is_some() {
                index = self.pass_over_draw(index, block);
            }
            node = &block[index as usize];
            self.play_to::<SHARED>(&mut position, turn, children.start + index, node);
            turn = position.turn();
            if self.config.solver && node.proof().is_some() {
                break;
            }
        }
        self.position = position;
    }

    /// **Expansion**: the first time a node is gone through its children are made, in an order drawn by chance; each time one more
    /// of them is added to the path.
    #[inline]
    fn expand<const SHARED: bool>(&mut self) {
        let slot = self.last();
        let node = self.tree.node(slot);
        // A node is opened the second time it is gone through.
        if slot != 0 && (node.visits() == 1 || node.proof().is_some()) {
            return;
        }
        if node.children().is_empty() && !self.open(slot) {
            return;
        }
        let children = node.children();
        let open = self.opened(node.visits(), children.len() as u32);
        if let Some(index) = node.try_next::<SHARED>(open) {
            let mut position = self.position.clone();
            let turn = position.turn();
            let slot = children.start + index;
            self.play_to::<SHARED>(&mut position, turn, slot, self.tree.node(slot));
            self.position = position;
        }
    }

    /// **Evaluation**: what the first side gets, in [`UNIT`]: exactly where the value is known, else by playout or rule of thumb.
    #[inline]
    fn evaluate(&mut self) -> u64 {
        let node = self.tree.node(self.last());
        if let Some(proof) = node.proof() {
            return reward_of(proof.winner);
        }
        if self.is_repetition() {
            return self.end(Outcome::draw(Reason::Repetition));
        }
        if self.config.leaf == Leaf::Estimate {
            return match self.position.outcome() {
                Some(outcome) => self.end(outcome),
                None => self.units(expectation(&self.position)),
            };
        }
        let cap = self.config.playout_plies;
        let record = (self.config.rave > 0.0).then_some(&mut self.made);
        let (end, playout) = playout::run(&self.position, &mut self.rng, cap, &self.policy, record);
        self.work.lengths[(playout.plies as usize / 10).min(15)] += 1;
        let winner = playout.outcome.and_then(|outcome| outcome.winner);
        self.work.results[winner.map_or(2, |side| side as usize)] += 1;
        match (playout.outcome, end) {
            (Some(outcome), _) if playout.plies == 0 => self.end(outcome),
            (Some(outcome), _) => reward_of(outcome.winner),
            (None, end) if self.config.playout_estimate => {
                let value = expectation(&end);
                let first = if end.turn() == Side::First { value } else { 1.0 - value };
                (first / UNIT) as u64
            }
            (None, _) => ONE / 2,
        }
    }

    /// **Back-up**: the reward is added to every node of the path, for the side that moved to it; then what became certain.
    #[inline]
    fn back_up<const SHARED: bool>(&mut self, reward: u64) {
        self.work.simulations += 1;
        let depth = self.path.len() as u32 - 1;
        self.work.depth += u64::from(depth);
        self.work.deepest = self.work.deepest.max(depth);
        for (depth, &Step { slot, mover }) in self.path.iter().enumerate() {
            let reward = if depth < self.drawn { ONE / 2 } else { reward };
            self.tree.node(slot).add::<SHARED>(if mover == Side::First { reward } else { ONE - reward });
        }
        if self.tree.has_extras() {
            self.back_up_extras(reward);
        }
        if self.config.solver && self.tree.node(self.last()).proof().is_some() {
            self.back_up_proof();
        }
    }

    /// A proven draw is the best child: that is what the last node is worth in this simulation, and nothing is left to be learnt
    /// there. So the way goes on through the most visited child that is still open, if there is one, and only nodes beyond this one
    /// take what is found.
    #[cold]
    fn pass_over_draw(&mut self, draw: u32, children: &[Node]) -> u32 {
        let open = (0..children.len()).filter(|&index| children[index].proof().is_none());
        match open.max_by_key(|&index| children[index].visits()) {
            Some(index) => {
                self.drawn = self.path.len();
                index as u32
            }
            None => draw,
        }
    }

    /// Children that may be tried after so many visits of the parent.
    #[inline(always)]
    fn opened(&self, visits: u32, children: u32) -> u32 {
        if self.config.widening > 0.0 {
            let wide = (self.config.widening * f64::from(visits + 1).sqrt()).ceil();
            return (wide as u32).clamp(1, children.max(1)).min(children);
        }
        children
    }

    #[inline(always)]
    fn last(&self) -> u32 {
        self.path.last().map_or(0, |step| step.slot)
    }

    /// Makes the move that leads to a child of the last node.
    #[inline(always)]
    fn play_to<const SHARED: bool>(&mut self, position: &mut P, mover: Side, slot: u32, child: &Node) {
        let mv = position.decode(child.code());
        if position.repetitions() > 0 {
            self.keys.push(position.key());
        }
        if !self.plain && self.config.rave > 0.0 {
            self.made.push((mover, position.action(mv)));
        }
        position.play(mv);
        child.enter::<SHARED>(self.thinness);
        self.path.push(Step { slot, mover });
    }

    /// Whether the position has stood on the board often enough to be a draw.
    fn is_repetition(&self) -> bool {
        let limit = self.position.repetitions();
        let reach = self.position.quiet_plies() as usize;
        if limit == 0 || reach < 4 || self.path.len() == 1 {
            return false;
        }
        let key = self.position.key();
        let within = self.keys.iter().rev().take(reach).filter(|&&earlier| earlier == key).count();
        let before = self.root.keys().iter().rev().take(reach.saturating_sub(self.keys.len()));
        (1 + within + before.filter(|&&earlier| earlier == key).count()) as u32 >= limit
    }

    /// Makes the children of a node; `false` where there are none or no room is left.
    fn open(&mut self, slot: u32) -> bool {
        self.codes.clear();
        let decided = if slot == 0 { None } else { self.position.decided() };
        if decided.is_none() {
            let (codes, position) = (&mut self.codes, &self.position);
            position.legal_moves(|mv| codes.push(position.encode(mv)));
        }
        if self.codes.is_empty() {
            self.tree.node(slot).prove(decided.unwrap_or_else(|| self.position.stuck()).into());
            return false;
        }
        for last in (1..self.codes.len()).rev() {
            self.codes.swap(last, self.rng.below(last as u32 + 1) as usize);
        }
        let winning = if self.config.decisive && slot != 0 { self.position.winning_move() } else { None };
        if let Some(winning) = winning {
            let code = self.position.encode(winning);
            if let Some(index) = self.codes.iter().position(|&other| other == code) {
                self.codes.swap(0, index);
            }
        }
        if !self.tree.expand(slot, &self.codes) {
            return false;
        }
        if self.tree.has_extras() {
            self.fill_extras(slot);
        }
        if self.config.decisive && self.config.solver && slot == 0 {
            self.look_two_plies_ahead();
        }
        true
    }

    /// Proves the moves of the root that win at once and those that let the opponent win at once: however short the search, it does
    /// not overlook these.
    fn look_two_plies_ahead(&self) {
        let (root, turn) = (self.tree.node(0), self.position.turn());
        let children = self.tree.block(root.children());
        for child in children {
            let mut next = self.position.clone();
            next.play(self.position.decode(child.code()));
            if let Some(outcome) = next.outcome() {
                child.prove(outcome.into());
            } else if next.turn() != turn && wins_at_once(&next) {
                child.prove(Proof { winner: Some(turn.other()), distance: 1 });
            }
        }
        if let Some(proof) = prove(children.iter().map(Node::proof), turn) {
            root.prove(proof);
        }
    }

    /// Writes down that the game ends at the last node.
    fn end(&self, outcome: Outcome) -> u64 {
        self.tree.node(self.last()).prove(outcome.into());
        reward_of(outcome.winner)
    }

    fn units(&self, value: f64) -> u64 {
        let first = if self.position.turn() == Side::First { value } else { 1.0 - value };
        (first / UNIT) as u64
    }

    /// From the last node up: a node is proven when one child wins for the side to move there, or all children are proven.
    fn back_up_proof(&self) {
        for pair in self.path.windows(2).rev() {
            let (parent, turn) = (self.tree.node(pair[0].slot), pair[1].mover);
            if parent.proof().is_some() {
                return;
            }
            match prove(self.tree.block(parent.children()).iter().map(|child| child.proof()), turn) {
                Some(proof) => parent.prove(proof),
                None => return,
            }
        }
    }
}

/// Whether the side to move has a move that ends the game in its favour.
fn wins_at_once<P: Position>(position: &P) -> bool {
    let mut wins = false;
    position.legal_moves(|mv| {
        if !wins {
            let mut next = position.clone();
            next.play(mv);
            wins = next.outcome().is_some_and(|outcome| outcome.winner == Some(position.turn()));
        }
    });
    wins
}

/// What the children prove of their parent, in which `turn` moves: the quickest win, else a draw, else the slowest loss.
fn prove(children: impl Iterator<Item = Option<Proof>>, turn: Side) -> Option<Proof> {
    let (mut win, mut draw, mut loss, mut all) = (None, None, None, true);
    for child in children {
        match child {
            None => all = false,
            Some(Proof { winner: None, distance }) => draw = Some(draw.map_or(distance, |least: u8| least.min(distance))),
            Some(Proof { winner: Some(side), distance }) if side == turn => {
                win = Some(win.map_or(distance, |least: u8| least.min(distance)));
            }
            Some(Proof { distance, .. }) => loss = Some(loss.map_or(distance, |most: u8| most.max(distance))),
        }
    }
    let (winner, distance) = match (win, draw, loss) {
        (Some(distance), ..) => (Some(turn), distance),
        _ if !all => return None,
        (_, Some(distance), _) => (None, distance),
        (.., distance) => (Some(turn.other()), distance?),
    };
    Some(Proof { winner, distance: distance.saturating_add(1) })
}
