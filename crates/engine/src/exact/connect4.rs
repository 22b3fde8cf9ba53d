//! Connect Four solved: the exact score of any position, of any board.
//!
//! Whether a score is above a number is asked again and again, from far numbers to near ones ([`search`]); most answers come from
//! rules that need no search ([`ceiling`]) and from what is remembered ([`table`]). A [`Book`] knows the openings.

use std::any::Any;
use std::sync::Arc;

use super::solution::{MoveScore, Progress, Solution, Solver, Watch, check_unfinished, distance};
use crate::erased::AnyLine;
use crate::games::connect4::{ConnectFour, Shape, Sized, Standard};
use crate::{Error, Line, Position};

mod board;
mod book;
mod busy;
mod ceiling;
mod root;
mod search;
mod table;

pub use book::{Book, book_positions};

use board::Board;
use table::Table;

/// What a solver may use.
#[derive(Clone, Debug)]
pub struct Means {
    /// Memory of its table of positions, never exceeded (a table has 1 KiB at least, 1 MiB on the largest boards).
    pub bytes: usize,
    /// Threads that search together.
    pub threads: usize,
    /// What is known of the openings of the 7x6 board.
    pub book: Option<Arc<Book>>,
}

/// The solver of the board that a line is played on; `None` if that is not Connect Four.
pub fn solver(line: &dyn AnyLine, means: Means) -> Option<Box<dyn Solver>> {
    if let Some(line) = line.as_any().downcast_ref::<Line<ConnectFour<Standard>>>() {
        return Some(Box::new(OneBoard::<_, 8>::new(line.position().shape(), means)));
    }
    let shape = line.as_any().downcast_ref::<Line<ConnectFour<Sized>>>()?.position().shape();
    let means = Means { book: None, ..means };
    Some(if shape.columns() <= 8 {
        Box::new(OneBoard::<_, 8>::new(shape, means))
    } else {
        Box::new(OneBoard::<_, 32>::new(shape, means))
    })
}

/// A solver of boards of one shape with at most `N` columns.
struct OneBoard<B: Board, const N: usize> {
    board: B,
    table: Table,
    threads: usize,
    book: Option<Arc<Book>>,
    /// What speaks for each cell, where nothing else does.
    liking: [u32; 64],
}

impl<B: Board, const N: usize> OneBoard<B, N> {
    fn new(board: B, means: Means) -> Self {
        let table = Table::new(means.bytes, board.columns() * board.height());
        OneBoard { board, table, threads: means.threads, book: means.book, liking: root::liking(board) }
    }

    /// The score of a position in which nobody has a line; `None` if the watch wanted a stop.
    fn score(&self, mover: u64, all: u64, nodes: &mut u64, watch: &mut dyn Watch) -> Option<i32> {
        if let Some(score) = self.book.as_ref().and_then(|book| book.probe(mover, all)) {
            return Some(score);
        }
        root::score::<B, N>(self, mover, all, nodes, watch)
    }

    /// The score of playing a cell.
    fn move_score(&self, mover: u64, all: u64, cell: u64, nodes: &mut u64, watch: &mut dyn Watch) -> Option<i32> {
        if self.board.has_line(mover | cell) {
            return Some((self.board.cells() - all.count_ones() as i32 + 1) / 2);
        }
        Some(-self.score(mover ^ all, all | cell, nodes, watch)?)
    }
}

impl<B: Board, const N: usize> Solver for OneBoard<B, N> {
    fn solve(&mut self, line: &dyn AnyLine, every: bool, watch: &mut dyn Watch) -> Result<Option<Solution>, Error> {
        let Some(line) = (line.as_any() as &dyn Any).downcast_ref::<Line<ConnectFour<B>>>() else {
            return Err(Error::Parse("the position is of another game than the solver".into()));
        };
        let position = line.position();
        if position.shape() != self.board {
            return Err(Error::Parse("the position is of another board than the solver".into()));
        }
        check_unfinished(line)?;
        let (mover, all) = position.bits();
        let left = self.board.cells() - all.count_ones() as i32;
        let mut nodes = 0;
        let mut moves = Vec::new();
        if !every {
            let score = self.score(mover, all, &mut nodes, watch);
            return Ok(score.map(|score| Solution { score, distance: distance(score, left), moves, nodes }));
        }
        for mv in line.legal_moves() {
            let cell = self.board.landing(all) & self.board.column_of(1 << (u32::from(mv) * self.board.height()));
            let Some(score) = self.move_score(mover, all, cell, &mut nodes, watch) else {
                return Ok(None);
            };
            moves.push(MoveScore { text: position.move_text(mv), score, distance: distance(score, left) });
        }
        let score = moves.iter().map(|mv| mv.score).max().unwrap_or(0);
        Ok(Some(Solution { score, distance: distance(score, left), moves, nodes }))
    }

    fn clear(&mut self) {
        self.table.clear();
    }

    fn bytes(&self) -> usize {
        self.table.bytes()
    }
}
