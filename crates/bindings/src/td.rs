//! The class `TdLearner`.

use plyground_documented::documented;
use plyground_engine::Side;
use plyground_engine::learning::td::{Settings, State, Variant};
use pyo3::prelude::*;

use crate::errors::{ParseError, raise_weights};
use crate::position::Position;

/// A temporal-difference learner.
#[documented]
#[pyclass(module = "plyground._engine")]
pub(crate) struct TdLearner {
    position: Py<Position>,
    settings: Settings,
    state: State,
}

#[documented]
#[pymethods]
impl TdLearner {
    #[new]
    #[pyo3(signature = (position, weights, opponent_weights, games_played, *, variant, games, depth, lambda_, learning_rate, epsilon,
                        random_fraction, refresh_games, terminal_value, opening_plies, seed))]
    #[allow(clippy::too_many_arguments)]
    fn new(
        position: Py<Position>,
        weights: Vec<f64>,
        opponent_weights: Vec<f64>,
        games_played: u32,
        variant: &str,
        games: u32,
        depth: u32,
        lambda_: f64,
        learning_rate: f64,
        epsilon: f64,
        random_fraction: f64,
        refresh_games: u32,
        terminal_value: f64,
        opening_plies: u32,
        seed: u64,
    ) -> PyResult<TdLearner> {
        let variant = match variant {
            "td" => Variant::Td,
            "tdleaf" => Variant::TdLeaf,
            other => return Err(ParseError::new_err(format!("variant must be td or tdleaf, got {other:?}"))),
        };
        let line = &position.get().line;
        line.feature_weights(&weights).map_err(raise_weights)?;
        line.feature_weights(&opponent_weights).map_err(raise_weights)?;
        let settings = Settings {
            variant,
            games,
            depth,
            lambda: lambda_,
            learning_rate,
            epsilon,
            random_fraction,
            refresh_games,
            terminal_value,
            opening_plies,
            seed,
        };
        Ok(TdLearner { position, settings, state: State { weights, opponent_weights, games_played } })
    }

    #[getter]
    fn weights(&self) -> Vec<f64> {
        self.state.weights.clone()
    }

    #[getter]
    fn opponent_weights(&self) -> Vec<f64> {
        self.state.opponent_weights.clone()
    }

    #[getter]
    fn games_played(&self) -> u32 {
        self.state.games_played
    }

    fn play(&mut self, py: Python<'_>) -> PyResult<(i8, &'static str, usize, f64)> {
        py.check_signals()?;
        let position = self.position.get();
        let (settings, state) = (&self.settings, &mut self.state);
        let played =
            position.shared.ask(|| py.detach(|| position.line.play_and_learn(settings, state)))?.map_err(raise_weights)?;
        let side = match played.learner {
            Side::First => position.shared.side(Side::First),
            Side::Second => position.shared.side(Side::Second),
        };
        Ok((played.result, side, played.plies, played.error))
    }
}
