//! The opening book of the 7x6 board: the scores of all positions of one ply, and by them of all before.
//!
//! The positions stand in no file: they are listed anew, mirror images once, in the order of their keys. So a position takes one byte:
//!
//! ```text
//! PLYBOOK1 | ply (1 byte) | checksum (8 bytes) | a score a position (1 byte each)
//! ```

use super::board::Board;
use crate::Error;
use crate::games::connect4::{Shape, Standard};
use crate::rng::split;

const MAGIC: &[u8] = b"PLYBOOK1";
const HEAD: usize = MAGIC.len() + 9;
/// The deepest book, so that a wrong file cannot ask for much work.
const DEEPEST: u8 = 12;

/// Scores of all positions up to a ply.
#[derive(Debug)]
pub struct Book {
    /// For each ply, positions in the order of their keys.
    plies: Vec<Vec<(u64, i8)>>,
}

/// A position and its key, which its mirror image has too.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Opening {
    key: u64,
    mover: u64,
    all: u64,
}

/// All positions of each ply up to `ply` in which nobody has a line, mirror images once, in the order of their keys.
fn openings(ply: u8) -> Vec<Vec<Opening>> {
    let mut plies = vec![vec![Opening { key: Standard.symmetric_key(0, 0), mover: 0, all: 0 }]];
    for _ in 0..ply {
        let mut next = Vec::new();
        for &Opening { mover, all, .. } in &plies[plies.len() - 1] {
            for_each_move(all, |cell| {
                if !Standard.has_line(mover | cell) {
                    let (mover, all) = (mover ^ all, all | cell);
                    let key = Standard.symmetric_key(mover, all);
                    let turned = key != Standard.key(mover, all);
                    let [mover, all] = [mover, all].map(|cells| if turned { Standard.mirror(cells) } else { cells });
                    next.push(Opening { key, mover, all });
                }
            });
        }
        next.sort_unstable();
        next.dedup();
        plies.push(next);
    }
    plies
}

fn for_each_move(all: u64, mut visit: impl FnMut(u64)) {
    let mut landing = Standard.landing(all);
    while landing != 0 {
        visit(landing & landing.wrapping_neg());
        landing &= landing - 1;
    }
}

/// The positions that a book of this ply has scores of, in its order, as texts.
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

fn check_ply(ply: u8) -> Result<(), Error> {
    if (1..=DEEPEST).contains(&ply) {
        return Ok(());
    }
    Err(Error::Parse(format!("a book of ply {ply}: accepted is a number from 1 to {DEEPEST}")))
}

fn checksum(ply: u8, scores: &[u8]) -> u64 {
    scores.iter().fold(split(u64::from(ply), scores.len() as u64), |sum, &score| split(sum, u64::from(score)))
}

impl Book {
    /// The file of a book from the scores of [`book_positions`], each for the side to move.
    pub fn write(ply: u8, scores: &[i8]) -> Vec<u8> {
        let scores: Vec<u8> = scores.iter().map(|&score| score as u8).collect();
        [MAGIC, &[ply], &checksum(ply, &scores).to_le_bytes(), &scores].concat()
    }

    /// The book of a file.
    pub fn read(bytes: &[u8]) -> Result<Book, Error> {
        let wrong = |why: &str| Error::Parse(format!("not an opening book: {why}; accepted is what `plyground solve` built"));
        if bytes.len() < HEAD || !bytes.starts_with(MAGIC) {
            return Err(wrong("it begins otherwise"));
        }
        let (head, scores) = bytes.split_at(HEAD);
        let ply = head[MAGIC.len()];
        check_ply(ply)?;
        if checksum(ply, scores).to_le_bytes() != head[MAGIC.len() + 1..] {
            return Err(wrong("its checksum is another"));
        }
        let mut openings = openings(ply);
        let last = openings.pop().unwrap_or_default();
        if last.len() != scores.len() || scores.iter().any(|&score| !(-21..=21).contains(&(score as i8))) {
            return Err(wrong("its scores are not those of its positions"));
        }
        let mut plies: Vec<Vec<_>> =
            vec![last.iter().zip(scores).map(|(opening, &score)| (opening.key, score as i8)).collect()];
        while let Some(positions) = openings.pop() {
            let next = &plies[plies.len() - 1];
            let left = Standard.cells() - openings.len() as i32;
            let scored = positions.iter().map(|opening| (opening.key, best(opening, left, next))).collect();
            plies.push(scored);
        }
        plies.reverse();
        Ok(Book { plies })
    }

    /// The deepest ply it knows.
    pub fn ply(&self) -> usize {
        self.plies.len() - 1
    }

    /// The score for the side to move.
    pub(super) fn probe(&self, mover: u64, all: u64) -> Option<i32> {
        find(self.plies.get(all.count_ones() as usize)?, mover, all)
    }
}

fn find(positions: &[(u64, i8)], mover: u64, all: u64) -> Option<i32> {
    let key = Standard.symmetric_key(mover, all);
    let at = positions.binary_search_by_key(&key, |&(key, _)| key).ok()?;
    Some(positions[at].1.into())
}

/// The score of a position with so many cells empty, from those of the next ply.
fn best(opening: &Opening, left: i32, next: &[(u64, i8)]) -> i8 {
    let &Opening { mover, all, .. } = opening;
    let mut best = -left;
    for_each_move(all, |cell| {
        let score = match Standard.has_line(mover | cell) {
            true => (left + 1) / 2,
            false => find(next, mover ^ all, all | cell).map_or(-left, |score| -score),
        };
        best = best.max(score);
    });
    best as i8
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
    fn damaged_books_are_refused() {
        let file = Book::write(2, &[0; 25]);
        assert_eq!(Book::read(&file).unwrap().ply(), 2);
        for at in 0..file.len() {
            let mut damaged = file.clone();
            damaged[at] ^= 4;
            assert!(Book::read(&damaged).is_err(), "byte {at}");
        }
        assert!(Book::read(&file[..file.len() - 1]).is_err());
        assert!(Book::read(&[]).is_err());
    }
}
