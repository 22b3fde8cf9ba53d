//! A game played to its end by chance: what Monte Carlo methods learn from.

use super::config::Config;
use super::evaluator::{Judges, judge_one};
use super::quiesce::{self, final_value};
use crate::{Outcome, Position, Rng, Side};

/// How a playout went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Playout {
    /// `None` when the ply cap cut it off.
    pub outcome: Option<Outcome>,
    /// Moves made.
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
    /// The policy of a configuration.
    pub(super) fn of(config: &Config) -> Policy {
        let Config { capture_weight, edge_weight, playout_decisive: decisive, guide, .. } = *config;
        Policy { capture_weight, edge_weight, decisive, uniform: capture_weight == 1.0 && edge_weight == 1.0, guide }
    }

    /// How likely a legal move is, in proportion to its siblings.
    pub(super) fn weight<P: Position>(&self, position: &P, mv: P::Move) -> f64 {
        let capture = if position.captures(mv) { self.capture_weight } else { 1.0 };
        let edge = if position.ends_on_edge(mv) { self.edge_weight } else { 1.0 };
        capture * edge
    }

    /// Plays a move; `None` where there is none. A game that sees no decisive moves pays nothing for being asked.
    #[inline(always)]
    fn play<P: Position>(&self, position: &mut P, rng: &mut Rng) -> Option<P::Move> {
        match (self.decisive, self.uniform) {
            (true, true) => return position.play_careful(rng),
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

    /// Plays the guide's move with the share of the policy, and otherwise a move of the policy itself.
    fn play_guided<P: Position>(&self, position: &mut P, rng: &mut Rng, judges: &Judges) -> Option<P::Move> {
        if self.guide == 0.0 || rng.unit() >= self.guide {
            return self.play(position, rng);
        }
        let mut moves = smallvec::SmallVec::<[P::Move; 64]>::new();
        position.legal_moves(|mv| moves.push(mv));
        let merits: Vec<f64> = match &judges.evaluator {
            _ if moves.len() < 2 => Vec::new(),
            Some(evaluator) => judge_one(&**evaluator, position).priors,
            None => moves.iter().map(|&mv| merit(position, mv, judges)).collect(),
        };
        if merits.len() != moves.len() {
            return self.play(position, rng);
        }
        let best = merits.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        moves.retain({
            let mut merits = merits.into_iter();
            move |_| merits.next() == Some(best)
        });
        let mv = *moves.get(rng.below(moves.len().max(1) as u32) as usize)?;
        position.play(mv);
        Some(mv)
    }

    /// Plays a move drawn by weight; `None` where there is none.
    #[inline(never)]
    fn play_weighted<P: Position>(&self, position: &mut P, rng: &mut Rng) -> Option<P::Move> {
        let mut moves = smallvec::SmallVec::<[(P::Move, f64); 64]>::new();
        let mut sum = 0.0;
        position.legal_moves(|mv| {
            sum += self.weight(position, mv);
            moves.push((mv, sum));
        });
        let drawn = if moves.is_empty() { 0.0 } else { rng.unit() * sum };
        let &(mv, _) = moves.iter().find(|&&(_, reached)| drawn < reached).or(moves.last())?;
        position.play(mv);
        Some(mv)
    }
}

/// How good a move looks one ply ahead, to the side that makes it.
fn merit<P: Position>(position: &P, mv: P::Move, judges: &Judges) -> f64 {
    let mut next = position.clone();
    next.play(mv);
    let value = match next.decided() {
        Some(outcome) => final_value(outcome, next.turn(), 1),
        None => quiesce::judge(&next, judges.weights.as_deref()),
    };
    f64::from(if next.turn() == position.turn() { value } else { -value })
}

/// Plays uniformly random moves from `position` to the end, or until `cap` plies are made. Repetition is not looked at.
#[inline]
pub fn playout<P: Position>(mut position: P, rng: &mut Rng, cap: u32) -> Playout {
    play_out(&mut position, cap, |position| position.play_random(rng))
}

/// The same by a policy, from a copy of `position`; returns the last position too. `record` takes side and action of every move.
#[inline]
pub(super) fn run<P: Position>(
    position: &P,
    rng: &mut Rng,
    cap: u32,
    policy: &Policy,
    judges: &Judges,
    record: Option<&mut Vec<(Side, usize)>>,
) -> (P, Playout) {
    let mut end = position.clone();
    let playout = match record {
        None if policy.guide > 0.0 => play_out(&mut end, cap, |position| policy.play_guided(position, rng, judges)),
        None if policy.uniform && !policy.decisive => play_out(&mut end, cap, |position| position.play_random(rng)),
        None => play_out(&mut end, cap, |position| policy.play(position, rng)),
        Some(made) => play_out(&mut end, cap, |position| {
            let before = position.clone();
            let mv = policy.play_guided(position, rng, judges)?;
            made.push((before.turn(), before.action(mv)));
            Some(mv)
        }),
    };
    (end, playout)
}

#[inline(always)]
fn play_out<P: Position>(position: &mut P, cap: u32, mut play: impl FnMut(&mut P) -> Option<P::Move>) -> Playout {
    for plies in 0..cap {
        let outcome = match position.decided() {
            None => match play(position) {
                Some(_) => continue,
                None => position.stuck(),
            },
            Some(outcome) => outcome,
        };
        return Playout { outcome: Some(outcome), plies };
    }
    Playout { outcome: position.outcome(), plies: cap }
}

/// What many playouts from one position came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Wins of the first side, wins of the second, games without a winner.
    pub results: [u64; 3],
    /// Moves made in all of them.
    pub plies: u64,
}

impl std::ops::AddAssign for Tally {
    fn add_assign(&mut self, more: Tally) {
        for (sum, more) in self.results.iter_mut().zip(more.results) {
            *sum += more;
        }
        self.plies += more.plies;
    }
}

/// Makes `count` playouts to the end and adds them up.
pub fn tally<P: Position>(position: &P, count: u64, rng: &mut Rng) -> Tally {
    let mut tally = Tally::default();
    // A copy of its own stays in a register.
    let mut local = rng.clone();
    for _ in 0..count {
        let playout = playout(position.clone(), &mut local, u32::MAX);
        tally.plies += u64::from(playout.plies);
        let winner = playout.outcome.and_then(|outcome| outcome.winner);
        tally.results[winner.map_or(2, |side| side as usize)] += 1;
    }
    *rng = local;
    tally
}
