//! Logistic regression of pattern weights on self-play games.
//!
//! The first side's expected result is modelled as `1 / (1 + e^-s)`, where `s` is the linear score of a position, as in Buro (1995),
//! "Statistical feature combination for the evaluation of game positions", for Othello. The weights are optimised with AdaGrad (Duchi,
//! Hazan and Singer 2011, "Adaptive subgradient methods").

use super::self_play::{Player, is_unfinished, random_move, result};
use crate::evaluate::PATTERN_SCALE;
use crate::position::MAX_PHASE;
use crate::rng::split;
use crate::{Error, GameRules, Line, Rng, Side};

/// Centipawns per logit (odds of e to 1), on the Elo scale, where 400 centipawns correspond to odds of 10 to 1.
const CENTIPAWNS_PER_LOGIT: f32 = 400.0 * std::f32::consts::LOG10_E;

/// Settings for self-play and regression.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// The search depth in plies.
    pub depth: u32,
    /// The maximum number of random plies at the start of a game; the minimum is half of that.
    pub opening_plies: u32,
    /// The probability of a random move after the opening.
    pub epsilon: f64,
    /// The number of passes over all positions.
    pub epochs: u32,
    /// The initial learning rate.
    pub learning_rate: f32,
    /// The strength of L2 regularisation, summed over all positions that contain a pattern.
    pub weight_decay: f32,
    /// The weight of the search value in the training target; the remainder is the weight of the game result.
    pub search_weight: f32,
    /// The random seed.
    pub seed: u64,
}

/// A self-play game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameRecord {
    /// The moves as encoded by [`crate::Position::encode`].
    pub moves: Vec<u16>,
    /// The search score before each move in centipawns for the side to move; [`NO_SCORE`] if there was no search.
    pub scores: Vec<i16>,
    /// The result for the first side: 1, 0 or -1.
    pub result: i8,
}

/// One game in this many is held out for validation.
const VALIDATION_INTERVAL: usize = 20;

/// The maximum absolute score.
const MAX_SCORE: i16 = 30_000;

/// The score of positions that were not searched.
pub const NO_SCORE: i16 = i16::MIN;

/// Plays the game with the given number; the number and the settings determine the random moves.
pub fn play<P: GameRules>(start: &P, settings: &Settings, player: &Player<'_>, number: u64) -> GameRecord {
    let mut rng = Rng::new(split(settings.seed, number));
    let minimum = settings.opening_plies / 2;
    let opening_plies = (minimum + rng.below(settings.opening_plies - minimum + 1)) as usize;
    let mut line = Line::new(start.clone());
    let (mut moves, mut scores) = (Vec::new(), Vec::new());
    while is_unfinished(&line) {
        let explores = line.moves().len() < opening_plies || rng.unit() < settings.epsilon;
        let chosen = if explores { random_move(&line, &mut rng) } else { player.choose(&line, &mut rng) };
        moves.push(line.position().encode(chosen.mv));
        scores.push(chosen.score.map_or(NO_SCORE, |score| score.clamp((-MAX_SCORE).into(), MAX_SCORE.into()) as i16));
        line.play(chosen.mv);
    }
    GameRecord { moves, scores, result: result(&line) }
}

/// The codes of moves from a position, given as text.
pub fn encode_moves<P: GameRules>(start: &P, moves: &[&str]) -> Result<Vec<u16>, Error> {
    let mut line = Line::new(start.clone());
    let mut codes = Vec::with_capacity(moves.len());
    for text in moves {
        let mv = line.parse_move(text)?;
        codes.push(line.position().encode(mv));
        line.play(mv);
    }
    Ok(codes)
}

/// A position and its training target for the first side, from 0 to 1.
struct Example<P> {
    position: P,
    target: f32,
}

/// Returns an error if a game, possibly read from a file, has an illegal move, an out-of-range result or score, or a different
/// number of moves and scores.
pub fn check<P: GameRules>(start: &P, game: &GameRecord) -> Result<(), Error> {
    examples(start, std::iter::once(game), 0.0).map(drop)
}

/// Returns an example for each quiet position of the games that has a score.
fn examples<'a, P: GameRules>(
    start: &P,
    games: impl Iterator<Item = &'a GameRecord>,
    search_weight: f32,
) -> Result<Vec<Example<P>>, Error> {
    let mut examples = Vec::new();
    for game in games {
        if !(-1..=1).contains(&game.result) {
            return Err(Error::Parse(format!("the result of a game must be 1, 0 or -1, got {}", game.result)));
        }
        if game.moves.len() != game.scores.len() {
            return Err(Error::Parse(format!(
                "a game must have one score per move, got {} moves and {} scores",
                game.moves.len(),
                game.scores.len()
            )));
        }
        let mut position = start.clone();
        let result = (f32::from(game.result) + 1.0) / 2.0;
        for (ply, (&code, &score)) in game.moves.iter().zip(&game.scores).enumerate() {
            if score != NO_SCORE && !(-MAX_SCORE..=MAX_SCORE).contains(&score) {
                return Err(Error::Parse(format!("a score must be between -{MAX_SCORE} and {MAX_SCORE}, got {score}")));
            }
            if score != NO_SCORE && is_quiet(&position) {
                let score = if position.turn() == Side::First { score } else { -score };
                let search_value = sigmoid(f32::from(score) / CENTIPAWNS_PER_LOGIT);
                let target = (1.0 - search_weight) * result + search_weight * search_value;
                examples.push(Example { position: position.clone(), target });
            }
            let Some(mv) = decode(&position, code) else {
                return Err(Error::Parse(format!("move {} of a game has code {code}, but no legal move does", ply + 1)));
            };
            position.play(mv);
        }
    }
    Ok(examples)
}

/// The legal move with the given code.
fn decode<P: GameRules>(position: &P, code: u16) -> Option<P::Move> {
    let mut found = None;
    if position.early_outcome().is_none() {
        position.coded_moves(|mv, other| {
            if other == code {
                found = Some(mv);
            }
        });
    }
    found
}

/// Whether no capture is possible.
fn is_quiet<P: GameRules>(position: &P) -> bool {
    let mut captures = false;
    position.capture_moves(|_, _| captures = true);
    !captures
}

fn sigmoid(score: f32) -> f32 {
    1.0 / (1.0 + (-score).exp())
}

/// The state of the optimiser.
struct Model {
    /// The weights of each pattern at the start and at the end of the game, in logits.
    weights: Vec<[f32; 2]>,
    /// The sum of squared gradients of each weight.
    squared_gradients: Vec<[f32; 2]>,
    /// The number of positions that contain each pattern.
    visits: Vec<f32>,
}

impl Model {
    /// Predicts the result for the first side, from 0 to 1, and stores the patterns of the position in `active`.
    fn predict<P: GameRules>(&self, position: &P, late: f32, active: &mut Vec<(usize, f32)>) -> f32 {
        let mut score = 0.0;
        active.clear();
        position.visit_patterns(|index, count| {
            let count = count as f32;
            let [start, end] = self.weights[index];
            score += count * (start * (1.0 - late) + end * late);
            active.push((index, count));
        });
        sigmoid(score)
    }

    /// Updates the weights for one position.
    fn learn<P: GameRules>(&mut self, example: &Example<P>, active: &mut Vec<(usize, f32)>, settings: &Settings) {
        let late = lateness(&example.position);
        let error = self.predict(&example.position, late, active) - example.target;
        for &(index, count) in active.iter() {
            // Divided by the visits, so that the total decay does not depend on how often the pattern occurs.
            let decay = settings.weight_decay / self.visits[index];
            for (stage, share) in [1.0 - late, late].into_iter().enumerate() {
                let weight = &mut self.weights[index][stage];
                let gradient = error * count * share + decay * *weight;
                let sum = &mut self.squared_gradients[index][stage];
                *sum += gradient * gradient;
                *weight -= settings.learning_rate * gradient / (*sum + 1.0).sqrt();
            }
        }
    }

    /// The mean cross-entropy.
    fn loss<P: GameRules>(&self, examples: &[Example<P>]) -> f64 {
        let mut active = Vec::new();
        let mut loss = 0.0;
        for Example { position, target } in examples {
            let predicted = self.predict(position, lateness(position), &mut active).clamp(1e-6, 1.0 - 1e-6);
            loss -= f64::from(target * predicted.ln() + (1.0 - target) * (1.0 - predicted).ln());
        }
        loss / examples.len().max(1) as f64
    }
}

/// The progress of the game, from 0 at the start to 1 at the end.
fn lateness<P: GameRules>(position: &P) -> f32 {
    1.0 - position.phase() as f32 / MAX_PHASE as f32
}

/// The result of the regression.
pub struct Fitted {
    /// The pattern weights; see [`Weights::Patterns`].
    pub weights: Vec<[i16; 2]>,
    /// The number of training positions.
    pub positions: usize,
    /// The mean cross-entropy on the validation games; always predicting 0.5 gives 0.69.
    pub loss: f64,
}

/// Fits pattern weights to `games`.
pub fn fit<P: GameRules>(start: &P, settings: &Settings, games: &[GameRecord]) -> Result<Fitted, Error> {
    let count = start.pattern_count();
    if count == 0 {
        return Err(Error::Parse("this game has no patterns".into()));
    }
    let (validation, training): (Vec<_>, Vec<_>) =
        games.iter().enumerate().partition(|(index, _)| index % VALIDATION_INTERVAL == 0);
    let examples_of =
        |games: Vec<(usize, &GameRecord)>| examples(start, games.into_iter().map(|(_, game)| game), settings.search_weight);
    let (validation, mut training) = (examples_of(validation)?, examples_of(training)?);
    let (zeros, visits) = (vec![[0.0; 2]; count], vec![0.0; count]);
    let mut model = Model { weights: zeros.clone(), squared_gradients: zeros, visits };
    for example in &training {
        example.position.visit_patterns(|index, _| model.visits[index] += 1.0);
    }
    let mut rng = Rng::new(split(settings.seed, u64::MAX));
    let mut active = Vec::new();
    for _ in 0..settings.epochs {
        for index in (1..training.len()).rev() {
            training.swap(index, rng.below(index as u32 + 1) as usize);
        }
        for example in &training {
            model.learn(example, &mut active, settings);
        }
    }
    let quantise =
        |weight: f32| (weight * CENTIPAWNS_PER_LOGIT * PATTERN_SCALE as f32).round().clamp(-32_000.0, 32_000.0) as i16;
    let weights = model.weights.iter().map(|pair| pair.map(quantise)).collect();
    Ok(Fitted { weights, positions: training.len(), loss: model.loss(&validation) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Notation;
    use crate::evaluate::Weights;
    use crate::games::checkers::{Checkers, Draws};
    use crate::games::tictactoe::{Classic, TicTacToe};

    const SETTINGS: Settings = Settings {
        depth: 2,
        opening_plies: 8,
        epsilon: 0.1,
        epochs: 3,
        learning_rate: 0.1,
        weight_decay: 10.0,
        search_weight: 0.5,
        seed: 1,
    };

    const HEURISTIC: Player = Player::FixedDepth(None, SETTINGS.depth);

    #[test]
    fn regression_learns_the_value_of_men() {
        let start = Checkers::start(Draws::English);
        let games: Vec<GameRecord> = (0..100).map(|number| play(&start, &SETTINGS, &HEURISTIC, number)).collect();
        let fitted = fit(&start, &SETTINGS, &games).unwrap();
        assert_eq!(fitted.weights, fit(&start, &SETTINGS, &games).unwrap().weights, "deterministic");
        assert!(fitted.positions > 1000);
        assert!(fitted.loss < 0.65, "{}", fitted.loss);
        let weights = Weights::from_patterns(&start, fitted.weights).unwrap();
        let evaluate = |text: &str| weights.evaluate(&start.parse(text).unwrap());
        assert!(evaluate("B:W21,22,23:B1,2,3,4,5,6") > 50);
        assert!(evaluate("W:W21,22,23:B1,2,3,4,5,6") < -50);
        assert!(evaluate("B:WK21,K22,23:B1,2,3") < 0);
    }

    #[test]
    fn the_number_determines_the_game_and_examples_are_quiet() {
        let start = Checkers::start(Draws::English);
        let game = play(&start, &SETTINGS, &HEURISTIC, 7);
        assert_eq!(game, play(&start, &SETTINGS, &HEURISTIC, 7));
        assert_ne!(game, play(&start, &SETTINGS, &HEURISTIC, 8));
        let quiet = examples(&start, std::iter::once(&game), 1.0).unwrap();
        assert!(quiet.iter().all(|example| is_quiet(&example.position) && (0.0..=1.0).contains(&example.target)));
        assert!(!quiet.is_empty());
    }

    #[test]
    fn malformed_games_are_rejected() {
        let start = Checkers::start(Draws::English);
        let game = play(&start, &SETTINGS, &HEURISTIC, 7);
        assert_eq!(check(&start, &game), Ok(()));
        let malformed: [fn(&mut GameRecord); 6] = [
            |game| game.moves[3] = u16::MAX,
            |game| game.moves[0] = 0,
            |game| game.moves.iter_mut().for_each(|code| *code ^= 1),
            |game| game.result = 5,
            |game| game.scores[2] = 30_001,
            |game| game.scores.truncate(1),
        ];
        for change in malformed {
            let mut game = game.clone();
            change(&mut game);
            assert!(check(&start, &game).is_err(), "{game:?}");
            assert!(fit(&start, &SETTINGS, &[game]).is_err());
        }
        let start = TicTacToe::new(Classic);
        let unknown = GameRecord { moves: vec![0; 9], scores: vec![NO_SCORE; 9], result: 0 };
        assert!(check(&start, &unknown).is_err());
    }

    #[test]
    fn a_game_without_patterns_is_rejected() {
        assert!(fit(&TicTacToe::new(Classic), &SETTINGS, &[]).is_err());
    }
}
