//! Alpha-beta: best play of both sides to a depth, deeper and deeper while there is time.
//!
//! The value of a position is the best of its moves, and the value of a move is what the opponent cannot prevent; moves that are worse
//! than what is had already need no exact value (Knuth and Moore 1975, "An analysis of alpha-beta pruning"). The enhancements are those
//! of Marsland (1986), "A review of game-tree pruning"; each has a switch in [`Config`].

use std::time::{Duration, Instant};

pub mod config;
mod negamax;
mod ordering;
mod root;
mod transpositions;

pub use config::Config;
pub use root::{Best, analyse, analyse_by, best};
pub use transpositions::Bound;

use super::node::Proof;
pub use super::quiesce::WIN;
use crate::Side;

/// No line of play is followed further.
pub const MOST_PLIES: i32 = 200;

/// When to stop; the first that is reached holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// Plies to look ahead, captures at the end apart; at most [`MOST_PLIES`].
    pub depth: u32,
    /// Time from the call.
    pub time: Duration,
    /// Memory of the transposition table.
    pub bytes: usize,
}

impl Limits {
    /// Only a depth, with a table of 16 MiB.
    pub fn depth(depth: u32) -> Limits {
        Limits { depth, time: Duration::MAX, bytes: 16 << 20 }
    }

    fn deadline(&self, began: Instant) -> Option<Instant> {
        began.checked_add(self.time)
    }
}

/// Who looks on while a search works.
pub trait Watch {
    /// Whether the search shall return what it has; asked several times a millisecond.
    fn wants_stop(&mut self) -> bool;

    /// Takes what the search thinks after each depth.
    fn report(&mut self, _outlook: &Outlook) {}

    /// Whether anybody reads the reports.
    fn wants_reports(&self) -> bool {
        true
    }
}

/// Nobody looks on.
pub struct Unwatched;

impl Watch for Unwatched {
    fn wants_stop(&mut self) -> bool {
        false
    }

    fn wants_reports(&self) -> bool {
        false
    }
}

/// What a search thinks of a position.
#[derive(Clone, Debug, PartialEq)]
pub struct Outlook {
    /// Every legal move, in the order of [`crate::Line::legal_moves`].
    pub moves: Vec<MoveOutlook>,
    /// The index of the best move.
    pub best: usize,
    /// For the side to move, in hundredths of a man or pawn, a win in `n` plies [`WIN`]` - n`; `None` before anything was searched.
    pub score: Option<i32>,
    /// What is certain, if anything is.
    pub proof: Option<Proof>,
    /// The depth searched to its end.
    pub depth: u32,
    /// Plies looked ahead at most, captures at the end apart.
    pub deepest: u32,
    /// Positions looked at.
    pub nodes: u64,
    /// Positions whose last moves needed no look.
    pub cutoffs: u64,
    /// Time since the call.
    pub seconds: f64,
    /// Memory that the transposition table may take.
    pub bytes: usize,
}

/// What a search thinks of one move.
#[derive(Clone, Debug, PartialEq)]
pub struct MoveOutlook {
    /// The move's name.
    pub text: String,
    /// Its value for the side to move and what that says; `None` before it was searched.
    pub score: Option<(i32, Bound)>,
    /// What is certain of it, if anything is; plies are counted from the position before it.
    pub proof: Option<Proof>,
    /// Best play after it as far as known, the move itself first.
    pub line: Vec<String>,
}

/// What a value proves, for the side to move.
fn proof_of(score: i32, bound: Bound, side: Side) -> Option<Proof> {
    let proof = |winner, score: i32| Some(Proof { winner: Some(winner), distance: (WIN - score) as u8 });
    if score >= WIN - MOST_PLIES && bound != Bound::Upper {
        proof(side, score)
    } else if score <= MOST_PLIES - WIN && bound != Bound::Lower {
        proof(side.other(), -score)
    } else {
        None
    }
}
