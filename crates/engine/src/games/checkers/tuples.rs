//! The tuples of checkers for Q-learning: men on blocks of eight squares, squares with their diagonal neighbours (which show every
//! possible capture), kings, piece counts and the number of moves. The board is rotated so that the side to move plays down it.

use super::patterns::{BLOCKS, pattern, rotated};
use super::{Checkers, board};
use crate::Side;
use crate::bits::each_bit;

/// The kinds of tuples, in the highest bits of their numbers.
const BLOCK: u64 = 1 << 60;
const CROSS: u64 = 2 << 60;
const KING: u64 = 3 << 60;
const MATERIAL: u64 = 4 << 60;
const MOVES: u64 = 5 << 60;
const ENDGAME: u64 = 6 << 60;
const PROGRESS: u64 = 7 << 60;

/// In positions with at most this many pieces, all pairs of pieces are tuples.
const ENDGAME_PIECES: u32 = 6;

/// The bit indices of each square inside the board and its four neighbours.
static CROSSES: [[u8; 5]; 18] = {
    let mut crosses = [[0; 5]; 18];
    let (mut index, mut bit) = (0, 0);
    while bit < 32 {
        let (row, column) = board::row_column(board::NUMBERS[bit]);
        if row > 0 && row < 7 && column > 0 && column < 7 {
            crosses[index][0] = bit as u8;
            let mut direction = 0;
            while direction < 4 {
                crosses[index][direction + 1] = (bit as u32 + board::ROTATIONS[direction]) as u8 % 32;
                direction += 1;
            }
            index += 1;
        }
        bit += 1;
    }
    crosses
};

impl Checkers {
    /// Calls `visit` with the number of each tuple.
    #[inline]
    pub(super) fn each_tuple(&self, mut visit: impl FnMut(u64)) {
        let (own, other) = self.own_and_other();
        let view = |set: u32| if self.turn == Side::First { set } else { rotated(set) };
        let [men, kings, other_men, other_kings] =
            [own & !self.kings, own & self.kings, other & !self.kings, other & self.kings].map(view);
        for (index, block) in BLOCKS.into_iter().enumerate() {
            for (half, block) in [block, rotated(block)].into_iter().enumerate() {
                let place = (2 * index + half) as u64;
                visit(BLOCK | place << 40 | pattern(men, other_men, block) as u64);
            }
        }
        let kinds = [men, kings, other_men, other_kings];
        let mut cells = [0u8; 32];
        for (kind, pieces) in kinds.into_iter().enumerate() {
            each_bit(pieces.into(), |bit| cells[bit as usize] = kind as u8 + 1);
        }
        for (index, cross) in CROSSES.iter().enumerate() {
            let contents = cross.iter().fold(0, |code, &bit| code * 5 + u64::from(cells[bit as usize]));
            visit(CROSS | (index as u64) << 40 | contents);
        }
        let counts = kinds.map(|pieces| u64::from(pieces.count_ones()));
        let total = counts.iter().sum::<u64>();
        let phase = total / 5;
        each_bit(kings.into(), |bit| visit(KING | phase << 40 | u64::from(bit)));
        each_bit(other_kings.into(), |bit| visit(KING | phase << 40 | u64::from(bit) | 32));
        visit(MATERIAL | counts.iter().fold(0, |code, count| code << 4 | count));
        let difference = |plus: u64, minus: u64| plus + 12 - minus;
        visit(MATERIAL | 1 << 40 | difference(counts[0], counts[2]) << 8 | difference(counts[1], counts[3]));
        visit(MATERIAL | 2 << 40 | difference(counts[0] + counts[1], counts[2] + counts[3]) << 8 | total);
        self.visit_mobility(phase, &mut visit);
        if total <= ENDGAME_PIECES.into() {
            visit_pairs(kinds, &mut visit);
        }
        let lead = 1 + (own.count_ones() as i32 - other.count_ones() as i32).signum();
        visit(PROGRESS | (lead as u64) << 40 | u64::from(self.clock / 8));
    }

    /// Visits the numbers of moves of both sides.
    #[inline]
    fn visit_mobility(&self, phase: u64, visit: &mut impl FnMut(u64)) {
        let (black, white) = (self.count_steps_and_jumps::<false>(), self.count_steps_and_jumps::<true>());
        let [own, other] = if self.turn == Side::First { [black, white] } else { [white, black] };
        let [(steps, jumps), (other_steps, other_jumps)] = [own, other].map(|(steps, jumps)| (steps as u64, jumps as u64));
        visit(MOVES | jumps.min(4) << 8 | other_jumps.min(4));
        visit(MOVES | 1 << 40 | phase << 16 | steps << 8 | u64::from(jumps > 0));
        visit(MOVES | 2 << 40 | phase << 16 | other_steps << 8 | u64::from(other_jumps > 0));
    }
}

/// Visits the pairs of pieces.
#[inline]
fn visit_pairs(kinds: [u32; 4], visit: &mut impl FnMut(u64)) {
    let mut pieces = arrayvec::ArrayVec::<u64, { ENDGAME_PIECES as usize }>::new();
    for (kind, set) in kinds.into_iter().enumerate() {
        each_bit(set.into(), |bit| pieces.push(kind as u64 * 32 + u64::from(bit)));
    }
    for (index, piece) in pieces.iter().enumerate() {
        pieces[..index].iter().for_each(|other| visit(ENDGAME | piece << 8 | other));
    }
}

#[cfg(test)]
mod tests {
    use super::super::Draws;
    use super::*;
    use crate::{Learning, Position, Rng};

    fn tuples(position: &Checkers) -> Vec<u64> {
        let mut found = Vec::new();
        position.visit_tuples(|tuple| found.push(tuple));
        found.sort_unstable();
        found
    }

    #[test]
    fn a_rotated_position_with_exchanged_sides_has_the_same_tuples() {
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
                assert_eq!(tuples(&position), tuples(&mirror), "{position}");
            }
        }
    }

    #[test]
    fn crosses_cover_every_square_inside_the_board_with_its_neighbours() {
        for [centre, neighbours @ ..] in CROSSES {
            let (row, column) = board::row_column(board::number(centre.into()));
            for bit in neighbours {
                let (other_row, other_column) = board::row_column(board::number(bit.into()));
                assert_eq!((row.abs_diff(other_row), column.abs_diff(other_column)), (1, 1));
            }
        }
    }
}
