//! Dense index of the placements of both sides' men. Men never occupy their crowning row.

use super::combinations::{BINOMIAL, combinations, for_each_combination, rank};
use crate::bits::{gather, scatter};
use crate::games::checkers::board::{BLACK_CROWN, WHITE_CROWN, number};

/// Index of a slice's placements of men.
pub(super) struct MenIndex {
    white: usize,
    /// Index of the first placement for each rank of Black's men; the last element is the number of placements.
    offsets: Vec<u32>,
    /// Black's men, by their rank on the squares they can occupy.
    black_sets: Vec<u32>,
}

impl MenIndex {
    /// Returns the index for the given numbers of black and white men.
    pub(super) fn new(black: u8, white: u8) -> MenIndex {
        let (mut offsets, mut black_sets, mut sum) = (vec![0], Vec::new(), 0);
        for_each_combination(black.into(), 28, |set| {
            let men = scatter(set, !BLACK_CROWN);
            black_sets.push(men);
            sum += BINOMIAL[white as usize][(!WHITE_CROWN & !men).count_ones() as usize];
            offsets.push(sum);
        });
        MenIndex { white: white.into(), offsets, black_sets }
    }

    /// Number of placements.
    pub(super) fn count(&self) -> usize {
        self.offsets[self.offsets.len() - 1] as usize
    }

    /// Returns the index of a placement.
    #[inline(always)]
    pub(super) fn index(&self, black: u32, white: u32) -> usize {
        let black_rank = rank(gather(black, !BLACK_CROWN));
        self.offsets[black_rank] as usize + rank(gather(white, !WHITE_CROWN & !black))
    }

    /// Calls `visit` with each placement in index order: its index, Black's men, White's men.
    pub(super) fn for_each(&self, mut visit: impl FnMut(usize, u32, u32)) {
        let whites = &combinations(self.white as u32).sets;
        for (black_rank, &black) in self.black_sets.iter().enumerate() {
            let free = !WHITE_CROWN & !black;
            let (first, end) = (self.offsets[black_rank], self.offsets[black_rank + 1]);
            for (index, &white) in (first..end).zip(whites) {
                visit(index as usize, black, scatter(white, free));
            }
        }
    }

    /// Returns the placement with a given index, which must be below [`MenIndex::count`]: Black's men and White's men.
    pub(super) fn placement(&self, index: usize) -> (u32, u32) {
        let black_rank = self.offsets.partition_point(|&offset| offset as usize <= index) - 1;
        let black = self.black_sets[black_rank];
        let white = combinations(self.white as u32).sets[index - self.offsets[black_rank] as usize];
        (black, scatter(white, !WHITE_CROWN & !black))
    }
}

/// Returns the number of rows the men of both sides have advanced in total; each man move adds one.
pub(super) fn total_advance(black: u32, white: u32) -> usize {
    let mut sum = 0;
    crate::bits::each_bit(black.into(), |bit| sum += usize::from((number(bit) - 1) / 4));
    crate::bits::each_bit(white.into(), |bit| sum += usize::from(7 - (number(bit) - 1) / 4));
    sum
}
