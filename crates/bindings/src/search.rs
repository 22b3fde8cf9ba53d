//! The class `Search`.

use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use plyground_engine::erased::AnySearch;
use plyground_engine::search::analysis::{MoveThought, Thought};
use plyground_engine::search::config::{Config, TUNABLES};
use plyground_engine::search::evaluator::{Evaluator, Judges};
use plyground_engine::search::node::Proof;
use plyground_engine::search::run::{Budget, Pause, Threads};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::errors::{ParseError, raise};
use crate::evaluator::PythonEvaluator;
use crate::game::Shared;
use crate::own::Failures;
use crate::position::Position;
use crate::text::Text;
use crate::weights::Weights;

/// Between two looks at Ctrl-C.
const PATIENCE: Duration = Duration::from_millis(50);
/// The first report comes no later.
const FIRST: Duration = Duration::from_millis(10);
const FOREVER: Duration = Duration::from_secs(1 << 30);

/// A tree search that can be run, stopped, asked and moved on.
#[pyclass(frozen, module = "plyground._engine")]
pub(crate) struct Search {
    shared: Arc<Shared>,
    search: Mutex<Box<dyn AnySearch>>,
    stop: Arc<AtomicBool>,
    /// What went wrong in the evaluator.
    failures: Arc<Failures>,
}

impl Search {
    /// The search itself; a thread that panicked in it left it no worse than stopped.
    fn lock(&self) -> MutexGuard<'_, Box<dyn AnySearch>> {
        self.search.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn proof<'py>(&self, py: Python<'py>, proof: Option<Proof>) -> PyResult<Option<Bound<'py, PyDict>>> {
        proof
            .map(|proof| {
                let dict = PyDict::new(py);
                dict.set_item("winner", proof.winner.map(|side| self.shared.side(side)))?;
                dict.set_item("distance", proof.distance)?;
                Ok(dict)
            })
            .transpose()
    }

    fn move_dict<'py>(&self, py: Python<'py>, thought: &MoveThought) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        dict.set_item("move", &thought.text)?;
        dict.set_item("visits", thought.visits)?;
        dict.set_item("value", thought.value)?;
        dict.set_item("prior", thought.prior)?;
        dict.set_item("proof", self.proof(py, thought.proof)?)?;
        dict.set_item("line", &thought.line)?;
        Ok(dict)
    }

    fn dict<'py>(&self, py: Python<'py>, thought: &Thought) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        let moves: Vec<_> = thought.moves.iter().map(|thought| self.move_dict(py, thought)).collect::<PyResult<_>>()?;
        dict.set_item("moves", moves)?;
        dict.set_item("best", thought.best)?;
        dict.set_item("value", thought.value)?;
        dict.set_item("proof", self.proof(py, thought.proof)?)?;
        dict.set_item("simulations", thought.work.simulations)?;
        dict.set_item("depth", thought.work.depth as f64 / thought.work.simulations.max(1) as f64)?;
        dict.set_item("deepest", thought.work.deepest)?;
        dict.set_item("results", thought.work.results)?;
        dict.set_item("lengths", thought.work.lengths)?;
        dict.set_item("seconds", thought.seconds)?;
        dict.set_item("nodes", thought.nodes)?;
        dict.set_item("bytes", thought.bytes)?;
        Ok(dict)
    }
}

#[pymethods]
impl Search {
    #[new]
    #[pyo3(signature = (position, options=Vec::new(), *, evaluator=None, weights=None, threads=1, workers=1, mebibytes=256), text_signature = "(position, options=(), *, evaluator=None, weights=None, threads=1, workers=1, mebibytes=256)")]
    fn new(
        position: &Position,
        options: Vec<(Text, Text)>,
        evaluator: Option<Py<PyAny>>,
        weights: Option<&Weights>,
        threads: usize,
        workers: usize,
        mebibytes: usize,
    ) -> PyResult<Search> {
        let mut config = Config::default();
        let tuned = position.line.tuning().iter().copied();
        for (key, value) in tuned.chain(options.iter().map(|(key, value)| (&*key.0, &*value.0))) {
            config.set(key, value).map_err(raise)?;
        }
        let within = |what: &str, value: usize, most: usize| match (1..=most).contains(&value) {
            true => Ok(()),
            false => Err(ParseError::new_err(format!("{what}={value}: accepted is a whole number from 1 to {most}"))),
        };
        within("threads", threads, 256)?;
        within("workers", workers, 256)?;
        within("mebibytes", mebibytes, 1 << 20)?;
        let threads = match (threads, workers) {
            (threads, 1) => Threads::Together(threads),
            (1, workers) => Threads::Apart(workers),
            _ => {
                return Err(ParseError::new_err(
                    "threads and workers are two ways to search in parallel; accepted is one of them",
                ));
            }
        };
        let (shared, failures, stop) = (position.shared.clone(), Arc::<Failures>::default(), Arc::<AtomicBool>::default());
        let evaluator = evaluator.map(|callable| {
            let (shared, failures, stop) = (shared.clone(), failures.clone(), stop.clone());
            Arc::new(PythonEvaluator { shared, callable, failures, stop }) as Arc<dyn Evaluator>
        });
        let weights = weights.map(|weights| weights.of(position).map(|_| weights.inner.clone())).transpose()?;
        let judges = Judges { evaluator, weights };
        let search = shared.ask(|| position.line.search(config, judges, threads, mebibytes << 20))?.map_err(raise)?;
        Ok(Search { shared, search: Mutex::new(search), stop, failures })
    }

    #[pyo3(signature = (*, simulations=None, seconds=None, seed, report=None, every=0.1))]
    fn run<'py>(
        &self,
        py: Python<'py>,
        simulations: Option<u64>,
        seconds: Option<f64>,
        seed: u64,
        report: Option<Bound<'py, PyAny>>,
        every: f64,
    ) -> PyResult<Bound<'py, PyDict>> {
        if simulations.is_none() && seconds.is_none() {
            return Err(ParseError::new_err("a search needs a limit; accepted are simulations, seconds or both"));
        }
        let span = |seconds: f64| Duration::try_from_secs_f64(seconds).unwrap_or(FOREVER).min(FOREVER);
        let budget = Budget { simulations: simulations.unwrap_or(u64::MAX), time: seconds.map_or(FOREVER, span) };
        let every = span(every.max(0.001));
        self.stop.store(false, Relaxed);
        let failures = self.failures.count();
        py.detach(|| self.lock().begin(budget, seed));
        let mut due = Instant::now() + if report.is_some() { every.min(FIRST) } else { FOREVER };
        loop {
            let worked = self.shared.ask(|| {
                py.detach(|| {
                    let mut search = self.lock();
                    let pause = search.work(due.min(Instant::now() + PATIENCE), &self.stop);
                    let wanted = pause != Pause::Report || Instant::now() >= due;
                    (pause, wanted.then(|| search.thought()))
                })
            });
            // What a tree learnt from rules or an evaluator that failed is not to be trusted.
            let worked = worked.and_then(|done| self.failures.since(failures).map(|()| done));
            let (pause, thought) = worked.inspect_err(|_| self.clear(py))?;
            py.check_signals()?;
            let Some(thought) = thought else {
                continue;
            };
            let dict = self.dict(py, &thought)?;
            if pause != Pause::Report {
                return Ok(dict);
            }
            if let Some(report) = &report {
                report.call1((dict,))?;
                due = (due + every).max(Instant::now());
            }
        }
    }

    fn stop(&self) {
        self.stop.store(true, Relaxed);
    }

    fn thought<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let thought = self.shared.ask(|| py.detach(|| self.lock().thought()))?;
        self.dict(py, &thought)
    }

    fn top<'py>(&self, py: Python<'py>, count: usize) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let nodes = self.shared.ask(|| py.detach(|| self.lock().top(count)))?;
        let node_dict = |node: &plyground_engine::search::analysis::TreeNode| {
            let dict = PyDict::new(py);
            dict.set_item("parent", node.parent)?;
            dict.set_item("move", &node.text)?;
            dict.set_item("turn", self.shared.side(node.turn))?;
            dict.set_item("visits", node.visits)?;
            dict.set_item("value", node.value)?;
            dict.set_item("total", node.total)?;
            dict.set_item("minimax", node.minimax)?;
            dict.set_item("bonus", node.bonus)?;
            dict.set_item("proof", self.proof(py, node.proof)?)?;
            dict.set_item("children", node.children)?;
            Ok(dict)
        };
        nodes.iter().map(node_dict).collect()
    }

    fn move_to(&self, py: Python<'_>, position: &Position) -> PyResult<()> {
        self.shared.ask(|| py.detach(|| self.lock().move_to(&*position.line)))?.map_err(raise)
    }

    fn clear(&self, py: Python<'_>) {
        py.detach(|| self.lock().clear());
    }

    fn dump<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &py.detach(|| self.lock().dump()))
    }

    fn restore(&self, py: Python<'_>, dumped: &[u8]) -> PyResult<()> {
        self.shared.ask(|| py.detach(|| self.lock().restore(dumped)))?.map_err(raise)
    }
}

/// Name, default, what is accepted and what it does, of every option of a search.
#[pyfunction]
pub(crate) fn search_options() -> Vec<(&'static str, String, String, &'static str)> {
    TUNABLES.iter().map(|option| (option.name, (option.default)(), (option.accepted)(), option.about.trim())).collect()
}
