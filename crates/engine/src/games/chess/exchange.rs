//! Static exchange evaluation: the material won by a sequence of captures on one square, without searching it.

use cozy_chess::{
    BitBoard, Board, Color, Move, Piece, Square, get_bishop_moves, get_king_moves, get_knight_moves, get_pawn_attacks,
    get_rook_moves,
};

use super::heuristic::{PIECE_VALUES, gain};

/// The value of a king, so high that capturing it ends an exchange.
const KING: i32 = 10_000;

fn value(piece: Piece) -> i32 {
    if piece == Piece::King { KING } else { PIECE_VALUES[piece as usize] }
}

/// The pieces of both sides that attack a square.
fn attackers(board: &Board, square: Square, occupied: BitBoard) -> BitBoard {
    let (bishops, rooks, queens) = (board.pieces(Piece::Bishop), board.pieces(Piece::Rook), board.pieces(Piece::Queen));
    let pawns = |color: Color| get_pawn_attacks(square, !color) & board.colored_pieces(color, Piece::Pawn);
    pawns(Color::White)
        | pawns(Color::Black)
        | get_knight_moves(square) & board.pieces(Piece::Knight)
        | get_king_moves(square) & board.pieces(Piece::King)
        | get_bishop_moves(square, occupied) & (bishops | queens)
        | get_rook_moves(square, occupied) & (rooks | queens)
}

/// Whether a move, followed by the best captures on its target square, gains the mover at least `threshold` centipawns. Each side
/// captures with its least valuable piece and may stop at any time. Pins are ignored.
pub(super) fn gains(board: &Board, mv: Move, threshold: i32) -> bool {
    let mut side = board.side_to_move();
    if board.colors(side).has(mv.to) {
        // Castling is not part of an exchange.
        return threshold <= 0;
    }
    let Some(piece) = board.piece_on(mv.from) else {
        return false;
    };
    // `balance` is the gain of the side that has just captured, less the threshold, if its piece is not captured in turn.
    let mut balance = gain(board, mv) - threshold;
    if balance < 0 {
        return false;
    }
    balance -= value(mv.promotion.unwrap_or(piece));
    if balance >= 0 {
        return true;
    }
    let mut occupied = (board.occupied() ^ mv.from.bitboard()) | mv.to.bitboard();
    if piece == Piece::Pawn && mv.from.file() != mv.to.file() && !board.occupied().has(mv.to) {
        occupied ^= Square::new(mv.to.file(), mv.from.rank()).bitboard();
    }
    let diagonal = board.pieces(Piece::Bishop) | board.pieces(Piece::Queen);
    let straight = board.pieces(Piece::Rook) | board.pieces(Piece::Queen);
    let mut all = attackers(board, mv.to, occupied) & occupied;
    loop {
        side = !side;
        let own = all & board.colors(side);
        let Some(piece) = Piece::ALL.into_iter().find(|&piece| !own.is_disjoint(board.pieces(piece))) else {
            break;
        };
        if piece == Piece::King && !(all & board.colors(!side)).is_empty() {
            // The king cannot capture a defended piece.
            break;
        }
        // The side to capture gains if its opponent loses even after recapturing this piece.
        balance = -balance - 1 - value(piece);
        if balance >= 0 {
            side = !side;
            break;
        }
        if let Some(from) = (own & board.pieces(piece)).next_square() {
            occupied ^= from.bitboard();
        }
        // Pieces behind the capturing piece can now capture too.
        all |= get_bishop_moves(mv.to, occupied) & diagonal | get_rook_moves(mv.to, occupied) & straight;
        all &= occupied;
    }
    // `side` has lost the exchange: it cannot capture, or no capture would help it.
    side != board.side_to_move()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The largest threshold that an exchange reaches, found by exhaustive search.
    fn exchange(fen: &str, mv: &str) -> i32 {
        let board: Board = fen.parse().unwrap();
        let mv = mv.parse().unwrap();
        (-1500..1500).rev().find(|&threshold| gains(&board, mv, threshold)).unwrap()
    }

    #[test]
    fn undefended_pieces_are_won_and_defended_ones_are_exchanged() {
        assert_eq!(exchange("4k3/8/8/3p4/8/8/8/3RK3 w - - 0 1", "d1d5"), 100);
        assert_eq!(exchange("4k3/8/4p3/3p4/8/8/8/3RK3 w - - 0 1", "d1d5"), 100 - 500);
        assert_eq!(exchange("3rk3/8/8/3r4/8/8/3R4/3RK3 w - - 0 1", "d2d5"), 500);
    }

    #[test]
    fn x_ray_attackers_take_part() {
        assert_eq!(exchange("3rk3/3r4/8/3p4/8/8/3Q4/3RK3 w - - 0 1", "d2d5"), 100 - 900);
        assert_eq!(exchange("3rk3/8/8/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5"), 100);
    }

    #[test]
    fn a_side_stops_capturing_when_that_is_better() {
        // After the knight takes the pawn and is captured, the queen does not take the defended pawn.
        assert_eq!(exchange("4k3/8/3p1p2/4p3/8/5N2/8/4Q1K1 w - - 0 1", "f3e5"), 100 - 320);
    }

    #[test]
    fn kings_capture_undefended_pieces_only() {
        assert_eq!(exchange("8/8/4k3/3p4/8/8/8/3RK3 w - - 0 1", "d1d5"), 100 - 500);
        assert_eq!(exchange("8/8/4k3/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5"), 100);
    }

    #[test]
    fn promotions_and_en_passant_captures_are_included() {
        assert_eq!(exchange("8/P6k/8/8/8/8/8/4K3 w - - 0 1", "a7a8q"), 800);
        assert_eq!(exchange("1r6/P6k/8/8/8/8/8/4K3 w - - 0 1", "a7a8q"), 800 - 900);
        assert_eq!(exchange("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6"), 100);
    }

    #[test]
    fn a_quiet_move_to_an_attacked_square_loses_the_piece() {
        assert_eq!(exchange("4k3/8/4p3/8/8/8/8/3RK3 w - - 0 1", "d1d5"), -500);
        assert_eq!(exchange("4k3/8/4p3/8/8/8/8/3RK3 w - - 0 1", "d1d3"), 0);
    }
}
