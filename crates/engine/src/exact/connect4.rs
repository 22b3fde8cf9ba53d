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
mod openings;
mod root;
mod search;
mod table;
mod threads;

pub use book::Book;
pub use openings::book_positions;

use board::Board;
use root::Asked;
use table::Table;

/// What each thread remembers for itself stays in the caches of its core.
const NEAR_BYTES: usize = 1 << 19;
/// Memory a thread below which none has any for itself.
const PLENTY: usize = 4 << 20;

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
    /// What each thread remembers for itself; nothing where memory is scarce.
    near: Vec<Table>,
    /// What all of them remember.
    far: Table,
    threads: usize,
    book: Option<Arc<Book>>,
    /// What speaks for each cell, where nothing else does.
    liking: [u32; 64],
}

impl<B: Board, const N: usize> OneBoard<B, N> {
    fn new(board: B, means: Means) -> Self {
        let bits = board.columns() * board.height();
        let alone = if means.bytes < PLENTY * means.threads { 0 } else { means.threads };
        let near: Vec<Table> = (0..alone).map(|_| Table::grown(NEAR_BYTES, bits)).collect();
        let far = Table::new(means.bytes - near.iter().map(Table::bytes).sum::<usize>(), bits);
        OneBoard { board, near, far, threads: means.threads, book: means.book, liking: root::liking(board) }
    }

    /// The unfinished game of this board that a line is.
    fn game<'a>(&self, line: &'a dyn AnyLine) -> Result<&'a Line<ConnectFour<B>>, Error> {
        let Some(line) = (line.as_any() as &dyn Any).downcast_ref::<Line<ConnectFour<B>>>() else {
            return Err(Error::Parse("the position is of another game than the solver".into()));
        };
        if line.position().shape() != self.board {
            return Err(Error::Parse("the position is of another board than the solver".into()));
        }
        check_unfinished(line)?;
        Ok(line)
    }

    /// A position to solve, with what the book says of those before it.
    fn asked(&self, mover: u64, all: u64) -> Asked {
        let least = self.book.as_ref().and_then(|book| book.least(mover, all)).unwrap_or(i32::MIN);
        Asked { mover, all, least }
    }

    /// The scores of playing each of these cells.
    fn move_scores(&self, mover: u64, all: u64, cells: &[u64], nodes: &mut u64, watch: &mut dyn Watch) -> Option<Vec<i32>> {
        let wins = |cell: &u64| self.board.has_line(mover | cell);
        let after = |cell: &u64| self.asked(mover ^ all, all | cell);
        let positions: Vec<_> = cells.iter().filter(|cell| !wins(cell)).map(after).collect();
        let mut scores = self.score_each(&positions, nodes, watch)?.into_iter();
        let won = (self.board.cells() - all.count_ones() as i32 + 1) / 2;
        cells.iter().map(|cell| if wins(cell) { Some(won) } else { Some(-scores.next()?) }).collect()
    }
}

impl<B: Board, const N: usize> Solver for OneBoard<B, N> {
    fn solve(&mut self, line: &dyn AnyLine, every: bool, watch: &mut dyn Watch) -> Result<Option<Solution>, Error> {
        let line = self.game(line)?;
        let position = line.position();
        let (mover, all) = position.bits();
        let left = self.board.cells() - all.count_ones() as i32;
        let mut nodes = 0;
        let mut moves = Vec::new();
        if !every {
            let score = self.score(self.asked(mover, all), &mut nodes, watch);
            return Ok(score.map(|score| Solution { score, distance: distance(score, left), moves, nodes }));
        }
        let legal = line.legal_moves();
        let landing = self.board.landing(all);
        let cells: Vec<u64> =
            legal.iter().map(|&mv| landing & self.board.column_of(1 << (u32::from(mv) * self.board.height()))).collect();
        let Some(scores) = self.move_scores(mover, all, &cells, &mut nodes, watch) else {
            return Ok(None);
        };
        for (&mv, score) in legal.iter().zip(scores) {
            moves.push(MoveScore { text: position.move_text(mv), score, distance: distance(score, left) });
        }
        let score = moves.iter().map(|mv| mv.score).max().unwrap_or(0);
        Ok(Some(Solution { score, distance: distance(score, left), moves, nodes }))
    }

    fn scores(&mut self, lines: &[&dyn AnyLine], watch: &mut dyn Watch) -> Result<Option<Vec<i32>>, Error> {
        let bits = |line: &&dyn AnyLine| Ok(self.game(*line)?.position().bits());
        let positions: Result<Vec<_>, Error> = lines.iter().map(bits).collect();
        let positions: Vec<_> = positions?.into_iter().map(|(mover, all)| self.asked(mover, all)).collect();
        Ok(self.score_each(&positions, &mut 0, watch))
    }

    fn clear(&mut self) {
        self.near.iter_mut().for_each(Table::clear);
        self.far.clear();
    }

    fn bytes(&self) -> usize {
        self.far.bytes() + self.near.iter().map(Table::bytes).sum::<usize>()
    }
}
