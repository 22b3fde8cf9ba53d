//! Ways of looking ahead.

pub mod alphabeta;
pub mod analysis;
pub mod config;
mod extras;
pub mod mcts;
pub mod node;
pub mod playout;
pub mod quiesce;
pub mod run;
mod select;
pub mod tree;
