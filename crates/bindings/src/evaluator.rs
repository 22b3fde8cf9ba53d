//! Evaluators written in Python: callables that take a list of positions.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;

use plyground_engine::evaluate::network::NetworkBatch;
use plyground_engine::evaluate::{BatchEvaluator, Evaluation, QBatch};
use plyground_engine::{GameRules, Line};
use pyo3::prelude::*;

use crate::erased::AnyLine;
use crate::errors::{Interrupted, ParseError};
use crate::game::Shared;
use crate::position::Position;
use crate::user_game::record_failure;

/// An evaluator of the leaves of a tree search.
pub(crate) enum LeafEvaluator {
    Python(PythonEvaluator),
    Network(NetworkBatch),
    QValues(QBatch),
}

/// A Python callable as an engine evaluator. An exception that it raises stops the search, which re-raises it.
pub(crate) struct PythonEvaluator {
    pub(crate) shared: Arc<Shared>,
    pub(crate) callable: Py<PyAny>,
    pub(crate) stop: Arc<AtomicBool>,
}

impl PythonEvaluator {
    /// Calls the evaluator and checks its result: `(values, priors)` with a value and optional move priors for each position.
    fn ask(&self, py: Python<'_>, lines: Vec<Box<dyn AnyLine>>) -> PyResult<Vec<Evaluation>> {
        let moves: Vec<usize> = lines.iter().map(|line| line.moves().len()).collect();
        let positions: Vec<Position> = lines.into_iter().map(|line| Position::new(self.shared.clone(), line)).collect();
        let answer = self.callable.bind(py).call1((positions,))?;
        let wrong = |why: String| {
            ParseError::new_err(format!(
                "invalid evaluator result: {why}; an evaluator must return (values, priors): a value between 0 and 1 for each position, \
                 and either None or, for each position, None or a finite non-negative prior for each of its moves"
            ))
        };
        type Answer = (Vec<f64>, Option<Vec<Option<Vec<f64>>>>);
        let (values, priors): Answer = answer.extract().map_err(|error: PyErr| wrong(error.to_string()))?;
        let priors = priors.unwrap_or_else(|| vec![None; moves.len()]);
        for (what, count) in [("values", values.len()), ("priors", priors.len())] {
            if count != moves.len() {
                return Err(wrong(format!(
                    "{what} must have one item per position, got {count} for {} positions",
                    moves.len()
                )));
            }
        }
        let mut evaluations = Vec::with_capacity(values.len());
        for ((value, priors), moves) in values.into_iter().zip(priors).zip(moves) {
            let priors = priors.unwrap_or_default();
            if !(0.0..=1.0).contains(&value) {
                return Err(wrong(format!("values must be between 0 and 1, got {value}")));
            }
            if !priors.is_empty() && priors.len() != moves {
                return Err(wrong(format!(
                    "the priors of a position must have one item per move, got {} for {moves} moves",
                    priors.len()
                )));
            }
            if let Some(prior) = priors.iter().find(|prior| !(0.0..f64::INFINITY).contains(*prior)) {
                return Err(wrong(format!("priors must be finite and at least 0, got {prior}")));
            }
            evaluations.push(Evaluation { value, priors });
        }
        Ok(evaluations)
    }
}

impl<P: GameRules> BatchEvaluator<P> for PythonEvaluator {
    fn evaluate(&self, positions: &[&P]) -> Vec<Evaluation> {
        let lines = positions.iter().map(|&position| Box::new(Line::new(position.clone())) as Box<dyn AnyLine>).collect();
        Python::attach(|py| {
            self.ask(py, lines).unwrap_or_else(|error| {
                if !error.is_instance_of::<Interrupted>(py) {
                    self.stop.store(true, Relaxed);
                    record_failure(py, error, Some("raised by the evaluator"));
                }
                Vec::new()
            })
        })
    }
}
