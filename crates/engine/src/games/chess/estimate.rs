//! The rule of thumb of chess: pieces, and where they stand, weighed between middle game and endgame by what is left on the board.

use cozy_chess::{Board, Color, Move, Piece, Square};

use super::pawn_ending;

/// Pawn, knight, bishop, rook, queen, king, in hundredths of a pawn.
const WORTH: [i32; 6] = [100, 320, 330, 500, 900, 0];
/// How much of the middle game each piece stands for; all together make [`FULL`].
const PHASE: [i32; 6] = [0, 1, 1, 2, 4, 0];
const FULL: i32 = 24;

/// What a pawn is worth more that will become a queen.
const WON_PAWN: i32 = 400;

/// From the edge to the middle, for files and for ranks.
const INWARD: [i32; 8] = [0, 1, 2, 3, 3, 2, 1, 0];

/// What a piece is worth on a square seen from its own side (a1 is 0): in the middle game and in the endgame.
static TABLES: [[(i16, i16); 64]; 6] = {
    let mut tables = [[(0, 0); 64]; 6];
    let mut square = 0;
    while square < 64 {
        let (rank, file) = (square as i32 / 8, square as i32 % 8);
        let (across, along) = (INWARD[file as usize], INWARD[rank as usize]);
        let inside = if across < along { across } else { along };
        let middle = across + along;
        let pawn = if rank == 0 || rank == 7 {
            (0, 0)
        } else {
            // Pawns go forward, in the middle game those in the middle; those before the castled king stay.
            let guard = if rank == 1 && (file < 3 || file > 4) { 10 } else { 0 };
            ((rank - 1) * (1 + across) * 2 + guard - 5, (rank - 1) * (rank - 1) * 4)
        };
        let knight = (middle * 9 - 35, middle * 6 - 25);
        let home = if rank == 0 { -10 } else { 0 };
        let bishop = (inside * 6 + home, inside * 4);
        let seventh = if rank == 6 { 20 } else { 0 };
        let rook = (seventh + across * 3 - 5, seventh / 2);
        let queen = (inside * 2, middle * 4);
        // The king hides in a corner of his first rank, then walks to the middle.
        let hidden = if rank == 0 && (file < 3 || file > 5) { 25 } else { 0 };
        let king = (hidden - rank * 20 - across * 6, middle * 10 - 30);
        let row = [pawn, knight, bishop, rook, queen, king];
        let mut piece = 0;
        while piece < 6 {
            let (early, late) = row[piece];
            tables[piece][square] = ((WORTH[piece] + early) as i16, (WORTH[piece] + late) as i16);
            piece += 1;
        }
        square += 1;
    }
    tables
};

/// What a move takes, and what a pawn gains by becoming a queen.
#[inline]
pub(super) fn gain(board: &Board, mv: Move) -> i32 {
    let promotion = if mv.promotion == Some(Piece::Queen) { WORTH[4] - WORTH[0] } else { 0 };
    if board.colors(!board.side_to_move()).has(mv.to) {
        return promotion + board.piece_on(mv.to).map_or(0, |piece| WORTH[piece as usize]);
    }
    // A pawn that leaves its file without a piece to take there takes en passant.
    let en_passant = mv.from.file() != mv.to.file() && board.pieces(Piece::Pawn).has(mv.from);
    promotion + if en_passant { WORTH[0] } else { 0 }
}

/// The difference of pieces alone, for the side to move.
pub(super) fn material(board: &Board) -> i32 {
    let mover = board.side_to_move();
    let count = |color, piece| board.colored_pieces(color, piece).len() as i32;
    Piece::ALL.iter().map(|&piece| WORTH[piece as usize] * (count(mover, piece) - count(!mover, piece))).sum()
}

/// How much the side to move stands better.
pub(super) fn weigh(board: &Board) -> i32 {
    let (mut early, mut late, mut phase) = (0, 0, 0);
    let mover = board.side_to_move();
    for (color, sign) in [(mover, 1), (!mover, -1)] {
        let flip = if color == Color::White { 0 } else { 56 };
        for piece in Piece::ALL {
            let table = &TABLES[piece as usize];
            let pieces = board.colored_pieces(color, piece);
            phase += PHASE[piece as usize] * pieces.len() as i32;
            for square in pieces {
                let (middle_game, endgame) = table[square as usize ^ flip];
                early += sign * i32::from(middle_game);
                late += sign * i32::from(endgame);
            }
        }
    }
    let phase = phase.min(FULL);
    finish(board, (early * phase + late * (FULL - phase)) / FULL)
}

/// What is known of endings against a bare king, added to the rule of thumb.
fn finish(board: &Board, value: i32) -> i32 {
    let value = value + hunt(board);
    if board.occupied().len() != 3 || board.pieces(Piece::Pawn).is_empty() {
        return value;
    }
    // A pawn alone is worth most of a queen or nothing.
    let sign = if board.colored_pieces(board.side_to_move(), Piece::Pawn).is_empty() { -1 } else { 1 };
    if pawn_ending::is_won(board) { value + sign * WON_PAWN } else { value / 16 }
}

/// A bare king is driven to the edge by a king who comes near.
fn hunt(board: &Board) -> i32 {
    let bare = |color| board.colors(color).len() == 1;
    let mover = board.side_to_move();
    let hunted = match (bare(mover), bare(!mover)) {
        (true, false) => mover,
        (false, true) => !mover,
        _ => return 0,
    };
    let inward = |square: Square| INWARD[square.file() as usize] + INWARD[square.rank() as usize];
    let (king, hunter) = (board.king(hunted), board.king(!hunted));
    let apart = |a: usize, b: usize| a.abs_diff(b) as i32;
    let distance = apart(king.file() as usize, hunter.file() as usize).max(apart(king.rank() as usize, hunter.rank() as usize));
    let value = 10 * (6 - inward(king)) + 8 * (7 - distance);
    if hunted == mover { -value } else { value }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn estimate(fen: &str) -> i32 {
        weigh(&fen.parse().unwrap())
    }

    #[test]
    fn the_start_is_even_and_mirrored_positions_are_equal() {
        assert_eq!(weigh(&Board::startpos()), 0);
        let white = estimate("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1");
        assert_eq!(white, estimate("r3k2r/pppbbppp/2n2q1P/1P2p3/3pn3/BN2PNP1/P1PPQPB1/R3K2R b KQkq - 0 1"));
    }

    #[test]
    fn a_knight_prefers_the_middle_and_a_late_king_too() {
        assert!(estimate("4k3/p7/8/8/3N4/8/P7/4K3 w - - 0 1") > estimate("4k3/p7/8/8/8/8/P7/N3K3 w - - 0 1"));
        assert!(estimate("8/p3k3/8/8/3K4/8/P7/8 w - - 0 1") > estimate("8/p3k3/8/8/8/8/P7/K7 w - - 0 1"));
    }

    #[test]
    fn a_bare_king_is_worse_in_the_corner() {
        assert!(estimate("7k/8/5K2/8/8/8/8/R7 w - - 0 1") > estimate("8/8/5K2/8/4k3/8/8/R7 w - - 0 1"));
    }

    #[test]
    fn a_pawn_alone_is_worth_what_comes_of_it() {
        let won = estimate("4k3/8/4K3/4P3/8/8/8/8 w - - 0 1");
        assert!(won > 400);
        assert_eq!(won, -estimate("4k3/8/4K3/4P3/8/8/8/8 b - - 0 1"));
        assert!(estimate("8/4k3/4P3/4K3/8/8/8/8 w - - 0 1").abs() < 30);
        assert!(estimate("k7/8/K7/P7/8/8/8/8 w - - 0 1").abs() < 30);
    }

    #[test]
    fn moves_gain_what_they_take() {
        let board: Board = "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3".parse().unwrap();
        assert_eq!(gain(&board, "e5f6".parse().unwrap()), 100);
        assert_eq!(gain(&board, "e5e6".parse().unwrap()), 0);
        let board: Board = "1r5k/P7/8/8/8/8/8/K7 w - - 0 1".parse().unwrap();
        assert_eq!(gain(&board, "a7b8q".parse().unwrap()), 1300);
        assert_eq!(gain(&board, "a7a8n".parse().unwrap()), 0);
    }
}
