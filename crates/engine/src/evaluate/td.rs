//! Temporal differences: after a game, what a position was thought to be worth moves towards what the next one was thought to be worth.
//!
//! TD(λ) is Sutton's (1988, "Learning to predict by the methods of temporal differences") for a value linear in the terms,
//! `V(s) = ±w·f(s)`, from the learner's side: with `δ = V(s') - V(s)` and the trace `e = λ e + ∇V(s)`, `w` moves by `α δ e`. TDLeaf(λ)
//! (Baxter, Tridgell and Weaver 1998, "KnightCap") learns at the leaf of the best line and of a value between -1 and 1, `tanh w·f`.

use super::selfplay::{Player, goes_on, random, result};
use super::{MOST_TERMS, Measures, Weights, check_terms};
use crate::rng::split;
use crate::{Error, Line, Position, Rng, Side};

/// How values are learned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variant {
    /// Of the positions that were met, linear.
    Td,
    /// Of the leaves that were expected, between -1 and 1.
    TdLeaf,
}

/// How a learner learns.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// What it learns from.
    pub variant: Variant,
    /// Games in all: they decide when the opponent changes.
    pub games: u32,
    /// Plies that learner and opponent look ahead.
    pub depth: u32,
    /// How far back an error is felt, 0 to 1.
    pub lambda: f64,
    /// How fast weights move.
    pub rate: f64,
    /// How often a player that searches plays any move.
    pub epsilon: f64,
    /// The share of the games, the first ones, in which the opponent plays any move.
    pub random_share: f64,
    /// Games after which the opponent, a copy of the learner, is copied again.
    pub refresh: u32,
    /// What a win is worth in learning, a loss being worth as much less than 0.
    pub terminal: f64,
    /// Plies by chance that open every game; with none all games begin at the start.
    pub opening: u32,
    /// Where all chance comes from.
    pub seed: u64,
}

/// What was learned so far: with the settings, all that the next game depends on.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// The learner's.
    pub weights: Vec<f64>,
    /// The opponent's, once it is no longer random.
    pub frozen: Vec<f64>,
    /// Games played.
    pub played: u32,
}

/// What one game was like.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Played {
    /// What the learner got: 1, 0 or -1.
    pub result: i8,
    /// The side it had.
    pub learner: Side,
    /// Its length in plies.
    pub plies: usize,
    /// The mean of the squared errors.
    pub error: f64,
}

/// A position the learner judged: its terms, and where `±w·f` stands on its own scale.
type Visit = Measures;

/// Plays the next game and learns from it.
pub fn play_and_learn<P: Position>(start: &P, settings: &Settings, state: &mut State) -> Result<Played, Error> {
    check_terms(start.terms(), &state.weights)?;
    let game = state.played;
    let learner = if game.is_multiple_of(2) { Side::First } else { Side::Second };
    let random_games = (f64::from(settings.games) * settings.random_share).round() as u32;
    if game == random_games || game > random_games && (game - random_games).is_multiple_of(settings.refresh.max(1)) {
        state.frozen.clone_from(&state.weights);
    }
    let (own, other) = (Weights::from_values(&state.weights), Weights::from_values(&state.frozen));
    let own = Player::Search(Some(&own), settings.depth);
    let opponent = if game < random_games { Player::Random } else { Player::Search(Some(&other), settings.depth) };
    let mut rng = Rng::new(split(settings.seed, u64::from(game)));
    let mut line = Line::new(start.clone());
    for _ in 0..settings.opening {
        if goes_on(&line) {
            let chosen = random(&line, &mut rng);
            line.play(chosen.mv);
        }
    }
    let mut visits: Vec<Visit> = Vec::new();
    while goes_on(&line) {
        let position = line.position();
        // Both explore: a learner who alone plays any move would learn that it loses, not why.
        let explores = rng.unit() < settings.epsilon;
        let player = if position.turn() == learner { &own } else { &opponent };
        let chosen = if explores { random(&line, &mut rng) } else { player.choose(&line, &mut rng) };
        if position.turn() != learner {
            line.play(chosen.mv);
            continue;
        }
        match settings.variant {
            Variant::Td => visits.push(measured(position)),
            // A random move says nothing of the play it leads to.
            Variant::TdLeaf if explores => {}
            Variant::TdLeaf => visits.extend(leaf(position, &chosen.line)),
        }
        line.play(chosen.mv);
    }
    let sign = if learner == Side::First { 1 } else { -1 };
    let outcome = result(&line) * sign;
    let error = learn(&mut state.weights, &visits, f64::from(sign), f64::from(outcome), settings);
    check_terms(start.terms(), &state.weights)?;
    state.played += 1;
    Ok(Played { result: outcome, learner, plies: line.moves().len(), error })
}

/// Moves the weights by one game; `sign` is 1 where the learner had the first side and -1 where it had the other, `outcome` what it
/// got. Gives the mean of the squared errors.
pub fn learn(weights: &mut [f64], visits: &[Visit], sign: f64, outcome: f64, settings: &Settings) -> f64 {
    let mut trace = [0.0; MOST_TERMS];
    let mut errors = 0.0;
    for (index, terms) in visits.iter().enumerate() {
        let (value, slope) = value(weights, terms, sign, settings.variant);
        let next = match visits.get(index + 1) {
            Some(next) => self::value(weights, next, sign, settings.variant).0,
            None => outcome * settings.terminal,
        };
        let error = next - value;
        errors += error * error;
        for ((weight, trace), &term) in weights.iter_mut().zip(&mut trace).zip(terms) {
            *trace = settings.lambda * *trace + slope * sign * f64::from(term);
            *weight += settings.rate * error * *trace;
        }
    }
    errors / visits.len().max(1) as f64
}

/// What a position is worth to the learner, and how that grows with the score.
fn value(weights: &[f64], terms: &Measures, sign: f64, variant: Variant) -> (f64, f64) {
    let score = sign * weights.iter().zip(terms).map(|(weight, &term)| weight * f64::from(term)).sum::<f64>();
    match variant {
        Variant::Td => (score, 1.0),
        Variant::TdLeaf => (score.tanh(), 1.0 - score.tanh().powi(2)),
    }
}

fn measured<P: Position>(position: &P) -> Visit {
    let mut terms = [0.0; MOST_TERMS];
    position.measure(&mut terms);
    terms
}

/// The terms where the best line ends; nothing where it ends the game, whose value is then known.
fn leaf<P: Position>(position: &P, moves: &[P::Move]) -> Option<Visit> {
    let mut position = position.clone();
    for &mv in moves {
        position.play(mv);
    }
    position.outcome().is_none().then(|| measured(&position))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(variant: Variant) -> Settings {
        Settings {
            variant,
            games: 10,
            depth: 1,
            lambda: 0.7,
            rate: 0.01,
            epsilon: 0.1,
            random_share: 0.4,
            refresh: 50,
            terminal: 1.0,
            opening: 0,
            seed: 1,
        }
    }

    #[test]
    fn a_mirrored_game_of_the_other_side_teaches_the_same() {
        let visits: Vec<Visit> =
            (0..5).map(|step| std::array::from_fn(|term| ((step * 7 + term * 3) % 5) as f32 / 5.0)).collect();
        let mirrored: Vec<Visit> = visits.iter().map(|terms| terms.map(|term| -term)).collect();
        for variant in [Variant::Td, Variant::TdLeaf] {
            let (mut first, mut second) = (vec![0.3; 10], vec![0.3; 10]);
            learn(&mut first, &visits, 1.0, 1.0, &settings(variant));
            learn(&mut second, &mirrored, -1.0, 1.0, &settings(variant));
            assert_eq!(first, second);
            assert_ne!(first, [0.3; 10]);
        }
    }

    #[test]
    fn what_a_won_game_had_is_worth_more_and_what_a_lost_one_had_less() {
        let mut visit = [0.0; MOST_TERMS];
        visit[1] = 0.5;
        for (sign, outcome) in [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)] {
            let mut weights = vec![0.1; 3];
            learn(&mut weights, &[visit, visit], sign, outcome, &settings(Variant::Td));
            assert!((weights[1] - 0.1) * sign * outcome > 0.0, "{sign} {outcome}");
            assert_eq!(weights[0], 0.1);
        }
    }

    #[test]
    fn one_step_is_the_formula() {
        let mut visits = [[0.0; MOST_TERMS]; 2];
        (visits[0][0], visits[1][0]) = (1.0, 0.5);
        let mut weights = vec![1.0];
        let errors = learn(&mut weights, &visits, 1.0, 1.0, &settings(Variant::Td));
        // Error -0.5, trace 1: 0.995. Then error 1 - 0.4975, trace 0.7 + 0.5.
        let second = 1.0 - 0.5 * 0.995;
        assert!((weights[0] - (0.995 + 0.01 * second * 1.2)).abs() < 1e-9, "{weights:?}");
        assert!((errors - (0.25 + second * second) / 2.0).abs() < 1e-9);
    }
}
