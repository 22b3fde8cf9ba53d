//! Starts games from specs.

use plyground_engine::Error;
use plyground_engine::games::{self, StartVisitor};

/// Calls `visitor` with the start position of a game spec such as `connect4(columns=8)`.
pub(crate) fn start<V: StartVisitor>(spec: &str, visitor: V) -> Result<V::Output, Error> {
    let (id, options) = spec.trim_end_matches(')').split_once('(').unwrap_or((spec, ""));
    let options: Vec<(String, String)> = options
        .split(',')
        .filter_map(|option| option.split_once('='))
        .map(|(name, value)| (name.trim().to_string(), value.trim().to_string()))
        .collect();
    games::start(id, &options, visitor).map(|(_, _, output)| output)
}
