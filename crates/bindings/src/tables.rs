//! The class `Tables`, and functions that build tables and draw random endgames.

use std::path::PathBuf;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::time::Duration;

use plyground_documented::documented;
use plyground_engine::exact::checkers::{self, Control, Plan, ProbeResult, Value};
use plyground_engine::games::checkers::{Checkers, Draws};
use plyground_engine::rng::split;
use plyground_engine::{Notation as _, Rng as EngineRng};
use pyo3::call::PyCallArgs;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::errors::{TablesError, raise};
use crate::text::Text;

/// Interval between checks for Ctrl-C and between reports.
const POLL_INTERVAL: Duration = Duration::from_millis(50);
const MAX_THREADS: usize = 256;

/// A value and a distance as returned to Python.
type Answer = (&'static str, Option<u32>);

/// Checkers endgame tables.
#[documented]
#[pyclass(frozen, module = "plyground._engine")]
pub(crate) struct Tables {
    inner: &'static checkers::Tables,
}

fn to_python(result: ProbeResult) -> Answer {
    let value = match result.value {
        Value::Win => "win",
        Value::Draw => "draw",
        Value::Loss => "loss",
    };
    (value, result.distance)
}

/// Runs `work` in another thread while this one checks for Ctrl-C and calls `report`. Sets `stop` to interrupt the work.
fn run_observed<T: Send>(
    py: Python<'_>,
    stop: &AtomicBool,
    report: impl Fn() -> PyResult<()>,
    work: impl FnOnce() -> T + Send,
) -> PyResult<T> {
    std::thread::scope(|scope| {
        let worker = scope.spawn(work);
        let mut result = Ok(());
        while !worker.is_finished() {
            py.detach(|| std::thread::sleep(POLL_INTERVAL));
            if result.is_ok() {
                result = py.check_signals().and_then(|()| report());
                if result.is_err() {
                    stop.store(true, Relaxed);
                }
            }
        }
        let done = worker.join().map_err(|_| TablesError::new_err("a worker thread panicked"));
        result.and(done)
    })
}

/// Calls the report callback, if any.
fn call_report<'py>(py: Python<'py>, report: Option<&Py<PyAny>>, numbers: impl PyCallArgs<'py>) -> PyResult<()> {
    report.map_or(Ok(()), |report| report.call1(py, numbers).map(|_| ()))
}

fn check_threads(threads: usize) -> PyResult<()> {
    if (1..=MAX_THREADS).contains(&threads) {
        return Ok(());
    }
    Err(TablesError::new_err(format!("threads must be between 1 and {MAX_THREADS}, got {threads}")))
}

#[documented]
#[pymethods]
impl Tables {
    #[new]
    fn new(py: Python<'_>, folder: PathBuf) -> PyResult<Tables> {
        let tables = py.detach(|| checkers::Tables::open(&folder)).map_err(raise)?;
        Ok(Tables { inner: checkers::leak_tables(tables) })
    }

    #[getter]
    fn folder(&self) -> String {
        self.inner.folder().display().to_string()
    }

    #[getter]
    fn pieces(&self) -> u8 {
        self.inner.pieces()
    }

    #[getter]
    fn bytes(&self) -> u64 {
        self.inner.size()
    }

    fn activate(&self) {
        checkers::activate_tables(self.inner);
    }

    fn probe(&self, text: Text) -> PyResult<Option<Answer>> {
        let position = Checkers::start(Draws::English).parse(&text.0).map_err(raise)?;
        Ok(self.inner.probe(&position).map(to_python))
    }

    fn conversions(&self, py: Python<'_>, text: Text) -> PyResult<Option<Vec<Option<u32>>>> {
        let position = Checkers::start(Draws::English).parse(&text.0).map_err(raise)?;
        Ok(py.detach(|| self.inner.conversions(&position)))
    }

    fn counts<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let one = |count: checkers::Count| {
            let dict = PyDict::new(py);
            let (black, white) = (count.material.black, count.material.white);
            dict.set_item("pieces", count.material.pieces())?;
            for (name, value) in
                [("black_men", black.men), ("black_kings", black.kings), ("white_men", white.men), ("white_kings", white.kings)]
            {
                dict.set_item(name, value)?;
            }
            for (name, value) in [("wins", count.wins), ("draws", count.draws), ("losses", count.losses)] {
                dict.set_item(name, value)?;
            }
            Ok(dict)
        };
        self.inner.counts().into_iter().map(one).collect()
    }

    #[pyo3(signature = (pieces, samples, seed, *, threads=1, report=None))]
    fn verify(
        &self,
        py: Python<'_>,
        pieces: u8,
        samples: u64,
        seed: u64,
        threads: usize,
        report: Option<Py<PyAny>>,
    ) -> PyResult<Option<(String, Answer, Answer)>> {
        check_threads(threads)?;
        let (done, stop) = (AtomicU64::new(0), AtomicBool::new(false));
        let report_progress = || call_report(py, report.as_ref(), (done.load(Relaxed),));
        let share = samples.div_ceil(threads as u64);
        let wrong = run_observed(py, &stop, report_progress, || {
            std::thread::scope(|scope| {
                let one = |place: u64| self.inner.verify(pieces, share, split(seed, place), &done, &stop);
                let workers: Vec<_> = (0..threads as u64).map(|place| scope.spawn(move || one(place))).collect();
                workers.into_iter().filter_map(|worker| worker.join().ok().flatten()).next()
            })
        })?;
        Ok(wrong.map(|(position, stored, expected)| (position.to_string(), to_python(stored), to_python(expected))))
    }
}

/// Builds the missing tables for up to `pieces` pieces in a folder.
#[documented]
#[pyfunction]
#[pyo3(signature = (folder, pieces, *, threads=1, rebuild=false, report=None))]
pub(crate) fn build_tables(
    py: Python<'_>,
    folder: PathBuf,
    pieces: u8,
    threads: usize,
    rebuild: bool,
    report: Option<Py<PyAny>>,
) -> PyResult<()> {
    check_threads(threads)?;
    let control = Control::default();
    let report_progress = || call_report(py, report.as_ref(), (control.done.load(Relaxed), control.total.load(Relaxed)));
    let plan = Plan { folder, pieces, threads, again: rebuild };
    run_observed(py, &control.stop, report_progress, || plan.run(&control))?.map(|_| ()).map_err(raise)
}

/// A random checkers position with `pieces` pieces.
#[documented]
#[pyfunction]
pub(crate) fn random_endgame(pieces: u8, seed: u64) -> PyResult<String> {
    let position = checkers::random_position(pieces, &mut EngineRng::new(seed));
    let error = || TablesError::new_err(format!("pieces must be between 2 and {}, got {pieces}", checkers::MAX_PIECES));
    Ok(position.ok_or_else(error)?.to_string())
}
