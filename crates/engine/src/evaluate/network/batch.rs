//! A network as an evaluator of the leaves of a tree search.

use std::sync::{Arc, Mutex, PoisonError};

use super::accumulator::Activations;
use super::heads::{expected_score, softmax};
use super::{Accumulators, MAX_HIDDEN, MAX_WIDTH, Network};
use crate::GameRules;
use crate::evaluate::{BatchEvaluator, Evaluation};

/// Evaluates positions and move priors by a network. Each call continues from the accumulators of an earlier position, because
/// consecutive leaves of a search differ little.
pub struct NetworkBatch {
    network: Arc<Network>,
    /// The divisor of the policy logits: higher temperatures give more uniform priors.
    temperature: f32,
    /// What no thread is using.
    free: Mutex<Vec<Scratch>>,
}

/// What an evaluation needs and changes.
struct Scratch {
    /// The accumulators of the last position.
    last: Accumulators,
    next: Accumulators,
    buffer: Box<Activations>,
}

impl NetworkBatch {
    /// An evaluator that divides the policy logits by a temperature above 0.
    pub fn new(network: Arc<Network>, temperature: f64) -> NetworkBatch {
        NetworkBatch { network, temperature: temperature as f32, free: Mutex::default() }
    }

    fn new_scratch(&self) -> Scratch {
        let empty = Accumulators::new(&self.network);
        Scratch { last: empty.clone(), next: empty, buffer: Box::new([0; 2 * MAX_WIDTH]) }
    }

    fn evaluate_position<P: GameRules>(&self, scratch: &mut Scratch, position: &P) -> Evaluation {
        scratch.next.update(&scratch.last, &self.network, position);
        std::mem::swap(&mut scratch.last, &mut scratch.next);
        let (accumulators, buffer) = (&scratch.last, &mut *scratch.buffer);
        if !self.network.has_policy() {
            let value = expected_score(softmax(self.network.value_logits(accumulators, position.turn(), buffer)));
            return Evaluation { value, priors: Vec::new() };
        }
        let mut hidden = [0; MAX_HIDDEN];
        let logits = self.network.value_and_hidden(accumulators, position.turn(), buffer, &mut hidden);
        let value = expected_score(softmax(logits));
        let mut logits = smallvec::SmallVec::<[f32; 64]>::new();
        position.legal_moves(|mv| logits.push(self.network.policy_logit(&hidden, position.action(mv)) / self.temperature));
        let largest = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        Evaluation { value, priors: logits.iter().map(|logit| f64::from((logit - largest).exp())).collect() }
    }
}

impl<P: GameRules> BatchEvaluator<P> for NetworkBatch {
    fn evaluate(&self, positions: &[&P]) -> Vec<Evaluation> {
        let lock = || self.free.lock().unwrap_or_else(PoisonError::into_inner);
        let mut scratch = lock().pop().unwrap_or_else(|| self.new_scratch());
        let evaluations = positions.iter().map(|&position| self.evaluate_position(&mut scratch, position)).collect();
        lock().push(scratch);
        evaluations
    }
}
