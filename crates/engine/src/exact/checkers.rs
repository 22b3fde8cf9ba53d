//! Checkers endgame tables: the value of every position with up to six pieces, computed by retrograde analysis.
//!
//! [`Plan`] builds them in a folder with one file per slice; [`Tables`] opens the folder and probes positions.

mod build;
mod captures;
mod combinations;
mod compression;
mod conversion;
mod distance;
mod file;
mod index;
mod material;
mod men_index;
mod retrograde;
mod rows;
mod section;
mod slice;
mod tables;
mod verify;

pub use build::{Control, Plan};
pub use material::{Force, Material};
pub use tables::{Count, ProbeResult, Tables, activate_tables, active_tables, leak_tables};
pub use verify::random_position;

/// Maximum number of pieces covered by the tables.
pub const MAX_PIECES: u8 = 6;
/// Maximum number of pieces in positions whose distance to the end of the game is stored.
pub const PIECES_WITH_DISTANCES: u8 = 4;

/// Value for the side to move with perfect play, ignoring the move limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Value {
    /// The side to move loses.
    Loss,
    /// The game is drawn.
    Draw,
    /// The side to move wins.
    Win,
}

impl Value {
    /// Returns the value from the opponent's point of view.
    #[inline(always)]
    pub fn for_the_other(self) -> Value {
        match self {
            Value::Loss => Value::Win,
            Value::Draw => Value::Draw,
            Value::Win => Value::Loss,
        }
    }
}
