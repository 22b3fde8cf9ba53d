//! Games that a program plays to learn from.

use super::Weights;
use crate::search::alphabeta::{self, Best, Config, Limits};
use crate::{Line, Position, Rng, Side};

/// Memory of the table of a short search: it stays in the processor's cache.
const BYTES: usize = 1 << 18;
/// Plies that end a game as a draw.
pub const LONGEST: usize = 300;

/// A player of learning games.
pub enum Player<'a> {
    /// Any move.
    Random,
    /// The best move of a search of some plies, judged by weights or by the game's own rule of thumb.
    Search(Option<&'a Weights>, u32),
}

impl Player<'_> {
    /// The move that is played in an unfinished game; a search also says what it expects.
    pub fn choose<P: Position>(&self, line: &Line<P>, rng: &mut Rng) -> Best<P::Move> {
        match self {
            Player::Random => random(line, rng),
            Player::Search(weights, depth) => {
                let limits = Limits { bytes: BYTES, ..Limits::depth(*depth) };
                alphabeta::best(line, &Config::default(), *weights, &limits).unwrap_or_else(|| random(line, rng))
            }
        }
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
