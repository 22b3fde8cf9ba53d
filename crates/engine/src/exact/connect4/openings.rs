//! The openings of the 7x6 board: all positions after so many discs.

use super::board::Board;
use crate::Error;
use crate::games::connect4::{Shape, Standard};

/// The deepest book, so that a wrong file cannot ask for much work.
const DEEPEST: u8 = 12;

/// A position and its key, which its mirror image has too.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Opening {
    pub(super) key: u64,
    /// Cells of the side to move.
    pub(super) mover: u64,
    /// Cells taken.
    pub(super) all: u64,
}

/// All positions of each ply up to `ply` in which nobody has a line, mirror images once, in the order of their keys.
pub(super) fn openings(ply: u8) -> Vec<Vec<Opening>> {
    let mut plies = vec![vec![Opening { key: Standard.symmetric_key(0, 0), mover: 0, all: 0 }]];
    for _ in 0..ply {
        let mut next = Vec::new();
        for &Opening { mover, all, .. } in &plies[plies.len() - 1] {
            for cell in cells(all).filter(|cell| !Standard.has_line(mover | cell)) {
                let (mover, all) = (mover ^ all, all | cell);
                let key = Standard.symmetric_key(mover, all);
                let turned = key != Standard.key(mover, all);
                let [mover, all] = [mover, all].map(|cells| if turned { Standard.mirror(cells) } else { cells });
                next.push(Opening { key, mover, all });
            }
        }
        next.sort_unstable();
        next.dedup();
        plies.push(next);
    }
    plies
}

/// The cells where a disc can be played.
pub(super) fn cells(all: u64) -> impl Iterator<Item = u64> {
    one_by_one(Standard.landing(all))
}

/// The positions that one disc more makes this one of, in which nobody has a line: cells of the side to move, and cells taken.
pub(super) fn before(mover: u64, all: u64) -> impl Iterator<Item = [u64; 2]> {
    let highest = all.wrapping_add(Standard.bottom()) >> 1 & all;
    one_by_one(highest & !mover).map(move |cell| [mover ^ all ^ cell, all ^ cell])
}

fn one_by_one(mut cells: u64) -> impl Iterator<Item = u64> {
    std::iter::from_fn(move || {
        let cell = cells & cells.wrapping_neg();
        cells ^= cell;
        (cell != 0).then_some(cell)
    })
}

/// The positions that a book of this ply is made of, in the order that its scores are wanted in, as texts.
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

/// An error unless a book can have this ply.
pub(super) fn check_ply(ply: u8) -> Result<(), Error> {
    if (1..=DEEPEST).contains(&ply) {
        return Ok(());
    }
    Err(Error::Parse(format!("a book of ply {ply}: accepted is a number from 1 to {DEEPEST}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn openings_are_listed_once_with_their_mirror_images() {
        let plies = openings(6);
        assert_eq!(plies.iter().map(Vec::len).collect::<Vec<_>>(), [1, 4, 25, 121, 568, 2144, 8231]);
        let symmetric = |opening: &&Opening| Standard.mirror(opening.key) == opening.key;
        let with_images = plies.iter().map(|ply| 2 * ply.len() - ply.iter().filter(symmetric).count()).collect::<Vec<_>>();
        assert_eq!(with_images, [1, 7, 49, 238, 1120, 4263, 16422]);
    }

    #[test]
    fn a_position_is_before_those_that_a_move_makes() {
        for &Opening { mover, all, .. } in openings(6).iter().flatten() {
            let after = |mover: u64, all: u64| cells(all).map(move |cell| [mover ^ all, all | cell]);
            assert!(before(mover, all).all(|[m, a]| after(m, a).any(|position| position == [mover, all])));
            for cell in cells(all).filter(|cell| !Standard.has_line(mover | cell)) {
                assert!(before(mover ^ all, all | cell).any(|position| position == [mover, all]));
            }
        }
        assert_eq!(before(0, 0).count(), 0);
    }
}
