//! Strings from Python.

use pyo3::prelude::*;
use pyo3::types::{PyBool, PyInt, PyString};

use crate::errors::ParseError;

/// A valid Unicode string; Python strings may contain lone surrogates.
pub(crate) struct Text(pub(crate) String);

impl<'py> FromPyObject<'_, 'py> for Text {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Text> {
        let text = object.cast::<PyString>()?;
        match text.to_str() {
            Ok(text) => Ok(Text(text.to_owned())),
            Err(_) => Err(ParseError::new_err("text must be valid Unicode, but it contains a lone surrogate")),
        }
    }
}

/// A move: text in any notation of the game, or an integer such as a Connect Four column, which is converted to decimal text.
pub(crate) struct MoveText(pub(crate) String);

impl<'py> FromPyObject<'_, 'py> for MoveText {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<MoveText> {
        if object.is_instance_of::<PyInt>() && !object.is_instance_of::<PyBool>() {
            return Ok(MoveText(object.str()?.to_str()?.to_owned()));
        }
        object.extract::<Text>().map(|text| MoveText(text.0))
    }
}
