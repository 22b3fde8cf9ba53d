//! Exact solvers and endgame tables.

pub mod checkers;
pub mod connect4;
pub mod mnk;
pub mod solution;
