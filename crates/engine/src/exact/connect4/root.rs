//! From questions to a score: windows from the outside in, and threads that answer one question together.

use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Mutex, PoisonError};

use super::board::Board;
use super::busy::Busy;
use super::ceiling::ceiling;
use super::search::{Node, Search, safe};
use super::{OneBoard, Progress, Watch};

/// Nodes before the other threads are called: smaller questions are answered before they would have started.
const ALONE: u64 = 20_000;

/// The score of a position in which nobody has a line; `None` if the watch wanted a stop.
pub(super) fn score<B: Board, const N: usize>(
    solver: &OneBoard<B, N>,
    mover: u64,
    all: u64,
    nodes: &mut u64,
    watch: &mut dyn Watch,
) -> Option<i32> {
    let board = solver.board;
    let ply = all.count_ones() as i32;
    let left = board.cells() - ply;
    let landing = board.landing(all);
    let [wins, threats] = board.wins(&[mover, mover ^ all]).map(|cells| cells & board.full() & !all);
    if wins & landing != 0 {
        return Some((left + 1) / 2);
    }
    let moves = safe(landing, threats);
    if moves == 0 {
        return Some(-(left / 2));
    }
    let node = Node { mover, all, moves, ply, ceiling: ceiling(board, mover, all, threats, ply) };
    let (mut low, mut high) = (-((left - 2) / 2), (left - 1) / 2);
    while low < high {
        // Quick wins and losses are ruled out first: those questions reach less deep.
        let mut middle = low + (high - low) / 2;
        if middle <= 0 && low / 2 < middle {
            middle = low / 2;
        } else if middle >= 0 && high / 2 > middle {
            middle = high / 2;
        }
        let mut progress = Progress { low, high, nodes: *nodes };
        let value = answer(solver, &node, middle, &mut progress, watch);
        *nodes = progress.nodes;
        match value? {
            value if value <= middle => high = value,
            value => low = value,
        }
    }
    Some(low)
}

/// Stops at a number of nodes, or when another thread has the answer.
struct Until<'a> {
    nodes: u64,
    done: &'a AtomicBool,
    watch: Option<&'a mut dyn Watch>,
    asked_to_stop: bool,
}

impl Until<'_> {
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

/// A bound of the score of `node` on the same side of `alpha`; `None` if the watch wanted a stop.
fn answer<B: Board, const N: usize>(
    solver: &OneBoard<B, N>,
    node: &Node,
    alpha: i32,
    progress: &mut Progress,
    watch: &mut dyn Watch,
) -> Option<i32> {
    let (board, threads, table) = (solver.board, solver.threads, &solver.table);
    if !table.finish(|| !watch.wants_stop(progress)) {
        return None;
    }
    let search = |busy: Option<&Busy>, progress: Progress, watch: &mut dyn Watch| {
        let mut search = Search::<B, N>::new(board, table, watch, progress, busy, &solver.liking);
        let value = search.solve(node, alpha);
        (search.progress.nodes, (!search.is_stopped()).then_some(value))
    };
    let done = AtomicBool::new(false);
    let alone = if threads > 1 { progress.nodes + ALONE } else { u64::MAX };
    let mut until = Until { nodes: alone, done: &done, watch: Some(watch), asked_to_stop: false };
    let (nodes, value) = search(None, *progress, &mut until);
    progress.nodes = nodes;
    if value.is_some() || until.asked_to_stop {
        return value;
    }
    // Only a thread that is alone may let the table grow: when it fills, the others end, and begin again with what it remembers.
    let busy = Busy::new();
    let search = |progress: Progress, watch: &mut dyn Watch| search(Some(&busy), progress, watch);
    loop {
        until.nodes = table.patience().map_or(u64::MAX, |patience| progress.nodes + patience / threads as u64);
        let value = together(threads, &search, &done, &mut until, progress);
        if value.is_some() || until.asked_to_stop || !table.grow(|| !until.asks_to_stop(progress)) {
            return value;
        }
        done.store(false, Relaxed);
    }
}

/// What the first of several threads finds; `None` if the first thread came to the end of its nodes or was asked to stop.
fn together(
    threads: usize,
    search: &(impl Fn(Progress, &mut dyn Watch) -> (u64, Option<i32>) + Sync),
    done: &AtomicBool,
    until: &mut Until<'_>,
    progress: &mut Progress,
) -> Option<i32> {
    let found = Mutex::new(None);
    let settle = |value: Option<i32>| {
        if value.is_some() {
            *found.lock().unwrap_or_else(PoisonError::into_inner) = value;
        }
        // Whoever comes first, with an answer or at its end, ends the work of all.
        done.store(true, Relaxed);
    };
    std::thread::scope(|scope| {
        let settle = &settle;
        let helpers: Vec<_> = (1..threads)
            .map(|_| {
                scope.spawn(move || {
                    let mut until = Until { nodes: u64::MAX, done, watch: None, asked_to_stop: false };
                    let (nodes, value) = search(Progress::default(), &mut until);
                    settle(value);
                    nodes
                })
            })
            .collect();
        let (nodes, value) = search(*progress, until);
        settle(value);
        progress.nodes = nodes + helpers.into_iter().filter_map(|helper| helper.join().ok()).sum::<u64>();
    });
    found.into_inner().unwrap_or_else(PoisonError::into_inner)
}

/// What speaks for each cell: being near the middle.
pub(super) fn liking<B: Board>(board: B) -> [u32; 64] {
    let central = |at: u32, size: u32| size - (2 * at + 1).abs_diff(size);
    let mut liking = [0; 64];
    for column in 0..board.columns() {
        for row in 0..board.rows() {
            liking[(column * board.height() + row) as usize] = central(column, board.columns()) + central(row, board.rows());
        }
    }
    liking
}
