//! The recursive search below the root.

use super::config::Config;
use super::keys::table_key;
use super::limits::{Clock, Shared};
use super::ordering::{Context, MoveOrdering, NO_MOVE, RankedMove, RankedMoves, pick_next};
use super::transpositions::Entry;
use super::window::Window;
use super::{MAX_PLIES, Observer, WIN};
use crate::evaluate::IncrementalEvaluator;
use crate::search::analysis::Bound;
use crate::search::quiescence::outcome_score;
use crate::search::table_values::table_value;
use crate::{GameRules, Line};

/// XORed with the table keys of searches without selective pruning, which verify the distance to a win or loss and need separate
/// entries.
const UNPRUNED_KEY: u64 = 0x9e37_79b9_7f4a_7c15;

/// The state of one thread of an alpha-beta search.
pub(super) struct AlphaBeta<'a, P: GameRules, E> {
    pub(super) config: &'a Config,
    /// Follows the line to the current position.
    pub(super) evaluator: &'a mut E,
    pub(super) observer: &'a mut dyn Observer,
    pub(super) shared: &'a Shared<'a>,
    pub(super) ordering: &'a mut MoveOrdering,
    /// The principal variation from each ply.
    pub(super) pvs: Vec<Vec<P::Move>>,
    /// The code of the move that led to each ply; [`NO_MOVE`] for the root and null moves.
    pub(super) previous: Vec<u16>,
    /// The evaluation of the position at each ply, if known.
    pub(super) evaluations: Vec<Option<i32>>,
    /// The keys of the positions before the current one, including those of the game.
    pub(super) keys: Vec<u64>,
    /// The number of keys of positions before the root.
    pub(super) game_keys: usize,
    pub(super) nodes: u64,
    pub(super) cutoffs: u64,
    pub(super) max_depth: i32,
    /// The depth of the current iteration.
    pub(super) root_depth: i32,
    pub(super) clock: Clock,
    /// Whether decisive windows are searched without selective pruning, to verify the distance to a win or loss.
    pub(super) verifying: bool,
    /// Whether the search has been stopped. Scores are meaningless from then on.
    pub(super) stopped: bool,
    /// Whether, since this was last reset, a score depended on the evaluation of a leaf, on pruning or on a draw by repetition, so
    /// that it is not exact.
    pub(super) inexact: bool,
}

/// A position whose moves are searched.
#[derive(Clone, Copy)]
pub(super) struct Node<'p, P> {
    pub(super) position: &'p P,
    pub(super) key: u64,
    pub(super) depth: i32,
    pub(super) ply: i32,
    pub(super) window: Window,
    /// The code of the move to search first.
    pub(super) first: u16,
    /// Whether moves may be skipped or searched to a reduced depth.
    pub(super) selective: bool,
    /// Whether the evaluation is higher than two plies earlier.
    pub(super) improving: bool,
}

impl<'a, P: GameRules, E: IncrementalEvaluator<P>> AlphaBeta<'a, P, E> {
    pub(super) fn new(
        line: &Line<P>,
        config: &'a Config,
        evaluator: &'a mut E,
        shared: &'a Shared<'a>,
        ordering: &'a mut MoveOrdering,
        observer: &'a mut dyn Observer,
    ) -> Self {
        const PLIES: usize = MAX_PLIES as usize + 2;
        evaluator.reset(line.position());
        AlphaBeta {
            config,
            evaluator,
            observer,
            shared,
            ordering,
            pvs: vec![Vec::new(); PLIES],
            previous: vec![NO_MOVE; PLIES],
            evaluations: vec![None; PLIES],
            keys: line.keys().to_vec(),
            game_keys: line.keys().len(),
            nodes: 0,
            cutoffs: 0,
            max_depth: 0,
            root_depth: 0,
            clock: Clock::default(),
            verifying: false,
            stopped: false,
            inexact: false,
        }
    }

    /// The score for the side to move: exact inside the window, otherwise a bound.
    pub(super) fn negamax(&mut self, position: &P, key: u64, mut depth: i32, ply: i32, window: Window) -> i32 {
        self.pvs[ply as usize].clear();
        self.nodes += 1;
        if self.check_stop() {
            return 0;
        }
        self.max_depth = self.max_depth.max(ply);
        let unpruned = self.verifying && window.is_decisive();
        if let Some(score) = self.immediate_score(position, key, ply, window, unpruned) {
            return score;
        }
        if depth <= 0 || ply >= MAX_PLIES {
            return self.evaluate_leaf(position, ply, window);
        }
        let table_key = table_key(position, key) ^ if unpruned { UNPRUNED_KEY } else { 0 };
        let entry = if self.config.table { self.shared.table.probe(table_key, ply) } else { None };
        if let Some(entry) = entry
            && self.is_sufficient(&entry, depth, window)
        {
            self.inexact |= entry.inexact;
            return entry.score;
        }
        let first = entry.map_or(NO_MOVE, |entry| entry.code);
        if self.config.iterative_reduction && depth >= 4 && first == NO_MOVE && !unpruned {
            depth -= 1;
        }
        let mut node = Node { position, key, depth, ply, window, first, selective: false, improving: false };
        self.evaluations[ply as usize] = None;
        if !unpruned
            && !position.is_in_check()
            && let Some(score) = self.prune(&mut node)
        {
            return score;
        }
        let inexact_before = std::mem::take(&mut self.inexact);
        let (score, code) = self.search_moves(&node);
        if self.config.table && !self.stopped {
            let bound = match score {
                score if score >= window.beta => Bound::Lower,
                score if score > window.alpha => Bound::Exact,
                _ => Bound::Upper,
            };
            self.shared.table.store(table_key, ply, Entry { score, bound, depth, code, inexact: self.inexact });
        }
        self.inexact |= inexact_before;
        score
    }

    /// The score of a position that needs no search: the game is over, the position repeats or is in the endgame tables, or
    /// mate-distance pruning applies.
    #[inline]
    fn immediate_score(&mut self, position: &P, key: u64, ply: i32, window: Window, unpruned: bool) -> Option<i32> {
        if let Some(outcome) = position.early_outcome() {
            return Some(outcome_score(outcome, position.turn(), ply));
        }
        if self.may_repeat(position) && self.is_repetition(position, key, !unpruned) {
            self.inexact = true;
            return Some(0);
        }
        if self.config.tables
            && let Some(proven) = table_value(position)
        {
            self.inexact |= proven.winner.is_some() && proven.distance.is_none();
            return Some(super::leaf::proven_score(proven, position.turn(), ply));
        }
        let (worst, best) = (ply - WIN, WIN - ply - 1);
        match self.config.mate_distance {
            true if best <= window.alpha => Some(best),
            true if worst >= window.beta => Some(worst),
            _ => None,
        }
    }

    /// The best score of a node's moves and the code of the move that achieves it; [`NO_MOVE`] if no move raises alpha.
    fn search_moves(&mut self, node: &Node<P>) -> (i32, u16) {
        let Node { position, ply, depth, .. } = *node;
        let mut moves = RankedMoves::new();
        let context = Context { turn: position.turn(), ply, previous: self.previous[ply as usize] };
        self.ordering.rank(position, self.config, context, node.first, &mut moves);
        let count = moves.len();
        if count == 0 {
            return (outcome_score(position.no_move_outcome(), position.turn(), ply), NO_MOVE);
        }
        let Window { mut alpha, beta } = if self.config.pruning { node.window } else { Window::FULL };
        let (mut best, mut best_code) = (-WIN - 1, NO_MOVE);
        self.push_key(position, node.key);
        for index in 0..count {
            let next = pick_next(position, &mut moves, index, self.config.exchange);
            let node = Node { window: Window { alpha, beta }, ..*node };
            let Some(score) = self.search_move(&node, &next, index, count, best) else {
                self.inexact = true;
                continue;
            };
            if self.stopped {
                break;
            }
            if score > best {
                best = score;
                if score > alpha {
                    best_code = next.code;
                    self.update_pv(next.mv, ply);
                }
            }
            if self.config.pruning {
                alpha = alpha.max(score);
                if alpha >= beta {
                    self.cutoffs += u64::from(index + 1 < count);
                    if next.gain == 0 {
                        self.ordering.add_cutoff(context, depth, next.code, &moves[..index]);
                    }
                    break;
                }
            }
        }
        self.pop_key(position);
        (best, best_code)
    }

    /// The score of move `index` of `count`, for the side to move at the node; `None` if the move is pruned. `best` is the best score
    /// so far. Stores the principal variation after the move in `pvs[ply + 1]`.
    #[inline]
    pub(super) fn search_move(
        &mut self,
        node: &Node<P>,
        mv: &RankedMove<P::Move>,
        index: usize,
        count: usize,
        best: i32,
    ) -> Option<i32> {
        let mut next = node.position.clone();
        next.play(mv.mv);
        let gives_check = next.is_in_check();
        if node.selective && index > 0 && !gives_check && self.is_pruned(node, mv, index, best) {
            return None;
        }
        let is_forced = self.config.extensions && count == 1 || self.config.checks && gives_check;
        let extension = i32::from(is_forced && node.ply < 2 * self.root_depth);
        let depth = node.depth - 1 + extension;
        let reduction = if gives_check { 0 } else { self.reduction(node, mv, index) }.min(depth.max(0));
        // A leaf needs its key only if it may be a repetition.
        let key = if depth > 0 || self.may_repeat(&next) { next.key() } else { 0 };
        if depth > 0 && self.config.table {
            self.shared.table.prefetch(table_key(&next, key));
        }
        self.previous[node.ply as usize + 1] = mv.code;
        self.evaluator.push(node.position, mv.mv, &next);
        let score = self.search_in_stages(node, &next, key, depth, index > 0, reduction);
        self.evaluator.pop();
        self.stopped |= next.is_interrupted();
        Some(score)
    }

    /// Searches the position after a move in up to three stages, each only if the previous one exceeded alpha: with reduced depth and
    /// a null window, with full depth and a null window, and with full depth and the full window.
    fn search_in_stages(&mut self, node: &Node<P>, next: &P, key: u64, depth: i32, is_late: bool, reduction: i32) -> i32 {
        let (window, ply, scout) = (node.window, node.ply + 1, self.config.scout);
        let mut search = |depth: i32, window: Window| match next.turn() == node.position.turn() {
            true => self.negamax(next, key, depth, ply, window),
            false => -self.negamax(next, key, depth, ply, window.negated()),
        };
        if is_late && scout && window.is_open() || reduction > 0 {
            let null = Window::null(window.alpha);
            let mut score = search(depth - reduction, null);
            if score > window.alpha && reduction > 0 {
                score = search(depth, null);
            }
            if score <= window.alpha || score >= window.beta {
                return score;
            }
        }
        search(depth, window)
    }

    /// Sets the principal variation at `ply` to the move followed by the principal variation at the next ply.
    pub(super) fn update_pv(&mut self, mv: P::Move, ply: i32) {
        let (head, tail) = self.pvs.split_at_mut(ply as usize + 1);
        let pv = &mut head[ply as usize];
        pv.clear();
        pv.push(mv);
        pv.extend_from_slice(&tail[0]);
    }

    /// Whether a table entry makes a search unnecessary. Open windows are always searched, so that the principal variation is
    /// complete.
    fn is_sufficient(&self, entry: &Entry, depth: i32, window: Window) -> bool {
        if self.config.scout && window.is_open() {
            return false;
        }
        let is_deep_enough = entry.depth == depth || self.config.deeper && (entry.depth > depth || !entry.inexact);
        is_deep_enough
            && match entry.bound {
                Bound::Exact => true,
                Bound::Lower => entry.score >= window.beta,
                Bound::Upper => entry.score <= window.alpha,
            }
    }
}
