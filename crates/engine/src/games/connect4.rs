//! Connect Four on any board whose columns, with one extra cell each, fit in 64 bits.
//!
//! Bits run up each column. The cell above the top row is always empty so that lines cannot wrap. On the 7x6 board:
//!
//! ```text
//!      .  .  .  .  .  .  .   always empty
//!  6 | 5 12 19 26 33 40 47
//!  5 | 4 11 18 25 32 39 46
//!  4 | 3 10 17 24 31 38 45
//!  3 | 2  9 16 23 30 37 44
//!  2 | 1  8 15 22 29 36 43
//!  1 | 0  7 14 21 28 35 42
//!    +---------------------
//!      1  2  3  4  5  6  7
//! ```
//!
//! If `all` is the set of occupied cells and `bottom` the lowest row, `all + bottom` marks the lowest free cell of each column.

use std::fmt;

use super::{Entry, StartVisitor, grid};
use crate::bits::{each_bit, nth_bit};
use crate::options::{Allowed, GameOption};
use crate::rng::mix;
use crate::{Error, Outcome, Position, Reason, Rng, Side};

mod shape;
pub use shape::{Shape, Sized, Standard};

mod features;
mod heuristic;
mod planes;
mod text;
mod tuples;
mod view;

pub(super) const ENTRY: Entry = Entry {
    id: "connect4",
    title: "Connect Four",
    rules: "Drop a disc into a column; it falls to the lowest free cell. Four in a row, in any direction, wins.",
    options: &[
        GameOption { name: "columns", allowed: Allowed::Integer(7, 1, 32), description: "width of the board" },
        GameOption { name: "rows", allowed: Allowed::Integer(6, 1, 63), description: "height of the board" },
        GameOption { name: "line", allowed: Allowed::Integer(4, 2, 64), description: "length of a winning line" },
    ],
};

pub(super) fn start<V: StartVisitor>(values: &[u32], visitor: V) -> Result<V::Output, Error> {
    match *values {
        [7, 6, 4] => Ok(visitor.visit(ConnectFour::new(Standard))),
        [columns, rows, line] if (rows + 1) * columns <= 64 => {
            Ok(visitor.visit(ConnectFour::new(Sized::new(columns as u8, rows as u8, line as u8))))
        }
        _ => Err(Error::Parse(format!(
            "(rows + 1) * columns must be at most 64, got {} rows and {} columns",
            values[1], values[0]
        ))),
    }
}

/// A Connect Four position on a board of shape `S`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConnectFour<S: Shape> {
    shape: S,
    /// The discs of the side to move.
    mover: u64,
    /// The discs of both sides.
    all: u64,
}

impl<S: Shape> ConnectFour<S> {
    /// The empty board.
    pub fn new(shape: S) -> Self {
        ConnectFour { shape, mover: 0, all: 0 }
    }

    /// The shape of the board.
    pub fn shape(&self) -> S {
        self.shape
    }

    /// The discs of the side to move and of both sides.
    pub fn bits(&self) -> (u64, u64) {
        (self.mover, self.all)
    }

    /// The cells where a disc can land, one in each column that is not full.
    #[inline(always)]
    fn landing(&self) -> u64 {
        (self.all + self.shape.bottom()) & self.shape.full()
    }

    #[inline(always)]
    fn place(&mut self, cell: u64) {
        self.mover ^= self.all;
        self.all |= cell;
    }

    /// The cells of one column.
    #[inline(always)]
    fn column(&self, column: u32) -> u64 {
        ((1 << self.shape.rows()) - 1) << (column * (self.shape.rows() + 1))
    }

    /// The first column in which a disc would complete a line with `cells`.
    #[inline(always)]
    fn completing_move(&self, cells: u64) -> Option<u8> {
        let wins = self.shape.completing(cells) & self.landing();
        (wins != 0).then(|| (wins.trailing_zeros() / (self.shape.rows() + 1)) as u8)
    }

    fn cell_index(&self, bit: u32) -> usize {
        let height = self.shape.rows() as usize + 1;
        let (column, row) = (bit as usize / height, bit as usize % height);
        grid::reading_index(height - 1, self.shape.columns() as usize, row, column)
    }
}

/// The label of a column: `1` for column 0, `9` for 8, `a` for 9. Single characters need no separators.
fn column_text(column: u32) -> char {
    char::from_digit(column + 1, 36).unwrap_or('?')
}

impl<S: Shape> fmt::Display for ConnectFour<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        grid::format(self, f)
    }
}

impl<S: Shape> Position for ConnectFour<S> {
    /// The column, from 0 on the left.
    type Move = u8;

    #[inline]
    fn turn(&self) -> Side {
        if self.all.count_ones().is_multiple_of(2) { Side::First } else { Side::Second }
    }

    #[inline]
    fn legal_moves(&self, mut visit: impl FnMut(u8)) {
        if self.early_outcome().is_none() {
            let height = self.shape.rows() + 1;
            each_bit(self.landing(), |bit| visit((bit / height) as u8));
        }
    }

    #[inline]
    fn play(&mut self, mv: u8) {
        self.place(self.landing() & self.column(mv.into()));
    }

    #[inline(always)]
    fn early_outcome(&self) -> Option<Outcome> {
        let waiting = self.mover ^ self.all;
        self.shape.has_line(waiting).then(|| Outcome::win(self.turn().other(), Reason::Line))
    }

    fn no_move_outcome(&self) -> Outcome {
        Outcome::draw(Reason::FullBoard)
    }

    #[inline]
    fn key(&self) -> u64 {
        // In each column, `all + bottom` has one bit above the top disc, and `mover` has only lower bits, so the sum is unique.
        mix((self.all + self.shape.bottom()).wrapping_add(self.mover))
    }

    #[inline]
    fn count_moves(&self) -> usize {
        if self.early_outcome().is_some() { 0 } else { self.landing().count_ones() as usize }
    }

    #[inline(always)]
    fn play_random(&mut self, rng: &mut Rng) -> Option<u8> {
        let landing = self.landing();
        if landing == 0 {
            return None;
        }
        let cell = nth_bit(landing, rng.below(landing.count_ones()));
        self.place(cell);
        Some((cell.trailing_zeros() / (self.shape.rows() + 1)) as u8)
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
mod tests {
    use super::*;
    use crate::Notation;

    #[test]
    fn the_standard_and_generic_shapes_find_the_same_completing_cells() {
        let sized = Sized::new(7, 6, 4);
        let mut rng = Rng::new(2);
        for _ in 0..1000 {
            let mut position = ConnectFour::new(Standard);
            while position.early_outcome().is_none() && position.play_random(&mut rng).is_some() {
                let landing = position.landing();
                for cells in [position.mover, position.mover ^ position.all] {
                    if !Standard.has_line(cells) {
                        assert_eq!(Standard.completing(cells) & landing, sized.completing(cells) & landing);
                    }
                }
            }
        }
    }

    #[test]
    fn positions_with_floating_discs_are_rejected() {
        let board = ConnectFour::new(Sized::new(3, 3, 3));
        assert!(board.parse(".../r../...").is_err());
        assert!(board.parse(".../.../r..").is_ok());
        assert_eq!(board.parse("12").unwrap(), board.parse(".../.../ry.").unwrap());
    }
}
