//! Ways of looking ahead.

pub mod alphabeta;
pub mod analysis;
pub mod config;
mod dump;
pub mod evaluator;
mod extras;
mod graph;
pub mod mcts;
pub mod node;
pub mod playout;
mod proof;
pub mod quiesce;
mod recycle;
pub mod run;
mod select;
mod stay;
pub mod tree;
