//! The opening book of the 7x6 board: the scores of all positions of every fourth ply up to one, and by them of all between.
//!
//! A position stands nowhere: the place of its score follows from how high its columns are and which of its discs are whose, mirror
//! images in the same place. Nearly all that could be so can be reached, so few places stay empty, and a book is ready when it is read.
//!
//! ```text
//! PLYBOOK2 | ply (1 byte) | checksum (8 bytes) | a score a place (1 byte each), the deepest ply last
//! ```

use super::board::Board;
use super::openings::{Opening, before, cells, check_ply, openings};
use crate::Error;
use crate::games::connect4::{Shape, Standard};
use crate::rng::split;

const MAGIC: &[u8] = b"PLYBOOK2";
const HEAD: usize = MAGIC.len() + 9;
/// Plies from one that is kept to the next: the others take a search of at most 343 positions.
const STEP: usize = 4;
/// Of a place that no game leads to.
const EMPTY: i8 = i8::MIN;

/// Scores of all positions up to a ply.
#[derive(Debug)]
pub struct Book {
    /// From the first ply that is kept to the deepest.
    levels: Vec<Level>,
}

/// Scores of all positions of one ply, for the side to move.
#[derive(Debug)]
struct Level {
    ply: u32,
    /// How high the columns can be, in order; of mirror images one.
    heights: Vec<u32>,
    /// Of each way to give discs to the side to move, a bit a disc, its number among those of half of the discs.
    numbers: Vec<Option<usize>>,
    scores: Vec<i8>,
}

/// How high the columns are, three bits each.
fn heights(all: u64) -> u32 {
    (0..Standard.columns()).fold(0, |heights, column| heights << 3 | (column_of(all, column)).count_ones())
}

fn column_of(cells: u64, column: u32) -> u64 {
    cells >> (column * Standard.height()) & ((1 << Standard.rows()) - 1)
}

impl Level {
    /// No score of any position is known.
    fn new(ply: u32) -> Level {
        let mut boards = vec![(0, 0)];
        for column in 0..Standard.columns() {
            let stacked = |(all, discs): (u64, u32)| {
                let cells = move |high: u32| (all | ((1u64 << high) - 1) << (column * Standard.height()), discs + high);
                (0..=Standard.rows().min(ply - discs)).map(cells)
            };
            boards = boards.into_iter().flat_map(stacked).collect();
        }
        let whole = boards.into_iter().filter(|&(_, discs)| discs == ply);
        let mut known: Vec<u32> = whole.map(|(all, _)| heights(all).min(heights(Standard.mirror(all)))).collect();
        known.sort_unstable();
        known.dedup();
        let mut count = 0;
        let mut number = |given: u32| {
            let fits = given.count_ones() == ply / 2;
            count += usize::from(fits);
            fits.then(|| count - 1)
        };
        let numbers = (0..1 << ply).map(&mut number).collect();
        Level { ply, scores: vec![EMPTY; known.len() * count], heights: known, numbers }
    }

    /// Where the score of a position of this ply stands, if each side has its half of the discs.
    fn place(&self, mover: u64, all: u64) -> Option<usize> {
        let turned = heights(Standard.mirror(all)) < heights(all);
        let [mover, all] = [mover, all].map(|cells| if turned { Standard.mirror(cells) } else { cells });
        let board = self.heights.binary_search(&heights(all)).ok()?;
        let (mut given, mut discs) = (0, 0);
        for column in 0..Standard.columns() {
            given |= (column_of(mover, column) as usize) << discs;
            discs += column_of(all, column).count_ones();
        }
        Some(board * (self.scores.len() / self.heights.len()) + (*self.numbers.get(given)?)?)
    }

    /// The score of a position so many plies before.
    fn score(&self, mover: u64, all: u64, before: u32) -> Option<i32> {
        if before == 0 {
            let score = self.scores[self.place(mover, all)?];
            return (score != EMPTY).then_some(score.into());
        }
        let left = Standard.cells() - all.count_ones() as i32;
        let mut best = -left;
        for cell in cells(all) {
            if Standard.has_line(mover | cell) {
                return Some((left + 1) / 2);
            }
            best = best.max(-self.score(mover ^ all, all | cell, before - 1)?);
        }
        Some(best)
    }

    /// Keeps the score of a position and of its mirror image.
    fn keep(&mut self, &Opening { mover, all, .. }: &Opening, score: i8) {
        for [mover, all] in [[mover, all], [mover, all].map(|cells| Standard.mirror(cells))] {
            if let Some(place) = self.place(mover, all) {
                self.scores[place] = score;
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
        let first = usize::from(ply) % STEP;
        Book { levels: (first..=usize::from(ply)).step_by(STEP).map(|ply| Level::new(ply as u32)).collect() }
    }

    /// The file of a book from the scores of [`super::book_positions`], each for the side to move.
    pub fn write(ply: u8, scores: &[i8]) -> Result<Vec<u8>, Error> {
        check_ply(ply)?;
        let openings = openings(ply);
        if openings[usize::from(ply)].len() != scores.len() || !scores.iter().copied().all(is_score) {
            return Err(Error::Parse(format!("a book of ply {ply}: the scores are not those of its positions")));
        }
        let mut book = Book::empty(ply);
        let mut deeper: Option<&Level> = None;
        for level in book.levels.iter_mut().rev() {
            for (number, opening) in openings[level.ply as usize].iter().enumerate() {
                let score = match deeper {
                    None => scores[number],
                    Some(deeper) => deeper.score(opening.mover, opening.all, STEP as u32).map_or(EMPTY, |score| score as i8),
                };
                level.keep(opening, score);
            }
            deeper = Some(level);
        }
        let scores: Vec<u8> = book.levels.iter().flat_map(|level| &level.scores).map(|&score| score as u8).collect();
        Ok([MAGIC, &[ply], &checksum(ply, &scores).to_le_bytes(), &scores].concat())
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
        let mut book = Book::empty(ply);
        let mut scores = scores.iter().map(|&score| score as i8);
        for place in book.levels.iter_mut().flat_map(|level| &mut level.scores) {
            let score = scores.next().filter(|&score| score == EMPTY || is_score(score));
            *place = score.ok_or_else(|| wrong("its scores are not those of its positions"))?;
        }
        if scores.next().is_some() {
            return Err(wrong("it is too long"));
        }
        Ok(book)
    }

    /// The deepest ply it knows.
    pub fn ply(&self) -> u32 {
        self.levels.last().map_or(0, |level| level.ply)
    }

    /// The score for the side to move.
    pub(super) fn probe(&self, mover: u64, all: u64) -> Option<i32> {
        let ply = all.count_ones();
        let level = self.levels.iter().find(|level| level.ply >= ply)?;
        level.score(mover, all, level.ply - ply)
    }

    /// What the score is not below, one ply after the deepest: no move is better than the position it was made in.
    pub(super) fn least(&self, mover: u64, all: u64) -> Option<i32> {
        let known = |[mover, all]: [u64; 2]| Some(-self.probe(mover, all)?);
        if all.count_ones() == self.ply() + 1 { before(mover, all).filter_map(known).max() } else { None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn damaged_books_are_refused() {
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
    fn every_opening_has_a_place_of_its_own_but_for_its_mirror_image() {
        for (ply, openings) in openings(7).iter().enumerate() {
            let level = Level::new(ply as u32);
            let mut places: Vec<usize> = openings.iter().map(|one| level.place(one.mover, one.all).unwrap()).collect();
            places.sort_unstable();
            places.dedup();
            assert_eq!(places.len(), openings.len());
            assert!(level.scores.len() < 2 * openings.len() + 2);
        }
    }

    #[test]
    fn scores_before_a_kept_ply_follow_from_it() {
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
