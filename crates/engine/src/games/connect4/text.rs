//! Connect Four games written as columns.

use super::{ConnectFour, Shape};
use crate::{Error, Position};

impl<S: Shape> ConnectFour<S> {
    /// The position after the columns of `text` from the empty board, as in `44453`.
    pub(super) fn parse_columns(&self, text: &str) -> Result<Self, Error> {
        let mut position = ConnectFour::new(self.shape);
        for (index, letter) in text.chars().enumerate() {
            let at = |error: Error| Error::Parse(format!("column {} of the game: {error}", index + 1));
            if position.decided().is_some() {
                return Err(at(Error::GameOver("the game is already won".into())));
            }
            let mv = position.parse_move(&letter.to_string()).map_err(at)?;
            position.play(mv);
        }
        Ok(position)
    }
}
