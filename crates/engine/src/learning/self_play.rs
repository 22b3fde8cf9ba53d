//! Games between alpha-beta players.

use std::time::Duration;

use crate::evaluate::Weights;
use crate::evaluate::network::{Network, NetworkEvaluator};
use crate::search::alphabeta::{self, BestMove, Config, Engine, Limits, MAX_PLIES};
use crate::{GameRules, Line, Rng, Side};

/// Transposition table size in bytes for fixed-depth searches, small enough for the processor cache.
const DEPTH_TABLE_BYTES: usize = 1 << 18;
/// Transposition table size in bytes for fixed-time searches.
const TIMED_TABLE_BYTES: usize = 16 << 20;
/// Games that reach this many plies are scored as draws.
pub const MAX_GAME_PLIES: usize = 300;

/// A player in self-play.
pub enum Player<'a> {
    /// Plays random moves.
    Random,
    /// Searches to a fixed depth in plies, using the weights if given and the game's heuristic otherwise.
    FixedDepth(Option<&'a Weights>, u32),
    /// Like `FixedDepth`, with a network and selective search.
    Network(&'a Network, u32),
    /// Plays the best move of a network's policy, without search; without a policy head, plays random moves.
    Policy(&'a Network),
    /// Like `FixedDepth`, but with a fixed time per move.
    FixedTime(Option<&'a Weights>, Duration),
}

impl Player<'_> {
    /// Chooses a move in an unfinished game.
    pub fn choose<P: GameRules>(&self, line: &Line<P>, rng: &mut Rng) -> BestMove<P::Move> {
        let at_depth = |depth| Limits { bytes: DEPTH_TABLE_BYTES, ..Limits::depth(depth) };
        let (weights, config, limits) = match *self {
            Player::Random => return random_move(line, rng),
            Player::Policy(network) => return best_of_policy(line, network, rng),
            Player::Network(network, depth) => {
                let mut engine = Engine::new(Config::default(), 1);
                let best = engine.best_move_with(line, &NetworkEvaluator::new(network), &at_depth(depth));
                return best.unwrap_or_else(|| random_move(line, rng));
            }
            // Learned weights must not depend on the tuning of selective search.
            Player::FixedDepth(weights, depth) => (weights, Config::fixed_depth(), at_depth(depth)),
            Player::FixedTime(weights, time) => {
                (weights, Config::default(), Limits { time, bytes: TIMED_TABLE_BYTES, ..Limits::depth(MAX_PLIES as u32) })
            }
        };
        alphabeta::best_move(line, &config, weights, &limits).unwrap_or_else(|| random_move(line, rng))
    }
}

/// A uniformly random move in an unfinished game.
pub fn random_move<P: GameRules>(line: &Line<P>, rng: &mut Rng) -> BestMove<P::Move> {
    let moves = line.legal_moves();
    BestMove { mv: moves[rng.below(moves.len() as u32) as usize], score: None, pv: Vec::new() }
}

/// The move with the highest logit, the first of several.
fn best_of_policy<P: GameRules>(line: &Line<P>, network: &Network, rng: &mut Rng) -> BestMove<P::Move> {
    let logits = network.predict(line.position()).logits;
    let mut best: Option<(P::Move, f32)> = None;
    for (mv, logit) in line.legal_moves().into_iter().zip(logits) {
        if best.is_none_or(|(_, highest)| logit > highest) {
            best = Some((mv, logit));
        }
    }
    best.map_or_else(|| random_move(line, rng), |(mv, _)| BestMove { mv, score: None, pv: Vec::new() })
}

/// The result for the first side: 1 for a win, 0 for a draw or an unfinished game, -1 for a loss.
pub fn result<P: GameRules>(line: &Line<P>) -> i8 {
    match line.outcome().and_then(|outcome| outcome.winner) {
        None => 0,
        Some(Side::First) => 1,
        Some(Side::Second) => -1,
    }
}

/// Whether a game is unfinished and shorter than [`MAX_GAME_PLIES`].
pub fn is_unfinished<P: GameRules>(line: &Line<P>) -> bool {
    line.moves().len() < MAX_GAME_PLIES && line.outcome().is_none()
}

/// Plays a game between two players after `opening_plies` random plies and returns the result for the first side: 1, 0 or -1.
pub fn play_game<P: GameRules>(start: &P, players: [&Player<'_>; 2], opening_plies: u32, seed: u64) -> i8 {
    let mut rng = Rng::new(seed);
    let mut line = Line::new(start.clone());
    while is_unfinished(&line) {
        let player = match line.moves().len() {
            ply if ply < opening_plies as usize => &Player::Random,
            _ => players[line.position().turn() as usize],
        };
        let chosen = player.choose(&line, &mut rng);
        line.play(chosen.mv);
    }
    result(&line)
}
