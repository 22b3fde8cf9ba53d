//! Exact play: values that are proven, not estimated.

pub mod checkers;
pub mod connect4;
pub mod mnk;
pub mod solution;
