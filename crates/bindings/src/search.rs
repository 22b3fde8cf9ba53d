//! The class `Search`.

use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use plyground_documented::documented;
use plyground_engine::ProvenValue;
use plyground_engine::evaluate::QBatch;
use plyground_engine::evaluate::network::NetworkBatch;
use plyground_engine::interrupt::Interrupt;
use plyground_engine::search::analysis::{Analysis, MoveAnalysis, TreeNode};
use plyground_engine::search::config::{Config, TUNABLES};
use plyground_engine::search::mcts::{Budget, RunStatus, Threads};
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyBytes, PyDict};

use crate::erased::AnySearch;
use crate::errors::{ParseError, raise};
use crate::evaluator::{LeafEvaluator, PythonEvaluator};
use crate::game::Shared;
use crate::network::Network;
use crate::options::{OptionFacts, option_facts};
use crate::position::Position;
use crate::qlearning::QTable;
use crate::seconds::{FOREVER, duration};
use crate::text::Text;
use crate::user_game::run_within;
use crate::weights::Weights;

/// Interval between checks for Ctrl-C.
const SIGNAL_INTERVAL: Duration = Duration::from_millis(50);
/// Minimum interval between reports.
const MIN_INTERVAL: Duration = Duration::from_millis(1);
/// Maximum delay of the first report.
const FIRST_REPORT: Duration = Duration::from_millis(10);

/// A Monte Carlo tree search.
#[documented]
#[pyclass(frozen, module = "plyground._engine")]
pub(crate) struct Search {
    shared: Arc<Shared>,
    search: Mutex<Box<dyn AnySearch>>,
    /// The name and value of every option.
    options: Vec<(&'static str, String)>,
    stop: Arc<AtomicBool>,
    /// The total memory limit of the trees and, in a user game, the cached states.
    max_bytes: usize,
}

impl Search {
    /// Locks the search. A panic in another thread leaves it stopped but consistent.
    fn lock(&self) -> MutexGuard<'_, Box<dyn AnySearch>> {
        self.search.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn proven<'py>(&self, py: Python<'py>, proven: Option<ProvenValue>) -> PyResult<Option<Bound<'py, PyDict>>> {
        proven
            .map(|proven| {
                let dict = PyDict::new(py);
                dict.set_item("winner", proven.winner.map(|side| self.shared.side(side)))?;
                dict.set_item("distance", proven.distance)?;
                Ok(dict)
            })
            .transpose()
    }

    fn move_dict<'py>(&self, py: Python<'py>, mv: &MoveAnalysis) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        dict.set_item("move", &mv.text)?;
        dict.set_item("visits", mv.visits)?;
        dict.set_item("value", mv.value)?;
        dict.set_item("prior", mv.prior)?;
        dict.set_item("proven", self.proven(py, mv.proven)?)?;
        dict.set_item("pv", &mv.pv)?;
        Ok(dict)
    }

    fn dict<'py>(&self, py: Python<'py>, analysis: &Analysis) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        let moves: Vec<_> = analysis.moves.iter().map(|mv| self.move_dict(py, mv)).collect::<PyResult<_>>()?;
        dict.set_item("moves", moves)?;
        dict.set_item("best", analysis.best)?;
        dict.set_item("value", analysis.value)?;
        dict.set_item("proven", self.proven(py, analysis.proven)?)?;
        dict.set_item("simulations", analysis.stats.simulations)?;
        dict.set_item("mean_depth", analysis.stats.mean_depth())?;
        dict.set_item("max_depth", analysis.stats.max_depth)?;
        dict.set_item("playout_results", analysis.stats.playout_results)?;
        dict.set_item("playout_lengths", analysis.stats.playout_lengths)?;
        dict.set_item("mean_playout_length", analysis.stats.mean_playout_length())?;
        dict.set_item("mean_playout_score", analysis.stats.mean_playout_score())?;
        dict.set_item("seconds", analysis.seconds)?;
        dict.set_item("nodes", analysis.nodes)?;
        dict.set_item("bytes", analysis.bytes + self.shared.state_bytes())?;
        Ok(dict)
    }
}

#[documented]
#[pymethods]
impl Search {
    #[new]
    #[pyo3(signature = (position, options=Vec::new(), *, evaluator=None, network=None, q_table=None, weights=None, threads=1, workers=1, mebibytes=256),
           text_signature = "(position, options=(), *, evaluator=None, network=None, q_table=None, weights=None, threads=1, workers=1, mebibytes=256)")]
    #[allow(clippy::too_many_arguments)]
    fn new(
        position: &Position,
        options: Vec<(Text, Text)>,
        evaluator: Option<Py<PyAny>>,
        network: Option<&Network>,
        q_table: Option<&QTable>,
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
            false => Err(ParseError::new_err(format!("{what} must be between 1 and {most}, got {value}"))),
        };
        within("threads", threads, 256)?;
        within("workers", workers, 256)?;
        within("mebibytes", mebibytes, 1 << 20)?;
        let threads = match (threads, workers) {
            (threads, 1) => Threads::SharedTree(threads),
            (1, workers) => Threads::SeparateTrees(workers),
            _ => {
                return Err(ParseError::new_err("threads and workers cannot be combined"));
            }
        };
        let (shared, stop) = (position.shared.clone(), Arc::<AtomicBool>::default());
        let evaluator = match (evaluator, network, q_table) {
            (None, None, None) => None,
            (Some(callable), None, None) => {
                let (shared, stop) = (shared.clone(), stop.clone());
                Some(LeafEvaluator::Python(PythonEvaluator { shared, callable, stop }))
            }
            (None, Some(network), None) => {
                network.of(position)?;
                Some(LeafEvaluator::Network(NetworkBatch::new(network.inner.clone(), config.prior_temperature)))
            }
            (None, None, Some(table)) => Some(LeafEvaluator::QValues(QBatch(table.of(position)?))),
            _ => return Err(ParseError::new_err("evaluator, network and q_table cannot be combined")),
        };
        let weights = weights.map(|weights| weights.of(position).map(|_| weights.inner.clone())).transpose()?;
        let max_bytes = mebibytes << 20;
        let tree_bytes = shared.search_bytes(max_bytes);
        let values = config.values();
        let search = shared.ask(|| position.line.search(config, evaluator, weights, threads, tree_bytes))?.map_err(raise)?;
        Ok(Search { shared, search: Mutex::new(search), options: values, stop, max_bytes })
    }

    #[pyo3(signature = (*, simulations=None, seconds=None, seed, root_moves=Vec::new(), report=None, report_interval=0.1), text_signature = "($self, *, simulations=None, seconds=None, seed, root_moves=(), report=None, report_interval=0.1)")]
    #[expect(clippy::too_many_arguments, reason = "keyword arguments in Python")]
    fn run<'py>(
        &self,
        py: Python<'py>,
        simulations: Option<u64>,
        seconds: Option<f64>,
        seed: u64,
        root_moves: Vec<Text>,
        report: Option<Bound<'py, PyAny>>,
        report_interval: f64,
    ) -> PyResult<Bound<'py, PyDict>> {
        if simulations.is_none() && seconds.is_none() {
            return Err(ParseError::new_err("a search needs a limit; pass simulations, seconds or both"));
        }
        let time = seconds.map_or(Ok(FOREVER), |seconds| duration("seconds", seconds))?;
        let budget = Budget { simulations: simulations.unwrap_or(u64::MAX), time };
        let interval = duration("report_interval", report_interval)?.max(MIN_INTERVAL);
        self.stop.store(false, Relaxed);
        let root_moves: Vec<&str> = root_moves.iter().map(|mv| &*mv.0).collect();
        self.shared.ask(|| self.lock().set_root_moves(&root_moves))?.map_err(raise)?;
        let interrupt = Interrupt::new(Some(Instant::now() + time), Some(self.stop.clone()));
        let _grant = self.shared.grant_state_bytes(self.max_bytes);
        // After an exception in the rules or the evaluator, the tree may contain invalid values.
        run_within(&interrupt, || py.detach(|| self.lock().start(budget, seed))).inspect_err(|_| self.clear(py))?;
        let mut due = Instant::now() + if report.is_some() { interval.min(FIRST_REPORT) } else { FOREVER };
        loop {
            let worked = run_within(&interrupt, || {
                py.detach(|| {
                    let mut search = self.lock();
                    let status = search.run_until(due.min(Instant::now() + SIGNAL_INTERVAL), &self.stop);
                    let wanted = status != RunStatus::Paused || Instant::now() >= due;
                    (status, wanted.then(|| search.analysis()))
                })
            });
            let (status, analysis) = worked.inspect_err(|_| self.clear(py))?;
            py.check_signals()?;
            let Some(analysis) = analysis else {
                continue;
            };
            let dict = self.dict(py, &analysis)?;
            if status != RunStatus::Paused {
                return Ok(dict);
            }
            if let Some(report) = &report {
                report.call1((dict,))?;
                due = (due + interval).max(Instant::now());
            }
        }
    }

    #[getter]
    fn options<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.options.clone().into_py_dict(py)
    }

    fn stop(&self) {
        self.stop.store(true, Relaxed);
    }

    fn analysis<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let analysis = self.shared.ask(|| py.detach(|| self.lock().analysis()))?;
        self.dict(py, &analysis)
    }

    fn top_nodes<'py>(&self, py: Python<'py>, count: usize) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let nodes = self.shared.ask(|| py.detach(|| self.lock().top_nodes(count)))?;
        let node_dict = |node: &TreeNode| {
            let dict = PyDict::new(py);
            dict.set_item("parent", node.parent)?;
            dict.set_item("move", &node.text)?;
            dict.set_item("turn", self.shared.side(node.turn))?;
            dict.set_item("visits", node.visits)?;
            dict.set_item("value", node.value)?;
            dict.set_item("total", node.total)?;
            dict.set_item("minimax", node.minimax)?;
            dict.set_item("exploration", node.exploration)?;
            dict.set_item("score", node.score)?;
            dict.set_item("proven", self.proven(py, node.proven)?)?;
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

/// The options of the tree search.
#[documented]
#[pyfunction]
pub(crate) fn search_options() -> Vec<OptionFacts> {
    option_facts(TUNABLES)
}
