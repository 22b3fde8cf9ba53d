//! Converts engine errors into the exceptions of `plyground.errors`.

use plyground_engine::Error;
use pyo3::prelude::*;

pyo3::import_exception!(plyground.errors, ParseError);
pyo3::import_exception!(plyground.errors, IllegalMoveError);
pyo3::import_exception!(plyground.errors, GameOverError);
pyo3::import_exception!(plyground.errors, UnknownNameError);
pyo3::import_exception!(plyground.errors, TablesError);
pyo3::import_exception!(plyground.errors, WeightsError);
pyo3::import_exception!(plyground.errors, Interrupted);

/// Converts an engine error into a Python exception.
pub(crate) fn raise(error: Error) -> PyErr {
    let message = error.to_string();
    match error {
        Error::Parse(_) => ParseError::new_err(message),
        Error::IllegalMove(_) => IllegalMoveError::new_err(message),
        Error::GameOver(_) => GameOverError::new_err(message),
        Error::UnknownName(_) => UnknownNameError::new_err(message),
        Error::Tables(_) => TablesError::new_err(message),
    }
}

/// Converts an engine error about weights into a Python exception.
pub(crate) fn raise_weights(error: Error) -> PyErr {
    WeightsError::new_err(error.to_string())
}
