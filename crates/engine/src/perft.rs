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

/// The same, apart for each first move.
pub fn divide<P: Position>(position: &P, depth: u32) -> Vec<(String, u64)> {
    let mut parts = Vec::new();
    if depth > 0 {
        position.legal_moves(|mv| {
            let mut next = position.clone();
            next.play(mv);
            parts.push((position.move_text(mv), perft(&next, depth - 1)));
        });
    }
    parts
}
