//! The class `PlayoutResults`.

use plyground_documented::documented;
use plyground_engine::search::flat;
use pyo3::prelude::*;

/// Totals of many random playouts.
#[documented]
#[pyclass(frozen, get_all, module = "plyground._engine")]
pub(crate) struct PlayoutResults {
    first_wins: u64,
    second_wins: u64,
    draws: u64,
    plies: u64,
}

impl From<flat::PlayoutResults> for PlayoutResults {
    fn from(results: flat::PlayoutResults) -> PlayoutResults {
        let flat::PlayoutResults { first_wins, second_wins, draws, plies } = results;
        PlayoutResults { first_wins, second_wins, draws, plies }
    }
}

#[documented]
#[pymethods]
impl PlayoutResults {
    fn __repr__(&self) -> String {
        format!(
            "PlayoutResults(first_wins={}, second_wins={}, draws={}, plies={})",
            self.first_wins, self.second_wins, self.draws, self.plies
        )
    }
}
