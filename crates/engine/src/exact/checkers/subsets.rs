//! Sets of up to five kings on 32 squares, numbered in the order of their bits (colexicographic), and sets of such sets.

use std::sync::LazyLock;

use crate::bits::each_bit;
use crate::games::checkers::board::{CAN_STEP, step};

/// The most kings (or men) of one side.
pub(super) const MOST: usize = 5;

/// `CHOOSE[k][n]`: how many sets of `k` there are in `n` things.
pub(super) const CHOOSE: [[u32; 33]; MOST + 2] = {
    let mut table = [[0; 33]; MOST + 2];
    let mut n = 0;
    while n <= 32 {
        table[0][n] = 1;
        let mut k = 1;
        while k < MOST + 2 && n > 0 {
            table[k][n] = table[k - 1][n - 1] + table[k][n - 1];
            k += 1;
        }
        n += 1;
    }
    table
};

/// The place of a set among all sets of its size; taking a square that both sets have away keeps their order.
#[inline(always)]
pub(super) fn rank(mut set: u32) -> usize {
    let (mut sum, mut k) = (0, 1);
    while set != 0 {
        sum += CHOOSE[k.min(MOST + 1)][set.trailing_zeros() as usize];
        k += 1;
        set &= set - 1;
    }
    sum as usize
}

/// Calls `visit` with each set of `size` of the first so many squares, in order.
pub(super) fn each_set(size: u32, squares: u32, mut visit: impl FnMut(u32)) {
    let mut set = (1u64 << size) - 1;
    while set >> squares == 0 {
        visit(set as u32);
        if set == 0 {
            break;
        }
        // The next larger number with as many bits.
        let low = set & set.wrapping_neg();
        let high = set + low;
        set = high | ((set ^ high) / low) >> 2;
    }
}

/// All sets of one size. A set of them is a row of `words` words, bit `r` for the set of rank `r`.
pub(super) struct Subsets {
    pub(super) sets: Vec<u32>,
    pub(super) words: usize,
    /// For each square the row of the sets that have it.
    with: Vec<u32>,
    /// The king steps of the set of rank `r`: `steps[first[r]..first[r + 1]]`, each the rank it leads to and the new square.
    first: Vec<u32>,
    steps: Vec<(u32, u32)>,
}

static ALL: [LazyLock<Subsets>; MOST + 1] = [
    LazyLock::new(|| Subsets::new(0)),
    LazyLock::new(|| Subsets::new(1)),
    LazyLock::new(|| Subsets::new(2)),
    LazyLock::new(|| Subsets::new(3)),
    LazyLock::new(|| Subsets::new(4)),
    LazyLock::new(|| Subsets::new(5)),
];

/// All sets of `size` squares.
pub(super) fn subsets(size: u32) -> &'static Subsets {
    &ALL[size as usize]
}

impl Subsets {
    fn new(size: u32) -> Subsets {
        let mut sets = Vec::with_capacity(CHOOSE[size as usize][32] as usize);
        each_set(size, 32, |set| sets.push(set));
        let words = sets.len().div_ceil(32);
        let mut with = vec![0; 32 * words];
        let (mut first, mut steps) = (vec![0], Vec::new());
        for (rank_here, &set) in sets.iter().enumerate() {
            each_bit(set.into(), |square| {
                with[square as usize * words + rank_here / 32] |= 1 << (rank_here % 32);
                let from = 1u32 << square;
                for (direction, starts) in CAN_STEP.into_iter().enumerate() {
                    let to = step(from & starts, direction) & !set;
                    if to != 0 {
                        steps.push((rank(set ^ from ^ to) as u32, to.trailing_zeros()));
                    }
                }
            });
            first.push(steps.len() as u32);
        }
        Subsets { sets, words, with, first, steps }
    }

    /// The row of the sets that have a square.
    #[inline(always)]
    pub(super) fn with(&self, square: u32) -> &[u32] {
        &self.with[square as usize * self.words..][..self.words]
    }

    /// Where the kings of the set of a rank can step on an empty board: ranks and new squares.
    #[inline(always)]
    pub(super) fn steps(&self, rank: usize) -> &[(u32, u32)] {
        &self.steps[self.first[rank] as usize..self.first[rank + 1] as usize]
    }

    /// Fills `row` with the sets that have none of `squares`.
    pub(super) fn fill_without(&self, squares: u32, row: &mut [u32]) {
        row.fill(u32::MAX);
        if !self.sets.len().is_multiple_of(32) {
            row[self.words - 1] = (1 << (self.sets.len() % 32)) - 1;
        }
        each_bit(squares.into(), |square| {
            for (word, with) in row.iter_mut().zip(self.with(square)) {
                *word &= !with;
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_count_the_sets_in_order() {
        for size in 0..=4 {
            let all = subsets(size);
            assert_eq!(all.sets.len(), CHOOSE[size as usize][32] as usize);
            assert!(all.sets.iter().enumerate().all(|(place, &set)| rank(set) == place));
        }
    }
}
