//! The class `Position`.

use std::sync::Arc;

use plyground_engine::erased::AnyLine;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::errors::{IllegalMoveError, raise};
use crate::game::{Game, Reduced, Shared, hash};
use crate::outcome::Outcome;
use crate::rng::Rng;
use crate::tally::Tally;
use crate::text::Text;

/// Between two looks at Ctrl-C.
const PLAYOUTS_AT_ONCE: u64 = 1000;

/// A position and the moves that led to it.
#[pyclass(frozen, module = "plyground._engine")]
pub(crate) struct Position {
    pub(crate) shared: Arc<Shared>,
    pub(crate) line: Box<dyn AnyLine>,
}

impl Position {
    pub(crate) fn new(shared: Arc<Shared>, line: Box<dyn AnyLine>) -> Position {
        Position { shared, line }
    }

    /// The answer of the line to a question.
    fn ask<T>(&self, question: impl FnOnce(&dyn AnyLine) -> T) -> PyResult<T> {
        self.shared.ask(|| question(&*self.line))
    }

    fn with(&self, line: Box<dyn AnyLine>) -> Position {
        Position::new(self.shared.clone(), line)
    }
}

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
            Outcome::new(winner, outcome.reason.words().to_string())
        }))
    }

    #[getter]
    fn exact<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let Some(exact) = self.ask(|line| line.exact())? else { return Ok(None) };
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
    fn urgent(&self) -> Vec<&str> {
        self.line.urgent().into_iter().map(|cell| self.shared.square(cell)).collect()
    }

    #[getter]
    fn features(&self) -> PyResult<Vec<usize>> {
        self.ask(|line| line.features())
    }

    #[getter]
    fn key(&self) -> PyResult<u64> {
        self.ask(|line| line.key())
    }

    fn play(&self, mv: Text) -> PyResult<Position> {
        Ok(self.with(self.ask(|line| line.play(&mv.0))?.map_err(raise)?))
    }

    fn unplay(&self) -> PyResult<Position> {
        match self.line.ply() {
            0 => Err(IllegalMoveError::new_err("there is no move to take back: the game is at its start")),
            ply => Ok(self.with(self.ask(|line| line.replay(ply - 1))?)),
        }
    }

    fn replay(&self, plies: usize) -> PyResult<Position> {
        let ply = self.line.ply();
        if plies > ply {
            return Err(IllegalMoveError::new_err(format!("the game has {ply} plies; accepted is a number from 0 to {ply}")));
        }
        Ok(self.with(self.ask(|line| line.replay(plies))?))
    }

    fn name(&self, mv: Text) -> PyResult<String> {
        self.ask(|line| line.name(&mv.0))?.map_err(raise)
    }

    fn notation(&self, mv: Text) -> PyResult<String> {
        self.ask(|line| line.notation(&mv.0))?.map_err(raise)
    }

    fn path(&self, mv: Text) -> PyResult<Vec<&str>> {
        let cells = self.ask(|line| line.path(&mv.0))?.map_err(raise)?;
        Ok(cells.into_iter().map(|cell| self.shared.square(cell)).collect())
    }

    fn action(&self, mv: Text) -> PyResult<usize> {
        self.ask(|line| line.action(&mv.0))?.map_err(raise)
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

    fn playouts(&self, py: Python<'_>, count: u64, seed: u64) -> PyResult<Tally> {
        let mut rng = plyground_engine::Rng::new(seed);
        let mut sum = plyground_engine::search::playout::Tally::default();
        let mut left = count;
        while left > 0 {
            py.check_signals()?;
            let some = left.min(PLAYOUTS_AT_ONCE);
            sum += self.shared.ask(|| py.detach(|| self.line.playouts(some, &mut rng)))?;
            left -= some;
        }
        Ok(sum.into())
    }

    fn without_history(&self) -> Position {
        self.with(self.line.without_history())
    }

    fn play_random(&self, rng: &mut Rng) -> PyResult<Position> {
        Ok(self.with(self.ask(|line| line.play_random(&mut rng.0))?.map_err(raise)?))
    }

    fn __str__<'py>(slf: Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("plyground.drawing")?.getattr("draw")?.call1((slf,))
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
