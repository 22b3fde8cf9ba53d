//! The classes `QTable` and `QLearner`.

use std::sync::Arc;

use plyground_documented::documented;
use plyground_engine::Game;
use plyground_engine::evaluate::{self, PositionTable, QuantizedTable, TABLE_BITS, TupleTable};
use plyground_engine::learning::qlearning::{Settings, State};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::errors::{ParseError, WeightsError, raise_weights};
use crate::position::Position;

/// Reads little-endian elements of `N` bytes; returns an error if bytes are left over.
fn elements<const N: usize, T>(name: &str, data: &[u8], convert: fn([u8; N]) -> T) -> PyResult<Vec<T>> {
    let (chunks, rest) = data.as_chunks::<N>();
    if !rest.is_empty() {
        let length = data.len();
        return Err(WeightsError::new_err(format!("{name} must have a multiple of {N} bytes, got {length}")));
    }
    Ok(chunks.iter().map(|chunk| convert(*chunk)).collect())
}

/// The bytes of little-endian elements.
fn bytes<'py, const N: usize>(py: Python<'py>, elements: impl Iterator<Item = [u8; N]>) -> Bound<'py, PyBytes> {
    PyBytes::new(py, &elements.flatten().collect::<Vec<u8>>())
}

/// A table of Q-values of a game.
#[documented]
#[pyclass(frozen, module = "plyground._engine")]
pub(crate) struct QTable {
    inner: Arc<evaluate::QTable>,
    /// The properties of the game.
    game: Game,
}

impl QTable {
    /// The table, if it is for the position's game.
    pub(crate) fn of(&self, position: &Position) -> PyResult<Arc<evaluate::QTable>> {
        if position.shared.facts != self.game {
            let expected = &position.shared.spec;
            return Err(WeightsError::new_err(format!("expected Q-values for {expected}, got some for another game or board")));
        }
        Ok(self.inner.clone())
    }
}

#[documented]
#[pymethods]
impl QTable {
    #[new]
    #[pyo3(signature = (position, keys, values, scale))]
    fn new(position: &Position, keys: Option<&[u8]>, values: &[u8], scale: f32) -> PyResult<QTable> {
        let keys = keys.map(|keys| elements("the keys", keys, u64::from_le_bytes)).transpose()?;
        let table = QuantizedTable { keys, values: elements("the values", values, i16::from_le_bytes)?, scale };
        Ok(QTable { inner: Arc::new(table.restore().map_err(raise_weights)?), game: position.shared.facts.clone() })
    }

    fn q_values(&self, position: &Position) -> PyResult<Vec<f32>> {
        self.of(position)?;
        position.shared.ask(|| position.line.q_values(&self.inner))
    }
}

/// A Q-learner.
#[documented]
#[pyclass(module = "plyground._engine")]
pub(crate) struct QLearner {
    position: Py<Position>,
    settings: Settings,
    state: State,
    table_bits: u32,
}

/// The keys and values of a table; the keys of a table of tuples are empty.
type Contents<'py> = (Bound<'py, PyBytes>, Bound<'py, PyBytes>);

impl QLearner {
    /// Reads a table of the same kind as the learner's from its contents.
    fn read(&self, keys: &[u8], values: &[u8]) -> PyResult<evaluate::QTable> {
        let keys = elements("the keys", keys, u64::from_le_bytes)?;
        let values = elements("the values", values, f32::from_le_bytes)?;
        match &self.state.table {
            evaluate::QTable::Positions(_) if keys.len() == values.len() => {
                let entries: Vec<(u64, f32)> = keys.into_iter().zip(values).collect();
                PositionTable::from_entries(self.table_bits, &entries).map(evaluate::QTable::Positions).map_err(raise_weights)
            }
            evaluate::QTable::Tuples(_) if keys.is_empty() && values.len() == 1 << self.table_bits => {
                TupleTable::from_weights(values).map(evaluate::QTable::Tuples).map_err(raise_weights)
            }
            _ => Err(WeightsError::new_err("the checkpoint does not fit the settings of the learner")),
        }
    }
}

#[documented]
#[pymethods]
impl QLearner {
    #[new]
    #[pyo3(signature = (position, *, is_tabular, table_bits, games, learning_rate, final_rate, epsilon, final_epsilon, lambda_, discount,
                        random_fraction, copy_fraction, copy_interval, opening_plies, seed))]
    #[allow(clippy::too_many_arguments)]
    fn new(
        position: Py<Position>,
        is_tabular: bool,
        table_bits: u32,
        games: u32,
        learning_rate: f64,
        final_rate: f64,
        epsilon: f64,
        final_epsilon: f64,
        lambda_: f64,
        discount: f64,
        random_fraction: f64,
        copy_fraction: f64,
        copy_interval: u32,
        opening_plies: u32,
        seed: u64,
    ) -> PyResult<QLearner> {
        if !TABLE_BITS.contains(&table_bits) {
            let (low, high) = (TABLE_BITS.start(), TABLE_BITS.end());
            return Err(ParseError::new_err(format!("table_bits must be between {low} and {high}, got {table_bits}")));
        }
        let settings = Settings {
            games,
            learning_rate,
            final_rate,
            epsilon,
            final_epsilon,
            lambda: lambda_,
            discount,
            random_fraction,
            copy_fraction,
            copy_interval,
            opening_plies,
            seed,
        };
        let table = evaluate::QTable::new(is_tabular, table_bits);
        Ok(QLearner { position, settings, state: State { copy: table.clone(), table, games_played: 0 }, table_bits })
    }

    #[getter]
    fn games_played(&self) -> u32 {
        self.state.games_played
    }

    fn play(&mut self, py: Python<'_>) -> PyResult<(i8, usize, f64)> {
        py.check_signals()?;
        let position = self.position.get();
        let (settings, state) = (&self.settings, &mut self.state);
        let played = position.shared.ask(|| py.detach(|| position.line.q_learn(settings, state)))?;
        Ok((played.result, played.plies, played.error))
    }

    fn random_score(&self, py: Python<'_>, games: u32, opening_plies: u32) -> PyResult<f64> {
        let position = self.position.get();
        let (table, seed) = (&self.state.table, self.settings.seed);
        position.shared.ask(|| py.detach(|| position.line.q_random_score(table, games, opening_plies, seed)))
    }

    fn dump<'py>(&self, py: Python<'py>) -> Contents<'py> {
        match &self.state.table {
            evaluate::QTable::Positions(table) => {
                let entries = table.entries();
                (
                    bytes(py, entries.iter().map(|(key, _)| key.to_le_bytes())),
                    bytes(py, entries.iter().map(|(_, value)| value.to_le_bytes())),
                )
            }
            evaluate::QTable::Tuples(table) => {
                (PyBytes::new(py, &[]), bytes(py, table.weights().iter().map(|weight| weight.to_le_bytes())))
            }
        }
    }

    #[pyo3(signature = (keys, values, copy, games_played))]
    fn load(&mut self, keys: &[u8], values: &[u8], copy: Option<(Vec<u8>, Vec<u8>)>, games_played: u32) -> PyResult<()> {
        let copy = match copy {
            Some((keys, values)) => self.read(&keys, &values)?,
            None => self.state.copy.clone(),
        };
        self.state = State { table: self.read(keys, values)?, copy, games_played };
        Ok(())
    }

    fn quantized<'py>(&self, py: Python<'py>) -> (Option<Bound<'py, PyBytes>>, Bound<'py, PyBytes>, f32) {
        let table = QuantizedTable::new(&self.state.table);
        let keys = table.keys.map(|keys| bytes(py, keys.iter().map(|key| key.to_le_bytes())));
        (keys, bytes(py, table.values.iter().map(|value| value.to_le_bytes())), table.scale)
    }
}
