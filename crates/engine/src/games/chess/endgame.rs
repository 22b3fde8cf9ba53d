//! Endgame knowledge: mating a bare king, king and pawn against king, and material that rarely wins.

use cozy_chess::{BitBoard, Board, Color, Piece, Square};

use super::evaluation::{EDGE_DISTANCE, distance};
use super::pawn_endgame;

/// The bonus for a won endgame of king and pawn against king, in centipawns.
const PROMOTING_PAWN: i32 = 400;

/// Adjusts the evaluation of elementary and drawish endgames.
pub(super) fn adjust(board: &Board, value: i32) -> i32 {
    let value = scale(board, value) + mating_bonus(board);
    if board.occupied().len() != 3 || board.pieces(Piece::Pawn).is_empty() {
        return value;
    }
    // King and pawn against king is either won or drawn.
    let sign = if board.colored_pieces(board.side_to_move(), Piece::Pawn).is_empty() { -1 } else { 1 };
    if pawn_endgame::is_won(board) { value + sign * PROMOTING_PAWN } else { value / 16 }
}

/// A bonus for driving a bare king to the edge and for bringing the other king closer.
fn mating_bonus(board: &Board) -> i32 {
    let bare = |color| board.colors(color).len() == 1;
    let mover = board.side_to_move();
    let weak = match (bare(mover), bare(!mover)) {
        (true, false) => mover,
        (false, true) => !mover,
        _ => return 0,
    };
    let edge_distance = |square: Square| EDGE_DISTANCE[square.file() as usize] + EDGE_DISTANCE[square.rank() as usize];
    let (king, attacker) = (board.king(weak), board.king(!weak));
    let value = 10 * (6 - edge_distance(king)) + 8 * (7 - distance(king, attacker));
    if weak == mover { -value } else { value }
}

/// The evaluation, reduced if the side that is ahead has no pawns and either leads by at most a minor piece or has only two
/// knights, or if the only pieces other than pawns and kings are opposite-coloured bishops.
fn scale(board: &Board, value: i32) -> i32 {
    let pieces = |color: Color, piece| board.colored_pieces(color, piece);
    let ahead = if value > 0 { board.side_to_move() } else { !board.side_to_move() };
    if pieces(ahead, Piece::Pawn).is_empty() {
        let minor = |color| (pieces(color, Piece::Knight) | pieces(color, Piece::Bishop)).len() as i32;
        let units = |color| {
            3 * minor(color) + 5 * pieces(color, Piece::Rook).len() as i32 + 9 * pieces(color, Piece::Queen).len() as i32
        };
        let has_two_knights = units(ahead) == 6 && pieces(ahead, Piece::Knight).len() == 2;
        return if units(ahead) - units(!ahead) <= 3 || has_two_knights { value / 8 } else { value };
    }
    let others = board.pieces(Piece::Knight) | board.pieces(Piece::Rook) | board.pieces(Piece::Queen);
    let bishops = board.pieces(Piece::Bishop);
    let is_opposite = bishops.len() == 2
        && [Color::White, Color::Black].iter().all(|&color| pieces(color, Piece::Bishop).len() == 1)
        && (bishops & BitBoard::DARK_SQUARES).len() == 1;
    if others.is_empty() && is_opposite { value / 2 } else { value }
}
