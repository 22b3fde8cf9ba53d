//! The hot loop of Plyground: rules and search, generic over games, without Python and without printing.
//!
//! Read [`position`] first: it is the whole interface of a game on one screen.

pub mod erased;
pub mod error;
pub mod evaluate;
pub mod exact;
pub mod games;
pub mod line;
pub mod options;
pub mod perft;
pub mod position;
pub mod rng;
pub mod search;

mod bits;
mod large;

pub use error::Error;
pub use line::Line;
pub use position::{Exact, Game, Outcome, Piece, Position, Reason, Side};
pub use rng::Rng;
