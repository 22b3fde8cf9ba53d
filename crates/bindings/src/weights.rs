//! The class `Weights`, and what there is to weigh.

use std::sync::Arc;
use std::time::Duration;

use plyground_engine::evaluate;
use plyground_engine::evaluate::selfplay::Player;
use pyo3::prelude::*;

use crate::errors::{ParseError, WeightsError, raise_weights};
use crate::position::Position;
use crate::text::Text;

/// Weights of a game's terms or patterns, ready for a search.
#[pyclass(frozen, module = "plyground._engine")]
pub(crate) struct Weights {
    pub(crate) inner: Arc<evaluate::Weights>,
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
        Ok(Weights { inner: Arc::new(inner), game: position.shared.entry.id })
    }

    #[staticmethod]
    fn of_patterns(position: &Position, data: &[u8]) -> PyResult<Weights> {
        let value = |bytes: &[u8]| i16::from_le_bytes([bytes[0], bytes[1]]);
        let pairs: Vec<[i16; 2]> = data.chunks_exact(4).map(|four| [value(&four[..2]), value(&four[2..])]).collect();
        let inner = position.line.weigh_patterns(pairs).map_err(raise_weights)?;
        Ok(Weights { inner: Arc::new(inner), game: position.shared.entry.id })
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

/// One game between the rules of thumb or weights of two sides, each with the same depth or time: what the first side gets.
#[pyfunction]
#[pyo3(signature = (position, first, second, *, depth=None, seconds=None, opening=0, seed=0))]
#[allow(clippy::too_many_arguments)]
pub(crate) fn duel(
    py: Python<'_>,
    position: &Position,
    first: Judge<'_>,
    second: Judge<'_>,
    depth: Option<u32>,
    seconds: Option<f64>,
    opening: u32,
    seed: u64,
) -> PyResult<i8> {
    py.check_signals()?;
    let limit = (depth, seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok()));
    let (first, second) = (first.player(position, limit)?, second.player(position, limit)?);
    Ok(py.detach(|| position.line.duel([&first, &second], opening, seed)))
}

/// Who judges for a side.
#[derive(FromPyObject)]
pub(crate) enum Judge<'py> {
    Weights(Bound<'py, Weights>),
    Name(Text),
}

impl Judge<'_> {
    fn player(&self, position: &Position, limit: (Option<u32>, Option<Duration>)) -> PyResult<Player<'_>> {
        let weights = match self {
            Judge::Weights(weights) => Some(weights.get().of(position)?),
            Judge::Name(Text(name)) if name == "estimate" => None,
            Judge::Name(Text(name)) if name == "random" => return Ok(Player::Random),
            Judge::Name(_) => return Err(ParseError::new_err("a side is weights, or estimate, or random")),
        };
        match limit {
            (Some(depth), None) => Ok(Player::Search(weights, depth)),
            (None, Some(time)) => Ok(Player::Timed(weights, time)),
            _ => Err(ParseError::new_err("a game needs a limit; accepted is either depth or seconds")),
        }
    }
}
