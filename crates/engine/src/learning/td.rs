//! Temporal-difference learning: after a game, the value of each position moves towards the value of the next one.
//!
//! TD(λ) follows Sutton (1988), "Learning to predict by the methods of temporal differences", for the linear value `V(s) = ±w·f(s)`
//! from the learner's point of view: with `δ = V(s') - V(s)` and the trace `e = λ e + ∇V(s)`, `w` changes by `α δ e`. TDLeaf(λ)
//! (Baxter, Tridgell and Weaver 1998, "KnightCap") uses the leaf of the principal variation and the value `tanh w·f` between -1 and 1.

use super::self_play::{Player, is_unfinished, random_move, result};
use crate::evaluate::{Weights, check_feature_weights};
use crate::position::{FeatureValues, MAX_FEATURES};
use crate::rng::split;
use crate::{Error, GameRules, Line, Rng, Side};

/// The learning rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variant {
    /// TD(λ): linear values of the positions in the game.
    Td,
    /// TDLeaf(λ): `tanh` values of the leaves of the principal variations.
    TdLeaf,
}

/// Settings for a learner.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// The learning rule.
    pub variant: Variant,
    /// The total number of games; together with `random_fraction`, it determines when the opponent stops playing randomly.
    pub games: u32,
    /// The search depth of both players in plies.
    pub depth: u32,
    /// The trace decay λ, from 0 to 1.
    pub lambda: f64,
    /// The learning rate α.
    pub learning_rate: f64,
    /// The probability that a searching player plays a random move.
    pub epsilon: f64,
    /// The fraction of games, at the start of training, in which the opponent plays randomly.
    pub random_fraction: f64,
    /// The number of games between copies of the learner's weights to the opponent.
    pub refresh_games: u32,
    /// The value of a win; a loss has the opposite value.
    pub terminal_value: f64,
    /// The number of random plies at the start of each game.
    pub opening_plies: u32,
    /// The random seed.
    pub seed: u64,
}

/// The state of a learner. Together with the settings, it determines the next game.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// The learner's weights.
    pub weights: Vec<f64>,
    /// The opponent's weights, used once it no longer plays randomly.
    pub opponent_weights: Vec<f64>,
    /// The number of games played.
    pub games_played: u32,
}

/// The result of one game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GameResult {
    /// The learner's result: 1, 0 or -1.
    pub result: i8,
    /// The learner's side.
    pub learner: Side,
    /// The length of the game in plies.
    pub plies: usize,
    /// The mean squared temporal-difference error.
    pub error: f64,
}

/// Plays the next game and learns from it.
pub fn play_and_learn<P: GameRules>(start: &P, settings: &Settings, state: &mut State) -> Result<GameResult, Error> {
    check_feature_weights(start.features(), &state.weights)?;
    let game = state.games_played;
    let learner = if game.is_multiple_of(2) { Side::First } else { Side::Second };
    let random_games = (f64::from(settings.games) * settings.random_fraction).round() as u32;
    if game == random_games || game > random_games && (game - random_games).is_multiple_of(settings.refresh_games.max(1)) {
        state.opponent_weights.clone_from(&state.weights);
    }
    let (own, other) =
        (Weights::from_checked_features(&state.weights), Weights::from_checked_features(&state.opponent_weights));
    let own = Player::FixedDepth(Some(&own), settings.depth);
    let opponent = if game < random_games { Player::Random } else { Player::FixedDepth(Some(&other), settings.depth) };
    let mut rng = Rng::new(split(settings.seed, u64::from(game)));
    let mut line = Line::new(start.clone());
    for _ in 0..settings.opening_plies {
        if is_unfinished(&line) {
            let chosen = random_move(&line, &mut rng);
            line.play(chosen.mv);
        }
    }
    let mut visits: Vec<FeatureValues> = Vec::new();
    while is_unfinished(&line) {
        let position = line.position();
        // Both players explore. If only the learner did, it would learn that random moves lose, but not why positions are lost.
        let explores = rng.unit() < settings.epsilon;
        let player = if position.turn() == learner { &own } else { &opponent };
        let chosen = if explores { random_move(&line, &mut rng) } else { player.choose(&line, &mut rng) };
        if position.turn() != learner {
            line.play(chosen.mv);
            continue;
        }
        match settings.variant {
            Variant::Td => visits.push(feature_values(position)),
            // A random move has no principal variation.
            Variant::TdLeaf if explores => {}
            Variant::TdLeaf => visits.extend(leaf_features(position, &chosen.pv)),
        }
        line.play(chosen.mv);
    }
    let sign = if learner == Side::First { 1 } else { -1 };
    let outcome = result(&line) * sign;
    let error = learn(&mut state.weights, &visits, f64::from(sign), f64::from(outcome), settings);
    check_feature_weights(start.features(), &state.weights)?;
    state.games_played += 1;
    Ok(GameResult { result: outcome, learner, plies: line.moves().len(), error })
}

/// Updates the weights after a game and returns the mean squared error. `sign` is 1 if the learner is the first side and -1 otherwise;
/// `outcome` is the learner's result.
pub fn learn(weights: &mut [f64], visits: &[FeatureValues], sign: f64, outcome: f64, settings: &Settings) -> f64 {
    let mut trace = [0.0; MAX_FEATURES];
    let mut errors = 0.0;
    for (index, features) in visits.iter().enumerate() {
        let (value, slope) = value(weights, features, sign, settings.variant);
        let next = match visits.get(index + 1) {
            Some(next) => self::value(weights, next, sign, settings.variant).0,
            None => outcome * settings.terminal_value,
        };
        let error = next - value;
        errors += error * error;
        for ((weight, trace), &feature) in weights.iter_mut().zip(&mut trace).zip(features) {
            *trace = settings.lambda * *trace + slope * sign * f64::from(feature);
            *weight += settings.learning_rate * error * *trace;
        }
    }
    errors / visits.len().max(1) as f64
}

/// The value of a position for the learner and its derivative with respect to the linear score.
fn value(weights: &[f64], features: &FeatureValues, sign: f64, variant: Variant) -> (f64, f64) {
    let score = sign * weights.iter().zip(features).map(|(weight, &feature)| weight * f64::from(feature)).sum::<f64>();
    match variant {
        Variant::Td => (score, 1.0),
        Variant::TdLeaf => (score.tanh(), 1.0 - score.tanh().powi(2)),
    }
}

fn feature_values<P: GameRules>(position: &P) -> FeatureValues {
    let mut values = [0.0; MAX_FEATURES];
    position.evaluate_features(&mut values);
    values
}

/// The features at the end of the principal variation; `None` if the game ends there.
fn leaf_features<P: GameRules>(position: &P, pv: &[P::Move]) -> Option<FeatureValues> {
    let mut position = position.clone();
    for &mv in pv {
        position.play(mv);
    }
    position.outcome().is_none().then(|| feature_values(&position))
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
            learning_rate: 0.01,
            epsilon: 0.1,
            random_fraction: 0.4,
            refresh_games: 50,
            terminal_value: 1.0,
            opening_plies: 0,
            seed: 1,
        }
    }

    #[test]
    fn learning_is_symmetric_between_the_sides() {
        let visits: Vec<FeatureValues> =
            (0..5).map(|step| std::array::from_fn(|index| ((step * 7 + index * 3) % 5) as f32 / 5.0)).collect();
        let mirrored: Vec<FeatureValues> = visits.iter().map(|features| features.map(|feature| -feature)).collect();
        for variant in [Variant::Td, Variant::TdLeaf] {
            let (mut first, mut second) = (vec![0.3; 10], vec![0.3; 10]);
            learn(&mut first, &visits, 1.0, 1.0, &settings(variant));
            learn(&mut second, &mirrored, -1.0, 1.0, &settings(variant));
            assert_eq!(first, second);
            assert_ne!(first, [0.3; 10]);
        }
    }

    #[test]
    fn features_of_won_games_gain_weight_and_features_of_lost_games_lose_weight() {
        let mut visit = [0.0; MAX_FEATURES];
        visit[1] = 0.5;
        for (sign, outcome) in [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)] {
            let mut weights = vec![0.1; 3];
            learn(&mut weights, &[visit, visit], sign, outcome, &settings(Variant::Td));
            assert!((weights[1] - 0.1) * sign * outcome > 0.0, "{sign} {outcome}");
            assert_eq!(weights[0], 0.1);
        }
    }

    #[test]
    fn the_update_follows_the_formula() {
        let mut visits = [[0.0; MAX_FEATURES]; 2];
        (visits[0][0], visits[1][0]) = (1.0, 0.5);
        let mut weights = vec![1.0];
        let errors = learn(&mut weights, &visits, 1.0, 1.0, &settings(Variant::Td));
        // Error -0.5, trace 1: 0.995. Then error 1 - 0.4975, trace 0.7 + 0.5.
        let second = 1.0 - 0.5 * 0.995;
        assert!((weights[0] - (0.995 + 0.01 * second * 1.2)).abs() < 1e-9, "{weights:?}");
        assert!((errors - (0.25 + second * second) / 2.0).abs() < 1e-9);
    }
}
