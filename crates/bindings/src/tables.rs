//! The class `Tables`, and building them.

use std::path::PathBuf;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::time::Duration;

use plyground_engine::exact::checkers::{self, Control, Known, Plan, Value};
use plyground_engine::games::checkers::{Checkers, Draws};
use plyground_engine::rng::split;
use plyground_engine::{Position as _, Rng as EngineRng};
use pyo3::call::PyCallArgs;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::errors::{TablesError, raise};
use crate::text::Text;

/// Between two looks at Ctrl-C, and two reports.
const PATIENCE: Duration = Duration::from_millis(50);
const MOST_THREADS: usize = 256;

/// A value and a distance as Python sees them.
type Answer = (&'static str, Option<u32>);

/// Open endgame tables of checkers.
#[pyclass(frozen, module = "plyground._engine")]
pub(crate) struct Tables {
    inner: &'static checkers::Tables,
}

fn answer(known: Known) -> Answer {
    let word = match known.value {
        Value::Win => "win",
        Value::Draw => "draw",
        Value::Loss => "loss",
    };
    (word, known.distance)
}

/// Runs work in a thread of its own while this one looks at Ctrl-C and reports; `stop` makes the work end soon.
fn watched<T: Send>(
    py: Python<'_>,
    stop: &AtomicBool,
    tell: impl Fn() -> PyResult<()>,
    work: impl FnOnce() -> T + Send,
) -> PyResult<T> {
    std::thread::scope(|scope| {
        let worker = scope.spawn(work);
        let mut trouble = Ok(());
        while !worker.is_finished() {
            py.detach(|| std::thread::sleep(PATIENCE));
            if trouble.is_ok() {
                trouble = py.check_signals().and_then(|()| tell());
                if trouble.is_err() {
                    stop.store(true, Relaxed);
                }
            }
        }
        let done = worker.join().map_err(|_| TablesError::new_err("a thread of the tables ended before its work"));
        trouble.and(done)
    })
}

/// Calls what is to be told of the work, where somebody wants to be.
fn told<'py>(py: Python<'py>, report: Option<&Py<PyAny>>, numbers: impl PyCallArgs<'py>) -> PyResult<()> {
    report.map_or(Ok(()), |report| report.call1(py, numbers).map(|_| ()))
}

fn check_threads(threads: usize) -> PyResult<()> {
    if (1..=MOST_THREADS).contains(&threads) {
        return Ok(());
    }
    Err(TablesError::new_err(format!("threads={threads}: accepted is a whole number from 1 to {MOST_THREADS}")))
}

#[pymethods]
impl Tables {
    #[new]
    fn new(py: Python<'_>, folder: PathBuf) -> PyResult<Tables> {
        let tables = py.detach(|| checkers::Tables::open(&folder)).map_err(raise)?;
        Ok(Tables { inner: checkers::keep(tables) })
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

    #[pyo3(name = "use")]
    fn use_them(&self) {
        checkers::use_tables(self.inner);
    }

    fn probe(&self, text: Text) -> PyResult<Option<Answer>> {
        let position = Checkers::start(Draws::English).parse(&text.0).map_err(raise)?;
        Ok(self.inner.probe(&position).map(answer))
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
        let tell = || told(py, report.as_ref(), (done.load(Relaxed),));
        let share = samples.div_ceil(threads as u64);
        let wrong = watched(py, &stop, tell, || {
            std::thread::scope(|scope| {
                let one = |place: u64| self.inner.verify(pieces, share, split(seed, place), &done, &stop);
                let workers: Vec<_> = (0..threads as u64).map(|place| scope.spawn(move || one(place))).collect();
                workers.into_iter().filter_map(|worker| worker.join().ok().flatten()).next()
            })
        })?;
        Ok(wrong.map(|(position, said, found)| (position.to_string(), answer(said), answer(found))))
    }
}

/// Builds the tables of up to so many pieces that are missing in a folder.
#[pyfunction]
#[pyo3(signature = (folder, pieces, *, threads=1, again=false, report=None))]
pub(crate) fn build_tables(
    py: Python<'_>,
    folder: PathBuf,
    pieces: u8,
    threads: usize,
    again: bool,
    report: Option<Py<PyAny>>,
) -> PyResult<()> {
    check_threads(threads)?;
    let control = Control::default();
    let tell = || told(py, report.as_ref(), (control.done.load(Relaxed), control.total.load(Relaxed)));
    let plan = Plan { folder, pieces, threads, again };
    watched(py, &control.stop, tell, || plan.run(&control))?.map(|_| ()).map_err(raise)
}

/// A position of checkers with so many pieces: the material drawn first, each as likely, then the squares.
#[pyfunction]
pub(crate) fn random_ending(pieces: u8, seed: u64) -> PyResult<String> {
    let position = checkers::random_position(pieces, &mut EngineRng::new(seed));
    let accepted = || TablesError::new_err(format!("{pieces} pieces: accepted is 2 to {}", checkers::MOST_PIECES));
    Ok(position.ok_or_else(accepted)?.to_string())
}
