//! Threads that answer one question together, or many beside each other.

use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicUsize};
use std::sync::{Mutex, PoisonError};

use super::board::Board;
use super::busy::Busy;
use super::root::{self, Asked};
use super::search::{Node, Search};
use super::{OneBoard, Progress, Watch};

/// Nodes before the other threads are called: smaller questions are answered before they would have started.
const ALONE: u64 = 20_000;

/// Stops at a number of nodes, or when the threads are done.
struct Until<'a> {
    nodes: u64,
    done: &'a AtomicBool,
    watch: Option<&'a mut dyn Watch>,
    asked_to_stop: bool,
}

impl Until<'_> {
    /// For a thread that nobody watches.
    fn done(done: &AtomicBool) -> Until<'_> {
        Until { nodes: u64::MAX, done, watch: None, asked_to_stop: false }
    }

    /// Whether the watch of the caller wants a stop.
    fn asks_to_stop(&mut self, progress: &Progress) -> bool {
        if let Some(watch) = &mut self.watch
            && watch.wants_stop(progress)
        {
            self.asked_to_stop = true;
        }
        self.asked_to_stop
    }
}

impl Watch for Until<'_> {
    fn wants_stop(&mut self, progress: &Progress) -> bool {
        self.asks_to_stop(progress) || progress.nodes >= self.nodes || self.done.load(Relaxed)
    }
}

impl<B: Board, const N: usize> OneBoard<B, N> {
    /// The scores of positions in their order; `None` if the watch wanted a stop.
    ///
    /// The threads share the positions out: so they are less in each other's way than at one. What is left when one of them has nothing
    /// more to do is searched by all.
    pub(super) fn score_each(&self, positions: &[Asked], nodes: &mut u64, watch: &mut dyn Watch) -> Option<Vec<i32>> {
        let mut scores: Vec<Option<i32>> = positions.iter().map(|position| self.known(position.mover, position.all)).collect();
        if self.threads > 1 {
            self.share_out(positions, &mut scores, nodes, watch)?;
        }
        let rest = scores.iter().zip(positions).map(|(score, &position)| score.or_else(|| self.score(position, nodes, watch)));
        rest.collect()
    }

    /// The score of a position; `None` if the watch wanted a stop.
    pub(super) fn score(&self, position: Asked, nodes: &mut u64, watch: &mut dyn Watch) -> Option<i32> {
        self.known(position.mover, position.all).or_else(|| {
            root::score(self.board, position, nodes, |node, asked, progress| self.answer(node, asked, progress, watch))
        })
    }

    /// What the book says.
    pub(super) fn known(&self, mover: u64, all: u64) -> Option<i32> {
        self.book.as_ref()?.probe(mover, all)
    }

    /// What one thread finds by itself, unless it has to end before.
    fn alone(&self, thread: usize, position: Asked, nodes: &mut u64, until: &mut Until<'_>) -> Option<i32> {
        root::score(self.board, position, nodes, |node, asked, progress| {
            self.search(thread, None, node, asked, progress, until)
        })
    }

    /// One thread's search for a bound of the score of `node` on the same side of `asked`.
    fn search(
        &self,
        thread: usize,
        busy: Option<&Busy>,
        node: &Node,
        asked: i32,
        progress: &mut Progress,
        watch: &mut dyn Watch,
    ) -> Option<i32> {
        let near = self.near.get(thread).unwrap_or(&self.far);
        let mut search = Search::<B, N>::new(self.board, [near, &self.far], watch, *progress, busy, &self.liking);
        if self.threads == 1 {
            search.let_grow();
        }
        let value = search.solve(node, asked);
        progress.nodes = search.progress.nodes;
        (!search.is_stopped()).then_some(value)
    }

    /// A bound of the score of `node` on the same side of `asked`; `None` if the watch wanted a stop.
    fn answer(&self, node: &Node, asked: i32, progress: &mut Progress, watch: &mut dyn Watch) -> Option<i32> {
        if !self.far.finish(|| !watch.wants_stop(progress)) {
            return None;
        }
        let done = AtomicBool::new(false);
        let alone = if self.threads > 1 { progress.nodes + ALONE } else { u64::MAX };
        let mut until = Until { nodes: alone, done: &done, watch: Some(watch), asked_to_stop: false };
        let value = self.search(0, None, node, asked, progress, &mut until);
        if value.is_some() || until.asked_to_stop {
            return value;
        }
        // Only a thread that is alone may let the table grow: when it fills, the others end, and begin again with what it remembers.
        loop {
            let patience = self.far.patience().unwrap_or(u64::MAX);
            until.nodes = progress.nodes.saturating_add(patience / self.threads as u64);
            let value = self.together(node, asked, progress, &mut until);
            if value.is_some() || until.asked_to_stop || !self.far.grow(|| !until.asks_to_stop(progress)) {
                return value;
            }
            done.store(false, Relaxed);
        }
    }

    /// What the first of the threads finds; `None` if the first thread came to the end of its nodes or was asked to stop.
    fn together(&self, node: &Node, asked: i32, progress: &mut Progress, until: &mut Until<'_>) -> Option<i32> {
        let (busy, found) = (Busy::new(node.ply), Mutex::new(None));
        self.all_at(progress, until, |thread, progress, until| {
            if let Some(value) = self.search(thread, Some(&busy), node, asked, progress, until) {
                *found.lock().unwrap_or_else(PoisonError::into_inner) = Some(value);
            }
        });
        found.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    /// Scores what is not scored yet until fewer positions are left than threads. `None` if the watch wanted a stop.
    fn share_out(&self, positions: &[Asked], scores: &mut [Option<i32>], nodes: &mut u64, watch: &mut dyn Watch) -> Option<()> {
        let done = AtomicBool::new(false);
        let mut progress = Progress { nodes: *nodes, ..Progress::default() };
        if !self.far.finish(|| !watch.wants_stop(&progress)) {
            return None;
        }
        let mut until = Until { nodes: 0, done: &done, watch: Some(watch), asked_to_stop: false };
        for (score, &position) in scores.iter_mut().zip(positions).filter(|(score, _)| score.is_none()) {
            until.nodes = progress.nodes + ALONE;
            *score = self.alone(0, position, &mut progress.nodes, &mut until);
            if until.asked_to_stop {
                return None;
            }
        }
        let mut grown = progress.nodes;
        loop {
            let open: Vec<usize> = (0..scores.len()).filter(|&at| scores[at].is_none()).collect();
            if open.len() < self.threads {
                *nodes = progress.nodes;
                return Some(());
            }
            let patience = self.far.patience().unwrap_or(u64::MAX);
            until.nodes = progress.nodes.saturating_add(patience / self.threads as u64);
            let (next, found) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
            self.all_at(&mut progress, &mut until, |thread, progress, until| {
                while let Some(&at) = open.get(next.fetch_add(1, Relaxed)) {
                    let Some(score) = self.alone(thread, positions[at], &mut progress.nodes, until) else { return };
                    found.lock().unwrap_or_else(PoisonError::into_inner).push((at, score));
                }
            });
            for (at, score) in found.into_inner().unwrap_or_else(PoisonError::into_inner) {
                scores[at] = Some(score);
            }
            if progress.nodes - grown >= patience {
                self.far.grow(|| !until.asks_to_stop(&progress));
                grown = progress.nodes;
            }
            if until.asked_to_stop {
                return None;
            }
            done.store(false, Relaxed);
        }
    }

    /// Has all threads do the same work; whoever comes first to its end, ends that of all.
    fn all_at(
        &self,
        progress: &mut Progress,
        until: &mut Until<'_>,
        work: impl Fn(usize, &mut Progress, &mut Until<'_>) + Sync,
    ) {
        let done = until.done;
        let work = |thread: usize, progress: &mut Progress, until: &mut Until<'_>| {
            work(thread, progress, until);
            done.store(true, Relaxed);
        };
        std::thread::scope(|scope| {
            let work = &work;
            let helpers: Vec<_> = (1..self.threads)
                .map(|thread| {
                    scope.spawn(move || {
                        let mut progress = Progress::default();
                        work(thread, &mut progress, &mut Until::done(done));
                        progress.nodes
                    })
                })
                .collect();
            work(0, progress, until);
            progress.nodes += helpers.into_iter().filter_map(|helper| helper.join().ok()).sum::<u64>();
        });
    }
}
