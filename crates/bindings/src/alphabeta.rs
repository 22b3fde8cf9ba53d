//! The class `AlphaBeta`.

use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use plyground_documented::documented;
use plyground_engine::ProvenValue;
use plyground_engine::interrupt::Interrupt;
use plyground_engine::search::alphabeta::config::TUNABLES;
use plyground_engine::search::alphabeta::{Config, Engine, Limits, MAX_PLIES, Observer};
use plyground_engine::search::analysis::{self, Analysis};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::errors::{ParseError, raise};
use crate::game::Shared;
use crate::network::{AnyEvaluation, LeafEvaluation};
use crate::options::{OptionFacts, option_facts};
use crate::position::Position;
use crate::seconds::duration;
use crate::text::Text;
use crate::user_game::run_within;

type Dict<'py> = Bound<'py, PyDict>;

/// Interval between checks for Ctrl-C.
const SIGNAL_INTERVAL: Duration = Duration::from_millis(50);

/// An alpha-beta search that keeps its transposition table between runs.
#[documented]
#[pyclass(frozen, module = "plyground._engine")]
pub(crate) struct AlphaBeta {
    shared: Arc<Shared>,
    position: Mutex<Py<Position>>,
    engine: Mutex<Engine>,
    evaluation: Option<LeafEvaluation>,
    mebibytes: usize,
    stop: Arc<AtomicBool>,
}

/// Observes a search for Python: checks for Ctrl-C and `stop`, and forwards reports.
struct PythonObserver<'a> {
    search: &'a AlphaBeta,
    report: Option<Py<PyAny>>,
    next_check: Instant,
    error: Option<PyErr>,
}

impl PythonObserver<'_> {
    /// Keeps the first error.
    fn keep_error(&mut self, result: PyResult<()>) {
        if let Err(error) = result {
            self.error.get_or_insert(error);
        }
    }
}

impl Observer for PythonObserver<'_> {
    fn should_stop(&mut self) -> bool {
        if Instant::now() >= self.next_check {
            let signals = Python::attach(|py| py.check_signals());
            self.keep_error(signals);
            self.next_check = Instant::now() + SIGNAL_INTERVAL;
        }
        self.error.is_some() || self.search.stop.load(Relaxed)
    }

    fn wants_reports(&self) -> bool {
        self.report.is_some()
    }

    fn report(&mut self, analysis: &Analysis) {
        if let Some(report) = &self.report {
            let reported = Python::attach(|py| report.call1(py, (self.search.dict(py, analysis)?,)).map(|_| ()));
            self.keep_error(reported);
        }
    }
}

impl AlphaBeta {
    /// Locks the engine. A panic in another thread leaves it stopped but consistent.
    fn lock(&self) -> MutexGuard<'_, Engine> {
        self.engine.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn proven<'py>(&self, py: Python<'py>, proven: Option<ProvenValue>) -> PyResult<Option<Dict<'py>>> {
        let Some(proven) = proven else {
            return Ok(None);
        };
        let dict = PyDict::new(py);
        dict.set_item("winner", proven.winner.map(|side| self.shared.side(side)))?;
        dict.set_item("distance", proven.distance)?;
        Ok(Some(dict))
    }

    fn dict<'py>(&self, py: Python<'py>, analysis: &Analysis) -> PyResult<Dict<'py>> {
        let mut moves = Vec::new();
        for mv in &analysis.moves {
            let dict = PyDict::new(py);
            dict.set_item("move", &mv.text)?;
            dict.set_item("score", mv.score.map(|(score, _)| score))?;
            dict.set_item("bound", mv.score.map(|(_, bound)| bound_name(bound)))?;
            dict.set_item("proven", self.proven(py, mv.proven)?)?;
            dict.set_item("pv", &mv.pv)?;
            moves.push(dict);
        }
        let dict = PyDict::new(py);
        dict.set_item("moves", moves)?;
        dict.set_item("best", analysis.best)?;
        dict.set_item("score", analysis.score)?;
        dict.set_item("proven", self.proven(py, analysis.proven)?)?;
        dict.set_item("depth", analysis.stats.depth)?;
        dict.set_item("max_depth", analysis.stats.max_depth)?;
        dict.set_item("nodes", analysis.nodes)?;
        dict.set_item("cutoffs", analysis.stats.cutoffs)?;
        dict.set_item("table_used", analysis.stats.table_used)?;
        dict.set_item("seconds", analysis.seconds)?;
        dict.set_item("bytes", analysis.bytes + self.shared.state_bytes())?;
        Ok(dict)
    }
}

fn bound_name(bound: analysis::Bound) -> &'static str {
    match bound {
        analysis::Bound::Exact => "exact",
        analysis::Bound::Lower => "lower",
        analysis::Bound::Upper => "upper",
    }
}

#[documented]
#[pymethods]
impl AlphaBeta {
    #[new]
    #[pyo3(signature = (position, options=Vec::new(), *, weights=None, mebibytes=64, threads=1),
           text_signature = "(position, options=(), *, weights=None, mebibytes=64, threads=1)")]
    fn new(
        position: Py<Position>,
        options: Vec<(Text, Text)>,
        weights: Option<LeafEvaluation>,
        mebibytes: usize,
        threads: usize,
    ) -> PyResult<AlphaBeta> {
        if let Some(weights) = &weights {
            weights.check(position.get())?;
        }
        let mut config = Config::default();
        for (key, value) in &options {
            config.set(&key.0, &value.0).map_err(raise)?;
        }
        for (what, value, most) in [("mebibytes", mebibytes, 1 << 20), ("threads", threads, 256)] {
            if !(1..=most).contains(&value) {
                return Err(ParseError::new_err(format!("{what} must be between 1 and {most}, got {value}")));
            }
        }
        Ok(AlphaBeta {
            shared: position.get().shared.clone(),
            position: Mutex::new(position),
            engine: Mutex::new(Engine::new(config, threads)),
            evaluation: weights,
            mebibytes,
            stop: Arc::default(),
        })
    }

    #[pyo3(signature = (*, depth=None, nodes=None, seconds=None, root_moves=Vec::new(), report=None),
           text_signature = "($self, *, depth=None, nodes=None, seconds=None, root_moves=(), report=None)")]
    fn run<'py>(
        &self,
        py: Python<'py>,
        depth: Option<u32>,
        nodes: Option<u64>,
        seconds: Option<f64>,
        root_moves: Vec<Text>,
        report: Option<Py<PyAny>>,
    ) -> PyResult<Dict<'py>> {
        if depth.is_none() && nodes.is_none() && seconds.is_none() {
            return Err(ParseError::new_err("a search needs a limit; pass depth, nodes or seconds"));
        }
        let bytes = self.mebibytes << 20;
        let time = seconds.map(|seconds| duration("seconds", seconds)).transpose()?;
        let limits = Limits {
            depth: depth.unwrap_or(MAX_PLIES as u32),
            nodes: nodes.unwrap_or(u64::MAX),
            time: time.unwrap_or(Duration::MAX),
            bytes: self.shared.search_bytes(bytes),
        };
        self.stop.store(false, Relaxed);
        let interrupt = Interrupt::new(time.map(|time| Instant::now() + time), Some(self.stop.clone()));
        let _grant = self.shared.grant_state_bytes(bytes);
        let mut observer = PythonObserver { search: self, report, next_check: Instant::now() + SIGNAL_INTERVAL, error: None };
        let position = self.position.lock().unwrap_or_else(PoisonError::into_inner).clone_ref(py);
        let position = position.get();
        let texts: Vec<&str> = root_moves.iter().map(|mv| &*mv.0).collect();
        let indices = self.shared.ask(|| position.line.move_indices(&texts))?.map_err(raise)?;
        let evaluation = match &self.evaluation {
            Some(evaluation) => evaluation.of(position)?,
            None => AnyEvaluation::Heuristic,
        };
        let analysis = run_within(&interrupt, || {
            py.detach(|| {
                let mut engine = self.lock();
                engine.set_root_moves(indices);
                position.line.alphabeta(&mut engine, evaluation, &limits, &mut observer)
            })
        });
        // After an exception in the rules, the table may contain invalid values.
        let analysis = analysis.inspect_err(|_| self.clear(py));
        match observer.error {
            Some(error) => Err(error),
            None => self.dict(py, &analysis?.map_err(raise)?),
        }
    }

    fn move_to(&self, position: Py<Position>) -> PyResult<()> {
        let (one, other) = (&self.shared, &position.get().shared);
        // Different user games may have the same spec.
        let is_built_in = one.is_built_in() && other.is_built_in();
        if !Arc::ptr_eq(one, other) && (one.spec != other.spec || !is_built_in) {
            return Err(ParseError::new_err("the position and the search belong to different games"));
        }
        *self.position.lock().unwrap_or_else(PoisonError::into_inner) = position;
        Ok(())
    }

    fn clear(&self, py: Python<'_>) {
        py.detach(|| self.lock().clear());
    }

    fn stop(&self) {
        self.stop.store(true, Relaxed);
    }
}

/// The options of the alpha-beta search.
#[documented]
#[pyfunction]
pub(crate) fn alphabeta_options() -> Vec<OptionFacts> {
    option_facts(TUNABLES)
}
