//! Sets of up to five pieces on 32 squares, ranked by the combinatorial number system (colexicographic order).

use std::sync::LazyLock;

use crate::bits::each_bit;
use crate::games::checkers::board::{CAN_STEP, step};

/// Maximum number of kings (or men) of one side.
pub(super) const MAX_SIZE: usize = 5;

/// Binomial coefficients: `BINOMIAL[k][n]` is the number of `k`-element subsets of `n` elements.
pub(super) const BINOMIAL: [[u32; 33]; MAX_SIZE + 2] = {
    let mut table = [[0; 33]; MAX_SIZE + 2];
    let mut n = 0;
    while n <= 32 {
        table[0][n] = 1;
        let mut k = 1;
        while k < MAX_SIZE + 2 && n > 0 {
            table[k][n] = table[k - 1][n - 1] + table[k][n - 1];
            k += 1;
        }
        n += 1;
    }
    table
};

/// Returns the rank of a set among all sets of its size. Removing a square from the board preserves the order of
/// the sets that do not contain it.
#[inline(always)]
pub(super) fn rank(mut set: u32) -> usize {
    let (mut sum, mut k) = (0, 1);
    while set != 0 {
        sum += BINOMIAL[k.min(MAX_SIZE + 1)][set.trailing_zeros() as usize];
        k += 1;
        set &= set - 1;
    }
    sum as usize
}

/// Calls `visit` with each set of `size` squares among the `squares` lowest ones, in order of rank.
pub(super) fn for_each_combination(size: u32, squares: u32, mut visit: impl FnMut(u32)) {
    let mut set = (1u64 << size) - 1;
    while set >> squares == 0 {
        visit(set as u32);
        if set == 0 {
            break;
        }
        // Gosper's hack: the next larger number with the same number of set bits.
        let low = set & set.wrapping_neg();
        let high = set + low;
        set = high | ((set ^ high) / low) >> 2;
    }
}

/// All sets of one size. A collection of sets is a row of `words` words in which bit `r` stands for the set of rank `r`.
pub(super) struct Combinations {
    pub(super) sets: Vec<u32>,
    pub(super) words: usize,
    /// For each square, the row of sets that contain it.
    containing: Vec<u32>,
    /// King moves of the set of rank `r` are `king_moves[move_offsets[r]..move_offsets[r + 1]]`: the rank of the resulting
    /// set and the target square.
    move_offsets: Vec<u32>,
    king_moves: Vec<(u32, u32)>,
}

static BY_SIZE: [LazyLock<Combinations>; MAX_SIZE + 1] = [
    LazyLock::new(|| Combinations::new(0)),
    LazyLock::new(|| Combinations::new(1)),
    LazyLock::new(|| Combinations::new(2)),
    LazyLock::new(|| Combinations::new(3)),
    LazyLock::new(|| Combinations::new(4)),
    LazyLock::new(|| Combinations::new(5)),
];

/// Returns all sets of `size` squares.
pub(super) fn combinations(size: u32) -> &'static Combinations {
    &BY_SIZE[size as usize]
}

impl Combinations {
    fn new(size: u32) -> Combinations {
        let mut sets = Vec::with_capacity(BINOMIAL[size as usize][32] as usize);
        for_each_combination(size, 32, |set| sets.push(set));
        let words = sets.len().div_ceil(32);
        let mut containing = vec![0; 32 * words];
        let (mut move_offsets, mut king_moves) = (vec![0], Vec::new());
        for (index, &set) in sets.iter().enumerate() {
            each_bit(set.into(), |square| {
                containing[square as usize * words + index / 32] |= 1 << (index % 32);
                let from = 1u32 << square;
                for (direction, starts) in CAN_STEP.into_iter().enumerate() {
                    let to = step(from & starts, direction) & !set;
                    if to != 0 {
                        king_moves.push((rank(set ^ from ^ to) as u32, to.trailing_zeros()));
                    }
                }
            });
            move_offsets.push(king_moves.len() as u32);
        }
        Combinations { sets, words, containing, move_offsets, king_moves }
    }

    /// Returns the row of sets that contain a square.
    #[inline(always)]
    pub(super) fn containing(&self, square: u32) -> &[u32] {
        &self.containing[square as usize * self.words..][..self.words]
    }

    /// Returns the king moves of the set of a given rank on an otherwise empty board: resulting ranks and target squares.
    #[inline(always)]
    pub(super) fn king_moves(&self, rank: usize) -> &[(u32, u32)] {
        &self.king_moves[self.move_offsets[rank] as usize..self.move_offsets[rank + 1] as usize]
    }

    /// Fills `row` with the sets that contain none of `squares`.
    pub(super) fn fill_disjoint(&self, squares: u32, row: &mut [u32]) {
        row.fill(u32::MAX);
        if !self.sets.len().is_multiple_of(32) {
            row[self.words - 1] = (1 << (self.sets.len() % 32)) - 1;
        }
        each_bit(squares.into(), |square| {
            for (word, containing) in row.iter_mut().zip(self.containing(square)) {
                *word &= !containing;
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_consecutive() {
        for size in 0..=4 {
            let all = combinations(size);
            assert_eq!(all.sets.len(), BINOMIAL[size as usize][32] as usize);
            assert!(all.sets.iter().enumerate().all(|(index, &set)| rank(set) == index));
        }
    }
}
