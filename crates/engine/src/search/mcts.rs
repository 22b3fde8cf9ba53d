//! Monte Carlo Tree Search: the four phases, one function each, and the walker that goes through them.
//!
//! A simulation selects a path down the tree, expands it by one node, evaluates that node, and backs the reward up the path. Rewards
//! are 1 for a win, 0.5 for a draw, 0 for a loss; a node keeps them for the side that moved to it.

use std::ops::Range;

use super::analysis::Work;
use super::config::{Config, Leaf};
use super::evaluator::Judges;
use super::graph::graph_key;
use super::node::{Node, ONE, Proof, UNIT};
use super::playout::{self, Policy};
use super::proof::trusted;
use super::run::Search;
use super::select::{self, SPREAD, THINNESS, Table};
use super::stay::Stay;
use super::tree::Tree;
use crate::{Line, Outcome, Position, Reason, Rng, Side};

/// A node on the way, with the side that moved to it.
#[derive(Clone, Copy)]
pub(super) struct Step<'a> {
    pub(super) node: &'a Node,
    pub(super) mover: Side,
}

/// What a thread carries down the tree. It draws from a generator of its own.
pub(super) struct Walker<'a, P: Position> {
    root: &'a Line<P>,
    pub(super) tree: &'a Tree,
    pub(super) config: &'a Config,
    pub(super) judges: &'a Judges,
    pub(super) policy: Policy,
    spread: &'static Table,
    pub(super) thinness: &'static Table,
    /// Whether a thread may stay below a node for several simulations.
    stays: bool,
    /// Plain UCT, with nothing that needs more than the nodes.
    plain: bool,
    pub(super) rng: Rng,
    pub(super) position: P,
    pub(super) path: Vec<Step<'a>>,
    /// Nodes at the beginning of the path for which this simulation is a draw, whatever it finds further on.
    pub(super) drawn: usize,
    /// Whether the way down of a graph ended at a position that came back too often.
    repeated: bool,
    /// Keys of the positions before the current one, back to the last move that cannot be taken back.
    pub(super) keys: Vec<u64>,
    pub(super) stay: Stay<P>,
    codes: Vec<u16>,
    /// Slots for the next nodes.
    pub(super) supply: Range<u32>,
    /// Side and action of every move of the simulation, kept for RAVE only.
    pub(super) made: Vec<(Side, usize)>,
    pub(super) work: Work,
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
    pub(super) fn new(search: &'a Search<P>, tree: &'a Tree, rng: Rng) -> Self {
        let (root, config) = (&search.root, &search.config);
        Walker {
            root,
            tree,
            config,
            judges: &search.judges,
            policy: Policy::of(config),
            spread: &SPREAD,
            thinness: &THINNESS,
            stays: config.allows_stays(),
            plain: !tree.has_extras() && config.first_play < 0.0 && config.widening == 0.0 && !config.transpositions,
            rng,
            position: root.position().clone(),
            path: Vec::with_capacity(64),
            drawn: 0,
            repeated: false,
            keys: Vec::new(),
            stay: Stay::none(root.position().clone()),
            codes: Vec::new(),
            supply: 0..0,
            made: Vec::new(),
            work: Work::default(),
        }
    }

    /// One simulation. `SHARED` says whether other threads work on the same tree; below, `PLAIN` that this is UCT and nothing else, and
    /// `SOLVER` that it may meet proven values.
    #[inline]
    pub(super) fn simulate<const SHARED: bool>(&mut self) {
        self.descend::<SHARED>();
        let reward = self.evaluate();
        self.back_up::<SHARED>(reward);
    }

    /// The first two phases: from the root to the node to be valued.
    #[inline(always)]
    pub(super) fn descend<const SHARED: bool>(&mut self) {
        match (self.plain, self.config.solver) {
            (true, true) => self.select::<SHARED, true, true>(),
            (true, false) => self.select::<SHARED, true, false>(),
            (false, _) => self.select::<SHARED, false, true>(),
        }
        self.expand::<SHARED>();
    }

    /// **Selection**: from the root down, by the formula, to a node that is not fully opened yet, or whose value is known.
    #[inline]
    fn select<const SHARED: bool, const PLAIN: bool, const SOLVER: bool>(&mut self) {
        self.drawn = 0;
        self.repeated = false;
        self.made.clear();
        let stayed = if SHARED { self.resume() } else { None };
        let fresh = stayed.is_none();
        // A copy of its own stays in registers on the way down.
        let mut position = stayed.unwrap_or_else(|| self.start::<SHARED>());
        let mut turn = position.turn();
        let (tree, solver) = (self.tree, SOLVER && (PLAIN || self.config.solver));
        // Sums are in units, so everything is: that changes no order.
        let c = self.config.c / UNIT;
        let mut node = self.last();
        loop {
            let children = tree.children(node);
            if SHARED && fresh && self.stays {
                self.consider_stay(node.visits(), &position);
            }
            let count = children.len() as u32;
            let open = if PLAIN { count } else { self.opened(node.visits(), count) };
            if (node.tried() < open && (PLAIN || self.config.first_play < 0.0)) || count == 0 {
                break;
            }
            node = if PLAIN {
                select::uct::<SOLVER>(children, turn, c * self.spread.of(node.visits()))
            } else {
                let first = node.children().start;
                let opened = first..first + open;
                let visits = if self.config.transpositions { self.visits_below(children) + 1 } else { node.visits() };
                select::general(tree, opened, self.amaf_block(), visits, turn, self.config)
            };
            if solver && node.proof().is_some() {
                node = self.pass_over_draw(node, children);
            }
            self.play_to::<SHARED, PLAIN>(&mut position, turn, node);
            turn = position.turn();
            if solver && node.proof().is_some() {
                break;
            }
            // In a tree a node has one history, and a repetition is proven there; in a graph it shows on the way.
            if !PLAIN && self.config.transpositions {
                self.position = position.clone();
                self.repeated = self.is_repetition();
                if self.repeated {
                    break;
                }
            }
        }
        if SHARED && fresh {
            self.settle();
        }
        self.position = position;
    }

    /// Begins a path at the root.
    #[inline(always)]
    fn start<const SHARED: bool>(&mut self) -> P {
        self.path.clear();
        self.keys.clear();
        let root = self.tree.root();
        root.enter::<SHARED>(self.thinness);
        let position = self.root.position().clone();
        self.path.push(Step { node: root, mover: position.turn().other() });
        position
    }

    /// **Expansion**: the first time a node is gone through its children are made, in an order drawn by chance; each time one more
    /// of them is added to the path.
    #[inline]
    fn expand<const SHARED: bool>(&mut self) {
        let node = self.last();
        // A node is opened the second time it is gone through.
        if self.path.len() > 1 && (node.visits() == 1 || node.proof().is_some() || self.repeated) {
            return;
        }
        // An evaluator opens the node it has judged.
        if node.family().1 == 0 && (self.config.leaf == Leaf::Evaluator || !self.open::<SHARED>(node, &[])) {
            return;
        }
        let children = node.children();
        let open = self.opened(node.visits(), children.len() as u32);
        if let Some(index) = node.try_next::<SHARED>(open) {
            let mut position = self.position.clone();
            let turn = position.turn();
            self.play_to::<SHARED, false>(&mut position, turn, self.tree.node(children.start + index));
            self.position = position;
        }
    }

    /// **Evaluation**: what the first side gets, in [`UNIT`]: exactly where the value is known, else by playout or rule of thumb.
    #[inline]
    fn evaluate(&mut self) -> u64 {
        if let Some(reward) = self.certain() {
            return reward;
        }
        if self.config.leaf == Leaf::Estimate {
            return self.end_of_game().unwrap_or_else(|| self.units(self.expectation(&self.position)));
        }
        let cap = self.config.playout_plies;
        let record = (self.config.rave > 0.0).then_some(&mut self.made);
        let (end, playout) = playout::run(&self.position, &mut self.rng, cap, &self.policy, self.judges, record);
        self.work.lengths[(playout.plies as usize / 10).min(15)] += 1;
        let winner = playout.outcome.and_then(|outcome| outcome.winner);
        self.work.results[winner.map_or(2, |side| side as usize)] += 1;
        match (playout.outcome, end) {
            (Some(outcome), _) if playout.plies == 0 => self.prove(outcome.into()),
            (Some(outcome), _) => reward_of(outcome.winner),
            (None, end) if self.config.playout_estimate => {
                let value = self.expectation(&end);
                let first = if end.turn() == Side::First { value } else { 1.0 - value };
                (first / UNIT) as u64
            }
            (None, _) => ONE / 2,
        }
    }

    /// The reward where the value of the last node is known without looking at its moves.
    #[inline(always)]
    fn certain(&self) -> Option<u64> {
        if let Some(proof) = self.last().proof() {
            return Some(reward_of(proof.winner));
        }
        if self.config.tables && self.path.len() > 1 {
            let known = trusted(&self.position).map(Proof::from);
            return known.map(|proof| self.prove(proof)).or_else(|| self.repetition());
        }
        self.repetition()
    }

    /// A draw where the position has stood on the board often enough.
    #[inline(always)]
    fn repetition(&self) -> Option<u64> {
        if self.config.transpositions {
            return self.is_repetition().then_some(ONE / 2);
        }
        self.is_repetition().then(|| self.prove(Outcome::draw(Reason::Repetition).into()))
    }

    /// The reward where the game ends at the last node, or its value is known.
    pub(super) fn end_of_game(&self) -> Option<u64> {
        self.certain().or_else(|| self.position.outcome().map(|outcome| self.prove(outcome.into())))
    }

    /// **Back-up**: the reward is added to every node of the path, for the side that moved to it; then what became certain.
    #[inline]
    pub(super) fn back_up<const SHARED: bool>(&mut self, reward: u64) {
        self.work.simulations += 1;
        let depth = self.path.len() as u32 - 1;
        self.work.depth += u64::from(depth);
        self.work.deepest = self.work.deepest.max(depth);
        let above = if SHARED { self.stay.steps() } else { 0 };
        let [drawn, rewards @ ..] = [ONE / 2, reward, ONE - reward].map(|reward| reward as f64);
        for (depth, &Step { node, mover }) in self.path.iter().enumerate().skip(above) {
            node.add::<SHARED>(if depth < self.drawn { drawn } else { rewards[mover as usize] });
        }
        if self.config.transpositions {
            self.recompute();
        }
        if self.tree.has_extras() {
            self.back_up_extras(reward);
        }
        if self.config.solver && self.last().proof().is_some() {
            self.back_up_proof();
        }
        if above > 0 {
            self.add_to_stay(reward);
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
    pub(super) fn last(&self) -> &'a Node {
        self.path[self.path.len() - 1].node
    }

    /// Makes the move that leads to a child of the last node.
    #[inline(always)]
    fn play_to<const SHARED: bool, const PLAIN: bool>(&mut self, position: &mut P, mover: Side, child: &'a Node) {
        let mv = position.decode(child.code());
        if position.repetitions() > 0 {
            self.keys.push(position.key());
        }
        if !PLAIN && self.config.rave > 0.0 {
            self.made.push((mover, position.action(mv)));
        }
        position.play(mv);
        child.enter::<SHARED>(self.thinness);
        self.path.push(Step { node: child, mover });
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

    /// Makes the children of a node; `false` where there are none or no room is left. They stand in an order drawn by chance, or by
    /// the priors an evaluator gave.
    pub(super) fn open<const SHARED: bool>(&mut self, node: &Node, priors: &[f64]) -> bool {
        self.codes.clear();
        let is_root = self.path.len() == 1;
        let decided = if is_root { None } else { self.position.decided() };
        if decided.is_none() {
            let (codes, position) = (&mut self.codes, &self.position);
            position.legal_moves(|mv| codes.push(position.encode(mv)));
        }
        if self.codes.is_empty() {
            node.prove(decided.unwrap_or_else(|| self.position.stuck()).into());
            return false;
        }
        let key = if self.config.transpositions { graph_key(&self.position) } else { 0 };
        if self.config.transpositions && self.join(node, key) {
            return true;
        }
        let priors = self.order(priors);
        if !self.tree.expand::<SHARED>(node, &self.codes, &mut self.supply) {
            return false;
        }
        if self.tree.has_extras() {
            self.fill_extras(node, &priors);
        }
        if self.config.transpositions {
            self.tree.transpositions.insert(key, &node.children());
        }
        if self.config.decisive && self.config.solver && is_root {
            self.look_two_plies_ahead();
        }
        true
    }

    /// Puts the codes of a node about to be opened into the order in which they are tried, and returns the priors in that order.
    #[inline(always)]
    fn order(&mut self, priors: &[f64]) -> Vec<f64> {
        let mut ordered = Vec::new();
        if priors.len() == self.codes.len() {
            let mut both: Vec<(u16, f64)> = self.codes.iter().copied().zip(priors.iter().copied()).collect();
            both.sort_by(|(_, one), (_, other)| other.total_cmp(one));
            (self.codes, ordered) = both.into_iter().unzip();
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

    /// Writes down what is certain of the last node.
    fn prove(&self, proof: Proof) -> u64 {
        self.last().prove(proof);
        reward_of(proof.winner)
    }

    fn units(&self, value: f64) -> u64 {
        let first = if self.position.turn() == Side::First { value } else { 1.0 - value };
        (first / UNIT) as u64
    }
}
