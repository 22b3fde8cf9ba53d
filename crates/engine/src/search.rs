//! Search algorithms: Monte Carlo tree search, alpha-beta and flat Monte Carlo.

pub mod alphabeta;
pub mod analysis;
pub mod config;
pub mod flat;
pub mod mcts;
pub mod playout;
pub mod quiescence;
mod table_values;
pub mod tunables;
