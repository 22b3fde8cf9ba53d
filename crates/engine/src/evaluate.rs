//! Position evaluation: hand-written heuristics, learned weights and external evaluators.

use std::sync::Arc;

use crate::GameRules;

mod batch;
mod incremental;
pub mod network;
mod q_batch;
mod q_values;
mod weights;

pub use batch::{BatchEvaluator, Evaluation};
pub use incremental::{IncrementalEvaluator, StaticEvaluator};
pub use q_batch::QBatch;
pub use q_values::{PositionTable, QTable, QuantizedTable, TABLE_BITS, TupleTable, result_for};
pub use weights::{MAX_WEIGHT, PATTERN_SCALE, Weights, check_feature_weights};

/// Evaluates a position in centipawns for the side to move, using the weights if given and the game's heuristic otherwise.
#[inline]
pub fn evaluate<P: GameRules>(position: &P, weights: Option<&Weights>) -> i32 {
    weights.map_or_else(|| position.heuristic(), |weights| weights.evaluate(position))
}

/// The evaluators of a tree search. If both are `None`, the search uses playouts and the game's heuristic.
pub struct Evaluators<P> {
    /// Evaluates leaves or guides playouts, depending on the configuration.
    pub batch: Option<Arc<dyn BatchEvaluator<P>>>,
    /// Weights that replace the game's heuristic.
    pub weights: Option<Arc<Weights>>,
}

impl<P> Default for Evaluators<P> {
    fn default() -> Evaluators<P> {
        Evaluators { batch: None, weights: None }
    }
}
