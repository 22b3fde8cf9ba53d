//! Texts from Python.

use pyo3::prelude::*;

use crate::errors::ParseError;

/// A text that really is one: Python's may hold halves of characters, which no position or move has.
pub(crate) struct Text(pub(crate) String);

impl<'py> FromPyObject<'_, 'py> for Text {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Text> {
        let text = object.cast::<pyo3::types::PyString>()?;
        match text.to_str() {
            Ok(text) => Ok(Text(text.to_owned())),
            Err(_) => {
                Err(ParseError::new_err("the text holds half a character (a lone surrogate); accepted are whole characters"))
            }
        }
    }
}
