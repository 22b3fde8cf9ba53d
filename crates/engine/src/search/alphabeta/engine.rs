//! An alpha-beta search that keeps its transposition table and history counters between searches.

use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::time::Instant;

use super::limits::Shared;
use super::ordering::MoveOrdering;
use super::root::Root;
use super::transpositions::TranspositionTable;
use super::{Config, Limits, MAX_PLIES, NoObserver, Observer};
use crate::evaluate::{IncrementalEvaluator, StaticEvaluator, Weights};
use crate::search::analysis::Analysis;
use crate::{Error, GameRules, Line, interrupt};

/// An alpha-beta search that keeps its transposition table and history counters between searches.
///
/// With one thread, the result of a search depends only on the position, the limits and the searches since the last
/// [`clear`](Engine::clear). With several threads, each searches the position independently, sharing only the table (Lazy SMP).
pub struct Engine {
    config: Config,
    table: TranspositionTable,
    /// The memory limit of the table.
    bytes: usize,
    ordering: MoveOrdering,
    /// The move ordering of each thread other than the main one.
    helpers: Vec<MoveOrdering>,
    /// The indices of the legal moves to consider at the root; all if empty.
    root_moves: Vec<usize>,
}

/// The best move in a position.
#[derive(Clone, Debug, PartialEq)]
pub struct BestMove<M> {
    /// The best move.
    pub mv: M,
    /// The score in centipawns for the side to move; `None` for a forced move, which is not searched.
    pub score: Option<i32>,
    /// The principal variation, starting with the move.
    pub pv: Vec<M>,
}

impl Engine {
    /// An engine with at least one thread.
    pub fn new(config: Config, threads: usize) -> Engine {
        let ordering = || MoveOrdering::new(MAX_PLIES as usize + 1);
        let helpers = (1..threads).map(|_| ordering()).collect();
        Engine { config, table: TranspositionTable::new(0), bytes: 0, ordering: ordering(), helpers, root_moves: Vec::new() }
    }

    /// Clears the transposition table and the move ordering. Must be called before searching another game or using another evaluator.
    pub fn clear(&mut self) {
        self.table.clear();
        self.ordering.clear();
        self.helpers.iter_mut().for_each(MoveOrdering::clear);
    }

    /// Restricts later searches to the legal moves with the given indices at the root; an empty list allows all. Values then hold
    /// only for a player restricted to these moves.
    pub fn set_root_moves(&mut self, indices: Vec<usize>) {
        self.root_moves = indices;
    }

    /// The search options.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// Searches an unfinished game. Leaves are evaluated by `weights` or, if `None`, as configured. A forced move is returned without
    /// a search.
    pub fn analyse<P: GameRules>(
        &mut self,
        line: &Line<P>,
        weights: Option<&Weights>,
        limits: &Limits,
        observer: &mut dyn Observer,
    ) -> Result<Analysis, Error> {
        let evaluator = self.config.evaluator(weights);
        self.analyse_with(line, &evaluator, limits, observer)
    }

    /// Like [`analyse`](Engine::analyse), with a custom evaluator, which every thread clones.
    pub fn analyse_with<P: GameRules, E: IncrementalEvaluator<P> + Clone + Send>(
        &mut self,
        line: &Line<P>,
        evaluator: &E,
        limits: &Limits,
        observer: &mut dyn Observer,
    ) -> Result<Analysis, Error> {
        line.check_unfinished()?;
        Ok(self.search(line, evaluator, limits, observer, |root| root.analysis()))
    }

    /// The best move; `None` if the game is over.
    pub fn best_move<P: GameRules>(
        &mut self,
        line: &Line<P>,
        weights: Option<&Weights>,
        limits: &Limits,
    ) -> Option<BestMove<P::Move>> {
        let evaluator = self.config.evaluator(weights);
        self.best_move_with(line, &evaluator, limits)
    }

    /// Like [`best_move`](Engine::best_move), with a custom evaluator.
    pub fn best_move_with<P: GameRules, E: IncrementalEvaluator<P> + Clone + Send>(
        &mut self,
        line: &Line<P>,
        evaluator: &E,
        limits: &Limits,
    ) -> Option<BestMove<P::Move>> {
        line.check_unfinished().ok()?;
        self.search(line, evaluator, limits, &mut NoObserver, |root| {
            let best = root.moves.first()?;
            Some(BestMove { mv: best.mv, score: root.score, pv: best.pv.clone() })
        })
    }

    /// Searches an unfinished game, calls `read` with the root of the main thread and returns its result.
    fn search<P: GameRules, E: IncrementalEvaluator<P> + Clone + Send, T>(
        &mut self,
        line: &Line<P>,
        evaluator: &E,
        limits: &Limits,
        observer: &mut dyn Observer,
        read: impl FnOnce(&Root<P, E>) -> T,
    ) -> T {
        let started = Instant::now();
        let bytes = if self.config.table { limits.bytes } else { 0 };
        if bytes != self.bytes {
            // Frees the old table before allocating the new one.
            self.table = TranspositionTable::new(0);
            (self.table, self.bytes) = (TranspositionTable::new(bytes), bytes);
        }
        self.table.start_search(!self.helpers.is_empty());
        self.ordering.start_search();
        self.helpers.iter_mut().for_each(MoveOrdering::start_search);
        let (config, root_moves) = (&self.config, &*self.root_moves);
        let shared = &Shared {
            table: &self.table,
            deadline: limits.deadline(started),
            node_limit: limits.nodes,
            nodes: AtomicU64::new(0),
            stop: AtomicBool::new(false),
        };
        let has_choice = line.position().count_moves() > 1;
        let (orderings, interrupt) = ((1..).zip(&mut self.helpers), interrupt::current());
        std::thread::scope(|scope| {
            let mut helpers = Vec::new();
            for (thread, ordering) in orderings.filter(|_| has_choice) {
                let mut evaluator = evaluator.clone();
                let interrupt = interrupt.clone();
                let search = move || {
                    let mut observer = NoObserver;
                    let observer = (started, &mut observer as &mut dyn Observer);
                    let mut root =
                        Root::new((line, root_moves), (config, shared), &mut evaluator, (thread, ordering), observer);
                    root.deepen(&Limits { depth: MAX_PLIES as u32, ..*limits });
                    root.search.report_nodes();
                };
                helpers.push(scope.spawn(move || interrupt::within(interrupt, search)));
            }
            let mut evaluator = evaluator.clone();
            let ordering = &mut self.ordering;
            let mut root = Root::new((line, root_moves), (config, shared), &mut evaluator, (0, ordering), (started, observer));
            if has_choice {
                root.deepen(limits);
            }
            root.search.report_nodes();
            shared.stop.store(true, Relaxed);
            for helper in helpers {
                // A helper that panicked contributes nothing; its panic message has been printed.
                let _ = helper.join();
            }
            read(&root)
        })
    }
}

impl Config {
    /// The leaf evaluator.
    fn evaluator<'a>(&self, weights: Option<&'a Weights>) -> StaticEvaluator<'a> {
        match (weights, self.evaluation) {
            (Some(weights), _) => StaticEvaluator::Weights(weights),
            (None, super::config::LeafEvaluation::Features) => StaticEvaluator::Heuristic,
            (None, super::config::LeafEvaluation::Material) => StaticEvaluator::Material,
        }
    }
}
