//! The placements of the men of both sides, numbered without gaps: men never stand where they would be crowned.

use super::subsets::{CHOOSE, each_set, rank, subsets};
use crate::bits::{gather, scatter};
use crate::games::checkers::board::{BLACK_CROWN, WHITE_CROWN, number};

/// All placements of the men of a slice.
pub(super) struct Men {
    white: usize,
    /// The number of the first placement with the black men of a rank.
    bases: Vec<u32>,
    /// Black's men, by rank among the squares where they may stand.
    black_sets: Vec<u32>,
}

impl Men {
    /// The placements of so many black and white men.
    pub(super) fn new(black: u8, white: u8) -> Men {
        let (mut bases, mut black_sets, mut sum) = (vec![0], Vec::new(), 0);
        each_set(black.into(), 28, |set| {
            let men = scatter(set, !BLACK_CROWN);
            black_sets.push(men);
            sum += CHOOSE[white as usize][(!WHITE_CROWN & !men).count_ones() as usize];
            bases.push(sum);
        });
        Men { white: white.into(), bases, black_sets }
    }

    /// How many there are.
    pub(super) fn count(&self) -> usize {
        self.bases[self.bases.len() - 1] as usize
    }

    /// The number of a placement.
    #[inline(always)]
    pub(super) fn index(&self, black: u32, white: u32) -> usize {
        let black_rank = rank(gather(black, !BLACK_CROWN));
        self.bases[black_rank] as usize + rank(gather(white, !WHITE_CROWN & !black))
    }

    /// Calls `visit` with each placement, in order: its number, black's men, white's.
    pub(super) fn each(&self, mut visit: impl FnMut(usize, u32, u32)) {
        let whites = &subsets(self.white as u32).sets;
        for (black_rank, &black) in self.black_sets.iter().enumerate() {
            let free = !WHITE_CROWN & !black;
            let (first, end) = (self.bases[black_rank], self.bases[black_rank + 1]);
            for (index, &white) in (first..end).zip(whites) {
                visit(index as usize, black, scatter(white, free));
            }
        }
    }

    /// The placement with a number below [`Men::count`].
    pub(super) fn placement(&self, index: usize) -> (u32, u32) {
        let black_rank = self.bases.partition_point(|&base| base as usize <= index) - 1;
        let black = self.black_sets[black_rank];
        let white = subsets(self.white as u32).sets[index - self.bases[black_rank] as usize];
        (black, scatter(white, !WHITE_CROWN & !black))
    }
}

/// How far the men of both sides have gone in all: a man's step adds one.
pub(super) fn advance(black: u32, white: u32) -> usize {
    let mut sum = 0;
    crate::bits::each_bit(black.into(), |bit| sum += usize::from((number(bit) - 1) / 4));
    crate::bits::each_bit(white.into(), |bit| sum += usize::from(7 - (number(bit) - 1) / 4));
    sum
}
