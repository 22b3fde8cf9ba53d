//! The class `Interrupt`: deadlines and stop requests of agents written in Python.

use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use plyground_documented::documented;
use plyground_engine::interrupt;
use pyo3::prelude::*;
use pyo3::types::PyType;

use crate::errors::Interrupted;
use crate::seconds::duration;

/// The exception for a missing result when user games may no longer be called.
pub(crate) fn interrupted() -> PyErr {
    Interrupted::new_err("the search timed out or was stopped before the game's functions were called")
}

/// Interrupts the work in its `with` block.
#[documented]
#[pyclass(frozen, module = "plyground._engine")]
pub(crate) struct Interrupt {
    inner: Arc<interrupt::Interrupt>,
    stop: Arc<AtomicBool>,
    /// For each open `with` block of this interrupt, the interrupt that it replaced.
    outer: Mutex<Vec<Option<Arc<interrupt::Interrupt>>>>,
}

#[documented]
#[pymethods]
impl Interrupt {
    #[new]
    #[pyo3(signature = (seconds=None))]
    fn new(seconds: Option<f64>) -> PyResult<Interrupt> {
        let deadline = seconds.map(|seconds| duration("seconds", seconds)).transpose()?.map(|time| Instant::now() + time);
        let stop = Arc::<AtomicBool>::default();
        Ok(Interrupt { inner: interrupt::Interrupt::new(deadline, Some(stop.clone())), stop, outer: Mutex::default() })
    }

    #[getter]
    fn fired(&self) -> bool {
        self.inner.check()
    }

    fn stop(&self) {
        self.stop.store(true, Relaxed);
    }

    fn __enter__(&self) {
        let replaced = interrupt::replace(Some(self.inner.clone()));
        self.outer.lock().unwrap_or_else(PoisonError::into_inner).push(replaced);
    }

    /// Suppresses `Interrupted`.
    fn __exit__(
        &self,
        kind: Option<&Bound<'_, PyType>>,
        _error: Option<&Bound<'_, PyAny>>,
        _traceback: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<bool> {
        if let Some(outer) = self.outer.lock().unwrap_or_else(PoisonError::into_inner).pop() {
            interrupt::replace(outer);
        }
        kind.map_or(Ok(false), |kind| kind.is_subclass_of::<Interrupted>())
    }
}
