//! Alpha-beta search with iterative deepening.
//!
//! The basic algorithm is that of Knuth and Moore (1975), "An analysis of alpha-beta pruning"; the enhancements are described by
//! Marsland (1986), "A review of game-tree pruning". Each enhancement can be switched off in [`Config`].

use std::time::{Duration, Instant};

pub mod config;
mod engine;
mod keys;
mod leaf;
mod limits;
mod negamax;
mod ordering;
mod pruning;
mod result;
mod root;
mod transpositions;
mod window;

pub use config::Config;
pub use engine::{BestMove, Engine};

use super::analysis::Analysis;
use super::quiescence::WIN;
use crate::evaluate::Weights;
use crate::{Error, GameRules, Line};

/// The maximum length of a line in plies, not counting quiescence search.
pub const MAX_PLIES: i32 = 200;

/// The limits of a search, which stops at the first one it reaches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// The search depth in plies, at most [`MAX_PLIES`], not counting quiescence search.
    pub depth: u32,
    /// The maximum number of nodes, including quiescence search. With several threads, each may exceed it by a few hundred nodes.
    pub nodes: u64,
    /// The maximum time, measured from the start of the call.
    pub time: Duration,
    /// The maximum size of the transposition table in bytes. Changing it discards the table.
    pub bytes: usize,
}

impl Limits {
    /// A depth limit with a transposition table of 16 MiB.
    pub fn depth(depth: u32) -> Limits {
        Limits { depth, nodes: u64::MAX, time: Duration::MAX, bytes: 16 << 20 }
    }

    fn deadline(&self, started: Instant) -> Option<Instant> {
        started.checked_add(self.time)
    }
}

/// Observes a search and can stop it.
pub trait Observer {
    /// Whether the search should stop and return its current analysis. Called several times per millisecond.
    fn should_stop(&mut self) -> bool;

    /// Called with the current analysis after each completed depth.
    fn report(&mut self, _analysis: &Analysis) {}

    /// Whether reports are needed.
    fn wants_reports(&self) -> bool {
        true
    }
}

/// An observer that does nothing.
pub struct NoObserver;

impl Observer for NoObserver {
    fn should_stop(&mut self) -> bool {
        false
    }

    fn wants_reports(&self) -> bool {
        false
    }
}

/// Searches an unfinished game with a new engine and one thread. A forced move is returned without a search.
pub fn analyse<P: GameRules>(
    line: &Line<P>,
    config: &Config,
    limits: &Limits,
    observer: &mut dyn Observer,
) -> Result<Analysis, Error> {
    Engine::new(config.clone(), 1).analyse(line, None, limits, observer)
}

/// Searches for the best move with a new engine and one thread; `None` if the game is over.
pub fn best_move<P: GameRules>(
    line: &Line<P>,
    config: &Config,
    weights: Option<&Weights>,
    limits: &Limits,
) -> Option<BestMove<P::Move>> {
    Engine::new(config.clone(), 1).best_move(line, weights, limits)
}
