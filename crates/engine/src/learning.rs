//! Learning evaluation weights from self-play games.

pub mod episodes;
pub mod fit;
pub mod qlearning;
pub mod samples;
pub mod self_play;
pub mod td;
