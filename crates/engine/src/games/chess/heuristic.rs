//! Chess knowledge for the searches: captures, null moves and the evaluation.

use cozy_chess::{BitBoard, Board, File, Move, Piece, PieceMoves, Rank, Square};

use super::evaluation::evaluate;
use super::{Chess, exchange};
use crate::Heuristics;

/// Values of pawn, knight, bishop, rook, queen and king in centipawns.
pub(super) const PIECE_VALUES: [i32; 6] = [100, 320, 330, 500, 900, 0];
impl Heuristics for Chess {
    const TUNING: &'static [(&'static str, &'static str)] =
        &[("leaf", "heuristic"), ("playout_plies", "2"), ("cutoff", "heuristic"), ("minimax", "0.95"), ("c", "0.15")];

    const FORWARD_PRUNING: bool = true;

    fn captures(&self, mv: Move) -> bool {
        let board = &self.board;
        let en_passant = board.piece_on(mv.from) == Some(Piece::Pawn) && mv.from.file() != mv.to.file();
        board.colors(!board.side_to_move()).has(mv.to) || en_passant
    }

    fn ends_on_edge(&self, mv: Move) -> bool {
        matches!(mv.to.file(), File::A | File::H) || matches!(mv.to.rank(), Rank::First | Rank::Eighth)
    }

    #[inline]
    fn capture_gain(&self, mv: Move) -> i32 {
        gain(&self.board, mv)
    }

    fn piece_difference(&self) -> i32 {
        let count = |color| self.board.colors(color).len() as i32;
        let mover = self.board.side_to_move();
        count(mover) - count(!mover)
    }

    #[inline]
    fn capture_moves(&self, mut visit: impl FnMut(Move, i32)) -> bool {
        let board = &self.board;
        let enemies = board.colors(!board.side_to_move());
        let en_passant = board
            .en_passant()
            .map_or(BitBoard::EMPTY, |file| Square::new(file, Rank::Sixth.relative_to(board.side_to_move())).bitboard());
        let last_rank = Rank::Eighth.relative_to(board.side_to_move()).bitboard();
        let mut quiet = false;
        board.generate_moves(|moves| {
            let gains = if moves.piece == Piece::Pawn { enemies | en_passant | last_rank } else { enemies };
            quiet |= !moves.to.is_subset(gains);
            let captures = PieceMoves { to: moves.to & gains, ..moves };
            for mv in captures {
                match gain(board, mv) {
                    0 => quiet = true,
                    gain => visit(mv, gain),
                }
            }
            false
        });
        quiet
    }

    /// MVV-LVA: the most valuable victim first, then the least valuable attacker.
    #[inline]
    fn capture_order(&self, mv: Move, gain: i32) -> i32 {
        16 * gain - self.board.piece_on(mv.from).map_or(0, |piece| piece as i32)
    }

    #[inline]
    fn exchange_gains(&self, mv: Move, gain: i32) -> bool {
        exchange::gains(&self.board, mv, gain)
    }

    #[inline]
    fn is_in_check(&self) -> bool {
        !self.board.checkers().is_empty()
    }

    /// Also returns `None` if the side to move has only its king and pawns, because zugzwang is common in such positions.
    fn null_move(&self) -> Option<Chess> {
        let board = &self.board;
        let pieces = board.colors(board.side_to_move()) & !(board.pieces(Piece::Pawn) | board.pieces(Piece::King));
        if pieces.is_empty() {
            return None;
        }
        // Positions before and after a null move are not repetitions of each other.
        board.null_move().map(|board| Chess { board, clock: 0, draws: self.draws })
    }

    fn heuristic(&self) -> i32 {
        evaluate(&self.board)
    }

    fn material(&self) -> i32 {
        material(&self.board)
    }
}

/// The value of the captured piece plus the gain from promotion to a queen, in centipawns.
#[inline]
pub(super) fn gain(board: &Board, mv: Move) -> i32 {
    let promotion = if mv.promotion == Some(Piece::Queen) { PIECE_VALUES[4] - PIECE_VALUES[0] } else { 0 };
    if board.colors(!board.side_to_move()).has(mv.to) {
        return promotion + board.piece_on(mv.to).map_or(0, |piece| PIECE_VALUES[piece as usize]);
    }
    // A pawn that changes file without capturing on the target square captures en passant.
    let en_passant = mv.from.file() != mv.to.file() && board.pieces(Piece::Pawn).has(mv.from);
    promotion + if en_passant { PIECE_VALUES[0] } else { 0 }
}

/// The material balance in centipawns for the side to move.
fn material(board: &Board) -> i32 {
    let mover = board.side_to_move();
    let count = |color, piece| board.colored_pieces(color, piece).len() as i32;
    Piece::ALL.iter().map(|&piece| PIECE_VALUES[piece as usize] * (count(mover, piece) - count(!mover, piece))).sum()
}

#[cfg(test)]
mod tests {
    use super::super::Draws;
    use super::*;
    use crate::Position;

    fn chess(fen: &str) -> Chess {
        Chess { board: fen.parse().unwrap(), clock: 0, draws: Draws::Claimed }
    }

    #[test]
    fn capture_moves_are_the_legal_moves_that_gain_material() {
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
            "1r5k/P7/8/8/8/8/6p1/K4R2 w - - 0 1",
            "1r5k/P7/8/8/8/8/6p1/K4R2 b - - 0 1",
            "4k3/8/8/8/8/8/4r3/4K3 w - - 0 1",
        ] {
            let position = chess(fen);
            let (mut expected, mut has_quiet_move) = (Vec::new(), false);
            position.legal_moves(|mv| match position.capture_gain(mv) {
                0 => has_quiet_move = true,
                gain => expected.push((mv, gain)),
            });
            let mut captures = Vec::new();
            assert_eq!(position.capture_moves(|mv, gain| captures.push((mv, gain))), has_quiet_move, "{fen}");
            assert_eq!(captures, expected, "{fen}");
        }
    }

    #[test]
    fn null_moves_require_a_piece_and_no_check() {
        assert!(chess("4k3/p7/8/8/8/8/P7/4K3 w - - 0 1").null_move().is_none());
        assert!(chess("4k3/8/8/8/8/8/4r3/R3K3 w - - 0 1").null_move().is_none());
        let next = chess("4k3/p7/8/8/8/8/P7/R3K3 w - - 0 1").null_move().unwrap();
        assert_eq!(next, chess("4k3/p7/8/8/8/8/P7/R3K3 b - - 0 1"));
    }

    fn evaluate_fen(fen: &str) -> i32 {
        evaluate(&fen.parse().unwrap())
    }

    #[test]
    fn the_evaluation_is_symmetric() {
        assert_eq!(evaluate(&Board::startpos()), 0);
        let white = evaluate_fen("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1");
        assert_eq!(white, evaluate_fen("r3k2r/pppbbppp/2n2q1P/1P2p3/3pn3/BN2PNP1/P1PPQPB1/R3K2R b KQkq - 0 1"));
    }

    #[test]
    fn knights_and_endgame_kings_prefer_the_centre() {
        assert!(evaluate_fen("4k3/p7/8/8/3N4/8/P7/4K3 w - - 0 1") > evaluate_fen("4k3/p7/8/8/8/8/P7/N3K3 w - - 0 1"));
        assert!(evaluate_fen("8/p3k3/8/8/3K4/8/P7/8 w - - 0 1") > evaluate_fen("8/p3k3/8/8/8/8/P7/K7 w - - 0 1"));
    }

    #[test]
    fn a_bare_king_is_worse_off_in_the_corner() {
        assert!(evaluate_fen("7k/8/5K2/8/8/8/8/R7 w - - 0 1") > evaluate_fen("8/8/5K2/8/4k3/8/8/R7 w - - 0 1"));
    }

    #[test]
    fn a_lone_pawn_is_evaluated_as_won_or_drawn() {
        let won = evaluate_fen("4k3/8/4K3/4P3/8/8/8/8 w - - 0 1");
        assert!(won > 400);
        assert_eq!(won, -evaluate_fen("4k3/8/4K3/4P3/8/8/8/8 b - - 0 1"));
        assert!(evaluate_fen("8/4k3/4P3/4K3/8/8/8/8 w - - 0 1").abs() < 30);
        assert!(evaluate_fen("k7/8/K7/P7/8/8/8/8 w - - 0 1").abs() < 30);
    }

    #[test]
    fn each_term_of_the_evaluation_contributes() {
        let better = |better: &str, worse: &str| {
            let [better, worse] = [better, worse].map(|fen| evaluate_fen(&format!("{fen} w - - 0 1")));
            assert!(better > worse, "{better} {worse}");
        };
        better("4k3/p6p/8/8/8/8/P6P/2B1KB2", "4k3/p6p/8/8/8/8/P6P/1NB1K3");
        better("4k3/p6p/8/8/8/8/P6P/3RK3", "4k3/p6p/8/8/8/8/P2P4/3RK3");
        better("4k3/5pp1/8/P7/8/8/6P1/4K3", "4k3/5pp1/8/6P1/8/8/6P1/4K3");
        better("4k3/ppp5/8/8/8/8/PPP5/4K3", "4k3/ppp5/8/8/8/8/P1P1P3/4K3");
        better("r3q1k1/5ppp/8/8/8/8/5PPP/R3Q1K1", "r3q1k1/5ppp/8/8/8/5PPP/8/R3Q1K1");
        better("r3q1k1/5pp1/8/6NQ/3B4/8/5PPP/6K1", "r3q1k1/5pp1/8/8/QN6/B7/5PPP/6K1");
    }

    #[test]
    fn material_that_rarely_wins_is_worth_little() {
        assert!(evaluate_fen("4k3/8/8/3n4/8/8/8/R3K3 w - - 0 1").abs() < 60);
        assert!(evaluate_fen("4k3/8/8/8/8/8/8/NN2K3 w - - 0 1").abs() < 250);
        let opposite = evaluate_fen("4k3/8/4b3/8/8/2B5/P7/4K3 w - - 0 1");
        assert!(opposite < evaluate_fen("4k3/8/3b4/8/8/2B5/P7/4K3 w - - 0 1"));
    }

    #[test]
    fn the_gain_is_the_captured_piece_plus_the_promotion() {
        let board: Board = "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3".parse().unwrap();
        assert_eq!(gain(&board, "e5f6".parse().unwrap()), 100);
        assert_eq!(gain(&board, "e5e6".parse().unwrap()), 0);
        let board: Board = "1r5k/P7/8/8/8/8/8/K7 w - - 0 1".parse().unwrap();
        assert_eq!(gain(&board, "a7b8q".parse().unwrap()), 1300);
        assert_eq!(gain(&board, "a7a8n".parse().unwrap()), 0);
    }
}
