//! Common interface of the exact solvers. Scores encode the winner and the length of the game.
//!
//! A score is from the point of view of the side to move: positive if it wins, negative if it loses, 0 for a draw. Its absolute
//! value is the number of discs the winner has left after its winning move, plus one, so faster wins score higher. On the 7x6
//! Connect Four board it is 22 minus the number of discs the winner has played.

use crate::{Error, Line, Position, Side};

/// Observes a running solver and can stop it.
pub trait Observer {
    /// Whether to stop; called several times per millisecond.
    fn should_stop(&mut self, progress: &Progress) -> bool;
}

/// An observer that never stops the solver.
pub struct NoObserver;

impl Observer for NoObserver {
    fn should_stop(&mut self, _: &Progress) -> bool {
        false
    }
}

/// Solver progress.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Lower bound on the score being computed, for the side to move in that position.
    pub low: i32,
    /// Upper bound on the score being computed.
    pub high: i32,
    /// Number of positions searched.
    pub nodes: u64,
}

/// The score of one move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveScore {
    /// The move as text.
    pub text: String,
    /// Score for the side that makes the move.
    pub score: i32,
    /// Plies from the position before the move to the end of the game with best play.
    pub distance: i32,
}

/// Exact value of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    /// Score for the side to move.
    pub score: i32,
    /// Plies to the end of the game with best play: the fastest win or the slowest loss.
    pub distance: i32,
    /// Scores of all legal moves in the order of [`crate::Line::legal_moves`]; empty unless requested.
    pub moves: Vec<MoveScore>,
    /// Number of positions searched.
    pub nodes: u64,
}

/// A solver for a game with positions of type `P`.
pub trait Solver<P: Position>: Send {
    /// Solves an unfinished game, and each of its moves if `all_moves` is set. Returns `None` if the observer requested a stop.
    fn solve(&mut self, line: &Line<P>, all_moves: bool, observer: &mut dyn Observer) -> Result<Option<Solution>, Error>;

    /// Returns the scores of unfinished games in order, each for the side to move; `None` if the observer requested a stop.
    fn scores(&mut self, lines: &[&Line<P>], observer: &mut dyn Observer) -> Result<Option<Vec<i32>>, Error> {
        let score = |line: &&Line<P>| Ok(self.solve(line, false, observer)?.map(|solution| solution.score));
        let scores: Result<Vec<_>, Error> = lines.iter().map(score).collect();
        Ok(scores?.into_iter().collect())
    }

    /// Clears the transposition table.
    fn clear(&mut self);

    /// Memory used by the transposition table, in bytes.
    fn bytes(&self) -> usize;
}

/// Returns the number of plies to the end of a game with `left` empty cells, given the score for the side to move.
pub(super) fn distance(score: i32, left: i32) -> i32 {
    match score {
        0 => left,
        1.. => 2 * ((left + 1) / 2 - score) + 1,
        _ => 2 * (left / 2 + score) + 2,
    }
}

/// Returns an error if the game is over.
pub(super) fn check_unfinished<P: Position>(line: &Line<P>) -> Result<(), Error> {
    match line.outcome() {
        None => Ok(()),
        Some(outcome) => {
            let how = match outcome.winner {
                Some(Side::First) => "the first side won",
                Some(Side::Second) => "the second side won",
                None => "draw",
            };
            Err(Error::GameOver(format!("the game is over: {how}; a solver needs an unfinished game")))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_determine_the_length_of_the_game() {
        assert_eq!(distance(1, 42), 41, "the first side's last disc");
        assert_eq!(distance(-1, 42), 42, "the second side's last disc");
        assert_eq!(distance(0, 42), 42);
        assert_eq!(distance(18, 36), 1);
        assert_eq!(distance(-17, 35), 2);
    }
}
