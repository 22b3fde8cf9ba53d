//! Parallel search: several threads search one position together, or different positions independently.

use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicUsize};
use std::sync::{Mutex, PoisonError};

use super::abdada::ActivePositions;
use super::board::Board;
use super::root::{self, RootPosition};
use super::search::{Node, Search};
use super::{BoardSolver, Observer, Progress};

/// Nodes searched by one thread before the others start; smaller searches finish before then.
const SINGLE_THREADED_NODES: u64 = 20_000;

/// Stops a search at a node limit, when any thread is done, or when the caller's observer requests it.
struct StopCondition<'a> {
    node_limit: u64,
    done: &'a AtomicBool,
    observer: Option<&'a mut dyn Observer>,
    stop_requested: bool,
}

impl StopCondition<'_> {
    /// Returns the condition for a worker thread, which does not poll the caller's observer.
    fn unobserved(done: &AtomicBool) -> StopCondition<'_> {
        StopCondition { node_limit: u64::MAX, done, observer: None, stop_requested: false }
    }

    /// Whether the caller's observer has requested a stop.
    fn poll_watch(&mut self, progress: &Progress) -> bool {
        if let Some(observer) = &mut self.observer
            && observer.should_stop(progress)
        {
            self.stop_requested = true;
        }
        self.stop_requested
    }
}

impl Observer for StopCondition<'_> {
    fn should_stop(&mut self, progress: &Progress) -> bool {
        self.poll_watch(progress) || progress.nodes >= self.node_limit || self.done.load(Relaxed)
    }
}

impl<B: Board, const N: usize> BoardSolver<B, N> {
    /// Returns the scores of positions in order; `None` if the observer requested a stop.
    ///
    /// The threads first search different positions, which scales better than a joint search. Once there are fewer positions
    /// than threads, all threads search the remaining ones together.
    pub(super) fn score_all(
        &self,
        positions: &[RootPosition],
        nodes: &mut u64,
        observer: &mut dyn Observer,
    ) -> Option<Vec<i32>> {
        let mut scores: Vec<Option<i32>> =
            positions.iter().map(|position| self.book_score(position.mover, position.all)).collect();
        if self.threads > 1 {
            self.score_distributed(positions, &mut scores, nodes, observer)?;
        }
        let rest =
            scores.iter().zip(positions).map(|(score, &position)| score.or_else(|| self.score(position, nodes, observer)));
        rest.collect()
    }

    /// Returns the score of a position; `None` if the observer requested a stop.
    pub(super) fn score(&self, position: RootPosition, nodes: &mut u64, observer: &mut dyn Observer) -> Option<i32> {
        self.book_score(position.mover, position.all).or_else(|| {
            root::score(self.board, position, nodes, |node, alpha, progress| self.null_window(node, alpha, progress, observer))
        })
    }

    /// Returns the score of a position in the opening book.
    pub(super) fn book_score(&self, mover: u64, all: u64) -> Option<i32> {
        self.book.as_ref()?.probe(mover, all)
    }

    /// Scores a position on one thread; `None` if the search was stopped.
    fn score_single_threaded(
        &self,
        thread: usize,
        position: RootPosition,
        nodes: &mut u64,
        stop: &mut StopCondition<'_>,
    ) -> Option<i32> {
        root::score(self.board, position, nodes, |node, alpha, progress| self.search(thread, None, node, alpha, progress, stop))
    }

    /// Runs a null-window search on one thread. Returns a bound on the score of `node` that lies on the same side of `alpha` as the
    /// score; `None` if the search was stopped.
    fn search(
        &self,
        thread: usize,
        active: Option<&ActivePositions>,
        node: &Node,
        alpha: i32,
        progress: &mut Progress,
        observer: &mut dyn Observer,
    ) -> Option<i32> {
        let local = self.local.get(thread).unwrap_or(&self.shared);
        let mut search = Search::<B, N>::new(self.board, [local, &self.shared], observer, *progress, active, &self.centrality);
        if self.threads == 1 {
            search.allow_growth();
        }
        let value = search.solve(node, alpha);
        progress.nodes = search.progress.nodes;
        (!search.is_stopped()).then_some(value)
    }

    /// Returns a bound on the score of `node` that lies on the same side of `alpha` as the score; `None` if the observer requested a
    /// stop.
    fn null_window(&self, node: &Node, alpha: i32, progress: &mut Progress, observer: &mut dyn Observer) -> Option<i32> {
        if !self.shared.finish_growing(|| !observer.should_stop(progress)) {
            return None;
        }
        let done = AtomicBool::new(false);
        let node_limit = if self.threads > 1 { progress.nodes + SINGLE_THREADED_NODES } else { u64::MAX };
        let mut stop = StopCondition { node_limit, done: &done, observer: Some(observer), stop_requested: false };
        let value = self.search(0, None, node, alpha, progress, &mut stop);
        if value.is_some() || stop.stop_requested {
            return value;
        }
        // The table may grow only while no other thread uses it: when it is full, all threads stop and then restart.
        loop {
            let growth_nodes = self.shared.nodes_before_growth().unwrap_or(u64::MAX);
            stop.node_limit = progress.nodes.saturating_add(growth_nodes / self.threads as u64);
            let value = self.search_parallel(node, alpha, progress, &mut stop);
            if value.is_some() || stop.stop_requested || !self.shared.grow(|| !stop.poll_watch(progress)) {
                return value;
            }
            done.store(false, Relaxed);
        }
    }

    /// Returns the result of the thread that finishes first; `None` at the node limit or if a stop was requested.
    fn search_parallel(&self, node: &Node, alpha: i32, progress: &mut Progress, stop: &mut StopCondition<'_>) -> Option<i32> {
        let (active, found) = (ActivePositions::new(node.ply), Mutex::new(None));
        self.run_on_all_threads(progress, stop, |thread, progress, stop| {
            if let Some(value) = self.search(thread, Some(&active), node, alpha, progress, stop) {
                *found.lock().unwrap_or_else(PoisonError::into_inner) = Some(value);
            }
        });
        found.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    /// Scores positions independently until fewer are left than there are threads. Returns `None` if the observer requested a
    /// stop.
    fn score_distributed(
        &self,
        positions: &[RootPosition],
        scores: &mut [Option<i32>],
        nodes: &mut u64,
        observer: &mut dyn Observer,
    ) -> Option<()> {
        let done = AtomicBool::new(false);
        let mut progress = Progress { nodes: *nodes, ..Progress::default() };
        if !self.shared.finish_growing(|| !observer.should_stop(&progress)) {
            return None;
        }
        let mut stop = StopCondition { node_limit: 0, done: &done, observer: Some(observer), stop_requested: false };
        for (score, &position) in scores.iter_mut().zip(positions).filter(|(score, _)| score.is_none()) {
            stop.node_limit = progress.nodes + SINGLE_THREADED_NODES;
            *score = self.score_single_threaded(0, position, &mut progress.nodes, &mut stop);
            if stop.stop_requested {
                return None;
            }
        }
        let mut nodes_at_growth = progress.nodes;
        loop {
            let pending: Vec<usize> = (0..scores.len()).filter(|&index| scores[index].is_none()).collect();
            if pending.len() < self.threads {
                *nodes = progress.nodes;
                return Some(());
            }
            let growth_nodes = self.shared.nodes_before_growth().unwrap_or(u64::MAX);
            stop.node_limit = progress.nodes.saturating_add(growth_nodes / self.threads as u64);
            let (next, found) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
            self.run_on_all_threads(&mut progress, &mut stop, |thread, progress, stop| {
                while let Some(&index) = pending.get(next.fetch_add(1, Relaxed)) {
                    let Some(score) = self.score_single_threaded(thread, positions[index], &mut progress.nodes, stop) else {
                        return;
                    };
                    found.lock().unwrap_or_else(PoisonError::into_inner).push((index, score));
                }
            });
            for (index, score) in found.into_inner().unwrap_or_else(PoisonError::into_inner) {
                scores[index] = Some(score);
            }
            if progress.nodes - nodes_at_growth >= growth_nodes {
                self.shared.grow(|| !stop.poll_watch(&progress));
                nodes_at_growth = progress.nodes;
            }
            if stop.stop_requested {
                return None;
            }
            done.store(false, Relaxed);
        }
    }

    /// Runs `work` on all threads and stops all of them when the first one is done.
    fn run_on_all_threads(
        &self,
        progress: &mut Progress,
        stop: &mut StopCondition<'_>,
        work: impl Fn(usize, &mut Progress, &mut StopCondition<'_>) + Sync,
    ) {
        let done = stop.done;
        let work = |thread: usize, progress: &mut Progress, stop: &mut StopCondition<'_>| {
            work(thread, progress, stop);
            done.store(true, Relaxed);
        };
        std::thread::scope(|scope| {
            let work = &work;
            let workers: Vec<_> = (1..self.threads)
                .map(|thread| {
                    scope.spawn(move || {
                        let mut progress = Progress::default();
                        work(thread, &mut progress, &mut StopCondition::unobserved(done));
                        progress.nodes
                    })
                })
                .collect();
            work(0, progress, stop);
            progress.nodes += workers.into_iter().filter_map(|worker| worker.join().ok()).sum::<u64>();
        });
    }
}
