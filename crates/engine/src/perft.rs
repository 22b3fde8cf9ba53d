//! Perft: counts the leaves of the game tree to test and benchmark move generation.

use crate::{GameRules, Position};

/// The number of move sequences of length `depth`. Moves at the last ply are counted but not played.
pub fn perft<P: Position>(position: &P, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => position.count_moves() as u64,
        _ => {
            let mut nodes = 0;
            position.legal_moves(|mv| {
                let mut next = position.clone();
                next.play(mv);
                nodes += perft(&next, depth - 1);
            });
            nodes
        }
    }
}

/// The text of the move with the given index and the number of leaves below it, `depth` plies from `position`; `None` if there
/// is no such move.
pub fn divide<P: GameRules>(position: &P, index: usize, depth: u32) -> Option<(String, u64)> {
    let mut moves = Vec::new();
    position.legal_moves(|mv| moves.push(mv));
    let &mv = moves.get(index)?;
    let mut next = position.clone();
    next.play(mv);
    Some((position.move_text(mv), perft(&next, depth.saturating_sub(1))))
}
