//! Playouts: games played to the end with random or guided moves.

use super::config::Config;
use super::quiescence::outcome_score;
use crate::evaluate::{Evaluators, evaluate};
use crate::{GameRules, Outcome, Position, Rng, Side};

/// The result of a playout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Playout {
    /// The outcome; `None` if the playout was truncated.
    pub outcome: Option<Outcome>,
    /// The number of moves.
    pub plies: u32,
}

/// How a playout chooses its moves.
#[derive(Clone, Copy, Debug)]
pub struct Policy {
    capture_weight: f64,
    edge_weight: f64,
    decisive: bool,
    uniform: bool,
    guide: f64,
}

impl Policy {
    /// The playout policy of a configuration.
    pub(super) fn new(config: &Config) -> Policy {
        let Config { capture_weight, edge_weight, playout_decisive: decisive, guide, .. } = *config;
        Policy { capture_weight, edge_weight, decisive, uniform: capture_weight == 1.0 && edge_weight == 1.0, guide }
    }

    /// The relative probability of a legal move.
    pub(super) fn weight<P: GameRules>(&self, position: &P, mv: P::Move) -> f64 {
        let capture = if position.captures(mv) { self.capture_weight } else { 1.0 };
        let edge = if position.ends_on_edge(mv) { self.edge_weight } else { 1.0 };
        capture * edge
    }

    /// Plays a move; `None` if there is none. Costs nothing extra in games that cannot find decisive moves.
    #[inline(always)]
    fn play<P: GameRules>(&self, position: &mut P, rng: &mut Rng) -> Option<P::Move> {
        match (self.decisive, self.uniform) {
            (true, true) => return position.play_decisive(rng),
            (false, true) => return position.play_random(rng),
            (true, false) => {
                if let Some(mv) = position.winning_move().or_else(|| position.blocking_move()) {
                    position.play(mv);
                    return Some(mv);
                }
            }
            (false, false) => {}
        }
        self.play_weighted(position, rng)
    }

    /// With probability `guide`, plays the move that the evaluators rate best, otherwise a move chosen by [`Policy::play`].
    fn play_guided<P: GameRules>(&self, position: &mut P, rng: &mut Rng, evaluators: &Evaluators<P>) -> Option<P::Move> {
        if self.guide == 0.0 || rng.unit() >= self.guide {
            return self.play(position, rng);
        }
        let mut moves = smallvec::SmallVec::<[P::Move; 64]>::new();
        position.legal_moves(|mv| moves.push(mv));
        let values: Vec<f64> = match &evaluators.batch {
            _ if moves.len() < 2 => Vec::new(),
            Some(evaluator) => evaluator.evaluate_one(position).priors,
            None => moves.iter().map(|&mv| evaluate_move(position, mv, evaluators)).collect(),
        };
        if values.len() != moves.len() {
            return self.play(position, rng);
        }
        let best = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        moves.retain({
            let mut values = values.into_iter();
            move |_| values.next() == Some(best)
        });
        let mv = *moves.get(rng.below(moves.len().max(1) as u32) as usize)?;
        position.play(mv);
        Some(mv)
    }

    /// Plays a random move with probabilities proportional to the weights; `None` if there is none.
    #[inline(never)]
    fn play_weighted<P: GameRules>(&self, position: &mut P, rng: &mut Rng) -> Option<P::Move> {
        let mut moves = smallvec::SmallVec::<[(P::Move, f64); 64]>::new();
        let mut sum = 0.0;
        position.legal_moves(|mv| {
            sum += self.weight(position, mv);
            moves.push((mv, sum));
        });
        let threshold = if moves.is_empty() { 0.0 } else { rng.unit() * sum };
        let &(mv, _) = moves.iter().find(|&&(_, cumulative)| threshold < cumulative).or(moves.last())?;
        position.play(mv);
        Some(mv)
    }
}

/// The evaluation of the position after a move, in centipawns for the side that makes it.
fn evaluate_move<P: GameRules>(position: &P, mv: P::Move, evaluators: &Evaluators<P>) -> f64 {
    let mut next = position.clone();
    next.play(mv);
    let score = match next.early_outcome() {
        Some(outcome) => outcome_score(outcome, next.turn(), 1),
        None => evaluate(&next, evaluators.weights.as_deref()),
    };
    f64::from(if next.turn() == position.turn() { score } else { -score })
}

/// Plays uniformly random moves until the game ends or `max_plies` plies have been played. Repetition is ignored.
#[inline]
pub fn playout<P: Position>(mut position: P, rng: &mut Rng, max_plies: u32) -> Playout {
    play_out(&mut position, max_plies, |position| position.play_random(rng))
}

/// Runs a playout with a policy. Returns the last position and the result, and appends the side and action of every move to `actions`,
/// if given.
#[inline]
pub(super) fn policy_playout<P: GameRules>(
    position: &P,
    rng: &mut Rng,
    max_plies: u32,
    policy: &Policy,
    evaluators: &Evaluators<P>,
    actions: Option<&mut Vec<(Side, usize)>>,
) -> (P, Playout) {
    let mut end = position.clone();
    let playout = match actions {
        None if policy.guide > 0.0 => play_out(&mut end, max_plies, |position| policy.play_guided(position, rng, evaluators)),
        None if policy.uniform && !policy.decisive => play_out(&mut end, max_plies, |position| position.play_random(rng)),
        None => play_out(&mut end, max_plies, |position| policy.play(position, rng)),
        Some(actions) => play_out(&mut end, max_plies, |position| {
            let before = position.clone();
            let mv = policy.play_guided(position, rng, evaluators)?;
            actions.push((before.turn(), before.action(mv)));
            Some(mv)
        }),
    };
    (end, playout)
}

#[inline(always)]
fn play_out<P: Position>(position: &mut P, max_plies: u32, mut play: impl FnMut(&mut P) -> Option<P::Move>) -> Playout {
    for plies in 0..max_plies {
        let outcome = match position.early_outcome() {
            None => match play(position) {
                Some(_) => continue,
                None => position.no_move_outcome(),
            },
            Some(outcome) => outcome,
        };
        return Playout { outcome: Some(outcome), plies };
    }
    Playout { outcome: position.outcome(), plies: max_plies }
}
