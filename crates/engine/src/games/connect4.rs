//! Connect Four on any board whose columns, with one spare cell each, fit in 64 bits.
//!
//! Bits run up each column; the cell above the top row is always empty, so that lines cannot wrap. On 7x6:
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
//! With `all` the occupied cells and `bottom` the lowest row, `all + bottom` carries up each column to its lowest free cell.

use std::fmt;

use super::{Entry, boxed, grid};
use crate::bits::{each_bit, nth_bit};
use crate::evaluate::{Measures, Term};
use crate::options::{Accepts, GameOption};
use crate::rng::mix;
use crate::{Error, Game, Outcome, Piece, Position, Reason, Rng, Side};

mod estimate;
mod shape;
mod terms;
mod text;

pub use shape::{Shape, Sized, Standard};

pub(super) const ENTRY: Entry = Entry {
    id: "connect4",
    title: "Connect Four",
    options: &[
        GameOption { name: "columns", accepts: Accepts::Number(7, 1, 32), about: "width of the board" },
        GameOption { name: "rows", accepts: Accepts::Number(6, 1, 63), about: "height of the board" },
        GameOption { name: "line", accepts: Accepts::Number(4, 2, 64), about: "how many in a row win" },
    ],
    start: |values| match *values {
        [7, 6, 4] => Ok(boxed(ConnectFour::new(Standard))),
        [columns, rows, line] if (rows + 1) * columns <= 64 => {
            Ok(boxed(ConnectFour::new(Sized::new(columns as u8, rows as u8, line as u8))))
        }
        _ => Err(Error::Parse(format!(
            "connect4 of {} columns and {} rows is too large; accepted are boards where (rows + 1) * columns is at most 64",
            values[0], values[1]
        ))),
    },
};

/// A position on a board of shape `S`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConnectFour<S: Shape> {
    shape: S,
    mover: u64,
    all: u64,
}

impl<S: Shape> ConnectFour<S> {
    /// The empty board.
    pub fn new(shape: S) -> Self {
        ConnectFour { shape, mover: 0, all: 0 }
    }

    /// The size of the board.
    pub fn shape(&self) -> S {
        self.shape
    }

    /// The cells of the side to move, and those of both.
    pub fn bits(&self) -> (u64, u64) {
        (self.mover, self.all)
    }

    /// The cells where a disc can come to rest, one in each column that is not full.
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

    /// The first column in which a disc would complete a line with these cells.
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

/// Column 0 is `1`, column 8 is `9`, column 9 is `a`: one character each, so that games are written without gaps.
fn column_text(column: u32) -> char {
    char::from_digit(column + 1, 36).unwrap_or('?')
}

impl<S: Shape> fmt::Display for ConnectFour<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        grid::write(self, f)
    }
}

impl<S: Shape> Position for ConnectFour<S> {
    /// The column, 0 for the leftmost.
    type Move = u8;

    #[inline]
    fn turn(&self) -> Side {
        if self.all.count_ones().is_multiple_of(2) { Side::First } else { Side::Second }
    }

    #[inline]
    fn legal_moves(&self, mut visit: impl FnMut(u8)) {
        if self.decided().is_none() {
            let height = self.shape.rows() + 1;
            each_bit(self.landing(), |bit| visit((bit / height) as u8));
        }
    }

    #[inline]
    fn play(&mut self, mv: u8) {
        self.place(self.landing() & self.column(mv.into()));
    }

    #[inline(always)]
    fn decided(&self) -> Option<Outcome> {
        let waiting = self.mover ^ self.all;
        self.shape.has_line(waiting).then(|| Outcome::win(self.turn().other(), Reason::Line))
    }

    fn stuck(&self) -> Outcome {
        Outcome::draw(Reason::FullBoard)
    }

    #[inline]
    fn key(&self) -> u64 {
        // all + bottom marks the height of each column, mover what lies below: no two positions share it.
        mix((self.all + self.shape.bottom()).wrapping_add(self.mover))
    }

    #[inline]
    fn count_moves(&self) -> usize {
        if self.decided().is_some() { 0 } else { self.landing().count_ones() as usize }
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

    #[inline]
    fn winning_move(&self) -> Option<u8> {
        self.completing_move(self.mover)
    }

    #[inline]
    fn blocking_move(&self) -> Option<u8> {
        self.completing_move(self.mover ^ self.all)
    }

    #[inline]
    fn play_careful(&mut self, rng: &mut Rng) -> Option<u8> {
        let landing = self.landing();
        let (wins, losses) = (self.shape.completing(self.mover), self.shape.completing(self.mover ^ self.all));
        let safe = landing & !(losses >> 1);
        let some = |cells: u64| if cells == 0 { None } else { Some(cells) };
        let cells = some(wins & landing).or(some(losses & landing)).or(some(safe)).or(some(landing))?;
        let cell = nth_bit(cells, rng.below(cells.count_ones()));
        self.place(cell);
        Some((cell.trailing_zeros() / (self.shape.rows() + 1)) as u8)
    }

    fn ends_on_edge(&self, mv: u8) -> bool {
        mv == 0 || u32::from(mv) + 1 == self.shape.columns()
    }

    fn estimate(&self) -> i32 {
        self.weigh()
    }

    fn material(&self) -> i32 {
        0
    }

    fn parse(&self, text: &str) -> Result<Self, Error> {
        // One full row has neither a dot nor a slash.
        let full_row =
            self.shape.rows() == 1 && text.len() == self.shape.columns() as usize && !text.contains(|c| c != 'r' && c != 'y');
        if !text.contains(['/', '.']) && !full_row {
            return self.parse_columns(text);
        }
        let height = self.shape.rows() as usize + 1;
        let mut sides = [0u64, 0];
        let turn = grid::read(self, text, |row, column, side| sides[side as usize] |= 1 << (column * height + row))?;
        let all = sides[0] | sides[1];
        let wrong = |why| Err(Error::parse("text", text, why));
        if (all + self.shape.bottom()) & all != 0 {
            return wrong("is not a position: a disc hangs in the air");
        }
        let position = ConnectFour { shape: self.shape, mover: sides[turn as usize], all };
        if self.shape.has_line(position.mover) {
            return wrong("is not a position: the side to move has a line already");
        }
        Ok(position)
    }

    fn move_text(&self, mv: u8) -> String {
        column_text(mv.into()).to_string()
    }

    fn parse_move(&self, text: &str) -> Result<u8, Error> {
        let wanted = text.to_ascii_lowercase();
        let columns = self.shape.columns();
        let mv = (0..columns).find(|&column| wanted.chars().eq([column_text(column)])).ok_or_else(|| {
            let last = column_text(columns - 1);
            Error::parse("move", text, &format!("is not a column; accepted are columns from 1 to {last}"))
        })?;
        if self.landing() & self.column(mv) == 0 {
            return Err(Error::IllegalMove(format!("move {wanted} is illegal: the column is full")));
        }
        Ok(mv as u8)
    }

    fn action(&self, mv: u8) -> usize {
        mv.into()
    }

    fn active_features(&self, mut visit: impl FnMut(usize)) {
        let (height, rows) = (self.shape.rows() as usize + 1, self.shape.rows() as usize);
        let cells = rows * self.shape.columns() as usize;
        for (side, board) in [self.mover, self.mover ^ self.all].into_iter().enumerate() {
            each_bit(board, |bit| visit(side * cells + bit as usize / height * rows + bit as usize % height));
        }
    }

    fn terms(&self) -> &'static [Term] {
        terms::TERMS
    }

    fn measure(&self, terms: &mut Measures) {
        self.measure_terms(terms);
    }

    fn game(&self) -> Game {
        let (rows, columns) = (self.shape.rows() as usize, self.shape.columns() as usize);
        Game {
            rows,
            columns,
            squares: grid::squares(rows, columns),
            column_labels: (0..columns as u32).map(|column| column_text(column).to_string()).collect(),
            row_labels: Vec::new(),
            bottom: Side::First,
            sides: ["red", "yellow"],
            pieces: Piece::pair("disc", 'r', 'y').to_vec(),
            actions: columns,
            features: 2 * rows * columns,
        }
    }

    fn cells(&self, mut visit: impl FnMut(usize, char)) {
        let letters = if self.turn() == Side::First { ['r', 'y'] } else { ['y', 'r'] };
        for (cells, letter) in [self.mover, self.mover ^ self.all].into_iter().zip(letters) {
            each_bit(cells, |bit| visit(self.cell_index(bit), letter));
        }
    }

    fn path(&self, mv: u8) -> Vec<usize> {
        vec![self.cell_index((self.landing() & self.column(mv.into())).trailing_zeros())]
    }

    fn urgent(&self) -> Vec<usize> {
        let size @ (rows, _) = (self.shape.rows() as usize, self.shape.columns() as usize);
        let waiting = self.mover ^ self.all;
        grid::winning_cells(size, waiting, |row, column| column * (rows + 1) + row, |run| self.shape.has_line(run))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_that_complete_a_line_agree_with_trying_each() {
        let sized = Sized::new(7, 6, 4);
        let mut rng = Rng::new(2);
        for _ in 0..1000 {
            let mut position = ConnectFour::new(Standard);
            while position.decided().is_none() && position.play_random(&mut rng).is_some() {
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
    fn hanging_discs_are_refused() {
        let board = ConnectFour::new(Sized::new(3, 3, 3));
        assert!(board.parse(".../r../...").is_err());
        assert!(board.parse(".../.../r..").is_ok());
        assert_eq!(board.parse("12").unwrap(), board.parse(".../.../ry.").unwrap());
    }
}
