//! The class `Solver`.

use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use plyground_engine::Error;
use plyground_engine::erased::AnyLine;
use plyground_engine::exact::connect4::{self, Book, Means};
use plyground_engine::exact::mnk;
use plyground_engine::exact::solution::{self, Progress, Solution, Watch};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::errors::{ParseError, raise};
use crate::game::Game;
use crate::position::Position;

/// Between two looks at Ctrl-C.
const PATIENCE: Duration = Duration::from_millis(50);
/// Between two reports.
const EVERY: Duration = Duration::from_millis(100);

/// A solver of one game that can be asked and stopped.
#[pyclass(frozen, module = "plyground._engine")]
pub(crate) struct Solver {
    spec: String,
    solver: Mutex<Box<dyn solution::Solver>>,
    stop: AtomicBool,
}

/// Looks on for Python: at Ctrl-C, at `stop`, at the clock, and passes reports on.
struct Interpreter<'a> {
    stop: &'a AtomicBool,
    report: Option<Py<PyAny>>,
    deadline: Option<Instant>,
    next_look: Instant,
    next_report: Instant,
    error: Option<PyErr>,
}

impl Watch for Interpreter<'_> {
    fn wants_stop(&mut self, progress: &Progress) -> bool {
        let now = Instant::now();
        if now >= self.next_look {
            self.next_look = now + PATIENCE;
            self.error = self.error.take().or_else(|| Python::attach(|py| py.check_signals()).err());
        }
        if let Some(report) = &self.report
            && now >= self.next_report
        {
            self.next_report = now + EVERY;
            let told = Python::attach(|py| report.call1(py, (progress.low, progress.high, progress.nodes)).map(|_| ()));
            self.error = self.error.take().or(told.err());
        }
        self.error.is_some() || self.stop.load(Relaxed) || self.deadline.is_some_and(|deadline| now >= deadline)
    }
}

#[pymethods]
impl Solver {
    #[new]
    #[pyo3(signature = (game, *, mebibytes=64, threads=1, book=None))]
    fn new(game: &Game, mebibytes: usize, threads: usize, book: Option<&[u8]>) -> PyResult<Solver> {
        if !(1..=1 << 20).contains(&mebibytes) {
            let accepted = format!("mebibytes={mebibytes}: accepted is a whole number from 1 to {}", 1 << 20);
            return Err(ParseError::new_err(accepted));
        }
        if !(1..=256).contains(&threads) {
            return Err(ParseError::new_err(format!("threads={threads}: accepted is a whole number from 1 to 256")));
        }
        let book = book.map(Book::read).transpose().map_err(raise)?.map(Arc::new);
        let (start, bytes) = (&*game.start().line, mebibytes << 20);
        let solver = match connect4::solver(start, Means { bytes, threads, book }) {
            Some(solver) => solver,
            None => mnk::solver(start, bytes).map_err(raise)?.ok_or_else(|| {
                ParseError::new_err(format!("no solver for {}; accepted are connect4 and tictactoe", game.shared.spec))
            })?,
        };
        Ok(Solver { spec: game.shared.spec.clone(), solver: Mutex::new(solver), stop: AtomicBool::new(false) })
    }

    #[pyo3(signature = (position, *, every=false, seconds=None, report=None))]
    fn solve<'py>(
        &self,
        py: Python<'py>,
        position: &Position,
        every: bool,
        seconds: Option<f64>,
        report: Option<Py<PyAny>>,
    ) -> PyResult<Option<Bound<'py, PyDict>>> {
        self.check(position)?;
        let began = Instant::now();
        let solution = self.ask(py, seconds, report, |solver, watch| solver.solve(&*position.line, every, watch))?;
        let seconds = began.elapsed().as_secs_f64();
        solution.map(|solution| dict(py, &solution, seconds)).transpose()
    }

    fn scores(&self, py: Python<'_>, positions: Vec<PyRef<'_, Position>>) -> PyResult<Option<Vec<i32>>> {
        positions.iter().try_for_each(|position| self.check(position))?;
        let lines: Vec<&dyn AnyLine> = positions.iter().map(|position| &*position.line).collect();
        self.ask(py, None, None, |solver, watch| solver.scores(&lines, watch))
    }

    fn stop(&self) {
        self.stop.store(true, Relaxed);
    }

    fn clear(&self, py: Python<'_>) {
        py.detach(|| self.solver.lock().unwrap_or_else(PoisonError::into_inner).clear());
    }

    #[getter]
    fn bytes(&self, py: Python<'_>) -> usize {
        py.detach(|| self.solver.lock().unwrap_or_else(PoisonError::into_inner).bytes())
    }
}

impl Solver {
    fn check(&self, position: &Position) -> PyResult<()> {
        if position.shared.spec == self.spec {
            return Ok(());
        }
        let accepted = format!("a position of {}: this solver accepts positions of {}", position.shared.spec, self.spec);
        Err(ParseError::new_err(accepted))
    }

    /// What the solver says to a question, unless it is stopped before.
    fn ask<T: Send>(
        &self,
        py: Python<'_>,
        seconds: Option<f64>,
        report: Option<Py<PyAny>>,
        question: impl FnOnce(&mut dyn solution::Solver, &mut Interpreter<'_>) -> Result<Option<T>, Error> + Send,
    ) -> PyResult<Option<T>> {
        self.stop.store(false, Relaxed);
        let began = Instant::now();
        let time = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
        let mut watch = Interpreter {
            stop: &self.stop,
            report,
            deadline: time.and_then(|time| began.checked_add(time)),
            next_look: began + PATIENCE,
            next_report: began + EVERY,
            error: None,
        };
        let answer = py.detach(|| {
            let mut solver = self.solver.lock().unwrap_or_else(PoisonError::into_inner);
            question(&mut **solver, &mut watch)
        });
        match watch.error {
            Some(error) => Err(error),
            None => answer.map_err(raise),
        }
    }
}

fn dict<'py>(py: Python<'py>, solution: &Solution, seconds: f64) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("score", solution.score)?;
    dict.set_item("distance", solution.distance)?;
    let moves: Vec<_> = solution.moves.iter().map(|mv| (&mv.text, mv.score, mv.distance)).collect();
    dict.set_item("moves", moves)?;
    dict.set_item("nodes", solution.nodes)?;
    dict.set_item("seconds", seconds)?;
    Ok(dict)
}

/// The positions of a Connect Four book of this ply, in the order that their scores are wanted in.
#[pyfunction]
pub(crate) fn book_positions(py: Python<'_>, ply: u8) -> PyResult<Vec<String>> {
    py.detach(|| connect4::book_positions(ply)).map_err(raise)
}

/// The ply of the Connect Four book that a file is.
#[pyfunction]
pub(crate) fn book_ply(py: Python<'_>, book: &[u8]) -> PyResult<u32> {
    py.detach(|| Book::read(book)).map(|book| book.ply()).map_err(raise)
}

/// The file of a Connect Four book from the scores of its positions.
#[pyfunction]
pub(crate) fn write_book<'py>(py: Python<'py>, ply: u8, scores: Vec<i8>) -> PyResult<Bound<'py, PyBytes>> {
    let file = py.detach(|| Book::write(ply, &scores)).map_err(raise)?;
    Ok(PyBytes::new(py, &file))
}
