//! Endgame tables of checkers: the value of every position with up to six pieces, computed backwards from the end.

mod build;
mod material;
mod memory;
mod men;
mod solve;
mod subsets;
mod threats;

pub use build::{Control, build_all};
pub use material::{Force, Material};

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
