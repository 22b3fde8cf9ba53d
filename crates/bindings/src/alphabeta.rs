//! The class `AlphaBeta`.

use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

use plyground_engine::search::alphabeta::config::TUNABLES;
use plyground_engine::search::alphabeta::{self, Config, Limits, MOST_PLIES, Outlook, Watch};
use plyground_engine::search::node::Proof;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::errors::{ParseError, raise};
use crate::position::Position;
use crate::text::Text;
use crate::weights::Weights;

type Dict<'py> = Bound<'py, PyDict>;

/// Between two looks at Ctrl-C.
const PATIENCE: Duration = Duration::from_millis(50);

/// An alpha-beta search that can be run and stopped.
#[pyclass(frozen, module = "plyground._engine")]
pub(crate) struct AlphaBeta {
    position: Py<Position>,
    config: Config,
    weights: Option<Py<Weights>>,
    mebibytes: usize,
    stop: AtomicBool,
}

/// Looks on for Python: at Ctrl-C, at `stop`, and passes reports on.
struct Interpreter<'a> {
    search: &'a AlphaBeta,
    report: Option<Py<PyAny>>,
    next_look: Instant,
    error: Option<PyErr>,
}

impl Interpreter<'_> {
    fn tell(&mut self, result: PyResult<()>) {
        if let Err(error) = result {
            self.error.get_or_insert(error);
        }
    }
}

impl Watch for Interpreter<'_> {
    fn wants_stop(&mut self) -> bool {
        if Instant::now() >= self.next_look {
            let signals = Python::attach(|py| py.check_signals());
            self.tell(signals);
            self.next_look = Instant::now() + PATIENCE;
        }
        self.error.is_some() || self.search.stop.load(Relaxed)
    }

    fn wants_reports(&self) -> bool {
        self.report.is_some()
    }

    fn report(&mut self, outlook: &Outlook) {
        if let Some(report) = &self.report {
            let told = Python::attach(|py| report.call1(py, (self.search.dict(py, outlook)?,)).map(|_| ()));
            self.tell(told);
        }
    }
}

impl AlphaBeta {
    fn proof<'py>(&self, py: Python<'py>, proof: Option<Proof>) -> PyResult<Option<Dict<'py>>> {
        let Some(proof) = proof else {
            return Ok(None);
        };
        let dict = PyDict::new(py);
        dict.set_item("winner", proof.winner.map(|side| self.position.get().shared.side(side)))?;
        dict.set_item("distance", proof.distance)?;
        Ok(Some(dict))
    }

    fn dict<'py>(&self, py: Python<'py>, outlook: &Outlook) -> PyResult<Dict<'py>> {
        let mut moves = Vec::new();
        for thought in &outlook.moves {
            let dict = PyDict::new(py);
            dict.set_item("move", &thought.text)?;
            dict.set_item("score", thought.score.map(|(score, _)| score))?;
            dict.set_item("bound", thought.score.map(|(_, bound)| word(bound)))?;
            dict.set_item("proof", self.proof(py, thought.proof)?)?;
            dict.set_item("line", &thought.line)?;
            moves.push(dict);
        }
        let dict = PyDict::new(py);
        dict.set_item("moves", moves)?;
        dict.set_item("best", outlook.best)?;
        dict.set_item("score", outlook.score)?;
        dict.set_item("proof", self.proof(py, outlook.proof)?)?;
        dict.set_item("depth", outlook.depth)?;
        dict.set_item("deepest", outlook.deepest)?;
        dict.set_item("nodes", outlook.nodes)?;
        dict.set_item("cutoffs", outlook.cutoffs)?;
        dict.set_item("seconds", outlook.seconds)?;
        dict.set_item("bytes", outlook.bytes)?;
        Ok(dict)
    }
}

fn word(bound: alphabeta::Bound) -> &'static str {
    match bound {
        alphabeta::Bound::Exact => "exact",
        alphabeta::Bound::Lower => "lower",
        alphabeta::Bound::Upper => "upper",
    }
}

#[pymethods]
impl AlphaBeta {
    #[new]
    #[pyo3(signature = (position, options=Vec::new(), *, weights=None, mebibytes=64),
           text_signature = "(position, options=(), *, weights=None, mebibytes=64)")]
    fn new(
        position: Py<Position>,
        options: Vec<(Text, Text)>,
        weights: Option<Py<Weights>>,
        mebibytes: usize,
    ) -> PyResult<AlphaBeta> {
        if let Some(weights) = &weights {
            weights.get().of(position.get())?;
        }
        let mut config = Config::default();
        for (key, value) in &options {
            config.set(&key.0, &value.0).map_err(raise)?;
        }
        if !(1..=1 << 20).contains(&mebibytes) {
            let accepted = format!("mebibytes={mebibytes}: accepted is a whole number from 1 to {}", 1 << 20);
            return Err(ParseError::new_err(accepted));
        }
        Ok(AlphaBeta { position, config, weights, mebibytes, stop: AtomicBool::new(false) })
    }

    #[pyo3(signature = (*, depth=None, seconds=None, report=None))]
    fn run<'py>(
        &self,
        py: Python<'py>,
        depth: Option<u32>,
        seconds: Option<f64>,
        report: Option<Py<PyAny>>,
    ) -> PyResult<Dict<'py>> {
        if depth.is_none() && seconds.is_none() {
            return Err(ParseError::new_err("a search needs a limit; accepted are depth, seconds or both"));
        }
        let limits = Limits {
            depth: depth.unwrap_or(MOST_PLIES as u32),
            time: seconds.map_or(Duration::MAX, |seconds| Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX)),
            bytes: self.mebibytes << 20,
        };
        self.stop.store(false, Relaxed);
        let mut watch = Interpreter { search: self, report, next_look: Instant::now() + PATIENCE, error: None };
        let position = self.position.get();
        let weights = self.weights.as_ref().map(|weights| weights.get().of(position)).transpose()?;
        let outlook = py.detach(|| position.line.alphabeta_by(&self.config, weights, &limits, &mut watch)).map_err(raise)?;
        match watch.error {
            Some(error) => Err(error),
            None => self.dict(py, &outlook),
        }
    }

    fn stop(&self) {
        self.stop.store(true, Relaxed);
    }
}

/// Name, default, what is accepted and what it does, of every option of an alpha-beta search.
#[pyfunction]
pub(crate) fn alphabeta_options() -> Vec<(&'static str, String, String, &'static str)> {
    TUNABLES.iter().map(|option| (option.name, (option.default)(), (option.accepted)(), option.about.trim())).collect()
}
