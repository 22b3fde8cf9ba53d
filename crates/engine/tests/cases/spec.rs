//! Games by the text that names them.

use plyground_engine::erased::AnyLine;
use plyground_engine::{Error, games};

/// A spec such as `connect4(columns=8)` at its start.
pub(crate) fn start(spec: &str) -> Result<Box<dyn AnyLine>, Error> {
    let (id, options) = spec.trim_end_matches(')').split_once('(').unwrap_or((spec, ""));
    let options: Vec<(String, String)> = options
        .split(',')
        .filter_map(|option| option.split_once('='))
        .map(|(name, value)| (name.trim().to_string(), value.trim().to_string()))
        .collect();
    games::start(id, &options).map(|(_, _, line)| line)
}
