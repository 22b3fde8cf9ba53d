//! The class `TdLearner`.

use plyground_engine::Side;
use plyground_engine::evaluate::td::{Settings, State, Variant};
use pyo3::prelude::*;

use crate::errors::{ParseError, raise_weights};
use crate::position::Position;

/// A learner by temporal differences, between two games.
#[pyclass(module = "plyground._engine")]
pub(crate) struct TdLearner {
    position: Py<Position>,
    settings: Settings,
    state: State,
}

#[pymethods]
impl TdLearner {
    #[new]
    #[pyo3(signature = (position, weights, frozen, played, *, variant, games, depth, lambda_, rate, epsilon, random_share, refresh,
                        terminal, opening, seed))]
    #[allow(clippy::too_many_arguments)]
    fn new(
        position: Py<Position>,
        weights: Vec<f64>,
        frozen: Vec<f64>,
        played: u32,
        variant: &str,
        games: u32,
        depth: u32,
        lambda_: f64,
        rate: f64,
        epsilon: f64,
        random_share: f64,
        refresh: u32,
        terminal: f64,
        opening: u32,
        seed: u64,
    ) -> PyResult<TdLearner> {
        let variant = match variant {
            "td" => Variant::Td,
            "tdleaf" => Variant::TdLeaf,
            other => return Err(ParseError::new_err(format!("variant {other:?}: accepted is td or tdleaf"))),
        };
        let line = &position.get().line;
        line.weigh_terms(&weights).map_err(raise_weights)?;
        line.weigh_terms(&frozen).map_err(raise_weights)?;
        let settings =
            Settings { variant, games, depth, lambda: lambda_, rate, epsilon, random_share, refresh, terminal, opening, seed };
        Ok(TdLearner { position, settings, state: State { weights, frozen, played } })
    }

    #[getter]
    fn weights(&self) -> Vec<f64> {
        self.state.weights.clone()
    }

    #[getter]
    fn frozen(&self) -> Vec<f64> {
        self.state.frozen.clone()
    }

    #[getter]
    fn played(&self) -> u32 {
        self.state.played
    }

    fn play(&mut self, py: Python<'_>) -> PyResult<(i8, &'static str, usize, f64)> {
        py.check_signals()?;
        let position = self.position.get();
        let (settings, state) = (&self.settings, &mut self.state);
        let played = py.detach(|| position.line.play_and_learn(settings, state)).map_err(raise_weights)?;
        let side = match played.learner {
            Side::First => position.shared.side(Side::First),
            Side::Second => position.shared.side(Side::Second),
        };
        Ok((played.result, side, played.plies, played.error))
    }
}
