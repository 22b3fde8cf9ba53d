//! A game played to its end by chance: what Monte Carlo methods learn from.

use crate::{Outcome, Position, Rng};

/// How a playout went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Playout {
    /// `None` when the ply cap cut it off.
    pub outcome: Option<Outcome>,
    /// Moves made.
    pub plies: u32,
}

/// Plays uniformly random moves from `position` to the end, or until `cap` plies are made. Repetition is not looked at.
#[inline]
pub fn playout<P: Position>(mut position: P, rng: &mut Rng, cap: u32) -> Playout {
    for plies in 0..cap {
        let outcome = match position.decided() {
            None => match position.play_random(rng) {
                Some(_) => continue,
                None => position.stuck(),
            },
            Some(outcome) => outcome,
        };
        return Playout { outcome: Some(outcome), plies };
    }
    Playout { outcome: position.outcome(), plies: cap }
}

/// What many playouts from one position came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Wins of the first side, wins of the second, games without a winner.
    pub results: [u64; 3],
    /// Moves made in all of them.
    pub plies: u64,
}

impl std::ops::AddAssign for Tally {
    fn add_assign(&mut self, more: Tally) {
        for (sum, more) in self.results.iter_mut().zip(more.results) {
            *sum += more;
        }
        self.plies += more.plies;
    }
}

/// Makes `count` playouts to the end and adds them up.
pub fn tally<P: Position>(position: &P, count: u64, rng: &mut Rng) -> Tally {
    let mut tally = Tally::default();
    // A copy of its own stays in a register.
    let mut local = rng.clone();
    for _ in 0..count {
        let playout = playout(position.clone(), &mut local, u32::MAX);
        tally.plies += u64::from(playout.plies);
        let winner = playout.outcome.and_then(|outcome| outcome.winner);
        tally.results[winner.map_or(2, |side| side as usize)] += 1;
    }
    *rng = local;
    tally
}
