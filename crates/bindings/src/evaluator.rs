//! Evaluators written in Python: a callable that is given a list of positions.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;

use plyground_engine::erased::AnyLine;
use plyground_engine::search::evaluator::{Evaluator, Judgement};
use pyo3::prelude::*;

use crate::errors::ParseError;
use crate::game::Shared;
use crate::own::Failures;
use crate::position::Position;

/// A Python callable as an evaluator of the engine. What it raises stops the search and is raised by the search.
pub(crate) struct PythonEvaluator {
    pub(crate) shared: Arc<Shared>,
    pub(crate) callable: Py<PyAny>,
    pub(crate) failures: Arc<Failures>,
    pub(crate) stop: Arc<AtomicBool>,
}

impl PythonEvaluator {
    /// Calls and checks the answer: `(values, priors)`, a value a position, and for each the priors of its moves or nothing at all.
    fn ask(&self, py: Python<'_>, lines: Vec<Box<dyn AnyLine>>) -> PyResult<Vec<Judgement>> {
        let moves: Vec<usize> = lines.iter().map(|line| line.moves().len()).collect();
        let positions: Vec<Position> = lines.into_iter().map(|line| Position::new(self.shared.clone(), line)).collect();
        let answer = self.callable.bind(py).call1((positions,))?;
        let wrong = |why: String| {
            ParseError::new_err(format!(
                "an evaluator's answer: {why}; accepted is (values, priors): for each position a number from 0 to 1, and None or \
                 for each position None or a number from 0 upwards for each of its moves"
            ))
        };
        type Answer = (Vec<f64>, Option<Vec<Option<Vec<f64>>>>);
        let (values, priors): Answer = answer.extract().map_err(|error: PyErr| wrong(error.to_string()))?;
        let priors = priors.unwrap_or_else(|| vec![None; moves.len()]);
        if values.len() != moves.len() || priors.len() != moves.len() {
            return Err(wrong(format!("{} values and {} priors for {} positions", values.len(), priors.len(), moves.len())));
        }
        let mut judgements = Vec::with_capacity(values.len());
        for ((value, priors), moves) in values.into_iter().zip(priors).zip(moves) {
            let priors = priors.unwrap_or_default();
            if !(0.0..=1.0).contains(&value) {
                return Err(wrong(format!("the value {value}")));
            }
            if !priors.is_empty() && priors.len() != moves {
                return Err(wrong(format!("{} priors for {moves} moves", priors.len())));
            }
            if let Some(prior) = priors.iter().find(|prior| !(0.0..f64::INFINITY).contains(*prior)) {
                return Err(wrong(format!("the prior {prior}")));
            }
            judgements.push(Judgement { value, priors });
        }
        Ok(judgements)
    }
}

impl Evaluator for PythonEvaluator {
    fn judge(&self, lines: Vec<Box<dyn AnyLine>>) -> Vec<Judgement> {
        Python::attach(|py| {
            self.ask(py, lines).unwrap_or_else(|error| {
                self.stop.store(true, Relaxed);
                self.failures.keep(py, error, "raised by the evaluator");
                Vec::new()
            })
        })
    }
}
