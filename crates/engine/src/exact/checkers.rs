//! Endgame tables of checkers: the value of every position with up to six pieces, computed backwards from the end.
//!
//! [`Plan`] builds them into a folder, a file a slice; [`Tables`] opens the folder and answers.

mod build;
mod code;
mod conversion;
mod distance;
mod file;
mod index;
mod material;
mod memory;
mod men;
mod pack;
mod rows;
mod solve;
mod subsets;
mod tables;
mod threats;
mod verify;

pub use build::{Control, Plan};
pub use material::{Force, Material};
pub(crate) use tables::exact;
pub use tables::{Count, Known, Tables, keep, tables_in_use, use_tables};
pub use verify::random_position;

/// Tables can be built for up to so many pieces.
pub const MOST_PIECES: u8 = 6;
/// Positions with up to so many pieces have their distance to the end beside their value.
pub const PIECES_WITH_DISTANCES: u8 = 4;

/// What the side to move gets from perfect play without a limit of moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Value {
    /// It loses.
    Loss,
    /// It draws.
    Draw,
    /// It wins.
    Win,
}

impl Value {
    /// The same for the opponent.
    #[inline(always)]
    pub fn for_the_other(self) -> Value {
        match self {
            Value::Loss => Value::Win,
            Value::Draw => Value::Draw,
            Value::Win => Value::Loss,
        }
    }
}
