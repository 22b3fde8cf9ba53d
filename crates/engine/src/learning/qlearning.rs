//! Q-learning on afterstates, with Watkins's Q(λ).
//!
//! The value of a move is the value of the position after it ([`QTable`]). After each game, the value of every position moves towards
//! the return of the best known play from it. If the player chose the best move, the return is `γ ((1 - λ) max Q + λ G')`, where `G'` is
//! the return of the next position; after any other move, it is `γ max Q`, because later results say nothing about the best move
//! (Watkins 1989, "Learning from delayed rewards"; Sutton and Barto 2018, chapter 12.10). Since this is off-policy, both sides' moves
//! teach, whoever chose them. Signs depend on the side to move, never on the ply.

use super::self_play::{is_unfinished, result};
use crate::evaluate::{QTable, result_for};
use crate::rng::split;
use crate::{GameRules, Line, Rng, Side};

/// Settings for a learner.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// The total number of games, over which the rates fall.
    pub games: u32,
    /// The step size at the start.
    pub learning_rate: f64,
    /// The step size at the end, as a fraction of that at the start.
    pub final_rate: f64,
    /// The probability of a random move at the start.
    pub epsilon: f64,
    /// The probability of a random move at the end.
    pub final_epsilon: f64,
    /// λ, the weight of the following return.
    pub lambda: f64,
    /// γ, the discount per ply.
    pub discount: f64,
    /// The fraction of games against an opponent that plays randomly.
    pub random_fraction: f64,
    /// The fraction of games against an earlier copy of the learner; the rest are against itself.
    pub copy_fraction: f64,
    /// The number of games between copies.
    pub copy_interval: u32,
    /// The maximum number of random plies at the start of a game.
    pub opening_plies: u32,
    /// The random seed.
    pub seed: u64,
}

/// The state of a learner. Together with the settings, it determines the next game.
#[derive(Clone, Debug)]
pub struct State {
    /// The learner's table.
    pub table: QTable,
    /// The copy that plays as an opponent.
    pub copy: QTable,
    /// The number of games played.
    pub games_played: u32,
}

/// The result of one game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GameResult {
    /// The learner's result: 1, 0 or -1.
    pub result: i8,
    /// The learner's side; in self-play, one of the two.
    pub learner: Side,
    /// The length of the game in plies.
    pub plies: usize,
    /// The mean squared difference between values and returns.
    pub error: f64,
}

/// Who plays against the learner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Opponent {
    Itself,
    Random,
    Copy,
}

impl Opponent {
    fn draw(settings: &Settings, rng: &mut Rng) -> Opponent {
        match rng.unit() {
            drawn if drawn < settings.random_fraction => Opponent::Random,
            drawn if drawn < settings.random_fraction + settings.copy_fraction => Opponent::Copy,
            _ => Opponent::Itself,
        }
    }
}

/// A position of a game and what followed.
struct Step<P> {
    position: P,
    /// The largest Q-value, for the side to move.
    best: f32,
    /// Whether the move played has the largest Q-value.
    is_greedy: bool,
}

/// Plays the next game and learns from it.
pub fn play_and_learn<P: GameRules>(start: &P, settings: &Settings, state: &mut State) -> GameResult {
    let game = state.games_played;
    if settings.copy_fraction > 0.0 && game > 0 && game.is_multiple_of(settings.copy_interval.max(1)) {
        state.copy = state.table.clone();
    }
    let mut rng = Rng::new(split(settings.seed, u64::from(game)));
    let learner = if game.is_multiple_of(2) { Side::First } else { Side::Second };
    let opponent = Opponent::draw(settings, &mut rng);
    let progress = f64::from(game) / f64::from(settings.games.max(1));
    let epsilon = settings.epsilon + (settings.final_epsilon - settings.epsilon) * progress;
    let mut line = Line::new(start.clone());
    play_opening(&mut line, rng.below(settings.opening_plies + 1), &mut rng);
    let mut steps = Vec::new();
    while is_unfinished(&line) {
        let moves = state.table.q_values(&line);
        if moves.is_empty() || start.is_interrupted() {
            // A callback failed; the caller raises its error.
            break;
        }
        let best = moves.iter().fold(f32::NEG_INFINITY, |best, &(_, value)| best.max(value));
        let opponent = if line.position().turn() == learner { Opponent::Itself } else { opponent };
        let chosen = if opponent == Opponent::Random || rng.unit() < epsilon {
            rng.below(moves.len() as u32) as usize
        } else if opponent == Opponent::Copy {
            let values = state.copy.q_values(&line);
            greedy(values.iter().map(|&(_, value)| value), &mut rng)
        } else {
            greedy(moves.iter().map(|&(_, value)| value), &mut rng)
        };
        let (mv, value) = moves[chosen];
        steps.push(Step { position: line.position().clone(), best, is_greedy: value >= best });
        line.play(mv);
    }
    let rate = settings.learning_rate * (1.0 + (settings.final_rate - 1.0) * progress);
    if start.is_interrupted() {
        steps.clear();
    }
    let error = learn(&mut state.table, &steps, &line, settings, rate as f32);
    state.games_played += 1;
    let sign = if learner == Side::First { 1 } else { -1 };
    GameResult { result: sign * result(&line), learner, plies: line.moves().len(), error }
}

/// Plays random moves.
fn play_opening<P: GameRules>(line: &mut Line<P>, plies: u32, rng: &mut Rng) {
    for _ in 0..plies {
        let moves = line.legal_moves();
        if moves.is_empty() {
            break;
        }
        line.play(moves[rng.below(moves.len() as u32) as usize]);
    }
}

/// The index of the largest value; ties are broken randomly.
fn greedy(values: impl Iterator<Item = f32>, rng: &mut Rng) -> usize {
    let (mut best, mut chosen, mut ties) = (f32::NEG_INFINITY, 0, 1);
    for (index, value) in values.enumerate() {
        if value > best {
            (best, chosen, ties) = (value, index, 1);
        } else if value == best {
            ties += 1;
            if rng.below(ties) == 0 {
                chosen = index;
            }
        }
    }
    chosen
}

/// Updates the values of the positions of a game, last position first. Returns the mean squared error.
fn learn<P: GameRules>(table: &mut QTable, steps: &[Step<P>], end: &Line<P>, settings: &Settings, rate: f32) -> f64 {
    let (lambda, discount) = (settings.lambda as f32, settings.discount as f32);
    // The return of the next position and its side to move; at the end, the result. Games that were cut off have no result.
    let mut next = end.outcome().map(|outcome| (result_for(outcome, Side::First), Side::First));
    let mut errors = 0.0;
    for step in steps.iter().rev() {
        let turn = step.position.turn();
        let target = match next {
            Some((following, side)) if step.is_greedy => {
                let following = if side == turn { following } else { -following };
                discount * ((1.0 - lambda) * step.best + lambda * following)
            }
            _ => discount * step.best,
        };
        let error = table.update(&step.position, target, rate);
        errors += f64::from(error * error);
        next = Some((target, turn));
    }
    errors / steps.len().max(1) as f64
}

/// Plays games without learning against a random opponent, from random openings that are each played from both sides. Returns the
/// score between 0 and 1.
pub fn random_score<P: GameRules>(start: &P, table: &QTable, games: u32, opening_plies: u32, seed: u64) -> f64 {
    let mut points = 0.0;
    for game in 0..games {
        let mut line = Line::new(start.clone());
        play_opening(&mut line, opening_plies, &mut Rng::new(split(seed, u64::from(game / 2))));
        let learner = if game.is_multiple_of(2) { Side::First } else { Side::Second };
        let mut rng = Rng::new(split(!seed, u64::from(game)));
        while is_unfinished(&line) {
            let moves = table.q_values(&line);
            if moves.is_empty() || start.is_interrupted() {
                return 0.0;
            }
            let chosen = match line.position().turn() == learner {
                true => greedy(moves.iter().map(|&(_, value)| value), &mut rng),
                false => rng.below(moves.len() as u32) as usize,
            };
            line.play(moves[chosen].0);
        }
        let result = f64::from(result(&line));
        points += (if learner == Side::First { result } else { -result } + 1.0) / 2.0;
    }
    points / f64::from(games.max(1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::checkers::{Checkers, Draws};
    use crate::games::tictactoe::{Classic, TicTacToe};
    use crate::{Notation, Position};

    fn settings(games: u32) -> Settings {
        Settings {
            games,
            learning_rate: 0.5,
            final_rate: 0.2,
            epsilon: 0.3,
            final_epsilon: 0.1,
            lambda: 0.5,
            discount: 0.9,
            random_fraction: 0.2,
            copy_fraction: 0.2,
            copy_interval: 10,
            opening_plies: 3,
            seed: 1,
        }
    }

    fn new_state(is_tabular: bool) -> State {
        let table = QTable::new(is_tabular, 14);
        State { copy: table.clone(), table, games_played: 0 }
    }

    fn trained<P: GameRules>(start: &P, settings: &Settings, is_tabular: bool) -> State {
        let mut state = new_state(is_tabular);
        for _ in 0..settings.games {
            play_and_learn(start, settings, &mut state);
        }
        state
    }

    /// The negamax value of a position with the discount per ply.
    fn exact(position: &TicTacToe<Classic>, discount: f32) -> f32 {
        let mut best = f32::NEG_INFINITY;
        position.legal_moves(|mv| {
            let mut after = position.clone();
            after.play(mv);
            let value =
                after.outcome().map_or_else(|| -exact(&after, discount), |outcome| result_for(outcome, position.turn()));
            best = best.max(discount * value);
        });
        best
    }

    #[test]
    fn the_values_of_tic_tac_toe_converge_to_the_exact_values() {
        let start = TicTacToe::new(Classic);
        let settings = Settings { final_rate: 1.0, epsilon: 1.0, final_epsilon: 1.0, lambda: 0.0, ..settings(60_000) };
        let state = trained(&start, &settings, true);
        let QTable::Positions(table) = &state.table else { panic!() };
        // All positions of unfinished games.
        assert_eq!(table.entries().len(), 4520);
        for text in ["...", "x../.o./...", "x../.../..o", "xo./.../...", "xxo/oo./x.."] {
            let position = if text == "..." { start.clone() } else { start.parse(text).unwrap() };
            let difference = state.table.value(&position) - exact(&position, 0.9);
            assert!(difference.abs() < 0.01, "{position}: {difference}");
        }
    }

    #[test]
    fn the_same_seed_gives_the_same_values() {
        let start = Checkers::start(Draws::English);
        let value = |seed| trained(&start, &Settings { seed, ..settings(30) }, false).table.value(&start);
        assert_eq!(value(1), value(1));
        assert_ne!(value(1), value(2));
    }

    #[test]
    fn a_mirrored_game_gives_the_same_update() {
        let weights = |start: &str, moves: &[&str]| {
            let mut line = Line::new(Checkers::start(Draws::English).parse(start).unwrap());
            let mut steps = Vec::new();
            for text in moves {
                steps.push(Step { position: line.position().clone(), best: 0.25, is_greedy: true });
                line = line.after(text).unwrap();
            }
            assert!(line.outcome().is_some());
            let mut table = QTable::new(false, 14);
            learn(&mut table, &steps, &line, &settings(1), 0.5);
            let QTable::Tuples(table) = table else { panic!() };
            table.weights().to_vec()
        };
        let mirrored = weights("B:W19:B11", &["11-16", "19x12"]);
        assert_eq!(weights("W:W22:B14", &["22-17", "14x21"]), mirrored);
        assert!(mirrored.iter().any(|&weight| weight > 0.0) && mirrored.iter().any(|&weight| weight < 0.0));
    }

    #[test]
    fn quick_wins_are_worth_more_than_slow_ones() {
        let start = TicTacToe::new(Classic);
        let state = trained(&start, &settings(5_000), true);
        let value = |text: &str| state.table.value(&start.parse(text).unwrap());
        // In the second position, x forces a win with its third move from now.
        let (now, later) = (value("xx./oo./..."), value("x../.../..o"));
        assert!(now > later && later > 0.5, "{now} {later}");
    }

    #[test]
    fn the_score_against_a_random_player_rises() {
        let start = TicTacToe::new(Classic);
        let untrained = random_score(&start, &new_state(true).table, 200, 0, 1);
        let score = random_score(&start, &trained(&start, &settings(5_000), true).table, 200, 0, 1);
        assert!(untrained < 0.8 && score > 0.9, "{untrained} {score}");
    }
}
