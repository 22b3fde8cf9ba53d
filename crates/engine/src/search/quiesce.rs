//! A position judged once no capture is pending.

use crate::evaluate::Weights;
use crate::{Outcome, Position, Side};

/// The value of a win at once; one `n` plies ahead is worth `WIN - n`.
pub const WIN: i32 = 30_000;
/// Rules of thumb stay within this, far from any win.
pub const MOST_ESTIMATE: i32 = 20_000;
/// Captures in a row that a tree search looks at.
const DEEPEST: u32 = 4;

/// What the side to move may expect, 0 to 1, by weights or the game's rule of thumb after pending captures: a man more, in hundredths, is
/// worth what it is on the scale of Elo, `1 / (1 + 10^(-estimate / 400))`.
pub fn expectation<P: Position>(position: &P, weights: Option<&Weights>) -> f64 {
    let mut quiescence = Quiescence { judge: |position: &P| judge(position, weights), visited: 0 };
    let value = quiescence.value(position, -WIN, WIN, DEEPEST, 0);
    1.0 / (1.0 + 10f64.powf(-f64::from(value) / 400.0))
}

/// How much the side to move stands better, in hundredths of a man or pawn, by weights or else by the game's rule of thumb.
#[inline]
pub fn judge<P: Position>(position: &P, weights: Option<&Weights>) -> i32 {
    weights.map_or_else(|| position.estimate(), |weights| weights.judge(position))
}

/// A finished game `ply` plies ahead, for `side`.
#[inline]
pub fn final_value(outcome: Outcome, side: Side, ply: i32) -> i32 {
    match outcome.winner {
        None => 0,
        Some(winner) if winner == side => WIN - ply,
        Some(_) => ply - WIN,
    }
}

/// Plays captures out.
pub struct Quiescence<F> {
    /// The rule of thumb, for the side to move.
    pub judge: F,
    /// Positions looked at.
    pub visited: u64,
}

impl<F> Quiescence<F> {
    /// What the side to move gets with captures played out, at most `depth` of them: who need not capture may stand pat, who must
    /// does. Exact between `alpha` and `beta`, otherwise a bound.
    pub fn value<P: Position>(&mut self, position: &P, mut alpha: i32, beta: i32, depth: u32, ply: i32) -> i32
    where
        F: Fn(&P) -> i32,
    {
        self.visited += 1;
        if let Some(outcome) = position.decided() {
            return final_value(outcome, position.turn(), ply);
        }
        let mut captures = smallvec::SmallVec::<[(i32, P::Move); 32]>::new();
        let quiet = position.gaining_moves(|mv, gain| captures.push((gain, mv)));
        if captures.is_empty() && !quiet {
            return final_value(position.stuck(), position.turn(), ply);
        }
        if captures.is_empty() || depth == 0 {
            return (self.judge)(position).clamp(-MOST_ESTIMATE, MOST_ESTIMATE);
        }
        let mut best = -WIN;
        if quiet {
            best = (self.judge)(position).clamp(-MOST_ESTIMATE, MOST_ESTIMATE);
            if best >= beta {
                return best;
            }
        }
        if captures.len() > 1 {
            captures.sort_by_key(|&(gain, _)| -gain);
        }
        for (_, mv) in captures {
            alpha = alpha.max(best);
            let mut next = position.clone();
            next.play(mv);
            let value = match next.turn() == position.turn() {
                true => self.value(&next, alpha, beta, depth - 1, ply + 1),
                false => -self.value(&next, -beta, -alpha, depth - 1, ply + 1),
            };
            best = best.max(value);
            if best >= beta {
                break;
            }
        }
        best
    }
}
