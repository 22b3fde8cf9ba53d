//! The class `Solver`.

use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use plyground_documented::documented;
use plyground_engine::Error;
use plyground_engine::exact::connect4::{self, Book, SolverOptions};
use plyground_engine::exact::solution::{Observer, Progress, Solution};
use plyground_engine::interrupt::{self, Interrupt};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::erased::{self, AnyLine, AnySolver};
use crate::errors::{ParseError, raise};
use crate::game::Game;
use crate::position::Position;
use crate::seconds::duration;

/// Interval between checks for Ctrl-C.
const SIGNAL_INTERVAL: Duration = Duration::from_millis(50);
/// Interval between reports.
const REPORT_INTERVAL: Duration = Duration::from_millis(100);

/// An exact solver for one game.
#[documented]
#[pyclass(frozen, module = "plyground._engine")]
pub(crate) struct Solver {
    spec: String,
    solver: Mutex<Box<dyn AnySolver>>,
    stop: AtomicBool,
}

/// Observes a solver for Python: checks for Ctrl-C, `stop` and the deadline, and forwards reports.
struct PythonObserver<'a> {
    stop: &'a AtomicBool,
    report: Option<Py<PyAny>>,
    deadline: Option<Instant>,
    /// The interrupt in effect when the solver was called. Interrupts are thread-local, but the solver may call the observer from other threads.
    interrupt: Option<Arc<Interrupt>>,
    next_check: Instant,
    next_report: Instant,
    error: Option<PyErr>,
}

impl Observer for PythonObserver<'_> {
    fn should_stop(&mut self, progress: &Progress) -> bool {
        let now = Instant::now();
        if now >= self.next_check {
            self.next_check = now + SIGNAL_INTERVAL;
            self.error = self.error.take().or_else(|| Python::attach(|py| py.check_signals()).err());
        }
        if let Some(report) = &self.report
            && now >= self.next_report
        {
            self.next_report = now + REPORT_INTERVAL;
            let reported = Python::attach(|py| report.call1(py, (progress.low, progress.high, progress.nodes)).map(|_| ()));
            self.error = self.error.take().or(reported.err());
        }
        self.error.is_some()
            || self.stop.load(Relaxed)
            || self.deadline.is_some_and(|deadline| now >= deadline)
            || self.interrupt.as_ref().is_some_and(|interrupt| interrupt.check())
    }
}

#[documented]
#[pymethods]
impl Solver {
    #[new]
    #[pyo3(signature = (game, *, mebibytes=64, threads=1, book=None))]
    fn new(game: &Game, mebibytes: usize, threads: usize, book: Option<&[u8]>) -> PyResult<Solver> {
        if !(1..=1 << 20).contains(&mebibytes) {
            let message = format!("mebibytes must be between 1 and {}, got {mebibytes}", 1 << 20);
            return Err(ParseError::new_err(message));
        }
        if !(1..=256).contains(&threads) {
            return Err(ParseError::new_err(format!("threads must be between 1 and 256, got {threads}")));
        }
        let book = book.map(Book::read).transpose().map_err(raise)?.map(Arc::new);
        let (start, bytes) = (&*game.start().line, mebibytes << 20);
        let solver = erased::solver(start, SolverOptions { bytes, threads, book }).map_err(raise)?.ok_or_else(|| {
            ParseError::new_err(format!("no solver for {}; solvers exist for connect4 and tictactoe", game.shared.spec))
        })?;
        Ok(Solver { spec: game.shared.spec.clone(), solver: Mutex::new(solver), stop: AtomicBool::new(false) })
    }

    #[pyo3(signature = (position, *, all_moves=false, seconds=None, report=None))]
    fn solve<'py>(
        &self,
        py: Python<'py>,
        position: &Position,
        all_moves: bool,
        seconds: Option<f64>,
        report: Option<Py<PyAny>>,
    ) -> PyResult<Option<Bound<'py, PyDict>>> {
        self.check(position)?;
        let began = Instant::now();
        let solution = self.ask(py, seconds, report, |solver, observer| solver.solve(&*position.line, all_moves, observer))?;
        let seconds = began.elapsed().as_secs_f64();
        solution.map(|solution| dict(py, &solution, seconds)).transpose()
    }

    fn scores(&self, py: Python<'_>, positions: Vec<PyRef<'_, Position>>) -> PyResult<Option<Vec<i32>>> {
        positions.iter().try_for_each(|position| self.check(position))?;
        let lines: Vec<&dyn AnyLine> = positions.iter().map(|position| &*position.line).collect();
        self.ask(py, None, None, |solver, observer| solver.scores(&lines, observer))
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
        let message = format!("expected a {} position, got a {} position", self.spec, position.shared.spec);
        Err(ParseError::new_err(message))
    }

    /// Runs the solver. Returns `None` if it was stopped.
    fn ask<T: Send>(
        &self,
        py: Python<'_>,
        seconds: Option<f64>,
        report: Option<Py<PyAny>>,
        question: impl FnOnce(&mut dyn AnySolver, &mut PythonObserver<'_>) -> Result<Option<T>, Error> + Send,
    ) -> PyResult<Option<T>> {
        self.stop.store(false, Relaxed);
        let began = Instant::now();
        let time = seconds.map(|seconds| duration("seconds", seconds)).transpose()?;
        let mut observer = PythonObserver {
            stop: &self.stop,
            report,
            deadline: time.map(|time| began + time),
            interrupt: interrupt::current(),
            next_check: began + SIGNAL_INTERVAL,
            next_report: began + REPORT_INTERVAL,
            error: None,
        };
        let answer = py.detach(|| {
            let mut solver = self.solver.lock().unwrap_or_else(PoisonError::into_inner);
            question(&mut **solver, &mut observer)
        });
        match observer.error {
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

/// The positions in a Connect Four book for this ply, in the order of the scores in the book.
#[documented]
#[pyfunction]
pub(crate) fn book_positions(py: Python<'_>, ply: u8) -> PyResult<Vec<String>> {
    py.detach(|| connect4::book_positions(ply)).map_err(raise)
}

/// The ply of a Connect Four book file.
#[documented]
#[pyfunction]
pub(crate) fn book_ply(py: Python<'_>, book: &[u8]) -> PyResult<u32> {
    py.detach(|| Book::read(book)).map(|book| book.ply()).map_err(raise)
}

/// Creates a Connect Four book file from the scores of its positions.
#[documented]
#[pyfunction]
pub(crate) fn write_book<'py>(py: Python<'py>, ply: u8, scores: Vec<i8>) -> PyResult<Bound<'py, PyBytes>> {
    let file = py.detach(|| Book::write(ply, &scores)).map_err(raise)?;
    Ok(PyBytes::new(py, &file))
}
