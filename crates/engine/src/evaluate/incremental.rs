//! Evaluators that may keep state along a line, such as the accumulator of a small neural network.

use crate::{GameRules, Position};

use super::Weights;

/// Evaluates the last position of a line and may keep state along it.
pub trait IncrementalEvaluator<P: Position> {
    /// Starts a new line at a position.
    fn reset(&mut self, position: &P);
    /// Appends a move that leads from `before` to `after`.
    fn push(&mut self, before: &P, mv: P::Move, after: &P);
    /// Appends a null move: the side to move in `before` passes.
    fn push_null(&mut self, before: &P, after: &P);
    /// Removes the last move or null move from the line.
    fn pop(&mut self);
    /// The evaluation in centipawns for the side to move. `position` is the last position of the line.
    fn evaluate(&mut self, position: &P) -> i32;
}

/// A stateless evaluator.
#[derive(Clone, Copy, Debug)]
pub enum StaticEvaluator<'a> {
    /// [`crate::Heuristics::heuristic`].
    Heuristic,
    /// [`crate::Heuristics::material`].
    Material,
    /// Learned weights.
    Weights(&'a Weights),
}

impl<'a> StaticEvaluator<'a> {
    /// Returns an evaluator that uses the weights if given and the game's heuristic otherwise.
    pub fn new(weights: Option<&'a Weights>) -> StaticEvaluator<'a> {
        weights.map_or(StaticEvaluator::Heuristic, StaticEvaluator::Weights)
    }
}

impl<P: GameRules> IncrementalEvaluator<P> for StaticEvaluator<'_> {
    #[inline(always)]
    fn reset(&mut self, _position: &P) {}

    #[inline(always)]
    fn push(&mut self, _before: &P, _mv: P::Move, _after: &P) {}

    #[inline(always)]
    fn push_null(&mut self, _before: &P, _after: &P) {}

    #[inline(always)]
    fn pop(&mut self) {}

    #[inline]
    fn evaluate(&mut self, position: &P) -> i32 {
        match self {
            StaticEvaluator::Heuristic => position.heuristic(),
            StaticEvaluator::Material => position.material(),
            StaticEvaluator::Weights(weights) => weights.evaluate(position),
        }
    }
}
