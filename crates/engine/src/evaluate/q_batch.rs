//! Q-values as an evaluator of a tree search, to guide its playouts.

use std::sync::Arc;

use super::{BatchEvaluator, Evaluation, QTable};
use crate::{GameRules, Line};

/// The temperature of the softmax that turns Q-values into priors.
const PRIOR_TEMPERATURE: f32 = 0.1;

/// Evaluates positions by Q-values: a position is worth as much as its best move.
pub struct QBatch(pub Arc<QTable>);

impl<P: GameRules> BatchEvaluator<P> for QBatch {
    fn evaluate(&self, positions: &[&P]) -> Vec<Evaluation> {
        let evaluate = |position: &P| {
            let values = self.0.q_values(&Line::new(position.clone()));
            let best = values.iter().fold(-1f32, |best, &(_, value)| best.max(value));
            let prior = |value: f32| f64::from(((value - best) / PRIOR_TEMPERATURE).exp());
            Evaluation { value: f64::from((best + 1.0) / 2.0), priors: values.iter().map(|&(_, value)| prior(value)).collect() }
        };
        positions.iter().map(|&position| evaluate(position)).collect()
    }
}
