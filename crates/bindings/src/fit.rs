//! The class `SelfPlay`.

use plyground_documented::documented;
use plyground_engine::learning::fit::{GameRecord, Settings};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::errors::{ParseError, raise_weights};
use crate::position::Position;
use crate::weights::Weights;

/// Self-play games, and pattern weights fitted to their results.
#[documented]
#[pyclass(module = "plyground._engine")]
pub(crate) struct SelfPlay {
    position: Py<Position>,
    settings: Settings,
    games: Vec<GameRecord>,
}

/// Serialises a game: result, plies, moves, scores.
fn write(game: &GameRecord, bytes: &mut Vec<u8>) {
    bytes.push(game.result as u8);
    bytes.extend((game.moves.len() as u16).to_le_bytes());
    game.moves.iter().for_each(|code| bytes.extend(code.to_le_bytes()));
    game.scores.iter().for_each(|score| bytes.extend(score.to_le_bytes()));
}

/// Deserialises the next game and returns it with the remaining bytes.
fn read(bytes: &[u8]) -> Option<(GameRecord, &[u8])> {
    let (head, rest) = bytes.split_at_checked(3)?;
    let plies = usize::from(u16::from_le_bytes([head[1], head[2]]));
    let (moves, rest) = rest.split_at_checked(2 * plies)?;
    let (scores, rest) = rest.split_at_checked(2 * plies)?;
    let moves = moves.chunks_exact(2).map(|two| u16::from_le_bytes([two[0], two[1]])).collect();
    let scores = scores.chunks_exact(2).map(|two| i16::from_le_bytes([two[0], two[1]])).collect();
    Some((GameRecord { moves, scores, result: head[0] as i8 }, rest))
}

#[documented]
#[pymethods]
impl SelfPlay {
    #[new]
    #[pyo3(signature = (position, *, depth, opening_plies, epsilon, epochs, learning_rate, weight_decay, search_weight, seed))]
    #[allow(clippy::too_many_arguments)]
    fn new(
        position: Py<Position>,
        depth: u32,
        opening_plies: u32,
        epsilon: f64,
        epochs: u32,
        learning_rate: f32,
        weight_decay: f32,
        search_weight: f32,
        seed: u64,
    ) -> SelfPlay {
        let settings = Settings { depth, opening_plies, epsilon, epochs, learning_rate, weight_decay, search_weight, seed };
        SelfPlay { position, settings, games: Vec::new() }
    }

    #[getter]
    fn games_played(&self) -> usize {
        self.games.len()
    }

    #[pyo3(signature = (weights=None))]
    fn play(&mut self, py: Python<'_>, weights: Option<&Weights>) -> PyResult<(i8, usize)> {
        py.check_signals()?;
        let position = self.position.get();
        let weights = weights.map(|weights| weights.of(position)).transpose()?;
        let (settings, number) = (&self.settings, self.games.len() as u64);
        let game = position.shared.ask(|| py.detach(|| position.line.self_play(settings, weights, number)))?;
        let summary = (game.result, game.moves.len());
        self.games.push(game);
        Ok(summary)
    }

    fn fit<'py>(&self, py: Python<'py>, games: usize) -> PyResult<(Bound<'py, PyBytes>, usize, f64)> {
        let position = self.position.get();
        let games = &self.games[..games.min(self.games.len())];
        let fitted = position.shared.ask(|| py.detach(|| position.line.fit(&self.settings, games)))?.map_err(raise_weights)?;
        let bytes: Vec<u8> = fitted.weights.iter().flatten().flat_map(|value| value.to_le_bytes()).collect();
        Ok((PyBytes::new(py, &bytes), fitted.positions, fitted.loss))
    }

    fn dump<'py>(&self, py: Python<'py>, first: usize) -> Bound<'py, PyBytes> {
        let mut bytes = Vec::new();
        self.games.iter().skip(first).for_each(|game| write(game, &mut bytes));
        PyBytes::new(py, &bytes)
    }

    fn load(&mut self, data: &[u8]) -> PyResult<()> {
        let (mut rest, mut games) = (data, Vec::new());
        while !rest.is_empty() {
            let (game, after) = read(rest).ok_or_else(|| ParseError::new_err("truncated self-play data"))?;
            let shared = &self.position.get().shared;
            let checked = shared.ask(|| self.position.get().line.check_game(&game))?;
            checked.map_err(|error| ParseError::new_err(format!("malformed self-play data: {error}")))?;
            games.push(game);
            rest = after;
        }
        self.games.append(&mut games);
        Ok(())
    }
}
