//! What an exact solver says, in every game of lines: scores that hold who wins and how soon.
//!
//! A score is for the side to move: above 0 it wins, below 0 it loses, 0 is a draw. Its size is one more than the discs the winner
//! has left when it wins, so that quick wins score high: on the 7x6 board of Connect Four, 22 less the discs it has played.

use crate::erased::AnyLine;
use crate::{Error, Side};

/// Who looks on while a solver works.
pub trait Watch {
    /// Whether to give up; asked several times a millisecond.
    fn wants_stop(&mut self, progress: &Progress) -> bool;
}

/// Nobody looks on.
pub struct Unwatched;

impl Watch for Unwatched {
    fn wants_stop(&mut self, _: &Progress) -> bool {
        false
    }
}

/// How far a solver is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// The least the score being sought can still be, for the side to move where it is sought.
    pub low: i32,
    /// The most it can still be.
    pub high: i32,
    /// Positions looked at.
    pub nodes: u64,
}

/// The score of one move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveScore {
    /// The move's name.
    pub text: String,
    /// For the side to move before the move.
    pub score: i32,
    /// Plies from the position before the move to the end of the game, under best play.
    pub distance: i32,
}

/// What is certain of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    /// For the side to move.
    pub score: i32,
    /// Plies to the end of the game, under best play: the quickest win, the slowest loss.
    pub distance: i32,
    /// Every legal move in the order of [`crate::Line::legal_moves`], where they were asked for.
    pub moves: Vec<MoveScore>,
    /// Positions looked at.
    pub nodes: u64,
}

/// A solver of one game with its options chosen.
pub trait Solver: Send {
    /// The solution of an unfinished game; `None` if the watch wanted a stop. With `every`, of each of its moves too.
    fn solve(&mut self, line: &dyn AnyLine, every: bool, watch: &mut dyn Watch) -> Result<Option<Solution>, Error>;

    /// The scores of unfinished games in their order, each for its side to move; `None` if the watch wanted a stop.
    fn scores(&mut self, lines: &[&dyn AnyLine], watch: &mut dyn Watch) -> Result<Option<Vec<i32>>, Error> {
        let score = |line: &&dyn AnyLine| Ok(self.solve(*line, false, watch)?.map(|solution| solution.score));
        let scores: Result<Vec<_>, Error> = lines.iter().map(score).collect();
        Ok(scores?.into_iter().collect())
    }

    /// Forgets everything.
    fn clear(&mut self);

    /// Memory of what it remembers.
    fn bytes(&self) -> usize;
}

/// Plies to the end of a game with so many empty cells, from the score for the side to move.
pub(super) fn distance(score: i32, left: i32) -> i32 {
    match score {
        0 => left,
        1.. => 2 * ((left + 1) / 2 - score) + 1,
        _ => 2 * (left / 2 + score) + 2,
    }
}

/// An error unless the game goes on.
pub(super) fn check_unfinished(line: &dyn AnyLine) -> Result<(), Error> {
    match line.outcome() {
        None => Ok(()),
        Some(outcome) => {
            let how = match outcome.winner {
                Some(Side::First) => "the first side won",
                Some(Side::Second) => "the second side won",
                None => "it is drawn",
            };
            Err(Error::GameOver(format!("the game is over: {how}; a solver needs a position with a legal move")))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_tell_how_long_the_game_lasts() {
        assert_eq!(distance(1, 42), 41, "the first side's last disc");
        assert_eq!(distance(-1, 42), 42, "the second side's last disc");
        assert_eq!(distance(0, 42), 42);
        assert_eq!(distance(18, 36), 1);
        assert_eq!(distance(-17, 35), 2);
    }
}
