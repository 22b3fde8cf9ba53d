//! The class `Weights`, and what there is to weigh.

use plyground_engine::evaluate;
use pyo3::prelude::*;

use crate::errors::{WeightsError, raise_weights};
use crate::position::Position;

/// Weights of a game's terms or patterns, ready for a search.
#[pyclass(frozen, module = "plyground._engine")]
pub(crate) struct Weights {
    pub(crate) inner: evaluate::Weights,
    /// The game they are of.
    game: &'static str,
}

impl Weights {
    /// The weights, if the position is of their game.
    pub(crate) fn of(&self, position: &Position) -> PyResult<&evaluate::Weights> {
        match position.shared.entry.id {
            id if id == self.game => Ok(&self.inner),
            id => Err(WeightsError::new_err(format!("the weights are of {} and the position is of {id}", self.game))),
        }
    }
}

#[pymethods]
impl Weights {
    #[staticmethod]
    fn of_terms(position: &Position, values: Vec<f64>) -> PyResult<Weights> {
        let inner = position.line.weigh_terms(&values).map_err(raise_weights)?;
        Ok(Weights { inner, game: position.shared.entry.id })
    }

    #[staticmethod]
    fn of_patterns(position: &Position, data: &[u8]) -> PyResult<Weights> {
        let value = |bytes: &[u8]| i16::from_le_bytes([bytes[0], bytes[1]]);
        let pairs: Vec<[i16; 2]> = data.chunks_exact(4).map(|four| [value(&four[..2]), value(&four[2..])]).collect();
        let inner = position.line.weigh_patterns(pairs).map_err(raise_weights)?;
        Ok(Weights { inner, game: position.shared.entry.id })
    }

    fn judge(&self, position: &Position) -> PyResult<i32> {
        Ok(position.line.judge(self.of(position)?))
    }
}

/// Name, what it measures and starting weight of each term of a position's game.
#[pyfunction]
pub(crate) fn terms(position: &Position) -> Vec<(&'static str, &'static str, f64)> {
    position.line.terms().iter().map(|term| (term.name, term.about, term.start)).collect()
}

/// The terms of a position, seen by the first side.
#[pyfunction]
pub(crate) fn measure(position: &Position) -> Vec<f32> {
    position.line.measures()
}

/// The number of patterns of a position's game.
#[pyfunction]
pub(crate) fn count_patterns(position: &Position) -> usize {
    position.line.patterns()
}
