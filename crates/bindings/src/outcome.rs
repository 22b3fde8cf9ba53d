//! The class `Outcome`.

use plyground_documented::documented;
use pyo3::prelude::*;

use crate::game::Reduced;

/// The winner and the reason.
#[documented]
#[pyclass(frozen, eq, hash, module = "plyground._engine")]
#[derive(PartialEq, Hash)]
pub(crate) struct Outcome {
    winner: Option<String>,
    reason: String,
}

#[documented]
#[pymethods]
impl Outcome {
    #[new]
    pub(crate) fn new(winner: Option<String>, reason: String) -> Outcome {
        Outcome { winner, reason }
    }

    #[getter]
    fn winner(&self) -> Option<&str> {
        self.winner.as_deref()
    }

    #[getter]
    fn reason(&self) -> &str {
        &self.reason
    }

    fn __repr__(&self) -> String {
        match &self.winner {
            Some(winner) => format!("Outcome({winner:?}, {:?})", self.reason),
            None => format!("Outcome(None, {:?})", self.reason),
        }
    }

    fn __str__(&self) -> String {
        match &self.winner {
            Some(winner) => format!("{winner} wins: {}", self.reason),
            None => format!("draw: {}", self.reason),
        }
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> Reduced<'py, (Option<String>, String)> {
        Ok((py.get_type::<Outcome>().into_any(), (self.winner.clone(), self.reason.clone())))
    }
}
