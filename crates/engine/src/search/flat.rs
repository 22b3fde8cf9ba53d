//! Flat Monte Carlo: many random games from one position.

use super::playout::playout;
use crate::{Position, Rng};

/// The totals of a number of playouts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PlayoutResults {
    /// Games won by the first side.
    pub first_wins: u64,
    /// Games won by the second side.
    pub second_wins: u64,
    /// Drawn games.
    pub draws: u64,
    /// The total length of all games in plies.
    pub plies: u64,
}

impl std::ops::AddAssign for PlayoutResults {
    fn add_assign(&mut self, other: PlayoutResults) {
        self.first_wins += other.first_wins;
        self.second_wins += other.second_wins;
        self.draws += other.draws;
        self.plies += other.plies;
    }
}

/// Plays `count` uniformly random games to the end; fewer if interrupted.
pub fn playouts<P: Position>(position: &P, count: u64, rng: &mut Rng) -> PlayoutResults {
    let (mut results, mut plies) = ([0; 3], 0);
    // A local copy can be kept in a register.
    let mut local = rng.clone();
    for _ in 0..count {
        let playout = playout(position.clone(), &mut local, u32::MAX);
        if position.is_interrupted() {
            break;
        }
        plies += u64::from(playout.plies);
        let winner = playout.outcome.and_then(|outcome| outcome.winner);
        results[winner.map_or(2, |side| side as usize)] += 1;
    }
    *rng = local;
    let [first_wins, second_wins, draws] = results;
    PlayoutResults { first_wins, second_wins, draws, plies }
}
