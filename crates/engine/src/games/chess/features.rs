//! The evaluation features of chess: material, mobility, pawn structure and king safety.

use cozy_chess::{
    BitBoard, Board, Color, File, Move, Piece, get_bishop_moves, get_king_moves, get_knight_moves, get_pawn_attacks,
    get_rook_moves,
};

use super::Chess;
use crate::bits::each_bit;
use crate::position::{Feature, FeatureValues, Symmetry};
use crate::{Learning, Side};

const FEATURES: &[Feature] = &[
    Feature { name: "pawns", description: "difference in pawns / 8", initial_weight: 0.80 },
    Feature { name: "knights", description: "difference in knights / 2", initial_weight: 0.64 },
    Feature { name: "bishops", description: "difference in bishops / 2", initial_weight: 0.66 },
    Feature { name: "rooks", description: "difference in rooks / 2", initial_weight: 1.00 },
    Feature { name: "queens", description: "difference in queens", initial_weight: 0.90 },
    Feature {
        name: "mobility",
        description: "difference in pseudo-legal moves of pieces other than kings and pawns / 40",
        initial_weight: 0.15,
    },
    Feature {
        name: "centre",
        description: "difference in pieces and pawns on the 16 central squares / 8",
        initial_weight: 0.06,
    },
    Feature { name: "advancement", description: "difference in ranks advanced by pawns / 24", initial_weight: 0.06 },
    Feature { name: "doubled_pawns", description: "minus the difference in doubled pawns / 4", initial_weight: 0.05 },
    Feature { name: "isolated_pawns", description: "minus the difference in isolated pawns / 4", initial_weight: 0.05 },
    Feature { name: "passed_pawns", description: "difference in passed pawns / 4", initial_weight: 0.12 },
    Feature { name: "king_shelter", description: "difference in pawns that shelter their own king / 3", initial_weight: 0.04 },
];

impl Learning for Chess {
    /// 64 * from + to, then underpromotions to knight, bishop and rook by file and direction.
    fn action(&self, mv: Move) -> usize {
        let (from, to) = (self.relative(mv.from), self.relative(self.target(mv)));
        match mv.promotion {
            Some(piece) if piece != Piece::Queen => 4096 + ((piece as usize - 1) * 8 + from % 8) * 3 + (to % 8 + 1 - from % 8),
            _ => from * 64 + to,
        }
    }

    /// Own pawns, knights, bishops, rooks, queens and king, then the opponent's, on 64 squares each.
    fn active_features(&self, viewer: Side, mut visit: impl FnMut(usize)) {
        let mut words = [0; 12];
        self.feature_words(viewer, &mut words);
        for (index, word) in words.into_iter().enumerate() {
            each_bit(word, |bit| visit(index * 64 + bit as usize));
        }
    }

    #[inline]
    fn feature_words(&self, viewer: Side, words: &mut [u64]) {
        let own = if viewer == Side::First { Color::White } else { Color::Black };
        for (half, color) in words.chunks_exact_mut(6).zip([own, !own]) {
            for (word, piece) in half.iter_mut().zip(Piece::ALL) {
                let pieces = self.board.colored_pieces(color, piece).0;
                // Black sees the board with its ranks reversed.
                *word = if own == Color::White { pieces } else { pieces.swap_bytes() };
            }
        }
    }

    /// Reflection from left to right.
    fn symmetries(&self) -> Vec<Symmetry> {
        let reflect = |square: usize| square ^ 7;
        let moves = (0..4096).map(|action| reflect(action / 64) * 64 + reflect(action % 64));
        let underpromotions = (0..3 * 8 * 3).map(|index| {
            let (piece, file, direction) = (index / 24, index / 3 % 8, index % 3);
            4096 + (piece * 8 + 7 - file) * 3 + 2 - direction
        });
        vec![Symmetry::new(64, 12, reflect, moves.chain(underpromotions).map(|action| action as u32).collect())]
    }

    /// Castling is not symmetric.
    fn is_symmetric(&self) -> bool {
        Color::ALL.into_iter().all(|color| {
            let rights = self.board.castle_rights(color);
            rights.short.is_none() && rights.long.is_none()
        })
    }

    fn features(&self) -> &'static [Feature] {
        FEATURES
    }

    #[inline]
    fn visit_tuples(&self, visit: impl FnMut(u64)) {
        self.each_tuple(visit);
    }

    fn evaluate_features(&self, values: &mut FeatureValues) {
        write_features(&self.board, values);
    }
}

/// The squares on the ranks ahead of a rank, from a colour's point of view.
fn ahead(color: Color, rank: usize) -> BitBoard {
    BitBoard(match color {
        Color::White if rank < 7 => u64::MAX << (8 * (rank + 1)),
        Color::Black if rank > 0 => u64::MAX >> (8 * (8 - rank)),
        _ => 0,
    })
}

fn evaluate_side(board: &Board, color: Color) -> [f32; 12] {
    let own = board.colors(color);
    let of = |piece| board.colored_pieces(color, piece);
    let (pawns, enemies, occupied) = (of(Piece::Pawn), board.colored_pieces(!color, Piece::Pawn), board.occupied());
    let mut mobility = 0;
    for square in of(Piece::Knight) {
        mobility += (get_knight_moves(square) & !own).len();
    }
    for square in of(Piece::Bishop) | of(Piece::Queen) {
        mobility += (get_bishop_moves(square, occupied) & !own).len();
    }
    for square in of(Piece::Rook) | of(Piece::Queen) {
        mobility += (get_rook_moves(square, occupied) & !own).len();
    }
    let (mut advance, mut doubled, mut isolated, mut passed) = (0, 0, 0, 0);
    for square in pawns {
        let (file, rank) = (square.file(), square.rank() as usize);
        advance += if color == Color::White { rank - 1 } else { 6 - rank };
        let front = ahead(color, rank);
        doubled += u32::from(!(pawns & front & file.bitboard()).is_empty());
        isolated += u32::from((pawns & file.adjacent()).is_empty());
        passed += u32::from((enemies & front & (file.bitboard() | file.adjacent())).is_empty());
    }
    let king = board.king(color);
    let shelter = (pawns & get_king_moves(king) & (get_pawn_attacks(king, color) | king.file().bitboard())).len();
    let files = File::C.bitboard() | File::D.bitboard() | File::E.bitboard() | File::F.bitboard();
    let centre = files & BitBoard(0x0000_ffff_ffff_0000);
    let count = |set: BitBoard| set.len() as f32;
    [
        count(pawns) / 8.0,
        count(of(Piece::Knight)) / 2.0,
        count(of(Piece::Bishop)) / 2.0,
        count(of(Piece::Rook)) / 2.0,
        count(of(Piece::Queen)),
        mobility as f32 / 40.0,
        count(own & centre) / 8.0,
        advance as f32 / 24.0,
        -(doubled as f32) / 4.0,
        -(isolated as f32) / 4.0,
        passed as f32 / 4.0,
        shelter as f32 / 3.0,
    ]
}

/// Writes the feature values in the order of [`FEATURES`]. Positive values favour white, the first side.
fn write_features(board: &Board, values: &mut FeatureValues) {
    let (white, black) = (evaluate_side(board, Color::White), evaluate_side(board, Color::Black));
    for (value, (white, black)) in values.iter_mut().zip(white.into_iter().zip(black)) {
        *value = white - black;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::MAX_FEATURES;

    fn value(fen: &str, name: &str) -> f32 {
        let mut values = [0.0; MAX_FEATURES];
        write_features(&fen.parse().unwrap(), &mut values);
        values[FEATURES.iter().position(|feature| feature.name == name).unwrap()]
    }

    #[test]
    fn every_feature_is_zero_in_the_start_position() {
        let mut values = [0.0; MAX_FEATURES];
        write_features(&Board::startpos(), &mut values);
        assert_eq!(values, [0.0; MAX_FEATURES]);
    }

    #[test]
    fn features_match_their_descriptions() {
        let pawns = "4k3/p7/8/8/1P6/2P5/2P5/4K3 w - - 0 1";
        assert_eq!(value(pawns, "pawns"), 2.0 / 8.0);
        assert_eq!(value(pawns, "doubled_pawns"), -1.0 / 4.0);
        assert_eq!(value(pawns, "isolated_pawns"), 1.0 / 4.0, "black's pawn is isolated");
        assert_eq!(value(pawns, "passed_pawns"), 2.0 / 4.0, "both c-pawns are passed");
        assert_eq!(value(pawns, "advancement"), (2.0 + 1.0) / 24.0);
        let castled = "4k3/8/8/8/8/8/5PPP/6K1 w - - 0 1";
        assert_eq!(value(castled, "king_shelter"), 1.0);
        assert_eq!(value("4k3/8/8/3N4/8/8/8/4K3 w - - 0 1", "mobility"), 8.0 / 40.0);
        assert_eq!(value("4k3/8/8/3N4/8/8/8/4K3 w - - 0 1", "centre"), 1.0 / 8.0);
        assert_eq!(value("3qk3/8/8/8/8/8/8/R3K3 w Q - 0 1", "queens"), -1.0);
    }
}
