//! Regression: weights under which the results of many games are likeliest.
//!
//! A program plays itself, generation after generation, each judging by what the games before taught. The chance of the first side is
//! taken to be `1 / (1 + e^-s)` with `s` the score of a position (logistic regression, as Buro 1995, "Statistical feature combination for
//! the evaluation of game positions", did for Othello); the weights follow the gradient with steps that shrink for each weight as it is
//! moved (Duchi, Hazan and Singer 2011, "Adaptive subgradient methods", AdaGrad).

use super::selfplay::{Player, goes_on, random, result};
use super::{BEGINNING, PARTS, Weights};
use crate::rng::split;
use crate::{Error, Line, Position, Rng, Side};

/// What a score of 1 (odds of e to 1) is worth in hundredths: the scale of Elo, on which 400 are odds of ten to one.
const LOGIT: f32 = 400.0 * std::f32::consts::LOG10_E;

/// How a program plays itself and learns from it.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Plies the players look ahead.
    pub depth: u32,
    /// Random plies that open a game, at most; at least half as many.
    pub opening: u32,
    /// How often a player plays any move later.
    pub epsilon: f64,
    /// Times that every position is learned from.
    pub epochs: u32,
    /// The first step of a weight.
    pub rate: f32,
    /// How strongly weights are drawn to 0: as if each had been seen to be worth nothing so many times.
    pub decay: f32,
    /// The share of what a search thought of a position in what it is said to have been worth; the rest is the result.
    pub blend: f32,
    /// Where all chance comes from.
    pub seed: u64,
}

/// A game that was played: the moves as [`Position::encode`] writes them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played {
    /// One after the other.
    pub moves: Vec<u16>,
    /// What the search thought before each move, in hundredths for the side to move; `i16::MIN` where there was none.
    pub scores: Vec<i16>,
    /// What it was worth to the first side: 1, 0 or -1.
    pub result: i8,
}

/// One game in so many is not learned from, to see how well the weights tell others.
const APART: usize = 20;

/// No search looked at the position.
const NO_SCORE: i16 = i16::MIN;

/// The game of a number.
pub fn play<P: Position>(start: &P, settings: &Settings, weights: Option<&Weights>, number: u64) -> Played {
    let mut rng = Rng::new(split(settings.seed, number));
    let least = settings.opening / 2;
    let opening = (least + rng.below(settings.opening - least + 1)) as usize;
    let player = Player::Search(weights, settings.depth);
    let mut line = Line::new(start.clone());
    let (mut moves, mut scores) = (Vec::new(), Vec::new());
    while goes_on(&line) {
        let any = line.moves().len() < opening || rng.unit() < settings.epsilon;
        let chosen = if any { random(&line, &mut rng) } else { player.choose(&line, &mut rng) };
        moves.push(line.position().encode(chosen.mv));
        scores.push(chosen.score.map_or(NO_SCORE, |score| score.clamp(-30_000, 30_000) as i16));
        line.play(chosen.mv);
    }
    Played { moves, scores, result: result(&line) }
}

/// A position and what it was worth to the first side, 0 to 1.
struct Example<P> {
    position: P,
    target: f32,
}

/// The quiet positions of games, from the first one on that a search looked at.
fn examples<'a, P: Position>(start: &P, games: impl Iterator<Item = &'a Played>, blend: f32) -> Vec<Example<P>> {
    let mut examples = Vec::new();
    for game in games {
        let mut position = start.clone();
        let result = (f32::from(game.result) + 1.0) / 2.0;
        for (&code, &score) in game.moves.iter().zip(&game.scores) {
            if score != NO_SCORE && is_quiet(&position) {
                let score = if position.turn() == Side::First { score } else { -score };
                let thought = chance(f32::from(score) / LOGIT);
                examples.push(Example { position: position.clone(), target: (1.0 - blend) * result + blend * thought });
            }
            let mv = position.decode(code);
            position.play(mv);
        }
    }
    examples
}

fn is_quiet<P: Position>(position: &P) -> bool {
    let mut captures = false;
    position.gaining_moves(|_, _| captures = true);
    !captures
}

fn chance(score: f32) -> f32 {
    1.0 / (1.0 + (-score).exp())
}

/// Weights as they are fitted.
struct Fitting {
    /// For each pattern at the beginning and at the end, in odds.
    weights: Vec<[f32; 2]>,
    /// The squares of all steps of each so far.
    squares: Vec<[f32; 2]>,
    /// Positions that have each pattern.
    visits: Vec<f32>,
}

impl Fitting {
    /// What a position lets the first side expect, 0 to 1, and in `active` the patterns that say so.
    fn expect<P: Position>(&self, position: &P, late: f32, active: &mut Vec<(usize, f32)>) -> f32 {
        let mut score = 0.0;
        active.clear();
        position.visit_patterns(|index, count| {
            let count = count as f32;
            let [beginning, end] = self.weights[index];
            score += count * (beginning * (1.0 - late) + end * late);
            active.push((index, count));
        });
        chance(score)
    }

    /// Moves the weights by one position.
    fn learn<P: Position>(&mut self, example: &Example<P>, active: &mut Vec<(usize, f32)>, settings: &Settings) {
        let late = lateness(&example.position);
        let error = self.expect(&example.position, late, active) - example.target;
        for &(index, count) in active.iter() {
            // Over all positions that have the pattern this adds up to the same for rare ones and for common ones.
            let decay = settings.decay / self.visits[index];
            for (when, share) in [1.0 - late, late].into_iter().enumerate() {
                let weight = &mut self.weights[index][when];
                let slope = error * count * share + decay * *weight;
                let square = &mut self.squares[index][when];
                *square += slope * slope;
                *weight -= settings.rate * slope / (*square + 1.0).sqrt();
            }
        }
    }

    /// How unlikely results are in the mean (cross-entropy).
    fn loss<P: Position>(&self, examples: &[Example<P>]) -> f64 {
        let mut active = Vec::new();
        let mut loss = 0.0;
        for Example { position, target } in examples {
            let expected = self.expect(position, lateness(position), &mut active).clamp(1e-6, 1.0 - 1e-6);
            loss -= f64::from(target * expected.ln() + (1.0 - target) * (1.0 - expected).ln());
        }
        loss / examples.len().max(1) as f64
    }
}

/// How far the game has come, 0 to 1.
fn lateness<P: Position>(position: &P) -> f32 {
    1.0 - position.phase() as f32 / BEGINNING as f32
}

/// What regression found.
pub struct Fitted {
    /// For each pattern at the beginning and at the end, in parts of a hundredth.
    pub weights: Vec<[i16; 2]>,
    /// Positions learned from.
    pub positions: usize,
    /// How unlikely, in the mean, the results of the games are that were kept apart: 0.69 is guessing.
    pub loss: f64,
}

/// The weights under which the results of `games` are likeliest.
pub fn fit<P: Position>(start: &P, settings: &Settings, games: &[Played]) -> Result<Fitted, Error> {
    let count = start.patterns();
    if count == 0 {
        return Err(Error::Parse("this game has no patterns to weigh; accepted is a game that has".into()));
    }
    let (apart, known): (Vec<_>, Vec<_>) = games.iter().enumerate().partition(|(index, _)| index % APART == 0);
    let of = |games: Vec<(usize, &Played)>| examples(start, games.into_iter().map(|(_, game)| game), settings.blend);
    let (apart, mut examples) = (of(apart), of(known));
    let mut fitting = Fitting { weights: vec![[0.0; 2]; count], squares: vec![[0.0; 2]; count], visits: vec![0.0; count] };
    for example in &examples {
        example.position.visit_patterns(|index, _| fitting.visits[index] += 1.0);
    }
    let mut rng = Rng::new(split(settings.seed, u64::MAX));
    let mut active = Vec::new();
    for _ in 0..settings.epochs {
        for index in (1..examples.len()).rev() {
            examples.swap(index, rng.below(index as u32 + 1) as usize);
        }
        for example in &examples {
            fitting.learn(example, &mut active, settings);
        }
    }
    let part = |weight: f32| (weight * LOGIT * PARTS as f32).round().clamp(-32_000.0, 32_000.0) as i16;
    let weights = fitting.weights.iter().map(|pair| pair.map(part)).collect();
    Ok(Fitted { weights, positions: examples.len(), loss: fitting.loss(&apart) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::checkers::{Checkers, Draws};

    const SETTINGS: Settings =
        Settings { depth: 2, opening: 8, epsilon: 0.1, epochs: 3, rate: 0.1, decay: 10.0, blend: 0.5, seed: 1 };

    #[test]
    fn games_teach_that_men_are_worth_something() {
        let start = Checkers::start(Draws::English);
        let games: Vec<Played> = (0..100).map(|number| play(&start, &SETTINGS, None, number)).collect();
        let fitted = fit(&start, &SETTINGS, &games).unwrap();
        assert_eq!(fitted.weights, fit(&start, &SETTINGS, &games).unwrap().weights, "always the same");
        assert!(fitted.positions > 1000);
        assert!(fitted.loss < 0.65, "{}", fitted.loss);
        let weights = Weights::of_patterns(&start, fitted.weights).unwrap();
        let judge = |text: &str| weights.judge(&start.parse(text).unwrap());
        assert!(judge("B:W21,22,23:B1,2,3,4,5,6") > 50);
        assert!(judge("W:W21,22,23:B1,2,3,4,5,6") < -50);
        assert!(judge("B:WK21,K22,23:B1,2,3") < 0);
    }

    #[test]
    fn the_same_number_gives_the_same_game_and_all_are_worth_learning_from() {
        let start = Checkers::start(Draws::English);
        let game = play(&start, &SETTINGS, None, 7);
        assert_eq!(game, play(&start, &SETTINGS, None, 7));
        assert_ne!(game, play(&start, &SETTINGS, None, 8));
        let quiet = examples(&start, std::iter::once(&game), 1.0);
        assert!(quiet.iter().all(|example| is_quiet(&example.position) && (0.0..=1.0).contains(&example.target)));
        assert!(!quiet.is_empty());
    }

    #[test]
    fn a_game_without_patterns_is_refused() {
        let (_, _, line) = crate::games::start("tictactoe", &[]).unwrap();
        assert!(line.fit(&SETTINGS, &[]).is_err());
    }
}
