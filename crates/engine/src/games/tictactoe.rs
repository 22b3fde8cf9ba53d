//! Tic-tac-toe and its family m,n,k: a line of `line` on a board of `rows` by `columns`, up to 64 cells.
//!
//! Bits run from the bottom left, row by row; on the classic board the centre is bit 4:
//!
//! ```text
//!  3 | 6 7 8
//!  2 | 3 4 5
//!  1 | 0 1 2
//!    +------
//!      a b c
//! ```

use std::fmt;

use super::{Entry, boxed, grid};
use crate::bits::{each_bit, nth_bit};
use crate::evaluate::{Measures, Term};
use crate::options::{Accepts, GameOption};
use crate::rng::mix;
use crate::{Error, Game, Outcome, Piece, Position, Reason, Rng, Side};

mod estimate;
mod terms;

pub(super) const ENTRY: Entry = Entry {
    id: "tictactoe",
    title: "Tic-tac-toe",
    options: &[
        GameOption { name: "rows", accepts: Accepts::Number(3, 1, 64), about: "height of the board" },
        GameOption { name: "columns", accepts: Accepts::Number(3, 1, 64), about: "width of the board" },
        GameOption { name: "line", accepts: Accepts::Number(3, 2, 64), about: "how many in a row win" },
    ],
    start: |values| match *values {
        [3, 3, 3] => Ok(boxed(TicTacToe::new(Classic))),
        [rows, columns, line] if rows * columns <= 64 => Ok(boxed(TicTacToe::new(Family::new(rows, columns, line)))),
        _ => Err(Error::Parse(format!(
            "tictactoe of {} rows and {} columns has {} cells; accepted are up to 64",
            values[0],
            values[1],
            values[0] * values[1]
        ))),
    },
};

/// The size of a board and the lines on it: constants for the classic board, values for the rest of the family.
pub trait Shape: Copy + Eq + fmt::Debug + Send + Sync + 'static {
    /// Rows of the board.
    fn rows(self) -> usize;
    /// Columns of the board.
    fn columns(self) -> usize;
    /// Whether a set of cells contains a winning line.
    fn has_line(self, cells: u64) -> bool;
    /// How many winning lines a set of cells contains.
    fn count_lines(self, cells: u64) -> u32;

    /// All cells.
    #[inline(always)]
    fn full(self) -> u64 {
        u64::MAX >> (64 - self.rows() * self.columns())
    }
}

/// Three rows, three columns, three in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Classic;

const WINS: [u64; 8] = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];

/// Bit `cells` says whether this set of the nine cells has a line: 512 bits in eight words.
const LINES: [u64; 8] = {
    let mut table = [0; 8];
    let mut cells = 0;
    while cells < 512 {
        let mut win = 0;
        while win < 8 {
            if cells & WINS[win] == WINS[win] {
                table[(cells >> 6) as usize] |= 1 << (cells & 63);
            }
            win += 1;
        }
        cells += 1;
    }
    table
};

impl Shape for Classic {
    #[inline(always)]
    fn rows(self) -> usize {
        3
    }

    #[inline(always)]
    fn columns(self) -> usize {
        3
    }

    #[inline(always)]
    fn has_line(self, cells: u64) -> bool {
        LINES[(cells >> 6 & 7) as usize] >> (cells & 63) & 1 != 0
    }

    fn count_lines(self, cells: u64) -> u32 {
        WINS.iter().map(|&win| u32::from(cells & win == win)).sum()
    }
}

/// Any other size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Family {
    rows: u8,
    columns: u8,
    line: u8,
    /// For each direction (east, north, north-east, north-west) the cells from which a line fits on the board.
    starts: [u64; 4],
}

impl Family {
    fn new(rows: u32, columns: u32, line: u32) -> Family {
        let mut starts = [0; 4];
        let fits = |at: u32, step: i32, side: u32| (0..side as i32).contains(&(at as i32 + step * (line as i32 - 1)));
        for row in 0..rows {
            for column in 0..columns {
                for (start, (right, up)) in starts.iter_mut().zip([(1, 0), (0, 1), (1, 1), (-1, 1)]) {
                    if fits(column, right, columns) && fits(row, up, rows) {
                        *start |= 1 << (row * columns + column);
                    }
                }
            }
        }
        Family { rows: rows as u8, columns: columns as u8, line: line as u8, starts }
    }

    /// The cells from which a line of `cells` goes in a direction.
    #[inline]
    fn lines(self, cells: u64, direction: usize) -> u64 {
        let columns = u32::from(self.columns);
        let step = [1, columns, columns + 1, columns.wrapping_sub(1)][direction];
        let mut lines = cells & self.starts[direction];
        for n in 1..u32::from(self.line) {
            if lines == 0 {
                break;
            }
            lines &= cells >> (n * step);
        }
        lines
    }
}

impl Shape for Family {
    #[inline(always)]
    fn rows(self) -> usize {
        self.rows.into()
    }

    #[inline(always)]
    fn columns(self) -> usize {
        self.columns.into()
    }

    #[inline]
    fn has_line(self, cells: u64) -> bool {
        (0..4).any(|direction| self.lines(cells, direction) != 0)
    }

    fn count_lines(self, cells: u64) -> u32 {
        (0..4).map(|direction| self.lines(cells, direction).count_ones()).sum()
    }
}

/// A position of the family on a board of shape `S`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TicTacToe<S: Shape> {
    shape: S,
    mover: u64,
    waiting: u64,
    /// The cells of neither, and how many they are: what a playout asks at every move, without waiting for an answer.
    empty: u64,
    left: u32,
}

impl<S: Shape> TicTacToe<S> {
    fn new(shape: S) -> Self {
        TicTacToe { shape, mover: 0, waiting: 0, empty: shape.full(), left: shape.full().count_ones() }
    }

    /// The size of the board.
    pub fn shape(&self) -> S {
        self.shape
    }

    /// The cells of the side to move, and those of the other.
    pub fn bits(&self) -> (u64, u64) {
        (self.mover, self.waiting)
    }

    #[inline(always)]
    fn place(&mut self, cell: u64) {
        (self.mover, self.waiting) = (self.waiting, self.mover | cell);
        self.empty ^= cell;
        self.left -= 1;
    }

    /// The first empty cell that would complete a line with these.
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
        grid::write(self, f)
    }
}

impl<S: Shape> Position for TicTacToe<S> {
    /// The bit of the cell.
    type Move = u8;

    #[inline]
    fn turn(&self) -> Side {
        let played = (self.shape.rows() * self.shape.columns()) as u32 - self.left;
        if played.is_multiple_of(2) { Side::First } else { Side::Second }
    }

    #[inline]
    fn legal_moves(&self, mut visit: impl FnMut(u8)) {
        if self.decided().is_none() {
            each_bit(self.empty, |bit| visit(bit as u8));
        }
    }

    #[inline]
    fn play(&mut self, mv: u8) {
        self.place(1 << mv);
    }

    #[inline(always)]
    fn decided(&self) -> Option<Outcome> {
        self.shape.has_line(self.waiting).then(|| Outcome::win(self.turn().other(), Reason::Line))
    }

    fn stuck(&self) -> Outcome {
        Outcome::draw(Reason::FullBoard)
    }

    #[inline]
    fn key(&self) -> u64 {
        mix(mix(self.mover).wrapping_add(self.waiting))
    }

    #[inline]
    fn count_moves(&self) -> usize {
        if self.decided().is_some() { 0 } else { self.left as usize }
    }

    #[inline(always)]
    fn play_random(&mut self, rng: &mut Rng) -> Option<u8> {
        if self.left == 0 {
            return None;
        }
        let cell = nth_bit(self.empty, rng.below(self.left));
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

    #[inline]
    fn winning_move(&self) -> Option<u8> {
        self.completing_move(self.mover)
    }

    #[inline]
    fn blocking_move(&self) -> Option<u8> {
        self.completing_move(self.waiting)
    }

    fn ends_on_edge(&self, mv: u8) -> bool {
        let (rows, columns) = (self.shape.rows(), self.shape.columns());
        let (row, column) = (mv as usize / columns, mv as usize % columns);
        row == 0 || column == 0 || row + 1 == rows || column + 1 == columns
    }

    fn estimate(&self) -> i32 {
        self.weigh()
    }

    fn material(&self) -> i32 {
        0
    }

    fn parse(&self, text: &str) -> Result<Self, Error> {
        let mut sides = [0, 0];
        let columns = self.shape.columns();
        let turn = grid::read(self, text, |row, column, side| sides[side as usize] |= 1 << (row * columns + column))?;
        let [mover, waiting] = [sides[turn as usize], sides[turn.other() as usize]];
        let empty = self.shape.full() & !(mover | waiting);
        let position = TicTacToe { shape: self.shape, mover, waiting, empty, left: empty.count_ones() };
        if self.shape.has_line(position.mover) {
            return Err(Error::parse("text", text, "is not a position: the side to move has a line already"));
        }
        Ok(position)
    }

    fn move_text(&self, mv: u8) -> String {
        let columns = self.shape.columns();
        grid::cell_name(mv as usize / columns, mv as usize % columns)
    }

    fn parse_move(&self, text: &str) -> Result<u8, Error> {
        let wanted = text.to_ascii_lowercase();
        let cells = self.shape.rows() * self.shape.columns();
        let mv = (0..cells as u8).find(|&mv| self.move_text(mv) == wanted).ok_or_else(|| {
            let last = self.move_text(cells as u8 - 1);
            Error::parse("move", text, &format!("is not a cell; accepted are cells from a1 to {last}"))
        })?;
        if self.empty >> mv & 1 == 0 {
            return Err(Error::IllegalMove(format!("move {wanted} is illegal: the cell is taken")));
        }
        Ok(mv)
    }

    fn action(&self, mv: u8) -> usize {
        mv.into()
    }

    fn active_features(&self, mut visit: impl FnMut(usize)) {
        let cells = self.shape.rows() * self.shape.columns();
        each_bit(self.mover, |bit| visit(bit as usize));
        each_bit(self.waiting, |bit| visit(cells + bit as usize));
    }

    fn terms(&self) -> &'static [Term] {
        terms::TERMS
    }

    fn measure(&self, terms: &mut Measures) {
        self.measure_terms(terms);
    }

    fn game(&self) -> Game {
        let (rows, columns) = (self.shape.rows(), self.shape.columns());
        Game {
            rows,
            columns,
            squares: grid::squares(rows, columns),
            column_labels: (0..columns).map(grid::column_name).collect(),
            row_labels: (1..=rows).rev().map(|row| row.to_string()).collect(),
            bottom: Side::First,
            sides: ["x", "o"],
            pieces: Piece::pair("mark", 'x', 'o').to_vec(),
            actions: rows * columns,
            features: 2 * rows * columns,
        }
    }

    fn cells(&self, mut visit: impl FnMut(usize, char)) {
        let letters = if self.turn() == Side::First { ['x', 'o'] } else { ['o', 'x'] };
        for (cells, letter) in [self.mover, self.waiting].into_iter().zip(letters) {
            each_bit(cells, |bit| visit(self.cell_index(bit as usize), letter));
        }
    }

    fn path(&self, mv: u8) -> Vec<usize> {
        vec![self.cell_index(mv.into())]
    }

    fn urgent(&self) -> Vec<usize> {
        let size @ (_, columns) = (self.shape.rows(), self.shape.columns());
        grid::winning_cells(size, self.waiting, |row, column| row * columns + column, |run| self.shape.has_line(run))
    }
}

#[cfg(test)]
mod tests;
