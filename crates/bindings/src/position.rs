//! The class `Position`.

use std::sync::Arc;

use plyground_documented::documented;
use plyground_engine::interrupt::Interrupt;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::erased::AnyLine;
use crate::errors::{IllegalMoveError, raise};
use crate::game::{Game, Reduced, Shared, hash};
use crate::outcome::Outcome;
use crate::playout_results::PlayoutResults;
use crate::rng::Rng;
use crate::text::MoveText;
use crate::user_game::run_within;
use crate::weights::Weights;

/// The number of playouts between checks for Ctrl-C.
const PLAYOUTS_PER_BATCH: u64 = 1000;

/// A position and the moves that led to it.
#[documented]
#[pyclass(frozen, module = "plyground._engine")]
pub(crate) struct Position {
    pub(crate) shared: Arc<Shared>,
    pub(crate) line: Box<dyn AnyLine>,
}

impl Position {
    pub(crate) fn new(shared: Arc<Shared>, line: Box<dyn AnyLine>) -> Position {
        Position { shared, line }
    }

    /// Calls the engine with the line. Returns its result or the exception that a user game raised.
    fn ask<T>(&self, question: impl FnOnce(&dyn AnyLine) -> T) -> PyResult<T> {
        self.shared.ask(|| question(&*self.line))
    }

    fn with(&self, line: Box<dyn AnyLine>) -> Position {
        Position::new(self.shared.clone(), line)
    }
}

#[documented]
#[pymethods]
impl Position {
    #[getter]
    fn game(&self) -> Game {
        Game { shared: self.shared.clone() }
    }

    #[getter]
    fn turn(&self) -> PyResult<&'static str> {
        Ok(self.shared.side(self.ask(|line| line.turn())?))
    }

    #[getter]
    fn moves(&self) -> PyResult<Vec<String>> {
        self.ask(|line| line.moves())
    }

    #[getter]
    fn outcome(&self) -> PyResult<Option<Outcome>> {
        let outcome = self.ask(|line| line.outcome())?;
        Ok(outcome.map(|outcome| {
            let winner = outcome.winner.map(|side| self.shared.side(side).to_string());
            Outcome::new(winner, outcome.reason.description().to_string())
        }))
    }

    #[getter]
    fn proven_value<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let Some(exact) = self.ask(|line| line.proven_value())? else { return Ok(None) };
        let dict = PyDict::new(py);
        dict.set_item(pyo3::intern!(py, "winner"), exact.winner.map(|side| self.shared.side(side)))?;
        dict.set_item(pyo3::intern!(py, "distance"), exact.distance)?;
        Ok(Some(dict))
    }

    #[getter]
    fn text(&self) -> PyResult<String> {
        self.ask(|line| line.text())
    }

    #[getter]
    fn ply(&self) -> usize {
        self.line.ply()
    }

    #[getter]
    fn reversible_plies(&self) -> PyResult<u32> {
        self.ask(|line| line.reversible_plies())
    }

    #[getter]
    fn history(&self) -> PyResult<Vec<String>> {
        self.ask(|line| line.history())
    }

    #[getter]
    fn history_notation(&self) -> PyResult<Vec<String>> {
        self.ask(|line| line.history_notation())
    }

    #[getter]
    fn cells<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        for (cell, letter) in self.ask(|line| line.cells())? {
            dict.set_item(self.shared.square(cell), letter)?;
        }
        Ok(dict)
    }

    #[getter]
    fn highlighted(&self) -> Vec<&str> {
        self.line.highlighted().into_iter().map(|cell| self.shared.square(cell)).collect()
    }

    #[getter]
    fn active_features(&self) -> PyResult<Vec<usize>> {
        self.ask(|line| line.active_features(false))
    }

    #[getter]
    fn opponent_features(&self) -> PyResult<Vec<usize>> {
        self.ask(|line| line.active_features(true))
    }

    #[getter]
    fn symmetries(&self) -> PyResult<Vec<(Vec<u32>, Vec<u32>)>> {
        self.ask(|line| line.symmetries().into_iter().map(|symmetry| (symmetry.features, symmetry.actions)).collect())
    }

    #[getter]
    fn key(&self) -> PyResult<u64> {
        self.ask(|line| line.key())
    }

    fn play(&self, mv: MoveText) -> PyResult<Position> {
        Ok(self.with(self.ask(|line| line.play(&mv.0))?.map_err(raise)?))
    }

    fn undo(&self) -> PyResult<Position> {
        match self.line.ply() {
            0 => Err(IllegalMoveError::new_err("there is no move to undo at the start of the game")),
            ply => Ok(self.with(self.ask(|line| line.replay(ply - 1))?)),
        }
    }

    fn replay(&self, plies: usize) -> PyResult<Position> {
        let ply = self.line.ply();
        if plies > ply {
            return Err(IllegalMoveError::new_err(format!("plies must be between 0 and {ply}, got {plies}")));
        }
        Ok(self.with(self.ask(|line| line.replay(plies))?))
    }

    fn parse_move(&self, text: MoveText) -> PyResult<String> {
        self.ask(|line| line.parse_move(&text.0))?.map_err(raise)
    }

    fn notation(&self, mv: MoveText) -> PyResult<String> {
        self.ask(|line| line.notation(&mv.0))?.map_err(raise)
    }

    fn path(&self, mv: MoveText) -> PyResult<Vec<&str>> {
        let cells = self.ask(|line| line.path(&mv.0))?.map_err(raise)?;
        Ok(cells.into_iter().map(|cell| self.shared.square(cell)).collect())
    }

    fn action(&self, mv: MoveText) -> PyResult<usize> {
        self.ask(|line| line.action(&mv.0))?.map_err(raise)
    }

    fn captures(&self, mv: MoveText) -> PyResult<bool> {
        self.ask(|line| line.captures(&mv.0))?.map_err(raise)
    }

    fn ends_on_edge(&self, mv: MoveText) -> PyResult<bool> {
        self.ask(|line| line.ends_on_edge(&mv.0))?.map_err(raise)
    }

    fn winning_move(&self) -> PyResult<Option<String>> {
        Ok(self.ask(|line| line.decisive_moves())?[0].take())
    }

    fn blocking_move(&self) -> PyResult<Option<String>> {
        Ok(self.ask(|line| line.decisive_moves())?[1].take())
    }

    #[pyo3(signature = (weights=None))]
    fn expected_score(&self, weights: Option<&Weights>) -> PyResult<f64> {
        let weights = weights.map(|weights| weights.of(self)).transpose()?;
        self.ask(|line| line.expected_score(weights))
    }

    #[getter]
    fn material(&self) -> PyResult<i32> {
        self.ask(|line| line.material())
    }

    fn perft(&self, py: Python<'_>, depth: u32) -> PyResult<u64> {
        match depth {
            0 => Ok(1),
            _ => Ok(self.divide(py, depth)?.into_iter().map(|(_, nodes)| nodes).sum()),
        }
    }

    fn divide(&self, py: Python<'_>, depth: u32) -> PyResult<Vec<(String, u64)>> {
        let mut parts = Vec::new();
        if depth == 0 {
            return Ok(parts);
        }
        for index in 0.. {
            py.check_signals()?;
            match self.shared.ask(|| py.detach(|| self.line.divide(index, depth)))? {
                Some(part) => parts.push(part),
                None => break,
            }
        }
        Ok(parts)
    }

    fn playouts(&self, py: Python<'_>, count: u64, seed: u64) -> PyResult<PlayoutResults> {
        let mut rng = plyground_engine::Rng::new(seed);
        let mut sum = plyground_engine::search::flat::PlayoutResults::default();
        let mut left = count;
        let interrupt = Interrupt::new(None, None);
        while left > 0 {
            py.check_signals()?;
            let some = left.min(PLAYOUTS_PER_BATCH);
            sum += run_within(&interrupt, || py.detach(|| self.line.playouts(some, &mut rng)))?;
            left = if interrupt.has_fired() { 0 } else { left - some };
        }
        Ok(sum.into())
    }

    fn without_history(&self) -> Position {
        self.with(self.line.without_history())
    }

    #[getter]
    fn actions(&self) -> PyResult<Vec<usize>> {
        self.ask(|line| line.actions())
    }

    #[pyo3(signature = (side=None))]
    fn planes<'py>(slf: Bound<'py, Self>, side: Option<Bound<'py, PyAny>>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("plyground.planes")?.getattr("planes")?.call1((slf, side))
    }

    fn _repr_svg_<'py>(slf: Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("plyground.svg")?.getattr("draw_svg")?.call1((slf,))
    }

    fn play_random(&self, rng: &mut Rng) -> PyResult<Position> {
        Ok(self.with(self.ask(|line| line.play_random(&mut rng.0))?.map_err(raise)?))
    }

    fn play_decisive(&self, rng: &mut Rng) -> PyResult<Position> {
        Ok(self.with(self.ask(|line| line.play_decisive(&mut rng.0))?.map_err(raise)?))
    }

    fn __str__<'py>(slf: Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("plyground.board_text")?.getattr("draw")?.call1((slf,))
    }

    fn __repr__(&self) -> PyResult<String> {
        let game = format!("plyground.game({:?})", self.shared.spec);
        let moves = self.history()?;
        let start = self.ask(|line| line.replay(0).text())?;
        Ok(if moves.is_empty() {
            format!("{game}.position({start:?})")
        } else {
            format!("{game}.position({start:?}, {moves:?})")
        })
    }

    fn __eq__(&self, other: &Position) -> PyResult<bool> {
        self.ask(|line| self.shared.spec == other.shared.spec && line.same_position(&*other.line))
    }

    fn __hash__(&self) -> PyResult<u64> {
        Ok(self.key()? ^ hash(&self.shared.spec))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> Reduced<'py, (String, String, Vec<String>)> {
        let remake = py.import("plyground.games")?.getattr("position")?;
        Ok((remake, (self.shared.spec.clone(), self.ask(|line| line.replay(0).text())?, self.history()?)))
    }
}
