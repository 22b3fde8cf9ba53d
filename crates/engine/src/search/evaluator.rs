//! Evaluators from outside: positions to values and priors, many at a time.
//!
//! A search that values its leaves so gathers a batch of them, has it judged in one call, and then backs all of them up. What it has
//! passed through on the way down counts as lost until then, so that the next way down leads elsewhere.

use std::sync::Arc;

use super::mcts::{Step, Walker};
use super::node::UNIT;
use crate::erased::AnyLine;
use crate::evaluate::Weights;
use crate::{Line, Position, Side};

/// What an evaluator thinks of a position.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Judgement {
    /// For the side to move: 1 a win, 0 a loss.
    pub value: f64,
    /// How likely each legal move is, in the order of the rules and in any proportion; empty for all alike.
    pub priors: Vec<f64>,
}

/// Positions to value and priors.
pub trait Evaluator: Send + Sync {
    /// What it thinks of each of the positions, in their order. None of them is the end of a game.
    fn judge(&self, positions: Vec<Box<dyn AnyLine>>) -> Vec<Judgement>;
}

/// Who judges positions beside the rules of the game.
#[derive(Clone, Default)]
pub struct Judges {
    /// Values leaves or guides playouts, as the configuration says.
    pub evaluator: Option<Arc<dyn Evaluator>>,
    /// Judge in the place of the game's rule of thumb.
    pub weights: Option<Arc<Weights>>,
}

/// The evaluator's opinion of one position.
pub(super) fn judge_one<P: Position>(evaluator: &dyn Evaluator, position: &P) -> Judgement {
    evaluator.judge(vec![Box::new(Line::new(position.clone()))]).pop().unwrap_or_default()
}

/// A way down that waits for its leaf to be judged.
struct Waiting<'a, P> {
    position: P,
    path: Vec<Step<'a>>,
    drawn: usize,
    made: Vec<(Side, usize)>,
}

impl<P: Position> Walker<'_, P> {
    /// At most `most` simulations that share one call of the evaluator; returns how many were made, at least one.
    pub(super) fn simulate_batch<const SHARED: bool>(&mut self, evaluator: &dyn Evaluator, most: u64) -> u64 {
        let before = self.work.simulations;
        let mut batch: Vec<Waiting<P>> = Vec::new();
        while self.work.simulations - before + (batch.len() as u64) < most {
            self.descend::<SHARED>();
            if let Some(reward) = self.end_of_game() {
                self.back_up::<SHARED>(reward);
                continue;
            }
            if batch.iter().any(|waiting| waiting.path.last().is_some_and(|step| std::ptr::eq(step.node, self.last()))) {
                // The tree has no other leaf to offer before this one is judged.
                for step in &self.path {
                    step.node.withdraw(1, self.thinness);
                }
                break;
            }
            batch.push(Waiting {
                position: self.position.clone(),
                path: self.path.clone(),
                drawn: self.drawn,
                made: self.made.clone(),
            });
        }
        if batch.is_empty() {
            return self.work.simulations - before;
        }
        let lines = batch.iter().map(|waiting| Box::new(Line::new(waiting.position.clone())) as Box<dyn AnyLine>);
        let judgements = evaluator.judge(lines.collect());
        for (index, waiting) in batch.into_iter().enumerate() {
            Waiting { position: self.position, path: self.path, drawn: self.drawn, made: self.made } = waiting;
            let missing = Judgement { value: 0.5, priors: Vec::new() };
            let judgement = judgements.get(index).unwrap_or(&missing);
            self.open::<SHARED>(self.last(), &judgement.priors);
            let value = judgement.value.clamp(0.0, 1.0);
            let first = if self.position.turn() == Side::First { value } else { 1.0 - value };
            self.back_up::<SHARED>((first / UNIT) as u64);
        }
        self.work.simulations - before
    }
}
