//! Inference with the original floating-point weights: slow and simple, to check the integers against and to measure their error.

use super::Network;
use super::heads::softmax;
use crate::GameRules;

/// What a network predicts for the side to move.
#[derive(Clone, Debug, PartialEq)]
pub struct Prediction {
    /// The probabilities of a win, a draw and a loss.
    pub results: [f32; 3],
    /// The logit of each legal move, in the order of [`crate::Position::legal_moves`]; empty without a policy head.
    pub logits: Vec<f32>,
}

/// The weights as given.
#[derive(Clone, Debug, Default)]
pub(super) struct FloatWeights {
    pub(super) feature_weights: Vec<f32>,
    pub(super) feature_biases: Vec<f32>,
    pub(super) value_weights: Vec<f32>,
    pub(super) value_biases: Vec<f32>,
    pub(super) hidden_weights: Vec<f32>,
    pub(super) hidden_biases: Vec<f32>,
    pub(super) policy_weights: Vec<f32>,
    pub(super) policy_biases: Vec<f32>,
}

impl FloatWeights {
    /// The weights in the order of `Sizes::tensors`; the last four are missing without a policy head.
    pub(super) fn new(arrays: Vec<Vec<f32>>) -> FloatWeights {
        let mut arrays = arrays.into_iter();
        let mut next = || arrays.next().unwrap_or_default();
        FloatWeights {
            feature_weights: next(),
            feature_biases: next(),
            value_weights: next(),
            value_biases: next(),
            hidden_weights: next(),
            hidden_biases: next(),
            policy_weights: next(),
            policy_biases: next(),
        }
    }
}

impl Network {
    /// The prediction for a position with the floating-point weights.
    pub fn predict_with_floats<P: GameRules>(&self, position: &P) -> Prediction {
        let (weights, width) = (&self.float, self.sizes.width);
        let mut pieces = 0;
        let mut activations = Vec::with_capacity(2 * width);
        let turn = position.turn();
        for viewer in [turn, turn.other()] {
            let mut accumulator = weights.feature_biases.clone();
            pieces = 0;
            position.active_features(viewer, |feature| {
                pieces += 1;
                let row = &weights.feature_weights[feature * width..(feature + 1) * width];
                accumulator.iter_mut().zip(row).for_each(|(value, weight)| *value += weight);
            });
            activations.extend(accumulator.iter().map(|value| value.clamp(0.0, 1.0).powi(2)));
        }
        let bucket = self.bucket(pieces);
        let values = layer(&weights.value_weights, &weights.value_biases, &activations);
        let hidden = layer(&weights.hidden_weights, &weights.hidden_biases, &activations);
        let hidden: Vec<f32> = hidden.into_iter().map(|value| value.clamp(0.0, 1.0)).collect();
        let mut logits = Vec::new();
        if self.has_policy() {
            position.legal_moves(|mv| {
                let action = position.action(mv);
                let row = &weights.policy_weights[action * hidden.len()..(action + 1) * hidden.len()];
                logits.push(product(row, &hidden) + weights.policy_biases[action]);
            });
        }
        Prediction { results: softmax([values[3 * bucket], values[3 * bucket + 1], values[3 * bucket + 2]]), logits }
    }

    /// The prediction for a position with integers, as the searches use it.
    pub fn predict<P: GameRules>(&self, position: &P) -> Prediction {
        let empty = super::Accumulators::new(self);
        let mut accumulators = empty.clone();
        accumulators.update(&empty, self, position);
        let (mut hidden, mut buffer) = ([0; super::MAX_HIDDEN], [0; 2 * super::MAX_WIDTH]);
        let results = softmax(self.value_and_hidden(&accumulators, position.turn(), &mut buffer, &mut hidden));
        let mut logits = Vec::new();
        if self.has_policy() {
            position.legal_moves(|mv| logits.push(self.policy_logit(&hidden, position.action(mv))));
        }
        Prediction { results, logits }
    }
}

/// The output of a linear layer.
fn layer(weights: &[f32], biases: &[f32], inputs: &[f32]) -> Vec<f32> {
    weights.chunks_exact(inputs.len()).zip(biases).map(|(row, bias)| product(row, inputs) + bias).collect()
}

fn product(left: &[f32], right: &[f32]) -> f32 {
    left.iter().zip(right).map(|(left, right)| left * right).sum()
}
