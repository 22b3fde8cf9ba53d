//! The list of games. To add a game, add a file in `games/` and its name to `games!` below.

use crate::options::{self, GameOption};
use crate::{Error, GameRules};

pub mod callback;
pub mod compiled;
mod grid;
mod piece_planes;

macro_rules! games {
    ($($game:ident),*) => {
        $(pub mod $game;)*

        /// All games, in menu order.
        pub static GAMES: &[Entry] = &[$($game::ENTRY),*];

        fn visit_start<V: StartVisitor>(entry: &Entry, values: &[u32], visitor: V) -> Result<V::Output, Error> {
            $(if entry.id == $game::ENTRY.id {
                return $game::start(values, visitor);
            })*
            Err(unknown(entry.id))
        }
    };
}

games!(checkers, connect4, tictactoe, chess);

/// A game in the list, with the options it accepts.
pub struct Entry {
    /// The name in specifications and URLs.
    pub id: &'static str,
    /// The title in English.
    pub title: &'static str,
    /// The rules in a few sentences, for players.
    pub rules: &'static str,
    /// The options.
    pub options: &'static [GameOption],
}

/// A generic function that takes a start position. The type of the position depends on the game and its options.
pub trait StartVisitor {
    /// The return type.
    type Output;

    /// Called once with the start position.
    fn visit<P: GameRules>(self, start: P) -> Self::Output;
}

/// Calls `visitor` with the start position of a game. Returns the game's entry, its specification and the visitor's result.
pub fn start<V: StartVisitor>(
    id: &str,
    given: &[(String, String)],
    visitor: V,
) -> Result<(&'static Entry, String, V::Output), Error> {
    let entry = GAMES.iter().find(|entry| entry.id == id).ok_or_else(|| unknown(id))?;
    let values = options::resolve(id, entry.options, given)?;
    let output = visit_start(entry, &values, visitor)?;
    Ok((entry, options::spec(id, entry.options, &values), output))
}

fn unknown(id: &str) -> Error {
    let ids: Vec<&str> = GAMES.iter().map(|entry| entry.id).collect();
    Error::unknown("game", id, &ids)
}
