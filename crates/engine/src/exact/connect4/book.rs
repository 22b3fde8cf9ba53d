//! Opening book for the 7x6 board: the scores of all positions at every fourth ply up to a maximum. Positions in between are
//! searched up to the next stored ply.
//!
//! Positions are not stored. The index of a score is computed from the column heights and the disc colours, and mirror images
//! share an index. Nearly all such combinations are reachable, so few entries are unused, and the book needs no
//! decompression.
//!
//! ```text
//! PLYBOOK2 | ply (1 byte) | checksum (8 bytes) | scores (1 byte each), the deepest ply last
//! ```

use super::board::Board;
use super::openings::{Opening, cells, check_ply, openings, predecessors};
use crate::Error;
use crate::games::connect4::{Shape, Standard};
use crate::rng::split;

const MAGIC: &[u8] = b"PLYBOOK2";
const HEADER_SIZE: usize = MAGIC.len() + 9;
/// Interval between stored plies. Scoring a position in between takes at most 343 probes.
const PLY_STEP: usize = 4;
/// Placeholder score for an index that no reachable position has.
const UNREACHABLE: i8 = i8::MIN;

/// Scores of all positions up to a maximum ply.
#[derive(Debug)]
pub struct Book {
    /// The stored plies in ascending order.
    levels: Vec<Level>,
}

/// Scores of all positions at one ply, from the point of view of the side to move.
#[derive(Debug)]
struct Level {
    ply: u32,
    /// Possible column heights in ascending order, one of each pair of mirror images.
    heights: Vec<u32>,
    /// Rank of each set of own discs (one bit per disc) among the sets with half of the discs.
    color_ranks: Vec<Option<usize>>,
    scores: Vec<i8>,
}

/// Returns the heights of the columns, three bits each.
fn heights(all: u64) -> u32 {
    (0..Standard.columns()).fold(0, |heights, column| heights << 3 | (column_of(all, column)).count_ones())
}

fn column_of(cells: u64, column: u32) -> u64 {
    cells >> (column * Standard.height()) & ((1 << Standard.rows()) - 1)
}

impl Level {
    /// Returns a level without scores.
    fn new(ply: u32) -> Level {
        let mut boards = vec![(0, 0)];
        for column in 0..Standard.columns() {
            let stacked = |(all, discs): (u64, u32)| {
                let cells = move |high: u32| (all | ((1u64 << high) - 1) << (column * Standard.height()), discs + high);
                (0..=Standard.rows().min(ply - discs)).map(cells)
            };
            boards = boards.into_iter().flat_map(stacked).collect();
        }
        let complete = boards.into_iter().filter(|&(_, discs)| discs == ply);
        let mut height_keys: Vec<u32> = complete.map(|(all, _)| heights(all).min(heights(Standard.mirror(all)))).collect();
        height_keys.sort_unstable();
        height_keys.dedup();
        let mut count = 0;
        let mut number = |own_discs: u32| {
            let fits = own_discs.count_ones() == ply / 2;
            count += usize::from(fits);
            fits.then(|| count - 1)
        };
        let color_ranks = (0..1 << ply).map(&mut number).collect();
        Level { ply, scores: vec![UNREACHABLE; height_keys.len() * count], heights: height_keys, color_ranks }
    }

    /// Returns the index of a position at this ply; `None` unless each side has half of the discs.
    fn index(&self, mover: u64, all: u64) -> Option<usize> {
        let mirrored = heights(Standard.mirror(all)) < heights(all);
        let [mover, all] = [mover, all].map(|cells| if mirrored { Standard.mirror(cells) } else { cells });
        let board = self.heights.binary_search(&heights(all)).ok()?;
        let (mut own_discs, mut discs) = (0, 0);
        for column in 0..Standard.columns() {
            own_discs |= (column_of(mover, column) as usize) << discs;
            discs += column_of(all, column).count_ones();
        }
        Some(board * (self.scores.len() / self.heights.len()) + (*self.color_ranks.get(own_discs)?)?)
    }

    /// Returns the score of a position `plies` plies before this level's ply.
    fn score(&self, mover: u64, all: u64, plies: u32) -> Option<i32> {
        if plies == 0 {
            let score = self.scores[self.index(mover, all)?];
            return (score != UNREACHABLE).then_some(score.into());
        }
        let empty = Standard.cells() - all.count_ones() as i32;
        let mut best = -empty;
        for cell in cells(all) {
            if Standard.has_line(mover | cell) {
                return Some((empty + 1) / 2);
            }
            best = best.max(-self.score(mover ^ all, all | cell, plies - 1)?);
        }
        Some(best)
    }

    /// Stores the score of a position and of its mirror image.
    fn store(&mut self, &Opening { mover, all, .. }: &Opening, score: i8) {
        for [mover, all] in [[mover, all], [mover, all].map(|cells| Standard.mirror(cells))] {
            if let Some(index) = self.index(mover, all) {
                self.scores[index] = score;
            }
        }
    }
}

fn checksum(ply: u8, scores: &[u8]) -> u64 {
    scores.iter().fold(split(u64::from(ply), scores.len() as u64), |sum, &score| split(sum, u64::from(score)))
}

fn is_score(score: i8) -> bool {
    (-21..=21).contains(&score)
}

impl Book {
    fn empty(ply: u8) -> Book {
        let first = usize::from(ply) % PLY_STEP;
        Book { levels: (first..=usize::from(ply)).step_by(PLY_STEP).map(|ply| Level::new(ply as u32)).collect() }
    }

    /// Returns the contents of a book file, given the scores of [`super::book_positions`], each for the side to move.
    pub fn write(ply: u8, scores: &[i8]) -> Result<Vec<u8>, Error> {
        check_ply(ply)?;
        let openings = openings(ply);
        if openings[usize::from(ply)].len() != scores.len() || !scores.iter().copied().all(is_score) {
            let expected = openings[usize::from(ply)].len();
            return Err(Error::Parse(format!(
                "a book of depth {ply} needs {expected} scores between -21 and 21, got {}",
                scores.len()
            )));
        }
        let mut book = Book::empty(ply);
        let mut deeper: Option<&Level> = None;
        for level in book.levels.iter_mut().rev() {
            for (number, opening) in openings[level.ply as usize].iter().enumerate() {
                let score = match deeper {
                    None => scores[number],
                    Some(deeper) => {
                        deeper.score(opening.mover, opening.all, PLY_STEP as u32).map_or(UNREACHABLE, |score| score as i8)
                    }
                };
                level.store(opening, score);
            }
            deeper = Some(level);
        }
        let scores: Vec<u8> = book.levels.iter().flat_map(|level| &level.scores).map(|&score| score as u8).collect();
        Ok([MAGIC, &[ply], &checksum(ply, &scores).to_le_bytes(), &scores].concat())
    }

    /// Parses a book file.
    pub fn read(bytes: &[u8]) -> Result<Book, Error> {
        let invalid = |reason: &str| {
            Error::Parse(format!("not an opening book: {reason}; build one with: plyground solve connect4 --build-book FILE"))
        };
        if bytes.len() < HEADER_SIZE || !bytes.starts_with(MAGIC) {
            return Err(invalid("missing file signature"));
        }
        let (header, scores) = bytes.split_at(HEADER_SIZE);
        let ply = header[MAGIC.len()];
        check_ply(ply)?;
        if checksum(ply, scores).to_le_bytes() != header[MAGIC.len() + 1..] {
            return Err(invalid("checksum mismatch"));
        }
        let mut book = Book::empty(ply);
        let mut scores = scores.iter().map(|&score| score as i8);
        for slot in book.levels.iter_mut().flat_map(|level| &mut level.scores) {
            let score = scores.next().filter(|&score| score == UNREACHABLE || is_score(score));
            *slot = score.ok_or_else(|| invalid("truncated file or score out of range"))?;
        }
        if scores.next().is_some() {
            return Err(invalid("trailing data"));
        }
        Ok(book)
    }

    /// Maximum ply of the book.
    pub fn ply(&self) -> u32 {
        self.levels.last().map_or(0, |level| level.ply)
    }

    /// Returns the score for the side to move; `None` if the position is not in the book.
    pub(super) fn probe(&self, mover: u64, all: u64) -> Option<i32> {
        let ply = all.count_ones();
        let level = self.levels.iter().find(|level| level.ply >= ply)?;
        level.score(mover, all, level.ply - ply)
    }

    /// Returns a lower bound on the score of a position one ply beyond the book: a move cannot improve the mover's score.
    pub(super) fn lower_bound(&self, mover: u64, all: u64) -> Option<i32> {
        let known = |[mover, all]: [u64; 2]| Some(-self.probe(mover, all)?);
        if all.count_ones() == self.ply() + 1 { predecessors(mover, all).filter_map(known).max() } else { None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rejects_corrupted_books() {
        let file = Book::write(2, &[0; 25]).unwrap();
        assert_eq!(Book::read(&file).unwrap().ply(), 2);
        for at in 0..file.len() {
            let mut damaged = file.clone();
            damaged[at] ^= 4;
            assert!(Book::read(&damaged).is_err(), "byte {at}");
        }
        assert!(Book::read(&file[..file.len() - 1]).is_err());
        assert!(Book::read(&[]).is_err());
    }

    #[test]
    fn only_mirror_images_share_an_index() {
        for (ply, openings) in openings(7).iter().enumerate() {
            let level = Level::new(ply as u32);
            let mut indices: Vec<usize> = openings.iter().map(|one| level.index(one.mover, one.all).unwrap()).collect();
            indices.sort_unstable();
            indices.dedup();
            assert_eq!(indices.len(), openings.len());
            assert!(level.scores.len() < 2 * openings.len() + 2);
        }
    }

    #[test]
    fn scores_between_stored_plies_follow_from_the_next_stored_ply() {
        let scores: Vec<i8> = (0..25).map(|number| number % 7 - 3).collect();
        let book = Book::read(&Book::write(2, &scores).unwrap()).unwrap();
        for (opening, score) in openings(2)[2].iter().zip(scores) {
            assert_eq!(book.probe(opening.mover, opening.all), Some(score.into()));
            let [mover, all] = [opening.mover, opening.all].map(|cells| Standard.mirror(cells));
            assert_eq!(book.probe(mover, all), Some(score.into()));
        }
        let best = |mover: u64, all: u64| cells(all).map(|cell| -book.probe(mover ^ all, all | cell).unwrap()).max();
        assert_eq!(book.probe(0, 0), best(0, 0));
        assert_eq!(book.probe(0, 1), best(0, 1));
        assert_eq!(book.probe(1, 1 | 2 | 4), None, "deeper than the book");
    }
}
