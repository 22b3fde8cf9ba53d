//! Games that a program plays to learn from.

use std::time::Duration;

use super::Weights;
use crate::search::alphabeta::{self, Best, Config, Limits, MOST_PLIES};
use crate::{Line, Position, Rng, Side};

/// Memory of the table of a short search: it stays in the processor's cache.
const BYTES: usize = 1 << 18;
/// Memory of the table of a search that has a time.
const TIMED_BYTES: usize = 16 << 20;
/// Plies that end a game as a draw.
pub const LONGEST: usize = 300;

/// A player of learning games.
pub enum Player<'a> {
    /// Any move.
    Random,
    /// The best move of a search of some plies, judged by weights or by the game's own rule of thumb.
    Search(Option<&'a Weights>, u32),
    /// The same, in a time.
    Timed(Option<&'a Weights>, Duration),
}

impl Player<'_> {
    /// The move that is played in an unfinished game; a search also says what it expects.
    pub fn choose<P: Position>(&self, line: &Line<P>, rng: &mut Rng) -> Best<P::Move> {
        let (weights, limits) = match *self {
            Player::Random => return random(line, rng),
            Player::Search(weights, depth) => (weights, Limits { bytes: BYTES, ..Limits::depth(depth) }),
            Player::Timed(weights, time) => (weights, Limits { depth: MOST_PLIES as u32, time, bytes: TIMED_BYTES }),
        };
        alphabeta::best(line, &Config::default(), weights, &limits).unwrap_or_else(|| random(line, rng))
    }
}

/// Any move of an unfinished game.
pub fn random<P: Position>(line: &Line<P>, rng: &mut Rng) -> Best<P::Move> {
    let moves = line.legal_moves();
    Best { mv: moves[rng.below(moves.len() as u32) as usize], score: None, line: Vec::new() }
}

/// What a finished or overlong game was worth to the first side: 1, 0 or -1.
pub fn result<P: Position>(line: &Line<P>) -> i8 {
    match line.outcome().and_then(|outcome| outcome.winner) {
        None => 0,
        Some(Side::First) => 1,
        Some(Side::Second) => -1,
    }
}

/// Whether a game goes on.
pub fn goes_on<P: Position>(line: &Line<P>) -> bool {
    line.moves().len() < LONGEST && line.outcome().is_none()
}

/// What a game between two players is worth to the first side (1, 0 or -1), after some random plies, which follow from the seed.
pub fn duel<P: Position>(start: &P, players: [&Player<'_>; 2], opening: u32, seed: u64) -> i8 {
    let mut rng = Rng::new(seed);
    let mut line = Line::new(start.clone());
    while goes_on(&line) {
        let player = match line.moves().len() {
            ply if ply < opening as usize => &Player::Random,
            _ => players[line.position().turn() as usize],
        };
        let chosen = player.choose(&line, &mut rng);
        line.play(chosen.mv);
    }
    result(&line)
}
