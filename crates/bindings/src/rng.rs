//! The class `Rng`.

use plyground_documented::documented;
use plyground_engine::rng;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// The engine's random number generator.
#[documented]
#[pyclass(module = "plyground._engine")]
pub(crate) struct Rng(pub(crate) plyground_engine::Rng);

#[documented]
#[pymethods]
impl Rng {
    #[new]
    fn new(seed: u64) -> Rng {
        Rng(plyground_engine::Rng::new(seed))
    }

    fn below(&mut self, n: u32) -> PyResult<u32> {
        if n == 0 {
            return Err(PyValueError::new_err("n must be at least 1, got 0"));
        }
        Ok(self.0.below(n))
    }

    fn unit(&mut self) -> f64 {
        self.0.unit()
    }
}

/// Derives the seed of stream `n` from `seed`.
#[documented]
#[pyfunction]
pub(crate) fn split_seed(seed: u64, n: u64) -> u64 {
    rng::split(seed, n)
}
