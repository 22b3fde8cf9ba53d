//! Durations given in seconds.

use std::time::Duration;

use pyo3::prelude::*;

use crate::errors::ParseError;

/// The maximum duration. Longer ones are clamped to it so that they can be added to the current time.
pub(crate) const FOREVER: Duration = Duration::from_secs(1 << 30);

/// Converts an argument in seconds to a duration.
pub(crate) fn duration(name: &str, seconds: f64) -> PyResult<Duration> {
    match seconds >= 0.0 {
        true => Ok(Duration::try_from_secs_f64(seconds).unwrap_or(FOREVER).min(FOREVER)),
        false => Err(ParseError::new_err(format!("{name} must be a non-negative number, got {seconds}"))),
    }
}
