//! Encodes many positions at once as planes.

use plyground_documented::documented;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyByteArray;

use crate::errors::ParseError;
use crate::position::Position;
use crate::text::Text;

/// The number of planes, rows and columns.
type Shape = (usize, usize, usize);

/// Encodes positions of one game as 32-bit floating-point numbers.
#[documented]
#[pyfunction]
#[pyo3(signature = (positions, side=None))]
pub(crate) fn encode_planes<'py>(
    py: Python<'py>,
    positions: Vec<Bound<'py, Position>>,
    side: Option<Text>,
) -> PyResult<(Shape, Bound<'py, PyByteArray>)> {
    let first = positions.first().ok_or_else(|| ParseError::new_err("at least one position is required"))?.get();
    let viewer = side.map(|side| first.shared.parse_side(&side.0)).transpose()?;
    let layout = first.shared.start.plane_layout();
    if layout.values() == 0 {
        return Err(ParseError::new_err(format!(
            "the game {} has no planes; it must define rows, columns, pieces and cells(state), or planes(state)",
            first.shared.spec
        )));
    }
    for other in positions.iter().map(Bound::get) {
        if other.shared.spec != first.shared.spec {
            let (one, other) = (&first.shared.spec, &other.shared.spec);
            return Err(ParseError::new_err(format!("all positions must belong to the same game, got {one} and {other}")));
        }
    }
    let bytes = positions.len().checked_mul(layout.values() * size_of::<f32>());
    let bytes = bytes.ok_or_else(|| ParseError::new_err("there are too many positions"))?;
    let array = PyByteArray::new_with(py, bytes, |bytes| {
        let values = bytemuck::try_cast_slice_mut(bytes).map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
        for (position, values) in positions.iter().map(Bound::get).zip(values.chunks_exact_mut(layout.values())) {
            position.shared.ask(|| position.line.write_planes(viewer, values))?;
        }
        Ok(())
    })?;
    Ok(((layout.names.len(), layout.rows, layout.columns), array))
}
