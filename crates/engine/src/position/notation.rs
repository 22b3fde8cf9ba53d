//! Positions and moves as text.

use super::Position;
use crate::Error;

/// Reads and writes positions and moves. `Display` writes the text of a position.
pub trait Notation: Position {
    /// Parses a position of the same game, with the same options, from the text that `Display` writes.
    fn parse(&self, text: &str) -> Result<Self, Error>;

    /// The text that identifies a legal move outside the engine, such as `11-15` or `e2e4`.
    fn move_text(&self, mv: Self::Move) -> String;

    /// Parses a legal move in any notation the game supports.
    fn parse_move(&self, text: &str) -> Result<Self::Move, Error>;

    /// The move in the game's standard notation, such as `Nf3`.
    fn notation(&self, mv: Self::Move) -> String {
        self.move_text(mv)
    }
}
