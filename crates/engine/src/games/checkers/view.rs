//! The checkers board as displayed.

use super::{Checkers, Move, board};
use crate::bits::each_bit;
use crate::{Game, Piece, Position, Side, View};

impl View for Checkers {
    fn game(&self) -> Game {
        let mut squares = vec![None; 64];
        for number in 1..=32 {
            squares[board::cell(number)] = Some(number.to_string());
        }
        Game {
            rows: 8,
            columns: 8,
            squares,
            column_labels: Vec::new(),
            row_labels: Vec::new(),
            bottom: Side::Second,
            sides: ["black", "white"],
            pieces: [Piece::pair("man", 'b', 'w'), Piece::pair("king", 'B', 'W')].concat(),
            actions: 32 * 32,
            features: 4 * 32,
        }
    }

    fn cells(&self, mut visit: impl FnMut(usize, char)) {
        for (pieces, letters) in [(self.black, ['b', 'B']), (self.white, ['w', 'W'])] {
            each_bit(pieces.into(), |bit| {
                visit(board::cell(board::number(bit)), letters[(self.kings >> bit & 1) as usize]);
            });
        }
    }

    fn path(&self, mv: Move) -> Vec<usize> {
        self.route(mv).into_iter().map(|bit| board::cell(board::number(bit))).collect()
    }

    /// The pieces that must capture.
    fn highlighted(&self) -> Vec<usize> {
        let mut cells = Vec::new();
        self.legal_moves(|mv| {
            if mv.captured != 0 {
                cells.push(board::cell(board::number(mv.from.into())));
            }
        });
        cells.sort_unstable();
        cells.dedup();
        cells
    }
}
