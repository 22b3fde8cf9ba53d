//! Ways of looking ahead.

pub mod playout;
