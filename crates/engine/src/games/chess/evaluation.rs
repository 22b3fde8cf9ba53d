//! The hand-written evaluation of chess: piece values and piece-square tables, mobility, pawn structure, rooks on open files, the
//! bishop pair and king safety. It is tapered: interpolated between middlegame and endgame by the remaining material.

use std::ops::{AddAssign, Mul, Neg};

use cozy_chess::{
    BitBoard, Board, Color, File, Piece, Rank, Square, get_bishop_moves, get_king_moves, get_knight_moves, get_rook_moves,
};

use super::endgame;

/// A pair of values in centipawns, for the middlegame and the endgame.
#[derive(Clone, Copy, Default)]
struct Phased(i32, i32);

impl AddAssign for Phased {
    fn add_assign(&mut self, other: Phased) {
        *self = Phased(self.0 + other.0, self.1 + other.1);
    }
}

impl Neg for Phased {
    type Output = Phased;

    fn neg(self) -> Phased {
        Phased(-self.0, -self.1)
    }
}

impl Mul<i32> for Phased {
    type Output = Phased;

    fn mul(self, factor: i32) -> Phased {
        Phased(self.0 * factor, self.1 * factor)
    }
}

/// Values of pawn, knight, bishop, rook, queen and king.
const MATERIAL: [Phased; 6] =
    [Phased(88, 108), Phased(325, 305), Phased(340, 318), Phased(480, 530), Phased(970, 960), Phased(0, 0)];
/// The contribution of each piece to the game phase. All pieces together contribute [`MIDDLEGAME`].
const PHASE: [i32; 6] = [0, 1, 1, 2, 4, 0];
const MIDDLEGAME: i32 = 24;

/// For each piece type, the bonus per square that it can move to and that no enemy pawn attacks, and the number of such squares for
/// which the total is 0.
const MOBILITY: [(Phased, i32); 6] =
    [(Phased(0, 0), 0), (Phased(5, 4), 4), (Phased(5, 5), 6), (Phased(3, 5), 7), (Phased(2, 4), 13), (Phased(0, 0), 0)];
/// For each piece type, the danger per attacked square next to the enemy king.
const KING_ATTACK: [i32; 6] = [0, 3, 3, 4, 5, 0];
const BISHOP_PAIR: Phased = Phased(26, 48);
const ROOK_ON_OPEN_FILE: Phased = Phased(28, 12);
const ROOK_ON_HALF_OPEN_FILE: Phased = Phased(13, 8);
const ISOLATED_PAWN: Phased = Phased(-11, -12);
const DOUBLED_PAWN: Phased = Phased(-8, -18);
const PROTECTED_PAWN: Phased = Phased(10, 8);
const PAWN_NEXT_TO_PAWN: Phased = Phased(6, 4);
/// The bonus for each passed pawn, indexed by its rank from its own side's point of view.
const PASSED_PAWN: [Phased; 8] = [
    Phased(0, 0),
    Phased(4, 12),
    Phased(6, 18),
    Phased(12, 34),
    Phased(28, 62),
    Phased(55, 105),
    Phased(90, 165),
    Phased(0, 0),
];
/// For a passed pawn on or beyond the fifth rank, the bonus per king move from each king to the square in front of the pawn.
const ENEMY_KING_DISTANCE: i32 = 9;
const OWN_KING_DISTANCE: i32 = -5;
/// The bonus for each pawn in front of the king.
const KING_SHELTER: Phased = Phased(13, 0);
const OPEN_FILE_AT_KING: Phased = Phased(-16, 0);
/// The penalty for each piece that an enemy pawn attacks.
const ATTACKED_BY_PAWN: Phased = Phased(-42, -34);

/// The distance of each file or rank from the edge.
pub(super) const EDGE_DISTANCE: [i32; 8] = [0, 1, 2, 3, 3, 2, 1, 0];

/// Piece-square tables, including the piece values. Squares are numbered from the piece's own side (a1 is 0).
static TABLES: [[(i16, i16); 64]; 6] = {
    let mut tables = [[(0, 0); 64]; 6];
    let mut square = 0;
    while square < 64 {
        let (rank, file) = (square as i32 / 8, square as i32 % 8);
        let (across, along) = (EDGE_DISTANCE[file as usize], EDGE_DISTANCE[rank as usize]);
        let inside = if across < along { across } else { along };
        let middle = across + along;
        let pawn = if rank == 0 || rank == 7 {
            (0, 0)
        } else {
            // Rewards advanced pawns (in the middlegame, mainly central ones) and pawns that shelter a castled king.
            let guard = if rank == 1 && (file < 3 || file > 4) { 10 } else { 0 };
            ((rank - 1) * (1 + across) * 2 + guard - 5, (rank - 1) * (rank - 1) * 2)
        };
        let knight = (middle * 7 - 27, middle * 5 - 20);
        let home = if rank == 0 { -10 } else { 0 };
        let bishop = (inside * 5 + home, inside * 3);
        let seventh = if rank == 6 { 15 } else { 0 };
        let rook = (seventh + across * 3 - 5, seventh);
        let queen = (inside * 2, middle * 4);
        // Rewards a castled king in the middlegame and a centralised king in the endgame.
        let castled = if rank == 0 && (file < 3 || file > 5) { 22 } else { 0 };
        let king = (castled - rank * 18 - across * 6, middle * 10 - 30);
        let row = [pawn, knight, bishop, rook, queen, king];
        let mut piece = 0;
        while piece < 6 {
            let (middlegame, endgame) = row[piece];
            tables[piece][square] = ((MATERIAL[piece].0 + middlegame) as i16, (MATERIAL[piece].1 + endgame) as i16);
            piece += 1;
        }
        square += 1;
    }
    tables
};

/// The evaluation in centipawns for the side to move.
pub(super) fn evaluate(board: &Board) -> i32 {
    let mover = board.side_to_move();
    let attacks = [Color::White, Color::Black].map(|color| pawn_attacks(board, color));
    let (mut value, mut phase) = (Phased::default(), 0);
    for (color, sign) in [(mover, 1), (!mover, -1)] {
        let (score, pieces) = evaluate_side(board, color, attacks[!color as usize]);
        value += score * sign;
        phase += pieces;
    }
    let phase = phase.min(MIDDLEGAME);
    let value = (value.0 * phase + value.1 * (MIDDLEGAME - phase)) / MIDDLEGAME;
    endgame::adjust(board, value)
}

/// The squares that the pawns of a colour attack.
fn pawn_attacks(board: &Board, color: Color) -> BitBoard {
    let pawns = board.colored_pieces(color, Piece::Pawn).0;
    let (left, right) = (pawns & !File::A.bitboard().0, pawns & !File::H.bitboard().0);
    BitBoard(match color {
        Color::White => left << 7 | right << 9,
        Color::Black => left >> 9 | right >> 7,
    })
}

/// The value of one side's pieces and their contribution to the game phase.
fn evaluate_side(board: &Board, color: Color, enemy_attacks: BitBoard) -> (Phased, i32) {
    let flip = if color == Color::White { 0 } else { 56 };
    let (own, occupied) = (board.colors(color), board.occupied());
    let (pawns, enemy_pawns) = (board.colored_pieces(color, Piece::Pawn), board.colored_pieces(!color, Piece::Pawn));
    let enemy_king_zone = get_king_moves(board.king(!color));
    let free = !(own | enemy_attacks);
    let (mut value, mut phase, mut danger, mut attackers) = (Phased::default(), 0, 0, 0);
    for piece in Piece::ALL {
        let table = &TABLES[piece as usize];
        let pieces = board.colored_pieces(color, piece);
        phase += PHASE[piece as usize] * pieces.len() as i32;
        for square in pieces {
            let (early, late) = table[square as usize ^ flip];
            value += Phased(early.into(), late.into());
            let moves = match piece {
                Piece::Knight => get_knight_moves(square),
                Piece::Bishop => get_bishop_moves(square, occupied),
                Piece::Rook => get_rook_moves(square, occupied),
                Piece::Queen => get_bishop_moves(square, occupied) | get_rook_moves(square, occupied),
                Piece::Pawn | Piece::King => continue,
            };
            let (bonus, usual) = MOBILITY[piece as usize];
            value += bonus * ((moves & free).len() as i32 - usual);
            let near_king = (moves & enemy_king_zone).len() as i32;
            if near_king > 0 {
                attackers += 1;
                danger += KING_ATTACK[piece as usize] * (1 + near_king);
            }
            if piece == Piece::Rook {
                let file = square.file().bitboard();
                if pawns.is_disjoint(file) {
                    value += if enemy_pawns.is_disjoint(file) { ROOK_ON_OPEN_FILE } else { ROOK_ON_HALF_OPEN_FILE };
                }
            }
        }
    }
    if attackers >= 2 {
        value += Phased((danger * danger / 8).min(400), danger / 4);
    }
    if board.colored_pieces(color, Piece::Bishop).len() >= 2 {
        value += BISHOP_PAIR;
    }
    value += ATTACKED_BY_PAWN * (own & !pawns & enemy_attacks).len() as i32;
    value += evaluate_pawns(board, color);
    value += evaluate_king(board, color);
    (value, phase)
}

/// The value of a king's pawn shelter.
fn evaluate_king(board: &Board, color: Color) -> Phased {
    let pawns = board.colored_pieces(color, Piece::Pawn);
    let king = board.king(color);
    let (file, rank) = (king.file(), king.rank().relative_to(color));
    let files = file.bitboard() | file.adjacent();
    let ahead = [1, 2].into_iter().filter_map(|step| Rank::try_index(rank as usize + step));
    let shelter = ahead.fold(BitBoard::EMPTY, |set, rank| set | rank.relative_to(color).bitboard());
    let mut value = KING_SHELTER * ((pawns & files & shelter).len() as i32).min(3);
    for file in File::ALL.into_iter().filter(|file| !files.is_disjoint(file.bitboard())) {
        if pawns.is_disjoint(file.bitboard()) {
            value += OPEN_FILE_AT_KING;
        }
    }
    value
}

/// The value of one side's pawn structure.
fn evaluate_pawns(board: &Board, color: Color) -> Phased {
    let relative = |set: BitBoard| if color == Color::White { set.0 } else { set.0.swap_bytes() };
    let pawns = relative(board.colored_pieces(color, Piece::Pawn));
    let enemies = relative(board.colored_pieces(!color, Piece::Pawn));
    let (not_a, not_h) = (!File::A.bitboard().0, !File::H.bitboard().0);
    let beside = |set: u64| (set & not_a) >> 1 | (set & not_h) << 1;
    let fill_down = |set: u64| {
        let set = set | set >> 8;
        let set = set | set >> 16;
        set | set >> 32
    };
    let fill_up = |set: u64| set.swap_bytes();
    let fill_up = |set: u64| fill_up(fill_down(fill_up(set)));
    let count = |set: u64| set.count_ones() as i32;
    let files = fill_up(fill_down(pawns));
    let behind_own = fill_down(pawns >> 8);
    let blocked = fill_down(enemies >> 8);
    let mut value = ISOLATED_PAWN * count(pawns & !beside(files));
    value += DOUBLED_PAWN * count(pawns & behind_own);
    value += PROTECTED_PAWN * count(pawns & beside(pawns << 8));
    value += PAWN_NEXT_TO_PAWN * count(pawns & beside(pawns));
    let passed = pawns & !(blocked | beside(blocked) | behind_own);
    let kings =
        [color, !color].map(|side| Square::index(board.king(side) as usize ^ if color == Color::White { 0 } else { 56 }));
    for square in BitBoard(passed) {
        let rank = square.rank() as usize;
        value += PASSED_PAWN[rank];
        if rank >= 4 {
            let front = Square::index(square as usize + 8);
            let distances = kings.map(|king| distance(king, front));
            value += Phased(0, (OWN_KING_DISTANCE * distances[0] + ENEMY_KING_DISTANCE * distances[1]) * (rank as i32 - 3) / 2);
        }
    }
    value
}

/// The number of king moves between two squares on an empty board.
pub(super) fn distance(one: Square, other: Square) -> i32 {
    let files = (one.file() as i32 - other.file() as i32).abs();
    files.max((one.rank() as i32 - other.rank() as i32).abs())
}
