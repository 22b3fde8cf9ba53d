//! Connect Four solver: the exact score of any position on boards of any size.
//!
//! The score is found by a series of null-window searches (`search.rs`), supported by a transposition table
//! (`transposition.rs`) and a static upper bound (`claimeven.rs`). A [`Book`] contains the scores of openings.

use std::sync::Arc;

use super::solution::{MoveScore, Observer, Progress, Solution, Solver, check_unfinished, distance};
use crate::games::connect4::{ConnectFour, Shape, Sized, Standard};
use crate::{Error, Line, Notation};

mod abdada;
mod board;
mod book;
mod claimeven;
mod openings;
mod parallel;
mod root;
mod search;
mod transposition;

pub use book::Book;
pub use openings::book_positions;

use board::Board;
use root::RootPosition;
use transposition::TranspositionTable;

/// Size of each thread's local table in bytes, small enough to stay in its core's caches.
const LOCAL_BYTES: usize = 1 << 19;
/// Minimum memory per thread, in bytes, for threads to have local tables.
const MIN_BYTES_PER_THREAD: usize = 4 << 20;

/// Solver resources.
#[derive(Clone, Debug)]
pub struct SolverOptions {
    /// Maximum size of the transposition tables in bytes (at least 1 KiB is used, 1 MiB on the largest boards).
    pub bytes: usize,
    /// Number of search threads.
    pub threads: usize,
    /// Opening book for the 7x6 board.
    pub book: Option<Arc<Book>>,
}

/// Returns a solver for the standard board.
pub fn standard_solver(options: SolverOptions) -> Box<dyn Solver<ConnectFour<Standard>>> {
    Box::new(BoardSolver::<_, 8>::new(Standard, options))
}

/// Returns a solver for any other board. It does not use the opening book.
pub fn sized_solver(shape: Sized, options: SolverOptions) -> Box<dyn Solver<ConnectFour<Sized>>> {
    let options = SolverOptions { book: None, ..options };
    if shape.columns() <= 8 {
        Box::new(BoardSolver::<_, 8>::new(shape, options))
    } else {
        Box::new(BoardSolver::<_, 32>::new(shape, options))
    }
}

/// Solver for boards of one shape with at most `N` columns.
struct BoardSolver<B: Board, const N: usize> {
    board: B,
    /// Local tables, one per thread; empty if there is too little memory.
    local: Vec<TranspositionTable>,
    /// Table shared by all threads.
    shared: TranspositionTable,
    threads: usize,
    book: Option<Arc<Book>>,
    /// Static move-ordering bonus of each cell.
    centrality: [u32; 64],
}

impl<B: Board, const N: usize> BoardSolver<B, N> {
    fn new(board: B, options: SolverOptions) -> Self {
        let bits = board.columns() * board.height();
        let local_tables = if options.bytes < MIN_BYTES_PER_THREAD * options.threads { 0 } else { options.threads };
        let local: Vec<_> = (0..local_tables).map(|_| TranspositionTable::full_size(LOCAL_BYTES, bits)).collect();
        let shared = TranspositionTable::new(options.bytes - local.iter().map(TranspositionTable::bytes).sum::<usize>(), bits);
        BoardSolver { board, local, shared, threads: options.threads, book: options.book, centrality: root::centrality(board) }
    }

    /// Returns an error unless the line is an unfinished game on this board.
    fn check(&self, line: &Line<ConnectFour<B>>) -> Result<(), Error> {
        if line.position().shape() != self.board {
            return Err(Error::Parse("the position's board size or line length differs from the solver's".into()));
        }
        check_unfinished(line)
    }

    /// Returns a position to score, with a lower bound from the book entries of its predecessors.
    fn root_position(&self, mover: u64, all: u64) -> RootPosition {
        let lower_bound = self.book.as_ref().and_then(|book| book.lower_bound(mover, all)).unwrap_or(i32::MIN);
        RootPosition { mover, all, lower_bound }
    }

    /// Returns the score of playing each of the given cells.
    fn move_scores(
        &self,
        mover: u64,
        all: u64,
        cells: &[u64],
        nodes: &mut u64,
        observer: &mut dyn Observer,
    ) -> Option<Vec<i32>> {
        let wins = |cell: &u64| self.board.has_line(mover | cell);
        let after = |cell: &u64| self.root_position(mover ^ all, all | cell);
        let positions: Vec<_> = cells.iter().filter(|cell| !wins(cell)).map(after).collect();
        let mut scores = self.score_all(&positions, nodes, observer)?.into_iter();
        let won = (self.board.cells() - all.count_ones() as i32 + 1) / 2;
        cells.iter().map(|cell| if wins(cell) { Some(won) } else { Some(-scores.next()?) }).collect()
    }
}

impl<B: Board, const N: usize> Solver<ConnectFour<B>> for BoardSolver<B, N> {
    fn solve(
        &mut self,
        line: &Line<ConnectFour<B>>,
        all_moves: bool,
        observer: &mut dyn Observer,
    ) -> Result<Option<Solution>, Error> {
        self.check(line)?;
        let position = line.position();
        let (mover, all) = position.bits();
        let left = self.board.cells() - all.count_ones() as i32;
        let mut nodes = 0;
        let mut moves = Vec::new();
        if !all_moves {
            let score = self.score(self.root_position(mover, all), &mut nodes, observer);
            return Ok(score.map(|score| Solution { score, distance: distance(score, left), moves, nodes }));
        }
        let legal = line.legal_moves();
        let landing = self.board.landing(all);
        let cells: Vec<u64> =
            legal.iter().map(|&mv| landing & self.board.column_of(1 << (u32::from(mv) * self.board.height()))).collect();
        let Some(scores) = self.move_scores(mover, all, &cells, &mut nodes, observer) else {
            return Ok(None);
        };
        for (&mv, score) in legal.iter().zip(scores) {
            moves.push(MoveScore { text: position.move_text(mv), score, distance: distance(score, left) });
        }
        let score = moves.iter().map(|mv| mv.score).max().unwrap_or(0);
        Ok(Some(Solution { score, distance: distance(score, left), moves, nodes }))
    }

    fn scores(&mut self, lines: &[&Line<ConnectFour<B>>], observer: &mut dyn Observer) -> Result<Option<Vec<i32>>, Error> {
        let bits = |line: &&Line<ConnectFour<B>>| self.check(line).map(|()| line.position().bits());
        let positions: Result<Vec<_>, Error> = lines.iter().map(bits).collect();
        let positions: Vec<_> = positions?.into_iter().map(|(mover, all)| self.root_position(mover, all)).collect();
        Ok(self.score_all(&positions, &mut 0, observer))
    }

    fn clear(&mut self) {
        self.local.iter_mut().for_each(TranspositionTable::clear);
        self.shared.clear();
    }

    fn bytes(&self) -> usize {
        self.shared.bytes() + self.local.iter().map(TranspositionTable::bytes).sum::<usize>()
    }
}
