//! A position judged once no capture is pending.

use crate::Position;

/// Far above any estimate.
const BOUND: i32 = 1_000_000;
/// Captures in a row that are looked at.
const DEEPEST: u32 = 4;

/// What the side to move may expect, 0 to 1, by the game's rule of thumb after pending captures: a man more, in hundredths, is worth
/// what it is on the scale of Elo, `1 / (1 + 10^(-estimate / 400))`.
pub fn expectation<P: Position>(position: &P) -> f64 {
    1.0 / (1.0 + 10f64.powf(-f64::from(quiesce(position, -BOUND, BOUND, DEEPEST)) / 400.0))
}

/// The estimate for the side to move with captures played out: who need not capture may stand pat, who must does.
pub fn quiesce<P: Position>(position: &P, mut alpha: i32, beta: i32, depth: u32) -> i32 {
    let mut captures = smallvec::SmallVec::<[P::Move; 32]>::new();
    let mut quiet = false;
    position.legal_moves(|mv| if position.captures(mv) { captures.push(mv) } else { quiet = true });
    let stand = position.estimate();
    if captures.is_empty() || depth == 0 {
        return stand;
    }
    let mut best = if quiet { stand } else { -BOUND };
    for mv in captures {
        if best >= beta {
            break;
        }
        alpha = alpha.max(best);
        let mut next = position.clone();
        next.play(mv);
        let value = match next.turn() == position.turn() {
            true => quiesce(&next, alpha, beta, depth - 1),
            false => -quiesce(&next, -beta, -alpha, depth - 1),
        };
        best = best.max(value);
    }
    best
}
