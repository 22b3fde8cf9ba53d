//! THE list of games. A new game is a file in `games/` and a word here.

use crate::erased::AnyLine;
use crate::options::{self, GameOption};
use crate::{Error, Line};

pub mod compiled;
pub mod foreign;
mod grid;

macro_rules! games {
    ($($game:ident),*) => {
        $(pub mod $game;)*

        /// Every game, in the order in which people meet them.
        pub static GAMES: &[Entry] = &[$($game::ENTRY),*];
    };
}

games!(checkers, connect4, tictactoe, chess);

/// What the list knows of a game before its options are chosen.
pub struct Entry {
    /// The name in specs and addresses.
    pub id: &'static str,
    /// The name for people.
    pub title: &'static str,
    /// What can be chosen.
    pub options: &'static [GameOption],
    /// The start position for option values in the table's order.
    pub start: fn(&[u32]) -> Started,
}

/// A game about to begin, or what is wrong with its options.
pub type Started = Result<Box<dyn AnyLine>, Error>;

/// The game at its start, by id and options.
pub fn start(id: &str, given: &[(String, String)]) -> Result<(&'static Entry, String, Box<dyn AnyLine>), Error> {
    let entry = GAMES.iter().find(|entry| entry.id == id).ok_or_else(|| {
        let ids: Vec<&str> = GAMES.iter().map(|entry| entry.id).collect();
        Error::unknown("game", id, &ids)
    })?;
    let values = options::resolve(id, entry.options, given)?;
    Ok((entry, options::spec(id, entry.options, &values), (entry.start)(&values)?))
}

/// A boxed line at its beginning, for the `start` of an [`Entry`].
fn boxed<P: crate::Position>(position: P) -> Box<dyn AnyLine> {
    Box::new(Line::new(position))
}
