//! Enumeration of the openings on the 7x6 board.

use super::board::Board;
use crate::Error;
use crate::games::connect4::{Shape, Standard};

/// Maximum ply of a book; bounds the work an invalid file can cause.
const MAX_PLY: u8 = 12;

/// A position and the key it shares with its mirror image.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Opening {
    pub(super) key: u64,
    /// Discs of the side to move.
    pub(super) mover: u64,
    /// All discs.
    pub(super) all: u64,
}

/// Returns the unfinished positions at each ply up to `ply`, one of each pair of mirror images, sorted by key.
pub(super) fn openings(ply: u8) -> Vec<Vec<Opening>> {
    let mut plies = vec![vec![Opening { key: Standard.symmetric_key(0, 0), mover: 0, all: 0 }]];
    for _ in 0..ply {
        let mut next = Vec::new();
        for &Opening { mover, all, .. } in &plies[plies.len() - 1] {
            for cell in cells(all).filter(|cell| !Standard.has_line(mover | cell)) {
                let (mover, all) = (mover ^ all, all | cell);
                let key = Standard.symmetric_key(mover, all);
                let mirrored = key != Standard.key(mover, all);
                let [mover, all] = [mover, all].map(|cells| if mirrored { Standard.mirror(cells) } else { cells });
                next.push(Opening { key, mover, all });
            }
        }
        next.sort_unstable();
        next.dedup();
        plies.push(next);
    }
    plies
}

/// Iterates over the playable cells.
pub(super) fn cells(all: u64) -> impl Iterator<Item = u64> {
    each_bit_of(Standard.landing(all))
}

/// Iterates over the predecessors of a position, as discs of the side to move and all discs.
pub(super) fn predecessors(mover: u64, all: u64) -> impl Iterator<Item = [u64; 2]> {
    let highest = all.wrapping_add(Standard.bottom()) >> 1 & all;
    each_bit_of(highest & !mover).map(move |cell| [mover ^ all ^ cell, all ^ cell])
}

fn each_bit_of(mut cells: u64) -> impl Iterator<Item = u64> {
    std::iter::from_fn(move || {
        let cell = cells & cells.wrapping_neg();
        cells ^= cell;
        (cell != 0).then_some(cell)
    })
}

/// Returns the positions of a book of the given depth as text, in the order in which [`super::Book::write`] expects their scores.
pub fn book_positions(ply: u8) -> Result<Vec<String>, Error> {
    check_ply(ply)?;
    let last = openings(ply).pop().unwrap_or_default();
    Ok(last.iter().map(|opening| text(opening, ply)).collect())
}

fn text(opening: &Opening, ply: u8) -> String {
    let letters = if ply.is_multiple_of(2) { ['r', 'y'] } else { ['y', 'r'] };
    let cell = |row: u32, column: u32| match 1 << (column * Standard.height() + row) {
        bit if opening.mover & bit != 0 => letters[0],
        bit if opening.all & bit != 0 => letters[1],
        _ => '.',
    };
    let row = |row| (0..Standard.columns()).map(|column| cell(row, column)).collect::<String>();
    (0..Standard.rows()).rev().map(row).collect::<Vec<_>>().join("/")
}

/// Returns an error if a book cannot have the given depth in plies.
pub(super) fn check_ply(ply: u8) -> Result<(), Error> {
    if (1..=MAX_PLY).contains(&ply) {
        return Ok(());
    }
    Err(Error::Parse(format!("the book depth must be between 1 and {MAX_PLY} plies, got {ply}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_one_of_each_pair_of_mirror_images() {
        let plies = openings(6);
        assert_eq!(plies.iter().map(Vec::len).collect::<Vec<_>>(), [1, 4, 25, 121, 568, 2144, 8231]);
        let symmetric = |opening: &&Opening| Standard.mirror(opening.key) == opening.key;
        let with_images = plies.iter().map(|ply| 2 * ply.len() - ply.iter().filter(symmetric).count()).collect::<Vec<_>>();
        assert_eq!(with_images, [1, 7, 49, 238, 1120, 4263, 16422]);
    }

    #[test]
    fn predecessors_are_the_inverse_of_moves() {
        for &Opening { mover, all, .. } in openings(6).iter().flatten() {
            let after = |mover: u64, all: u64| cells(all).map(move |cell| [mover ^ all, all | cell]);
            assert!(predecessors(mover, all).all(|[m, a]| after(m, a).any(|position| position == [mover, all])));
            for cell in cells(all).filter(|cell| !Standard.has_line(mover | cell)) {
                assert!(predecessors(mover ^ all, all | cell).any(|position| position == [mover, all]));
            }
        }
        assert_eq!(predecessors(0, 0).count(), 0);
    }
}
