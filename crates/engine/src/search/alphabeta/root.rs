//! The search at the root: iterative deepening and aspiration windows.

use std::time::Instant;

use super::limits::Shared;
use super::negamax::{AlphaBeta, Node};
use super::ordering::{MoveOrdering, NO_MOVE, RankedMove};
use super::window::Window;
use super::{Config, Limits, MAX_PLIES, Observer, WIN};
use crate::evaluate::IncrementalEvaluator;
use crate::search::analysis::Bound;
use crate::search::quiescence::MAX_EVALUATION;
use crate::{GameRules, Line};

/// Half the width of the first aspiration window in centipawns.
const ASPIRATION: i32 = 30;
/// Verifying the distance to a win or loss may take this many nodes, plus as many as have been searched so far.
const MIN_VERIFICATION_NODES: u64 = 2_000_000;

#[derive(Clone)]
pub(super) struct RootMove<M> {
    pub(super) mv: M,
    code: u16,
    /// The index among the legal moves.
    pub(super) index: usize,
    pub(super) score: Option<(i32, Bound)>,
    pub(super) pv: Vec<M>,
    /// The number of nodes below the move when it was last searched.
    nodes: u64,
}

/// The root and its moves, the best move first.
pub(super) struct Root<'a, P: GameRules, E> {
    pub(super) line: &'a Line<P>,
    pub(super) moves: Vec<RootMove<P::Move>>,
    /// The legal moves that the search must not consider.
    pub(super) excluded: Vec<RootMove<P::Move>>,
    pub(super) search: AlphaBeta<'a, P, E>,
    pub(super) started: Instant,
    /// The score of the best move, once a move has been searched.
    pub(super) score: Option<i32>,
    /// The last completed depth.
    pub(super) depth: u32,
    /// Whether the score is exact, so that it would be the same at any depth.
    pub(super) is_exact: bool,
    /// Whether the distance to a win or loss is exact although the search is selective.
    pub(super) is_verified: bool,
    /// The index of the thread; 0 for the main thread.
    thread: u32,
}

impl<'a, P: GameRules, E: IncrementalEvaluator<P>> Root<'a, P, E> {
    pub(super) fn new(
        (line, root_moves): (&'a Line<P>, &[usize]),
        (config, shared): (&'a Config, &'a Shared<'a>),
        evaluator: &'a mut E,
        (thread, ordering): (u32, &'a mut MoveOrdering),
        (started, observer): (Instant, &'a mut dyn Observer),
    ) -> Self {
        let search = AlphaBeta::new(line, config, evaluator, shared, ordering, observer);
        let code = |mv| line.position().encode(mv);
        let root_move = |(index, mv)| RootMove { mv, code: code(mv), index, score: None, pv: vec![mv], nodes: 0 };
        let is_allowed = |mv: &RootMove<P::Move>| root_moves.is_empty() || root_moves.contains(&mv.index);
        let (moves, excluded) = line.legal_moves().into_iter().enumerate().map(root_move).partition(is_allowed);
        Root { line, moves, excluded, search, started, score: None, depth: 0, is_exact: false, is_verified: false, thread }
    }

    /// Searches with increasing depth until a limit is reached or no deeper search can change the result.
    pub(super) fn deepen(&mut self, limits: &Limits) {
        let last = limits.depth.clamp(1, MAX_PLIES as u32);
        let first = if self.search.config.deepening { 1 } else { last };
        let thread = self.thread;
        for depth in (first..=last).filter(|&depth| !is_skipped(thread, depth)) {
            let previous = self.several_lines().then(|| (self.moves.clone(), self.score));
            self.search_depth(depth as i32);
            if self.search.stopped {
                // The values of all lines must come from the same depth.
                if let Some((moves, score)) = previous.filter(|_| self.depth > 0) {
                    (self.moves, self.score) = (moves, score);
                }
                return;
            }
            self.depth = depth;
            let is_final = self.is_final(depth as i32);
            if (is_final || depth == last) && thread == 0 {
                self.verify_distance();
            }
            if self.search.observer.wants_reports() {
                self.search.report_nodes();
                let analysis = self.analysis();
                self.search.observer.report(&analysis);
            }
            if is_final || self.search.stopped {
                return;
            }
        }
    }

    /// Whether several moves get exact values (MultiPV).
    fn several_lines(&self) -> bool {
        self.search.config.lines > 1
    }

    /// Whether no deeper search can change the result.
    fn is_final(&self, depth: i32) -> bool {
        self.is_exact || self.score.is_some_and(|score| WIN - score.abs() <= depth)
    }

    /// Searches one depth, widening the aspiration window until it contains the score.
    fn search_depth(&mut self, depth: i32) {
        self.search.inexact = false;
        self.search.root_depth = depth;
        let mut margin = ASPIRATION;
        let mut window = match self.score {
            Some(score)
                if self.search.config.aspiration && !self.several_lines() && depth >= 4 && score.abs() < WIN - MAX_PLIES =>
            {
                Window { alpha: score - margin, beta: score + margin }
            }
            _ => Window::FULL,
        };
        loop {
            let score = self.search_window(depth, window);
            if self.search.stopped || (window.alpha < score && score < window.beta) {
                break;
            }
            margin *= 4;
            if score <= window.alpha {
                window.alpha = if margin > 1000 { Window::FULL.alpha } else { score - margin };
            } else {
                window.beta = if margin > 1000 { Window::FULL.beta } else { score + margin };
            }
        }
        self.is_exact = !self.search.inexact && !self.search.stopped;
        if self.several_lines() {
            self.moves[1..].sort_by_key(|mv| std::cmp::Reverse((mv.exact_score(), mv.nodes)));
        } else {
            // Moves that took many nodes to refute are more likely to become the best.
            self.moves[1..].sort_by_key(|mv| std::cmp::Reverse(mv.nodes));
        }
    }

    /// Searches every move within a window and moves the best one to the front. With several lines, alpha is the score of the worst
    /// one.
    fn search_window(&mut self, depth: i32, window: Window) -> i32 {
        let Window { mut alpha, beta } = window;
        let (position, count) = (self.line.position(), self.moves.len());
        let mut best = Window::FULL.alpha;
        // Verification concerns only the best move.
        let lines = if self.search.verifying { 1 } else { self.search.config.lines as usize };
        let mut exact = Vec::new();
        let key = position.key();
        self.search.push_key(position, key);
        for index in 0..count {
            let before = self.search.nodes;
            let RootMove { mv, code, .. } = self.moves[index];
            let window = Window { alpha, beta };
            let node = Node { position, key, depth, ply: 0, window, first: NO_MOVE, selective: false, improving: true };
            let ranked = RankedMove::new(mv, code, position.capture_gain(mv));
            // The first moves get exact values, so they are searched like the first move of other nodes.
            let rank = index.saturating_sub(lines - 1);
            let Some(score) = self.search.search_move(&node, &ranked, rank, count, best) else {
                continue;
            };
            if self.search.stopped {
                break;
            }
            let bound = match score {
                score if score >= beta => Bound::Lower,
                score if score > alpha => Bound::Exact,
                _ => Bound::Upper,
            };
            self.moves[index].score = Some((score, bound));
            self.moves[index].nodes = self.search.nodes - before;
            if score > alpha {
                self.search.update_pv(mv, 0);
                self.moves[index].pv.clone_from(&self.search.pvs[0]);
                if score > best {
                    self.score = Some(score);
                    self.moves[..=index].rotate_right(1);
                }
                if self.search.config.pruning {
                    let at = exact.partition_point(|&other| other >= score);
                    exact.insert(at, score);
                    alpha = exact.get(lines - 1).map_or(alpha, |&score| score.max(alpha));
                }
            }
            best = best.max(score);
            if alpha >= beta {
                break;
            }
        }
        self.search.pop_key(position);
        best
    }

    /// Verifies the distance to a win or loss by searching all shorter lines without selective pruning, unless that takes too many
    /// nodes.
    fn verify_distance(&mut self) {
        self.is_verified = self.is_exact;
        let before = self.several_lines().then(|| self.moves.clone());
        let nodes = self.search.nodes;
        self.search.start_verification(2 * nodes + MIN_VERIFICATION_NODES);
        let mut next = self.score.filter(|_| !self.is_verified && self.search.config.is_selective());
        while let Some(score) = next.filter(|score| score.abs() > WIN - MAX_PLIES) {
            let result = self.search_window(WIN - score.abs(), Window { alpha: score - 1, beta: score + 1 });
            self.is_verified = result == score && !self.search.stopped;
            // If the verification finds a quicker win or loss, verify that one next.
            next = (result.abs() > score.abs() && !self.search.stopped).then_some(result);
        }
        self.search.end_verification();
        // Restore the other moves, which the verification searched with a narrow window.
        for mv in before.into_iter().flatten() {
            if let Some(other) = self.moves[1..].iter_mut().find(|other| other.index == mv.index) {
                *other = mv;
            }
        }
    }

    /// Whether the distance to a win or loss after a move is exact although the search is selective.
    pub(super) fn is_distance_verified(&self, mv: &RootMove<P::Move>) -> bool {
        self.is_verified && (!self.several_lines() || self.is_exact || mv.index == self.moves[0].index)
    }
}

impl<M> RootMove<M> {
    /// The score, if it is not a bound.
    fn exact_score(&self) -> Option<i32> {
        self.score.filter(|&(_, bound)| bound == Bound::Exact).map(|(score, _)| score)
    }
}

/// Whether a thread skips a depth, so that the threads search different depths.
fn is_skipped(thread: u32, depth: u32) -> bool {
    let stride = 1 + (thread.saturating_sub(1) / 2);
    thread > 0 && (depth + thread) / stride % 2 == 1 && depth > 1
}

const _: () = assert!(MAX_EVALUATION < WIN - MAX_PLIES);
