//! The Plyground engine: rules, searches, solvers and learning in pure Rust. It does not depend on Python and never prints.
//!
//! Start with [`position`], the interface of a game. Each module uses only those that precede it in this list: [`error`], `bits`, [`rng`],
//! `large`, [`interrupt`], [`options`], [`position`], [`line`], [`perft`], [`games`], [`evaluate`], [`exact`], [`search`], [`learning`].

pub mod error;
pub mod evaluate;
pub mod exact;
pub mod games;
pub mod interrupt;
pub mod learning;
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
pub use position::{
    Game, GameRules, Heuristics, Learning, Notation, Outcome, Piece, PlaneLayout, Planes, Position, ProvenValue, Reason, Side,
    View,
};
pub use rng::Rng;
