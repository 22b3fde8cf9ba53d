//! A tree search: its trees, budget and threads.

use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

use super::proven::{prove_root_moves, value_from_children};
use super::root::{RootPolicy, add_noise};
use super::simulator::Simulator;
use super::tree::Tree;
use crate::evaluate::Evaluators;
use crate::rng::split;
use crate::search::analysis::SearchStats;
use crate::search::config::{Config, Leaf, Selection};
use crate::{Error, GameRules, Line, Rng};

/// The minimum number of slots of a tree.
const MIN_SLOTS: usize = 1 << 10;
/// The maximum number of visits of a root. It leaves room for visits that threads add in advance.
pub(super) const MAX_VISITS: u32 = u32::MAX - (1 << 20);

/// The limits of a run, which stops at the first one it reaches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Budget {
    /// The number of simulations. It is never exceeded, even with several threads.
    pub simulations: u64,
    /// The maximum time, measured from [`Search::start`].
    pub time: Duration,
}

/// How threads share the work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Threads {
    /// Tree parallelisation: this many threads share one tree.
    SharedTree(usize),
    /// Root parallelisation: this many threads have one tree each, and the statistics of the trees are added up. Deterministic for a
    /// given seed.
    SeparateTrees(usize),
}

/// A tree search of a position. Its trees persist between runs.
pub struct Search<P: GameRules> {
    pub(super) root: Line<P>,
    pub(super) config: Config,
    pub(super) trees: Vec<Tree>,
    /// Statistics of the current run.
    pub(super) stats: SearchStats,
    pub(super) evaluators: Evaluators<P>,
    threads: Threads,
    /// The moves to consider at the root; all if empty.
    root_moves: Vec<P::Move>,
    /// The root policy of each tree in the current run.
    root_policies: Vec<Option<RootPolicy>>,
    /// For each tree, the priors of the root's children before noise was added; empty if they have not been saved.
    pub(super) raw_priors: Vec<Vec<f64>>,
    /// One generator per thread.
    pub(super) rngs: Vec<Rng>,
    started: Instant,
    /// The remaining simulations of each tree; threads that share a tree share its quota.
    pub(super) quotas: Vec<AtomicU64>,
    pub(super) deadline: Instant,
}

impl<P: GameRules> Search<P> {
    /// A search whose trees use at most `bytes` of memory in total.
    pub fn new(
        root: Line<P>,
        config: Config,
        evaluators: Evaluators<P>,
        threads: Threads,
        bytes: usize,
    ) -> Result<Search<P>, Error> {
        root.check_unfinished()?;
        if config.leaf == Leaf::Evaluator && evaluators.batch.is_none() {
            return Err(Error::Parse("leaf=evaluator requires an evaluator".into()));
        }
        if config.noise > 0.0 && config.selection != Selection::Puct && config.bias == 0.0 {
            return Err(Error::Parse("noise requires selection=puct or bias > 0, because other searches ignore priors".into()));
        }
        let trees = match threads {
            Threads::SharedTree(_) => 1,
            Threads::SeparateTrees(count) => count.max(1),
        };
        let now = Instant::now();
        let min_slots = MIN_SLOTS.max(1 + root.position().count_moves());
        Ok(Search {
            root,
            trees: (0..trees).map(|_| Tree::new(bytes / trees, min_slots, &config)).collect(),
            root_moves: Vec::new(),
            root_policies: Vec::new(),
            raw_priors: Vec::new(),
            config,
            stats: SearchStats::default(),
            evaluators,
            threads,
            rngs: Vec::new(),
            started: now,
            quotas: Vec::new(),
            deadline: now,
        })
    }

    /// The position at the root and the moves that led to it.
    pub fn root(&self) -> &Line<P> {
        &self.root
    }

    /// Restricts later runs to the given legal moves at the root; an empty list allows all. Moving to another position lifts the
    /// restriction.
    pub fn set_root_moves(&mut self, moves: &[P::Move]) {
        self.root_moves = moves.to_vec();
    }

    /// Prepares a run with the given budget; [`Search::run_until`] performs it.
    pub fn start(&mut self, budget: Budget, seed: u64) {
        let (threads, trees) = match self.threads {
            Threads::SharedTree(count) => (count.max(1), 1),
            Threads::SeparateTrees(_) => (self.trees.len(), self.trees.len() as u64),
        };
        self.rngs = (0..threads as u64).map(|thread| Rng::new(split(seed, thread))).collect();
        let quota = |tree| {
            let share = budget.simulations / trees + u64::from(tree < budget.simulations % trees);
            // The visits of a node are counted in 32 bits.
            let visits = self.trees[tree as usize].root().visits();
            AtomicU64::new(share.min(u64::from(MAX_VISITS.saturating_sub(visits))))
        };
        self.quotas = (0..trees).map(quota).collect();
        self.stats = SearchStats::default();
        self.started = Instant::now();
        self.deadline = self.started + budget.time.min(Duration::from_secs(1 << 30));
        self.raw_priors.resize(self.trees.len(), Vec::new());
        self.root_policies = (0..self.trees.len()).map(|_| None).collect();
        if self.root.legal_moves().len() > 1 {
            (0..self.trees.len()).for_each(|tree| self.prepare_root(tree));
        }
    }

    /// Expands the root of a tree if necessary, adds noise, proves moves by looking ahead and sets the root policy.
    fn prepare_root(&mut self, index: usize) {
        let mut simulator = Simulator::new(self, index, self.rngs[index].clone());
        let made = simulator.expand_root();
        let (mut rng, stats) = (simulator.rng, simulator.stats);
        self.stats.add(&stats);
        let _ = self.quotas[index].fetch_update(Relaxed, Relaxed, |left| Some(left.saturating_sub(made)));
        let (tree, config) = (&self.trees[index], &self.config);
        let position = self.root.position();
        if config.noise > 0.0
            && let Some(priors) = &tree.enhancements.priors
        {
            let raw = &mut self.raw_priors[index];
            if raw.is_empty() {
                *raw = tree.root().children().map(|slot| priors.get(slot)).collect();
            }
            add_noise(tree, config, raw, &mut rng);
        }
        if config.solver && config.decisive {
            prove_root_moves(tree, &self.root, config.transpositions);
        }
        let codes: Vec<u16> = self.root_moves.iter().map(|&mv| position.encode(mv)).collect();
        let allowed = (!codes.is_empty()).then_some(&codes[..]);
        let policy = RootPolicy::new(tree, config, allowed, self.quotas[index].load(Relaxed), &mut rng);
        // A proven root always has a child that achieves its value.
        tree.root().unprove();
        if config.solver {
            let value = match &policy {
                Some(policy) => value_from_children(policy.allowed(tree), position.turn()),
                None => value_from_children(tree.children(tree.root()).iter(), position.turn()),
            };
            value.into_iter().for_each(|value| tree.root().prove(value));
        }
        self.root_policies[index] = policy;
        self.rngs[index] = rng;
    }

    /// Whether a root move is allowed.
    pub(super) fn is_allowed(&self, mv: P::Move) -> bool {
        self.root_moves.is_empty() || self.root_moves.contains(&mv)
    }

    /// The root policy of a tree in the current run, if it has one.
    pub(super) fn root_policy(&self, tree: usize) -> Option<&RootPolicy> {
        self.root_policies.get(tree)?.as_ref()
    }

    /// Makes another position the root. If it continues the current game, its subtrees are kept; otherwise the trees are cleared.
    pub fn move_to(&mut self, line: Line<P>) -> Result<(), Error> {
        line.check_unfinished()?;
        let (plies, moves) = (self.root.moves().len(), line.moves());
        let continues = self.root.has_same_start(&line) && moves.get(..plies) == Some(self.root.moves());
        let new_moves = if continues { &moves[plies..] } else { &[] };
        if !continues || !new_moves.is_empty() {
            self.root_moves.clear();
            self.root_policies.clear();
            self.raw_priors.clear();
        }
        for &mv in new_moves {
            let (code, turn) = (self.root.position().encode(mv), self.root.position().turn());
            self.root.play(mv);
            let same_side = self.root.position().turn() == turn;
            for tree in &mut self.trees {
                match tree.node(0).children().find(|&slot| tree.node(slot).move_code() == code) {
                    Some(child) => tree.advance(child, same_side),
                    None => tree.clear(),
                }
            }
        }
        if !continues {
            self.clear();
        }
        self.root = line;
        Ok(())
    }

    /// Clears the trees.
    pub fn clear(&mut self) {
        self.trees.iter_mut().for_each(Tree::clear);
        self.root_policies.clear();
        self.raw_priors.clear();
    }

    /// The time since the start of the run.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }
}
