//! External evaluators, such as neural networks on a GPU, that evaluate many positions per call.

/// The evaluation of a position.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Evaluation {
    /// The expected score for the side to move, from 0 (loss) to 1 (win).
    pub value: f64,
    /// Relative probabilities of the legal moves, in the order of [`crate::Position::legal_moves`]; empty for a uniform distribution.
    pub priors: Vec<f64>,
}

/// Evaluates positions in batches.
pub trait BatchEvaluator<P>: Send + Sync {
    /// Evaluates unfinished positions and returns the evaluations in the same order.
    fn evaluate(&self, positions: &[&P]) -> Vec<Evaluation>;

    /// Evaluates one position.
    fn evaluate_one(&self, position: &P) -> Evaluation {
        self.evaluate(&[position]).pop().unwrap_or_default()
    }
}
