//! The board as displayed.

use super::{Position, Side};

/// A kind of piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// The letter used by [`View::cells`].
    pub letter: char,
    /// The side that owns the piece.
    pub side: Side,
    /// The English name.
    pub name: &'static str,
}

impl Piece {
    /// A piece of each side with the same name.
    pub const fn pair(name: &'static str, first: char, second: char) -> [Piece; 2] {
        [Piece { letter: first, side: Side::First, name }, Piece { letter: second, side: Side::Second, name }]
    }
}

/// The fixed properties of a game with given options.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    /// The number of rows of the displayed board.
    pub rows: usize,
    /// The number of columns of the displayed board.
    pub columns: usize,
    /// The names of the `rows * columns` cells, row by row from the top left; `None` for cells that are not in play.
    pub squares: Vec<Option<String>>,
    /// Labels below the columns; empty if there are none.
    pub column_labels: Vec<String>,
    /// Labels to the left of the rows, from the top; empty if there are none.
    pub row_labels: Vec<String>,
    /// The side at the bottom of the displayed board.
    pub bottom: Side,
    /// The names of the sides.
    pub sides: [&'static str; 2],
    /// The kinds of pieces; each side's ordinary piece comes before its other pieces.
    pub pieces: Vec<Piece>,
    /// The number of action indices ([`super::Learning::action`]).
    pub actions: usize,
    /// The number of input features ([`super::Learning::active_features`]).
    pub features: usize,
}

/// Everything a user interface needs to draw a position and enter moves.
pub trait View: Position {
    /// The properties of the position's game.
    fn game(&self) -> Game;

    /// Calls `visit` with the cell (an index into [`Game::squares`]) and the letter of each piece on the board.
    fn cells(&self, visit: impl FnMut(usize, char));

    /// The cells to click, in order, to enter a legal move.
    fn path(&self, mv: Self::Move) -> Vec<usize>;

    /// The cells to highlight: a king in check, pieces that must capture, a winning line.
    fn highlighted(&self) -> Vec<usize> {
        Vec::new()
    }
}
