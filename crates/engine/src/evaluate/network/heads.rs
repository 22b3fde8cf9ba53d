//! The value and policy heads.

use super::accumulator::Activations;
use super::{ACTIVATION_SCALE, Accumulators, HEAD_SCALE, HIDDEN_SCALE, MAX_HIDDEN, Network, POLICY_SCALE};
use crate::Side;

/// The hidden values of the policy head, in units.
pub(super) type Hidden = [i16; MAX_HIDDEN];

impl Network {
    /// The logits of a win, a draw and a loss of the side to move.
    #[inline]
    pub(super) fn value_logits(&self, accumulators: &Accumulators, turn: Side, buffer: &mut Activations) -> [f32; 3] {
        self.value_of(accumulators.activate(turn, buffer), self.bucket(accumulators.count()))
    }

    /// The value logits and the hidden values of the policy.
    pub(super) fn value_and_hidden(
        &self,
        accumulators: &Accumulators,
        turn: Side,
        buffer: &mut Activations,
        hidden: &mut Hidden,
    ) -> [f32; 3] {
        let activations = accumulators.activate(turn, buffer);
        let rows = self.hidden_weights.chunks_exact(activations.len());
        for ((value, row), bias) in hidden.iter_mut().zip(rows).zip(&self.float.hidden_biases) {
            let sum = dot(activations, row) as f32 / (ACTIVATION_SCALE * HEAD_SCALE) + bias;
            *value = (sum.clamp(0.0, 1.0) * HIDDEN_SCALE).round() as i16;
        }
        self.value_of(activations, self.bucket(accumulators.count()))
    }

    /// The logit of an action.
    #[inline]
    pub(super) fn policy_logit(&self, hidden: &Hidden, action: usize) -> f32 {
        let size = self.sizes.hidden;
        let row = &self.policy_weights[action * size..(action + 1) * size];
        dot(&hidden[..size], row) as f32 / (HIDDEN_SCALE * POLICY_SCALE) + self.float.policy_biases[action]
    }

    #[inline]
    fn value_of(&self, activations: &[i16], bucket: usize) -> [f32; 3] {
        let length = activations.len();
        std::array::from_fn(|result| {
            let index = 3 * bucket + result;
            let row = &self.value_weights[index * length..(index + 1) * length];
            dot(activations, row) as f32 / (ACTIVATION_SCALE * HEAD_SCALE) + self.float.value_biases[index]
        })
    }
}

/// The dot product; compiled to vector instructions that multiply and add 16-bit integers.
#[inline]
fn dot(left: &[i16], right: &[i16]) -> i32 {
    left.iter().zip(right).map(|(&left, &right)| i32::from(left) * i32::from(right)).sum()
}

/// The probabilities of a win, a draw and a loss.
#[inline]
pub(super) fn softmax(logits: [f32; 3]) -> [f32; 3] {
    let largest = logits.into_iter().fold(f32::NEG_INFINITY, f32::max);
    let weights = logits.map(|logit| (logit - largest).exp());
    let sum: f32 = weights.iter().sum();
    weights.map(|weight| weight / sum)
}

/// The expected score in centipawns on the Elo scale, where 400 centipawns multiply the odds by ten.
#[inline]
pub(super) fn centipawns([win, draw, loss]: [f32; 3]) -> f32 {
    const CENTIPAWNS_PER_LOGIT: f32 = 400.0 * std::f32::consts::LOG10_E;
    // Relative to the largest probability, so that neither sum is infinite; both are 0 only if a logit is.
    let largest = win.max(draw).max(loss);
    let [win, draw, loss] = [win, draw, loss].map(|logit| (logit - largest).exp());
    CENTIPAWNS_PER_LOGIT * ((win + draw / 2.0) / (loss + draw / 2.0)).ln()
}

/// The expected score, from 0 to 1, of a side with the given probabilities.
#[inline]
pub(super) fn expected_score([win, draw, _]: [f32; 3]) -> f64 {
    f64::from(win + draw / 2.0).clamp(0.0, 1.0)
}
