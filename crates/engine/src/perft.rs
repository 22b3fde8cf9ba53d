//! Counting the leaves of the game tree: the test of rules, and the measure of their speed.

use crate::Position;

/// The number of move sequences of length `depth`; the last ply is counted, not played.
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

/// The `index`-th move and the leaves below it, `depth` plies from `position`; `None` when there are no more moves.
pub fn divide<P: Position>(position: &P, index: usize, depth: u32) -> Option<(String, u64)> {
    let mut moves = Vec::new();
    position.legal_moves(|mv| moves.push(mv));
    let &mv = moves.get(index)?;
    let mut next = position.clone();
    next.play(mv);
    Some((position.move_text(mv), perft(&next, depth.saturating_sub(1))))
}
