//! Tic-tac-toe as text.

use super::{Shape, TicTacToe};
use crate::error::quote;
use crate::games::grid;
use crate::{Error, Notation};

impl<S: Shape> Notation for TicTacToe<S> {
    fn parse(&self, text: &str) -> Result<Self, Error> {
        let mut sides = [0, 0];
        let columns = self.shape.columns();
        let turn = grid::parse(self, text, |row, column, side| sides[side as usize] |= 1 << (row * columns + column))?;
        let [mover, waiting] = [sides[turn as usize], sides[turn.other() as usize]];
        let empty = self.shape.full() & !(mover | waiting);
        let position = TicTacToe { shape: self.shape, mover, waiting, empty, empty_count: empty.count_ones() };
        if self.shape.has_line(position.mover) {
            return Err(Error::parse("position", text, "is not valid: the side to move already has a line"));
        }
        Ok(position)
    }

    fn move_text(&self, mv: u8) -> String {
        let columns = self.shape.columns();
        grid::cell_name(mv as usize / columns, mv as usize % columns)
    }

    fn parse_move(&self, text: &str) -> Result<u8, Error> {
        let lower = text.to_ascii_lowercase();
        let cells = self.shape.rows() * self.shape.columns();
        let mv = (0..cells as u8).find(|&mv| self.move_text(mv) == lower).ok_or_else(|| {
            let last = self.move_text(cells as u8 - 1);
            Error::parse("move", text, &format!("must be a cell between a1 and {last}"))
        })?;
        if self.empty >> mv & 1 == 0 {
            return Err(Error::IllegalMove(format!("move {} is illegal: the cell is occupied", quote(&lower))));
        }
        Ok(mv)
    }
}
