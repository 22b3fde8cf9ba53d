//! The chess board as displayed.

use cozy_chess::{Color, File, Move, Rank, Square};

use super::Chess;
use crate::{Game, Piece, Side, View};

const PIECES: [(&str, char, char); 6] = [
    ("pawn", 'P', 'p'),
    ("knight", 'N', 'n'),
    ("bishop", 'B', 'b'),
    ("rook", 'R', 'r'),
    ("queen", 'Q', 'q'),
    ("king", 'K', 'k'),
];

/// The index of a square, row by row from the top left.
fn cell(square: Square) -> usize {
    (7 - square.rank() as usize) * 8 + square.file() as usize
}

impl View for Chess {
    fn game(&self) -> Game {
        let mut squares = vec![None; 64];
        for square in Square::ALL {
            squares[cell(square)] = Some(square.to_string());
        }
        Game {
            rows: 8,
            columns: 8,
            squares,
            column_labels: File::ALL.iter().map(File::to_string).collect(),
            row_labels: Rank::ALL.iter().rev().map(Rank::to_string).collect(),
            bottom: Side::First,
            sides: ["white", "black"],
            pieces: PIECES.iter().flat_map(|&(name, white, black)| Piece::pair(name, white, black)).collect(),
            actions: 4096 + 3 * 8 * 3,
            features: 2 * 6 * 64,
        }
    }

    fn cells(&self, mut visit: impl FnMut(usize, char)) {
        for piece in cozy_chess::Piece::ALL {
            let letter: char = piece.into();
            for square in self.board.colored_pieces(Color::White, piece) {
                visit(cell(square), letter.to_ascii_uppercase());
            }
            for square in self.board.colored_pieces(Color::Black, piece) {
                visit(cell(square), letter);
            }
        }
    }

    fn path(&self, mv: Move) -> Vec<usize> {
        vec![cell(mv.from), cell(self.target(mv))]
    }

    /// The king, if it is in check.
    fn highlighted(&self) -> Vec<usize> {
        let king = self.board.king(self.board.side_to_move());
        if self.board.checkers().is_empty() { Vec::new() } else { vec![cell(king)] }
    }
}
