//! Planes of user games: one for each kind of piece of each side. The board is never rotated, because the rules of a user game do not
//! define a rotation; instead, the last plane encodes the side to move.

use crate::{Game, PlaneLayout, Side};

/// The letters of each side's pieces.
fn letters(game: &Game) -> [Vec<char>; 2] {
    [Side::First, Side::Second].map(|side| {
        let own = game.pieces.iter().filter(|piece| piece.side == side);
        own.map(|piece| piece.letter).collect()
    })
}

/// The plane layout of a game; empty for a game without a board.
pub(crate) fn layout(game: &Game) -> PlaneLayout {
    if game.squares.is_empty() {
        return PlaneLayout::default();
    }
    let [first, second] = letters(game);
    let mut names = Vec::new();
    for (owner, one, other) in [("own", &first, &second), ("opposing", &second, &first)] {
        for kind in 0..first.len().max(second.len()) {
            let letters: Vec<String> =
                [one, other].into_iter().filter_map(|side| side.get(kind)).map(char::to_string).collect();
            names.push(format!("{owner} {}", letters.join(" or ")));
        }
    }
    names.push("1 if the second side is to move, otherwise 0 (constant plane)".to_string());
    PlaneLayout { names, rows: game.rows, columns: game.columns }
}

/// Copies planes computed by the game; leaves zeros if the number of values is wrong, as it is after a failed callback.
pub(super) fn copy(planes: &[f32], values: &mut [f32]) {
    if planes.len() == values.len() {
        values.copy_from_slice(planes);
    }
}

/// Writes the planes of a position, given the cell and letter of each piece.
pub(super) fn write(game: &Game, turn: Side, viewer: Side, cells: Vec<(usize, char)>, values: &mut [f32]) {
    let [first, second] = letters(game);
    let (size, kinds) = (game.squares.len(), first.len().max(second.len()));
    let (own, other) = if viewer == Side::First { (first, second) } else { (second, first) };
    for (cell, letter) in cells {
        let find = |letters: &[char]| letters.iter().position(|&other| other == letter);
        if let Some(plane) = find(&own).or_else(|| find(&other).map(|kind| kinds + kind)) {
            values[plane * size + cell] = 1.0;
        }
    }
    if turn == Side::Second {
        values[2 * kinds * size..].fill(1.0);
    }
}
