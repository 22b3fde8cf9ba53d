//! Checkers patterns: configurations of men on blocks of eight squares, the squares of kings, and a few counts.
//!
//! A block of 4x4 or 2x8 squares contains eight playable squares, so the men on it form one of 3^8 patterns. The blocks overlap so
//! that any two adjacent men share a block. A pattern has the same value for black as the rotated pattern has for white, so both
//! sides share the weights.

use super::Checkers;
use super::board;
use crate::bits::{each_bit, gather};
use crate::position::MAX_PHASE;

/// The number of patterns per block.
const BLOCK: usize = 3usize.pow(8);
/// The squares of each block. Together with their rotations by 180 degrees, the blocks cover the board.
pub(super) const BLOCKS: [u32; 6] =
    [block(0, 0, 4, 4), block(0, 2, 4, 4), block(0, 4, 4, 4), block(2, 0, 4, 4), block(2, 2, 4, 4), block(0, 0, 2, 8)];

const TURN: usize = 0;
const MEN: usize = 1;
const KINGS: usize = 2;
const STEPS: usize = 3;
const JUMPS: usize = 4;
const LEAD: usize = 5;
const KING_LEAD: usize = 6;
/// The first of 32 patterns, one for a king on each square from its own side's point of view.
const KING_ON: usize = 8;
const FIRST_BLOCK: usize = KING_ON + 32;

/// The total number of patterns.
pub(super) const COUNT: usize = FIRST_BLOCK + BLOCKS.len() * BLOCK;

/// The playable squares in a block of `height` rows and `width` columns of the 8x8 diagram, given its top left corner.
const fn block(top: u8, left: u8, height: u8, width: u8) -> u32 {
    let (mut set, mut number) = (0, 1);
    while number <= 32 {
        let (row, column) = board::row_column(number);
        if row >= top && row < top + height && column >= left && column < left + width {
            set |= board::bit(number);
        }
        number += 1;
    }
    set
}

/// The value of each set of eight bits when its bits are read as base-three digits.
static BASE_THREE: [u16; 256] = {
    let mut table = [0; 256];
    let mut bits = 0;
    while bits < 256 {
        let (mut place, mut power) = (0, 1);
        while place < 8 {
            if bits >> place & 1 != 0 {
                table[bits] += power;
            }
            power *= 3;
            place += 1;
        }
        bits += 1;
    }
    table
};

/// A set rotated by 180 degrees: the bit index of square `33 - n` is 11 minus that of square `n`, modulo 32.
#[inline(always)]
pub(super) fn rotated(set: u32) -> u32 {
    set.reverse_bits().rotate_left(12)
}

/// The index of the pattern of men on a block.
#[inline(always)]
pub(super) fn pattern(own: u32, other: u32, block: u32) -> usize {
    let digits = |men: u32| usize::from(BASE_THREE[gather(men, block) as usize & 255]);
    digits(own) + 2 * digits(other)
}

impl Checkers {
    /// Calls `visit` with each pattern and its count for black minus its count for white.
    #[inline(always)]
    pub(super) fn each_pattern(&self, mut visit: impl FnMut(usize, i32)) {
        let (black_men, white_men) = (self.black & !self.kings, self.white & !self.kings);
        let (black_kings, white_kings) = (self.black & self.kings, self.white & self.kings);
        let difference = |black: u32, white: u32| black.count_ones() as i32 - white.count_ones() as i32;
        let (men, kings) = (difference(black_men, white_men), difference(black_kings, white_kings));
        let pieces = (self.black | self.white).count_ones() as i32;
        let (black_steps, black_jumps) = self.count_steps_and_jumps::<false>();
        let (white_steps, white_jumps) = self.count_steps_and_jumps::<true>();
        visit(TURN, 1 - 2 * self.turn as i32);
        visit(MEN, men);
        visit(KINGS, kings);
        visit(STEPS, black_steps - white_steps);
        visit(JUMPS, black_jumps - white_jumps);
        // The side that is ahead should exchange.
        visit(LEAD, men * 24 / pieces.max(1));
        visit(KING_LEAD, kings * 24 / pieces.max(1));
        let (rotated_black, rotated_white) = (rotated(black_men), rotated(white_men));
        for (index, block) in BLOCKS.into_iter().enumerate() {
            let first = FIRST_BLOCK + index * BLOCK;
            visit(first + pattern(black_men, white_men, block), 1);
            visit(first + pattern(rotated_white, rotated_black, block), -1);
        }
        each_bit(black_kings.into(), |bit| visit(KING_ON + bit as usize, 1));
        each_bit(rotated(white_kings).into(), |bit| visit(KING_ON + bit as usize, -1));
    }

    /// The number of pieces on the board, at most 24.
    #[inline(always)]
    pub(super) fn piece_count(&self) -> i32 {
        ((self.black | self.white).count_ones() as i32).min(MAX_PHASE)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::super::Draws;
    use super::*;
    use crate::{Learning, Position, Rng};

    fn patterns(position: &Checkers) -> BTreeMap<usize, i32> {
        let mut found = BTreeMap::new();
        position.visit_patterns(|index, count| *found.entry(index).or_default() += count);
        found.retain(|_, count| *count != 0);
        found
    }

    #[test]
    fn rotating_a_set_rotates_its_squares() {
        for number in 1..=32 {
            assert_eq!(rotated(board::bit(number)), board::bit(33 - number));
        }
    }

    #[test]
    fn blocks_have_eight_squares_and_cover_the_board() {
        assert!(BLOCKS.iter().all(|block| block.count_ones() == 8));
        assert_eq!(BLOCKS.iter().fold(0, |all, &block| all | block | rotated(block)), u32::MAX);
    }

    #[test]
    fn pattern_indices_are_in_range_and_rotation_negates_the_counts() {
        for seed in 0..50 {
            let mut rng = Rng::new(seed);
            let mut position = Checkers::start(Draws::English);
            while position.outcome().is_none() {
                position.play_random(&mut rng);
                let mirror = Checkers {
                    black: rotated(position.white),
                    white: rotated(position.black),
                    kings: rotated(position.kings),
                    turn: position.turn.other(),
                    ..position.clone()
                };
                let (here, there) = (patterns(&position), patterns(&mirror));
                assert!(here.keys().all(|&index| index < COUNT));
                assert_eq!(here.len(), there.len());
                assert!(here.iter().all(|(index, count)| there.get(index) == Some(&-count)), "{position}");
            }
        }
    }
}
