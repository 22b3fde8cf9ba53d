//! The tuples of chess for Q-learning: pieces on squares by game phase and relative to the kings, attacked and defended pieces,
//! the freedom of the kings, material, mobility, and progress towards mate in simple endgames.
//!
//! The side to move is called own. The board is mirrored vertically for black.

use cozy_chess::{
    BitBoard, Board, Color, File, Piece, Rank, Square, get_bishop_moves, get_king_moves, get_knight_moves, get_pawn_attacks,
    get_rook_moves,
};

use super::Chess;

/// The kinds of tuples, in the highest bits of their numbers.
const PIECE: u64 = 1 << 60;
const KING_PIECE: u64 = 2 << 60;
const ATTACKED: u64 = 3 << 60;
const KING: u64 = 4 << 60;
const MATERIAL: u64 = 5 << 60;
const MOBILITY: u64 = 6 << 60;
const MATING: u64 = 7 << 60;
const PASSED: u64 = 8 << 60;
const PROGRESS: u64 = 9 << 60;

/// The contribution of each kind of piece to the game phase.
const PHASE: [u64; 6] = [0, 1, 1, 2, 4, 0];
/// The value of each kind of piece in pawns.
const VALUES: [i32; 6] = [1, 3, 3, 5, 9, 0];

/// The squares that one side attacks.
struct Attacks {
    /// By kind of piece.
    kinds: [BitBoard; 6],
    all: BitBoard,
    /// The total number of moves of the pieces other than pawns and kings to squares without own pieces.
    mobility: u64,
}

impl Attacks {
    fn new(board: &Board, color: Color) -> Attacks {
        let occupied = board.occupied();
        let mut attacks = Attacks { kinds: [BitBoard::EMPTY; 6], all: BitBoard::EMPTY, mobility: 0 };
        for kind in Piece::ALL {
            for square in board.colored_pieces(color, kind) {
                let targets = match kind {
                    Piece::Pawn => get_pawn_attacks(square, color),
                    Piece::Knight => get_knight_moves(square),
                    Piece::Bishop => get_bishop_moves(square, occupied),
                    Piece::Rook => get_rook_moves(square, occupied),
                    Piece::Queen => get_bishop_moves(square, occupied) | get_rook_moves(square, occupied),
                    Piece::King => get_king_moves(square),
                };
                attacks.kinds[kind as usize] |= targets;
                if kind != Piece::Pawn && kind != Piece::King {
                    attacks.mobility += u64::from((targets & !board.colors(color)).len());
                }
            }
            attacks.all |= attacks.kinds[kind as usize];
        }
        attacks
    }

    /// The least valuable kind of piece that attacks a square; 6 if there is none.
    #[inline(always)]
    fn least(&self, square: Square) -> u64 {
        self.kinds.iter().position(|targets| targets.has(square)).unwrap_or(6) as u64
    }
}

impl Chess {
    /// Calls `visit` with the number of each tuple.
    pub(super) fn each_tuple(&self, mut visit: impl FnMut(u64)) {
        let board = &self.board;
        let own = board.side_to_move();
        let sides = [own, !own];
        let attacks = sides.map(|color| Attacks::new(board, color));
        let counts = sides.map(|color| Piece::ALL.map(|kind| u64::from(board.colored_pieces(color, kind).len())));
        let phase = counts.iter().flat_map(|side| side.iter().zip(PHASE)).map(|(count, weight)| count * weight).sum::<u64>();
        let phase = (phase / 6).min(3);
        let square = |square: Square| square.relative_to(own) as u64;
        let kings = sides.map(|color| square(board.king(color)));
        for (side, color) in sides.into_iter().enumerate() {
            for kind in Piece::ALL {
                let code = (side * 6 + kind as usize) as u64;
                for from in board.colored_pieces(color, kind) {
                    let piece = code << 6 | square(from);
                    visit(PIECE | phase << 40 | piece);
                    for (which, king) in kings.into_iter().enumerate() {
                        // The king's file pair and rank pair.
                        let region = (king >> 4) << 2 | (king >> 1 & 3);
                        visit(KING_PIECE | (which as u64) << 50 | region << 40 | piece);
                    }
                    if kind != Piece::King {
                        let (attacker, defender) = (attacks[1 - side].least(from), attacks[side].least(from));
                        visit(ATTACKED | code << 40 | attacker << 8 | defender);
                    }
                }
            }
            self.visit_king(side as u64, color, &attacks[1 - side], phase, &mut visit);
            visit(MOBILITY | (side as u64) << 50 | phase << 40 | (attacks[side].mobility / 3));
            self.visit_passed_pawns(side as u64, color, &attacks[1 - side], &mut visit);
        }
        visit_material(&counts, &mut visit);
        let value = |side: &[u64; 6]| side.iter().zip(VALUES).map(|(&count, value)| count as i32 * value).sum::<i32>();
        let lead = value(&counts[0]) - value(&counts[1]);
        let leader = (1 + lead.signum() * i32::from(lead.abs() > 2)) as u64;
        visit(PROGRESS | leader << 4 | u64::from(self.clock / 10));
        for side in 0..2 {
            if counts[side][..5].iter().sum::<u64>() <= 1 {
                let weak = board.king(sides[side]);
                self.visit_mating(
                    side as u64,
                    weak,
                    board.king(sides[1 - side]),
                    &counts[1 - side],
                    &attacks[1 - side],
                    &mut visit,
                );
            }
        }
    }

    /// The squares to which a king could move.
    #[inline]
    fn escapes(&self, king: Square, color: Color, enemy: &Attacks) -> BitBoard {
        get_king_moves(king) & !self.board.colors(color) & !enemy.all
    }

    /// Visits the freedom of a king and the attacks on the squares around it.
    #[inline]
    fn visit_king(&self, side: u64, color: Color, enemy: &Attacks, phase: u64, visit: &mut impl FnMut(u64)) {
        let king = self.board.king(color);
        let escapes = u64::from(self.escapes(king, color, enemy).len());
        let attacked = u64::from((get_king_moves(king) & enemy.all).len());
        let is_in_check = u64::from(enemy.all.has(king));
        visit(KING | side << 50 | is_in_check << 40 | escapes << 8 | attacked);
        visit(KING | side << 50 | 1 << 48 | phase << 40 | is_in_check << 8 | escapes);
    }

    /// Visits the passed pawns of a side: rank, whether the next square is occupied, attacked or free, and whether the pawn is attacked.
    #[inline]
    fn visit_passed_pawns(&self, side: u64, color: Color, enemy: &Attacks, visit: &mut impl FnMut(u64)) {
        let enemy_pawns = self.board.colored_pieces(!color, Piece::Pawn);
        for pawn in self.board.colored_pieces(color, Piece::Pawn) {
            let rank = pawn.rank().relative_to(color) as u64;
            let files = pawn.file().adjacent() | pawn.file().bitboard();
            let ahead = (rank as usize + 1..8)
                .fold(BitBoard::EMPTY, |set, index| set | Rank::index(index).relative_to(color).bitboard());
            if !(files & ahead & enemy_pawns).is_empty() {
                continue;
            }
            let next = Square::new(pawn.file(), Rank::index((rank as usize + 1).min(7)).relative_to(color));
            let state = if self.board.occupied().has(next) { 2 } else { u64::from(enemy.all.has(next)) };
            visit(PASSED | side << 40 | rank << 8 | state << 4 | u64::from(enemy.all.has(pawn)));
        }
    }

    /// Visits the placement of the kings if one side has at most one piece besides its king.
    #[inline]
    fn visit_mating(
        &self,
        side: u64,
        weak: Square,
        strong: Square,
        strong_counts: &[u64; 6],
        attacks: &Attacks,
        visit: &mut impl FnMut(u64),
    ) {
        let color = if side == 0 { self.board.side_to_move() } else { !self.board.side_to_move() };
        let escapes = u64::from(self.escapes(weak, color, attacks).len());
        let edge = |index: usize| index.min(7 - index) as u64;
        let (file, rank) = (edge(weak.file() as usize), edge(weak.rank() as usize));
        let (near, far) = (file.min(rank), file.max(rank));
        let apart = |a: usize, b: usize| a.abs_diff(b) as u64;
        let files = apart(weak.file() as usize, strong.file() as usize);
        let ranks = apart(weak.rank() as usize, strong.rank() as usize);
        let (short, long) = (files.min(ranks), files.max(ranks));
        let heavy = strong_counts[4].min(2) << 2 | strong_counts[3].min(2);
        let room = self.reachable(weak, color, attacks);
        let who = MATING | side << 56 | heavy << 50;
        visit(who | 1 << 48 | near << 16 | far << 8 | escapes);
        visit(who | 2 << 48 | short << 16 | long << 8 | near);
        visit(who | 3 << 48 | room);
        visit(who | 4 << 46 | near << 16 | far << 12 | short << 8 | long << 4);
    }

    /// The number of squares that a king can reach in any number of moves while the enemy passes, up to 31.
    #[inline]
    fn reachable(&self, king: Square, color: Color, enemy: &Attacks) -> u64 {
        let free = !self.board.colors(color) & !enemy.all;
        let mut reached = king.bitboard();
        loop {
            let sides = reached.0 | (reached & !File::A.bitboard()).0 >> 1 | (reached & !File::H.bitboard()).0 << 1;
            let next = BitBoard(sides | sides << 8 | sides >> 8) & (free | king.bitboard());
            if next == reached || next.len() > 31 {
                return u64::from(next.len()).min(32) - 1;
            }
            reached = next;
        }
    }
}

/// Visits the piece counts of both sides, together and by kind.
#[inline]
fn visit_material(counts: &[[u64; 6]; 2], visit: &mut impl FnMut(u64)) {
    let signature = |side: &[u64; 6]| side[..5].iter().fold(0, |code, &count| code << 4 | count.min(15));
    visit(MATERIAL | signature(&counts[0]) << 20 | signature(&counts[1]));
    for (kind, (own, other)) in counts[0].iter().zip(&counts[1]).take(5).enumerate() {
        visit(MATERIAL | 1 << 56 | (kind as u64) << 40 | own.min(&15) << 8 | other.min(&15));
    }
}

#[cfg(test)]
mod tests {
    use super::super::Draws;
    use super::*;
    use crate::{Learning, Notation};

    fn tuples(fen: &str) -> Vec<u64> {
        let mut found = Vec::new();
        Chess::start(Draws::Claimed).parse(fen).unwrap().visit_tuples(|tuple| found.push(tuple));
        found.sort_unstable();
        found
    }

    #[test]
    fn a_mirrored_position_with_exchanged_sides_has_the_same_tuples() {
        for (white, black) in [
            (
                "r3k2r/pp3ppp/2n5/3q4/8/5N2/PPP2PPP/R2QK2R w KQkq - 3 9",
                "r2qk2r/ppp2ppp/5n2/8/3Q4/2N5/PP3PPP/R3K2R b KQkq - 3 9",
            ),
            ("8/8/8/3k4/8/8/6K1/7Q b - - 12 60", "7q/6k1/8/8/3K4/8/8/8 w - - 12 60"),
            ("8/P7/1k6/8/8/8/5K2/8 w - - 0 60", "8/5k2/8/8/8/1K6/p7/8 b - - 0 60"),
        ] {
            assert_eq!(tuples(white), tuples(black), "{white}");
        }
    }

    #[test]
    fn the_squares_that_a_king_can_reach_are_counted() {
        let position = Chess::start(Draws::Claimed).parse("k7/8/1Q6/8/8/8/8/K7 b - - 0 1");
        let position = position.unwrap_or_else(|error| panic!("{error}"));
        let attacks = Attacks::new(&position.board, Color::White);
        assert_eq!(position.reachable(Square::A8, Color::Black, &attacks), 0);
        let open = Chess::start(Draws::Claimed).parse("k7/8/8/2R5/3K4/8/8/8 b - - 0 1").unwrap();
        let attacks = Attacks::new(&open.board, Color::White);
        assert_eq!(
            open.reachable(Square::A8, Color::Black, &attacks),
            5,
            "a6, a7, b6, b7 and b8, but not the fifth rank or the c-file"
        );
    }
}
