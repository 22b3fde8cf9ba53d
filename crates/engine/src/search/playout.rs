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
    /// Wins of the first side.
    pub first: u64,
    /// Wins of the second side.
    pub second: u64,
    /// Games without a winner.
    pub draws: u64,
    /// Moves made in all of them.
    pub plies: u64,
}

impl std::ops::AddAssign for Tally {
    fn add_assign(&mut self, more: Tally) {
        self.first += more.first;
        self.second += more.second;
        self.draws += more.draws;
        self.plies += more.plies;
    }
}

/// Makes `count` playouts to the end and adds them up.
pub fn tally<P: Position>(position: &P, count: u64, rng: &mut Rng) -> Tally {
    let mut tally = Tally::default();
    for _ in 0..count {
        let playout = playout(position.clone(), rng, u32::MAX);
        tally.plies += u64::from(playout.plies);
        match playout.outcome.and_then(|outcome| outcome.winner) {
            Some(crate::Side::First) => tally.first += 1,
            Some(crate::Side::Second) => tally.second += 1,
            None => tally.draws += 1,
        }
    }
    tally
}
