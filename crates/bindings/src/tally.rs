//! The class `Tally`.

use plyground_engine::search::playout;
use pyo3::prelude::*;

/// What many random games came to.
#[pyclass(frozen, get_all, module = "plyground._engine")]
pub(crate) struct Tally {
    first: u64,
    second: u64,
    draws: u64,
    plies: u64,
}

impl From<playout::Tally> for Tally {
    fn from(tally: playout::Tally) -> Tally {
        let [first, second, draws] = tally.results;
        Tally { first, second, draws, plies: tally.plies }
    }
}

#[pymethods]
impl Tally {
    fn __repr__(&self) -> String {
        format!("Tally(first={}, second={}, draws={}, plies={})", self.first, self.second, self.draws, self.plies)
    }
}
