//! The terms of chess: pieces, how far they reach, and how pawns and kings stand.

use cozy_chess::{
    BitBoard, Board, Color, File, Piece, get_bishop_moves, get_king_moves, get_knight_moves, get_pawn_attacks, get_rook_moves,
};

use crate::evaluate::{Measures, Term};

pub(super) const TERMS: &[Term] = &[
    Term { name: "pawns", about: "pawns more, of eight", start: 0.80 },
    Term { name: "knights", about: "knights more, of two", start: 0.64 },
    Term { name: "bishops", about: "bishops more, of two", start: 0.66 },
    Term { name: "rooks", about: "rooks more, of two", start: 1.00 },
    Term { name: "queens", about: "queens more", start: 0.90 },
    Term { name: "mobility", about: "squares more that pieces other than kings and pawns reach, in forties", start: 0.15 },
    Term { name: "centre", about: "pawns and pieces more on the middle sixteen squares, of eight", start: 0.06 },
    Term { name: "advancement", about: "ranks that pawns have gone forward more, of 24", start: 0.06 },
    Term { name: "doubled_pawns", about: "pawns more behind one of their own, of four, below 0", start: 0.05 },
    Term {
        name: "isolated_pawns",
        about: "pawns more without one of their own on the next files, of four, below 0",
        start: 0.05,
    },
    Term { name: "passed_pawns", about: "pawns more that no pawn of the other side can stop, of four", start: 0.12 },
    Term { name: "king_shelter", about: "own pawns more beside the king, of three", start: 0.04 },
];

/// The ranks before a rank, seen by a colour.
fn ahead(color: Color, rank: usize) -> BitBoard {
    BitBoard(match color {
        Color::White if rank < 7 => u64::MAX << (8 * (rank + 1)),
        Color::Black if rank > 0 => u64::MAX >> (8 * (8 - rank)),
        _ => 0,
    })
}

fn measure_side(board: &Board, color: Color) -> [f32; 12] {
    let own = board.colors(color);
    let of = |piece| board.colored_pieces(color, piece);
    let (pawns, enemies, occupied) = (of(Piece::Pawn), board.colored_pieces(!color, Piece::Pawn), board.occupied());
    let mut reach = 0;
    for square in of(Piece::Knight) {
        reach += (get_knight_moves(square) & !own).len();
    }
    for square in of(Piece::Bishop) | of(Piece::Queen) {
        reach += (get_bishop_moves(square, occupied) & !own).len();
    }
    for square in of(Piece::Rook) | of(Piece::Queen) {
        reach += (get_rook_moves(square, occupied) & !own).len();
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
        reach as f32 / 40.0,
        count(own & centre) / 8.0,
        advance as f32 / 24.0,
        -(doubled as f32) / 4.0,
        -(isolated as f32) / 4.0,
        passed as f32 / 4.0,
        shelter as f32 / 3.0,
    ]
}

/// Writes the terms in the order of [`TERMS`]; white is the first side.
pub(super) fn measure(board: &Board, terms: &mut Measures) {
    let (white, black) = (measure_side(board, Color::White), measure_side(board, Color::Black));
    for (term, (white, black)) in terms.iter_mut().zip(white.into_iter().zip(black)) {
        *term = white - black;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluate::MOST_TERMS;

    fn term(fen: &str, name: &str) -> f32 {
        let mut terms = [0.0; MOST_TERMS];
        measure(&fen.parse().unwrap(), &mut terms);
        terms[TERMS.iter().position(|term| term.name == name).unwrap()]
    }

    #[test]
    fn the_start_is_even_in_every_term() {
        let mut terms = [0.0; MOST_TERMS];
        measure(&Board::startpos(), &mut terms);
        assert_eq!(terms, [0.0; MOST_TERMS]);
    }

    #[test]
    fn each_term_counts_what_it_says() {
        let pawns = "4k3/p7/8/8/1P6/2P5/2P5/4K3 w - - 0 1";
        assert_eq!(term(pawns, "pawns"), 2.0 / 8.0);
        assert_eq!(term(pawns, "doubled_pawns"), -1.0 / 4.0);
        assert_eq!(term(pawns, "isolated_pawns"), 1.0 / 4.0, "black's is");
        assert_eq!(term(pawns, "passed_pawns"), 2.0 / 4.0, "two on the c-file; the others stop each other");
        assert_eq!(term(pawns, "advancement"), (2.0 + 1.0) / 24.0);
        let castled = "4k3/8/8/8/8/8/5PPP/6K1 w - - 0 1";
        assert_eq!(term(castled, "king_shelter"), 1.0);
        assert_eq!(term("4k3/8/8/3N4/8/8/8/4K3 w - - 0 1", "mobility"), 8.0 / 40.0);
        assert_eq!(term("4k3/8/8/3N4/8/8/8/4K3 w - - 0 1", "centre"), 1.0 / 8.0);
        assert_eq!(term("3qk3/8/8/8/8/8/8/R3K3 w Q - 0 1", "queens"), -1.0);
    }
}
