//! Connect Four as text: rows of the board, or the columns played.

use super::{ConnectFour, Shape, column_text};
use crate::error::quote;
use crate::games::grid;
use crate::{Error, Notation, Position};

impl<S: Shape> Notation for ConnectFour<S> {
    fn parse(&self, text: &str) -> Result<Self, Error> {
        // A full board with a single row contains neither dots nor slashes.
        let full_row =
            self.shape.rows() == 1 && text.len() == self.shape.columns() as usize && !text.contains(|c| c != 'r' && c != 'y');
        if !text.contains(['/', '.']) && !full_row {
            return self.parse_columns(text);
        }
        let height = self.shape.rows() as usize + 1;
        let mut sides = [0u64, 0];
        let turn = grid::parse(self, text, |row, column, side| sides[side as usize] |= 1 << (column * height + row))?;
        let all = sides[0] | sides[1];
        let invalid = |reason| Err(Error::parse("position", text, &format!("is not valid: {reason}")));
        if (all + self.shape.bottom()) & all != 0 {
            return invalid("a disc has an empty cell below it");
        }
        let position = ConnectFour { shape: self.shape, mover: sides[turn as usize], all };
        if self.shape.has_line(position.mover) {
            return invalid("the side to move already has a line");
        }
        Ok(position)
    }

    fn move_text(&self, mv: u8) -> String {
        column_text(mv.into()).to_string()
    }

    fn parse_move(&self, text: &str) -> Result<u8, Error> {
        let lower = text.to_ascii_lowercase();
        let columns = self.shape.columns();
        // From column 10 on, the label is a letter, but the number is accepted too.
        let is_column = |column| lower.chars().eq([column_text(column)]) || lower == (column + 1).to_string();
        let mv = (0..columns).find(|&column| is_column(column)).ok_or_else(|| {
            let last = column_text(columns - 1);
            Error::parse("move", text, &format!("must be a column between 1 and {last}"))
        })?;
        if self.landing() & self.column(mv) == 0 {
            return Err(Error::IllegalMove(format!("move {} is illegal: the column is full", quote(&lower))));
        }
        Ok(mv as u8)
    }
}

impl<S: Shape> ConnectFour<S> {
    /// Parses the columns played from the empty board, such as `44453`.
    fn parse_columns(&self, text: &str) -> Result<Self, Error> {
        let mut position = ConnectFour::new(self.shape);
        for (index, letter) in text.chars().enumerate() {
            let at_move = |error: Error| Error::Parse(format!("move {}: {error}", index + 1));
            if position.early_outcome().is_some() {
                return Err(at_move(Error::GameOver("the game is already won".into())));
            }
            let mv = position.parse_move(&letter.to_string()).map_err(at_move)?;
            position.play(mv);
        }
        Ok(position)
    }
}
