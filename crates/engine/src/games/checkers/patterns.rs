//! Patterns of checkers: what stands on blocks of eight squares, where kings stand, and a few counts.
//!
//! A block of four rows and four columns of the board has eight squares that are played on; the men on it make one of 3^8 patterns. The
//! blocks overlap, so that every group of men near each other is on one of them. A pattern is worth to black what the same one turned
//! round is worth to white: both sides' views go through the same tables.

use super::Checkers;
use super::board;
use crate::evaluate::BEGINNING;

/// Patterns of one block.
const BLOCK: usize = 3usize.pow(8);
/// The squares of the blocks; with what they are turned round they cover the board.
const BLOCKS: [u32; 6] =
    [block(0, 0, 4, 4), block(0, 2, 4, 4), block(0, 4, 4, 4), block(2, 0, 4, 4), block(2, 2, 4, 4), block(0, 0, 2, 8)];

const TURN: usize = 0;
const MEN: usize = 1;
const KINGS: usize = 2;
const STEPS: usize = 3;
const JUMPS: usize = 4;
const LEAD: usize = 5;
const KING_LEAD: usize = 6;
/// A king on each square, seen from its own side.
const KING_ON: usize = 8;
const FIRST_BLOCK: usize = KING_ON + 32;

/// Patterns in all.
pub(super) const COUNT: usize = FIRST_BLOCK + BLOCKS.len() * BLOCK;

/// The squares in `height` rows and `width` columns of the 8x8 diagram from a corner on, seen by black's men as they go down.
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

/// Eight bits read as digits of base three.
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

/// The pieces with the board turned round: the bit of square `33 - n` is 11 less the bit of `n`, modulo 32.
#[inline(always)]
fn turned(set: u32) -> u32 {
    set.reverse_bits().rotate_left(12)
}

/// The pattern of men on a block.
#[inline(always)]
fn pattern(own: u32, other: u32, block: u32) -> usize {
    let digits = |men: u32| usize::from(BASE_THREE[crate::bits::gather(men, block) as usize & 255]);
    digits(own) + 2 * digits(other)
}

impl Checkers {
    /// Every pattern, with how often it is there: more for black, less for white.
    #[inline(always)]
    pub(super) fn each_pattern(&self, mut visit: impl FnMut(usize, i32)) {
        let (black_men, white_men) = (self.black & !self.kings, self.white & !self.kings);
        let (black_kings, white_kings) = (self.black & self.kings, self.white & self.kings);
        let more = |black: u32, white: u32| black.count_ones() as i32 - white.count_ones() as i32;
        let (men, kings) = (more(black_men, white_men), more(black_kings, white_kings));
        let pieces = (self.black | self.white).count_ones() as i32;
        let (black_steps, black_jumps) = self.reach::<false>();
        let (white_steps, white_jumps) = self.reach::<true>();
        visit(TURN, 1 - 2 * self.turn as i32);
        visit(MEN, men);
        visit(KINGS, kings);
        visit(STEPS, black_steps - white_steps);
        visit(JUMPS, black_jumps - white_jumps);
        // The side with more pieces gains by exchanges.
        visit(LEAD, men * 24 / pieces.max(1));
        visit(KING_LEAD, kings * 24 / pieces.max(1));
        let (turned_black, turned_white) = (turned(black_men), turned(white_men));
        for (index, block) in BLOCKS.into_iter().enumerate() {
            let first = FIRST_BLOCK + index * BLOCK;
            visit(first + pattern(black_men, white_men, block), 1);
            visit(first + pattern(turned_white, turned_black, block), -1);
        }
        crate::bits::each_bit(black_kings.into(), |bit| visit(KING_ON + bit as usize, 1));
        crate::bits::each_bit(turned(white_kings).into(), |bit| visit(KING_ON + bit as usize, -1));
    }

    /// Pieces on the board, of 24.
    #[inline(always)]
    pub(super) fn pieces_left(&self) -> i32 {
        ((self.black | self.white).count_ones() as i32).min(BEGINNING)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::super::Draws;
    use super::*;
    use crate::{Position, Rng};

    fn patterns(position: &Checkers) -> BTreeMap<usize, i32> {
        let mut found = BTreeMap::new();
        position.visit_patterns(|index, count| *found.entry(index).or_default() += count);
        found.retain(|_, count| *count != 0);
        found
    }

    #[test]
    fn turning_the_set_turns_the_board() {
        for number in 1..=32 {
            assert_eq!(turned(board::bit(number)), board::bit(33 - number));
        }
    }

    #[test]
    fn blocks_have_eight_squares_and_cover_the_board() {
        assert!(BLOCKS.iter().all(|block| block.count_ones() == 8));
        assert_eq!(BLOCKS.iter().fold(0, |all, &block| all | block | turned(block)), u32::MAX);
    }

    #[test]
    fn patterns_stay_in_range_and_are_negated_when_the_board_is_turned() {
        for seed in 0..50 {
            let mut rng = Rng::new(seed);
            let mut position = Checkers::start(Draws::English);
            while position.outcome().is_none() {
                position.play_random(&mut rng);
                let mirror = Checkers {
                    black: turned(position.white),
                    white: turned(position.black),
                    kings: turned(position.kings),
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
