//! The class `SelfPlay`.

use plyground_documented::documented;
use plyground_engine::learning::fit::{GameRecord, NO_SCORE, Settings};
use plyground_engine::learning::samples::Samples;
use plyground_engine::learning::self_play::Player;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::errors::{ParseError, raise, raise_weights};
use crate::network::{AnyEvaluation, LeafEvaluation};
use crate::position::Position;
use crate::text::Text;

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

/// Training data as a dictionary of little-endian arrays.
pub(crate) fn samples_dict(py: Python<'_>, samples: Samples) -> PyResult<Bound<'_, PyDict>> {
    let dict = PyDict::new(py);
    let set = |name: &str, bytes: Vec<u8>| dict.set_item(name, PyBytes::new(py, &bytes));
    let words = |values: Vec<u32>| values.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<u8>>();
    set("own", words(samples.own))?;
    set("other", words(samples.other))?;
    set("feature_offsets", words(samples.feature_offsets))?;
    set("scores", samples.scores.iter().flat_map(|score| score.to_le_bytes()).collect())?;
    set("results", samples.results.iter().map(|&result| result as u8).collect())?;
    set("actions", words(samples.actions))?;
    set("legal", words(samples.legal))?;
    set("legal_offsets", words(samples.legal_offsets))?;
    set("quiet", samples.quiet.iter().map(|&quiet| quiet.into()).collect())?;
    set("symmetric", samples.symmetric.iter().map(|&symmetric| symmetric.into()).collect())?;
    Ok(dict)
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

    #[pyo3(signature = (evaluation=None))]
    fn play(&mut self, py: Python<'_>, evaluation: Option<LeafEvaluation>) -> PyResult<(i8, usize)> {
        py.check_signals()?;
        let position = self.position.get();
        let evaluation = match &evaluation {
            Some(evaluation) => evaluation.of(position)?,
            None => AnyEvaluation::Heuristic,
        };
        let (settings, number) = (&self.settings, self.games.len() as u64);
        let player = match evaluation {
            AnyEvaluation::Heuristic => Player::FixedDepth(None, settings.depth),
            AnyEvaluation::Weights(weights) => Player::FixedDepth(Some(weights), settings.depth),
            AnyEvaluation::Network(network) => Player::Network(network, settings.depth),
        };
        let game = position.shared.ask(|| py.detach(|| position.line.self_play(settings, &player, number)))?;
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

    fn append(&mut self, moves: Vec<Text>, scores: Vec<Option<i16>>, result: i8) -> PyResult<()> {
        let position = self.position.get();
        let moves: Vec<&str> = moves.iter().map(|text| &*text.0).collect();
        let encoded = position.shared.ask(|| position.line.encode_moves(&moves))?.map_err(raise)?;
        let scores = scores.into_iter().map(|score| score.unwrap_or(NO_SCORE)).collect();
        let game = GameRecord { moves: encoded, scores, result };
        position.shared.ask(|| position.line.check_game(&game))?.map_err(raise)?;
        self.games.push(game);
        Ok(())
    }

    fn samples<'py>(&self, py: Python<'py>, games: usize) -> PyResult<Bound<'py, PyDict>> {
        let position = self.position.get();
        let games = &self.games[..games.min(self.games.len())];
        let samples = position.shared.ask(|| py.detach(|| position.line.samples(games)))?.map_err(raise)?;
        samples_dict(py, samples)
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
