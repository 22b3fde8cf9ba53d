//! Every switch of the alpha-beta search, once: its default and a line about it.

use crate::Error;
use crate::error::quote;
use crate::search::config::{Tunable, Value, tunables, words};

words! {
    /// The rule of thumb that values a leaf.
    Evaluation {
        /// All the game knows: [`crate::Position::estimate`].
        Features = "features",
        /// Pieces only: [`crate::Position::material`].
        Material = "material",
    }
}

tunables! {
    "alpha-beta search";
    /// The rule of thumb that values a leaf.
    evaluation: Evaluation = Evaluation::Features, ();
    /// Moves that cannot change the result are cut off; without it every move is looked at (minimax).
    pruning: bool = true, ();
    /// Depths 1, 2, 3, ... are searched in turn, each ordering the next; without it the last one at once.
    deepening: bool = true, ();
    /// Moves after the first are only asked whether they beat it (principal variation search).
    scout: bool = true, ();
    /// Each depth first looks close to the value of the last one (aspiration windows).
    aspiration: bool = true, ();
    /// Positions reached again by other moves are known again (transposition table).
    table: bool = true, ();
    /// The table also answers with values of deeper searches than asked for.
    deeper: bool = true, ();
    /// Captures are played out before a leaf is valued.
    quiescence: bool = true, ();
    /// Moves that refuted a brother position are tried early.
    killers: bool = true, ();
    /// Moves that refuted anything are tried early.
    history: bool = true, ();
    /// Late quiet moves are searched less deep, and again if they surprise (late move reductions).
    reductions: bool = true, ();
    /// A forced move costs no depth.
    extensions: bool = false, ();
    /// Values that endgame tables know are taken from them.
    tables: bool = false, ();
}

impl Config {
    /// Every move to a fixed depth.
    pub fn minimax() -> Config {
        Config { pruning: false, ..Config::plain() }
    }

    /// Alpha-beta of a fixed depth as Knuth and Moore (1975) give it, and nothing else.
    pub fn plain() -> Config {
        Config {
            evaluation: Evaluation::Features,
            pruning: true,
            deepening: false,
            scout: false,
            aspiration: false,
            table: false,
            deeper: false,
            quiescence: false,
            killers: false,
            history: false,
            reductions: false,
            extensions: false,
            tables: false,
        }
    }
}
