//! A network as an evaluator that follows a line.

use super::accumulator::Activations;
use super::heads::centipawns;
use super::{Accumulators, MAX_WIDTH, Network};
use crate::GameRules;
use crate::evaluate::IncrementalEvaluator;

/// Evaluations are at most this in absolute value, in centipawns: an expected score of 99.99%.
const MAX_SCORE: f32 = 1600.0;

/// Evaluates the positions of a line by a network. Accumulators are computed only for positions that are evaluated, each from the last
/// one on the line that has been computed.
#[derive(Clone, Debug)]
pub struct NetworkEvaluator<'a> {
    network: &'a Network,
    /// The accumulators of an empty board.
    empty: Accumulators,
    /// The accumulators of each position of the line; only the first `depth + 1` are in use.
    stack: Vec<Entry>,
    depth: usize,
    buffer: Box<Activations>,
}

#[derive(Clone, Debug)]
struct Entry {
    accumulators: Accumulators,
    /// Whether they are those of the position.
    is_current: bool,
}

impl<'a> NetworkEvaluator<'a> {
    /// An evaluator without a line.
    pub fn new(network: &'a Network) -> NetworkEvaluator<'a> {
        let empty = Accumulators::new(network);
        let first = Entry { accumulators: empty.clone(), is_current: false };
        NetworkEvaluator { network, empty, stack: vec![first], depth: 0, buffer: Box::new([0; 2 * MAX_WIDTH]) }
    }

    fn append(&mut self) {
        self.depth += 1;
        if self.depth == self.stack.len() {
            self.stack.push(self.stack[0].clone());
        }
        self.stack[self.depth].is_current = false;
    }

    /// Brings the accumulators of the last position up to date.
    fn refresh<P: GameRules>(&mut self, position: &P) {
        if self.stack[self.depth].is_current {
            return;
        }
        let source = self.stack[..self.depth].iter().rposition(|entry| entry.is_current);
        let (before, rest) = self.stack.split_at_mut(self.depth);
        let entry = &mut rest[0];
        let source = source.map_or(&self.empty, |source| &before[source].accumulators);
        entry.accumulators.update(source, self.network, position);
        entry.is_current = true;
    }
}

impl<P: GameRules> IncrementalEvaluator<P> for NetworkEvaluator<'_> {
    fn reset(&mut self, position: &P) {
        self.depth = 0;
        self.stack[0].is_current = false;
        self.refresh(position);
    }

    #[inline]
    fn push(&mut self, _before: &P, _mv: P::Move, _after: &P) {
        self.append();
    }

    #[inline]
    fn push_null(&mut self, _before: &P, _after: &P) {
        self.append();
    }

    #[inline]
    fn pop(&mut self) {
        self.depth -= 1;
    }

    fn evaluate(&mut self, position: &P) -> i32 {
        self.refresh(position);
        let logits = self.network.value_logits(&self.stack[self.depth].accumulators, position.turn(), &mut self.buffer);
        centipawns(logits).clamp(-MAX_SCORE, MAX_SCORE) as i32
    }
}
