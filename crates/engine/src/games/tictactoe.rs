//! Tic-tac-toe and other m,n,k-games: `line` marks in a row on a board with `rows` rows and `columns` columns, at most 64 cells.
//!
//! Bits run row by row from the bottom left. On the classic board:
//!
//! ```text
//!  3 | 6 7 8
//!  2 | 3 4 5
//!  1 | 0 1 2
//!    +------
//!      a b c
//! ```

use std::fmt;

use super::{Entry, StartVisitor, grid};
use crate::bits::{each_bit, nth_bit};
use crate::options::{Allowed, GameOption};
use crate::rng::mix;
use crate::{Error, Outcome, Position, Reason, Rng, Side};

mod shape;
pub use shape::{Classic, Shape, Sized};

mod features;
mod heuristic;
mod planes;
mod text;
mod view;

pub(super) const ENTRY: Entry = Entry {
    id: "tictactoe",
    title: "Tic-tac-toe",
    rules: "Put your mark in an empty cell. Three in a row, in any direction, wins.",
    options: &[
        GameOption { name: "rows", allowed: Allowed::Integer(3, 1, 64), description: "height of the board" },
        GameOption { name: "columns", allowed: Allowed::Integer(3, 1, 64), description: "width of the board" },
        GameOption { name: "line", allowed: Allowed::Integer(3, 2, 64), description: "length of a winning line" },
    ],
};

pub(super) fn start<V: StartVisitor>(values: &[u32], visitor: V) -> Result<V::Output, Error> {
    match *values {
        [3, 3, 3] => Ok(visitor.visit(TicTacToe::new(Classic))),
        [rows, columns, line] if rows * columns <= 64 => Ok(visitor.visit(TicTacToe::new(Sized::new(rows, columns, line)))),
        _ => Err(Error::Parse(format!("rows * columns must be at most 64, got {} rows and {} columns", values[0], values[1]))),
    }
}

/// A tic-tac-toe position on a board of shape `S`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TicTacToe<S: Shape> {
    shape: S,
    /// The marks of the side to move.
    mover: u64,
    /// The marks of the opponent.
    waiting: u64,
    /// The empty cells and their number, updated incrementally because playouts need them at every move.
    empty: u64,
    empty_count: u32,
}

impl<S: Shape> TicTacToe<S> {
    /// The empty board.
    pub fn new(shape: S) -> Self {
        TicTacToe { shape, mover: 0, waiting: 0, empty: shape.full(), empty_count: shape.full().count_ones() }
    }

    /// The shape of the board.
    pub fn shape(&self) -> S {
        self.shape
    }

    /// The marks of the side to move and of the opponent.
    pub fn bits(&self) -> (u64, u64) {
        (self.mover, self.waiting)
    }

    #[inline(always)]
    fn place(&mut self, cell: u64) {
        (self.mover, self.waiting) = (self.waiting, self.mover | cell);
        self.empty ^= cell;
        self.empty_count -= 1;
    }

    /// The first empty cell that would complete a line with `cells`.
    fn completing_move(&self, cells: u64) -> Option<u8> {
        let mut found = None;
        each_bit(self.empty, |bit| {
            if found.is_none() && self.shape.has_line(cells | 1 << bit) {
                found = Some(bit as u8);
            }
        });
        found
    }

    fn cell_index(&self, bit: usize) -> usize {
        let (rows, columns) = (self.shape.rows(), self.shape.columns());
        grid::reading_index(rows, columns, bit / columns, bit % columns)
    }
}

impl<S: Shape> fmt::Display for TicTacToe<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        grid::format(self, f)
    }
}

impl<S: Shape> Position for TicTacToe<S> {
    /// The bit index of the cell.
    type Move = u8;

    #[inline]
    fn turn(&self) -> Side {
        let played = (self.shape.rows() * self.shape.columns()) as u32 - self.empty_count;
        if played.is_multiple_of(2) { Side::First } else { Side::Second }
    }

    #[inline]
    fn legal_moves(&self, mut visit: impl FnMut(u8)) {
        if self.early_outcome().is_none() {
            each_bit(self.empty, |bit| visit(bit as u8));
        }
    }

    #[inline]
    fn play(&mut self, mv: u8) {
        self.place(1 << mv);
    }

    #[inline(always)]
    fn early_outcome(&self) -> Option<Outcome> {
        self.shape.has_line(self.waiting).then(|| Outcome::win(self.turn().other(), Reason::Line))
    }

    fn no_move_outcome(&self) -> Outcome {
        Outcome::draw(Reason::FullBoard)
    }

    #[inline]
    fn key(&self) -> u64 {
        mix(mix(self.mover).wrapping_add(self.waiting))
    }

    #[inline]
    fn count_moves(&self) -> usize {
        if self.early_outcome().is_some() { 0 } else { self.empty_count as usize }
    }

    #[inline(always)]
    fn play_random(&mut self, rng: &mut Rng) -> Option<u8> {
        if self.empty_count == 0 {
            return None;
        }
        let cell = nth_bit(self.empty, rng.below(self.empty_count));
        self.place(cell);
        Some(cell.trailing_zeros() as u8)
    }

    #[inline]
    fn encode(&self, mv: u8) -> u16 {
        mv.into()
    }

    #[inline]
    fn decode(&self, code: u16) -> u8 {
        code as u8
    }
}

#[cfg(test)]
mod tests;
