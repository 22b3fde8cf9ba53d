//! The class `Weights`, evaluation features and games between alpha-beta players.

use std::sync::Arc;
use std::time::Duration;

use plyground_documented::documented;
use plyground_engine::evaluate;
use plyground_engine::learning::self_play::Player;
use pyo3::prelude::*;

use crate::errors::{ParseError, WeightsError, raise_weights};
use crate::network::Network;
use crate::position::Position;
use crate::seconds::duration;
use crate::text::Text;

/// Weights of a game's features or patterns.
#[documented]
#[pyclass(frozen, module = "plyground._engine")]
pub(crate) struct Weights {
    pub(crate) inner: Arc<evaluate::Weights>,
    /// The ID of the game.
    game: &'static str,
}

impl Weights {
    /// Returns the weights if the position belongs to their game.
    pub(crate) fn of(&self, position: &Position) -> PyResult<&evaluate::Weights> {
        match position.shared.entry.id {
            id if id == self.game => Ok(&self.inner),
            id => Err(WeightsError::new_err(format!("expected weights for {id}, got weights for {}", self.game))),
        }
    }
}

#[documented]
#[pymethods]
impl Weights {
    #[staticmethod]
    fn from_features(position: &Position, values: Vec<f64>) -> PyResult<Weights> {
        let inner = position.line.feature_weights(&values).map_err(raise_weights)?;
        Ok(Weights { inner: Arc::new(inner), game: position.shared.entry.id })
    }

    #[staticmethod]
    fn from_patterns(position: &Position, data: &[u8]) -> PyResult<Weights> {
        let value = |bytes: &[u8]| i16::from_le_bytes([bytes[0], bytes[1]]);
        let pairs: Vec<[i16; 2]> = data.chunks_exact(4).map(|four| [value(&four[..2]), value(&four[2..])]).collect();
        let inner = position.line.pattern_weights(pairs).map_err(raise_weights)?;
        Ok(Weights { inner: Arc::new(inner), game: position.shared.entry.id })
    }

    fn evaluate(&self, position: &Position) -> PyResult<i32> {
        let weights = self.of(position)?;
        position.shared.ask(|| position.line.evaluate(weights))
    }
}

/// The name, description and initial weight of each feature of a position's game.
#[documented]
#[pyfunction]
pub(crate) fn features(position: &Position) -> Vec<(&'static str, &'static str, f64)> {
    let features = position.line.features().iter();
    features.map(|feature| (feature.name, feature.description, feature.initial_weight)).collect()
}

/// The feature values of a position from the first side's point of view.
#[documented]
#[pyfunction]
pub(crate) fn evaluate_features(position: &Position) -> Vec<f32> {
    position.line.evaluate_features()
}

/// The number of patterns of a position's game.
#[documented]
#[pyfunction]
pub(crate) fn pattern_count(position: &Position) -> usize {
    position.line.pattern_count()
}

/// Plays a game between two alpha-beta players and returns the result for the first side.
#[documented]
#[pyfunction]
#[pyo3(signature = (position, first, second, *, depth=None, seconds=None, opening_plies=0, seed=0))]
#[allow(clippy::too_many_arguments)]
pub(crate) fn play_game(
    py: Python<'_>,
    position: &Position,
    first: Evaluation<'_>,
    second: Evaluation<'_>,
    depth: Option<u32>,
    seconds: Option<f64>,
    opening_plies: u32,
    seed: u64,
) -> PyResult<i8> {
    py.check_signals()?;
    let limit = (depth, seconds.map(|seconds| duration("seconds", seconds)).transpose()?);
    let (first, second) = (first.player(position, limit)?, second.player(position, limit)?);
    position.shared.ask(|| py.detach(|| position.line.play_game([&first, &second], opening_plies, seed)))
}

/// The evaluation that a side uses, or `random`.
#[derive(FromPyObject)]
pub(crate) enum Evaluation<'py> {
    Weights(Bound<'py, Weights>),
    Network(Bound<'py, Network>),
    Name(Text),
}

impl Evaluation<'_> {
    fn player(&self, position: &Position, limit: (Option<u32>, Option<Duration>)) -> PyResult<Player<'_>> {
        let weights = match self {
            Evaluation::Weights(weights) => Some(weights.get().of(position)?),
            Evaluation::Network(network) => match limit {
                (Some(depth), None) => return Ok(Player::Network(network.get().of(position)?, depth)),
                _ => return Err(ParseError::new_err("a game with a network needs a depth as its limit")),
            },
            Evaluation::Name(Text(name)) if name == "heuristic" => None,
            Evaluation::Name(Text(name)) if name == "random" => return Ok(Player::Random),
            Evaluation::Name(_) => {
                return Err(ParseError::new_err("a side must be Weights, a Network, 'heuristic' or 'random'"));
            }
        };
        match limit {
            (Some(depth), None) => Ok(Player::FixedDepth(weights, depth)),
            (None, Some(time)) => Ok(Player::FixedTime(weights, time)),
            _ => Err(ParseError::new_err("a game needs a limit: either depth or seconds")),
        }
    }
}
