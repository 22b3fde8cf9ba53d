//! Chess: move generation by cozy-chess, and draw rules.
//!
//! Squares are numbered rank by rank: a1 is 0, h1 is 7, h8 is 63.

use std::fmt;

use cozy_chess::{BitBoard, Board, Color, File, Move, Piece, PieceMoves, Rank, Square, get_pawn_attacks};

use super::{Entry, StartVisitor};
use crate::bits::nth_bit;
use crate::options::{Allowed, GameOption};
use crate::{Error, Outcome, Position, Reason, Rng, Side};

mod endgame;
mod evaluation;
mod exchange;
mod features;
mod heuristic;
mod pawn_endgame;
mod planes;
mod text;
mod tuples;
mod view;

pub(super) const ENTRY: Entry = Entry {
    id: "chess",
    title: "Chess",
    rules: "Checkmate the opponent's king. Castling, en passant, promotion and draws follow the FIDE rules.",
    options: &[GameOption {
        name: "draws",
        allowed: Allowed::OneOf(&["claimed", "forced"]),
        description: "claimed: threefold repetition or 50 moves without a capture or pawn move; \
                      forced: fivefold repetition or 75 moves",
    }],
};

pub(super) fn start<V: StartVisitor>(values: &[u32], visitor: V) -> Result<V::Output, Error> {
    Ok(visitor.visit(Chess::start(if values[0] == 0 { Draws::Claimed } else { Draws::Forced })))
}

/// The rules for draws in games without progress (FIDE Laws of Chess, articles 9.2, 9.3 and 9.6).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Draws {
    /// Threefold repetition, or 50 moves by each side without a capture or pawn move, after which a player may claim a draw.
    Claimed,
    /// Fivefold repetition, or 75 such moves, after which the game is drawn automatically.
    Forced,
}

/// A chess position.
#[derive(Clone, Debug)]
pub struct Chess {
    board: Board,
    /// Plies since the last capture or pawn move. The clock of [`Board`] stops at 100.
    clock: u16,
    draws: Draws,
}

impl PartialEq for Chess {
    fn eq(&self, other: &Self) -> bool {
        // The comparison in cozy-chess treats any piece that attacks the en passant square as a capturing pawn.
        let same_side = |color| {
            let (ours, theirs) = (&self.board, &other.board);
            ours.colors(color) == theirs.colors(color) && ours.castle_rights(color) == theirs.castle_rights(color)
        };
        self.turn() == other.turn()
            && Color::ALL.into_iter().all(same_side)
            && Piece::ALL.into_iter().all(|piece| self.board.pieces(piece) == other.board.pieces(piece))
            && self.en_passant() == other.en_passant()
    }
}

impl Eq for Chess {}

fn side(color: Color) -> Side {
    match color {
        Color::White => Side::First,
        Color::Black => Side::Second,
    }
}

impl Chess {
    /// The start position.
    pub fn start(draws: Draws) -> Chess {
        Chess { board: Board::startpos(), clock: 0, draws }
    }

    /// Plies without a capture or pawn move after which the game is drawn.
    #[inline(always)]
    fn move_limit(&self) -> u16 {
        match self.draws {
            Draws::Claimed => 100,
            Draws::Forced => 150,
        }
    }

    /// Whether neither side can checkmate: bare kings, a single minor piece, or only bishops on squares of one colour.
    #[inline]
    fn has_insufficient_material(&self) -> bool {
        let board = &self.board;
        let heavy = board.pieces(Piece::Pawn) | board.pieces(Piece::Rook) | board.pieces(Piece::Queen);
        if !heavy.is_empty() {
            return false;
        }
        let knights = board.pieces(Piece::Knight);
        let bishops = board.pieces(Piece::Bishop);
        if !knights.is_empty() {
            return (knights | bishops).len() == 1;
        }
        bishops.is_subset(BitBoard::DARK_SQUARES) || bishops.is_subset(BitBoard::LIGHT_SQUARES)
    }

    /// The mover's pawns next to a pawn that has just advanced two squares.
    #[inline]
    fn en_passant_pawns(&self) -> BitBoard {
        let mover = self.board.side_to_move();
        self.board.en_passant().map_or(BitBoard::EMPTY, |file| {
            let to = Square::new(file, Rank::Sixth.relative_to(mover));
            get_pawn_attacks(to, !mover) & self.board.colored_pieces(mover, Piece::Pawn)
        })
    }

    /// The file of the pawn that can legally be captured en passant, if any.
    fn en_passant(&self) -> Option<File> {
        let file = self.board.en_passant()?;
        let to = Square::new(file, Rank::Sixth.relative_to(self.board.side_to_move()));
        let legal = |from| self.board.is_legal(Move { from, to, promotion: None });
        self.en_passant_pawns().into_iter().any(legal).then_some(file)
    }

    /// The number of the mover's pawn moves, assuming that all pseudo-legal ones are legal and none captures en passant.
    #[inline]
    fn count_free_pawn_moves(&self, pawns: BitBoard) -> usize {
        let mover = self.board.side_to_move();
        // Mirrored vertically for black.
        let relative = |set: BitBoard| if mover == Color::White { set.0 } else { set.0.swap_bytes() };
        let (pawns, enemies, empty) = (relative(pawns), relative(self.board.colors(!mover)), !relative(self.board.occupied()));
        let step = pawns << 8 & empty;
        let double_step = (step & Rank::Third.bitboard().0) << 8 & empty;
        let left = (pawns & !File::A.bitboard().0) << 7 & enemies;
        let right = (pawns & !File::H.bitboard().0) << 9 & enemies;
        // Each move to the last rank counts as four promotions.
        let count = |targets: u64| targets.count_ones() + 3 * (targets & Rank::Eighth.bitboard().0).count_ones();
        (count(step) + double_step.count_ones() + count(left) + count(right)) as usize
    }

    /// The index of a square from the mover's point of view, mirrored vertically for black.
    fn relative(&self, square: Square) -> usize {
        square.relative_to(self.board.side_to_move()) as usize
    }

    /// The square where the moving piece lands. A castling king lands on the c- or g-file, not on the rook's square.
    fn target(&self, mv: Move) -> Square {
        if !self.board.colors(self.board.side_to_move()).has(mv.to) {
            return mv.to;
        }
        Square::new(if mv.from.file() < mv.to.file() { File::G } else { File::C }, mv.from.rank())
    }
}

impl fmt::Display for Chess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&text::format(self))
    }
}

impl Position for Chess {
    /// Castling is encoded as the king capturing its own rook.
    type Move = Move;

    #[inline]
    fn turn(&self) -> Side {
        side(self.board.side_to_move())
    }

    #[inline]
    fn legal_moves(&self, mut visit: impl FnMut(Move)) {
        self.board.generate_moves(|moves| {
            for mv in moves {
                visit(mv);
            }
            false
        });
    }

    #[inline]
    fn play(&mut self, mv: Move) {
        self.board.play_unchecked(mv);
        self.clock = if self.board.halfmove_clock() == 0 { 0 } else { self.clock.saturating_add(1) };
    }

    #[inline]
    fn early_outcome(&self) -> Option<Outcome> {
        if self.clock >= self.move_limit() && self.board.generate_moves(|_| true) {
            return Some(Outcome::draw(Reason::MoveLimit));
        }
        self.has_insufficient_material().then(|| Outcome::draw(Reason::InsufficientMaterial))
    }

    fn no_move_outcome(&self) -> Outcome {
        if self.board.checkers().is_empty() {
            Outcome::draw(Reason::Stalemate)
        } else {
            Outcome::win(self.turn().other(), Reason::Checkmate)
        }
    }

    #[inline]
    fn key(&self) -> u64 {
        if self.board.en_passant().is_some() && self.en_passant().is_none() {
            self.board.hash_without_ep()
        } else {
            self.board.hash()
        }
    }

    #[inline]
    fn repetition_limit(&self) -> u32 {
        match self.draws {
            Draws::Claimed => 3,
            Draws::Forced => 5,
        }
    }

    #[inline]
    fn reversible_plies(&self) -> u32 {
        self.clock.into()
    }

    #[inline]
    fn count_moves(&self) -> usize {
        let board = &self.board;
        let pawns = board.colored_pieces(board.side_to_move(), Piece::Pawn);
        // Without checks, pinned pawns or en passant captures, all pawn moves are counted at once.
        let free = board.checkers().is_empty() && board.pinned().is_disjoint(pawns) && self.en_passant_pawns().is_empty();
        let (mut count, others) = if free { (self.count_free_pawn_moves(pawns), !pawns) } else { (0, BitBoard::FULL) };
        board.generate_moves_for(others, |moves| {
            count += moves.len();
            false
        });
        count
    }

    #[inline]
    fn play_random(&mut self, rng: &mut Rng) -> Option<Move> {
        let mut groups = arrayvec::ArrayVec::<PieceMoves, 18>::new();
        let mut count = 0;
        self.board.generate_moves(|moves| {
            groups.push(moves);
            count += moves.len();
            false
        });
        if count == 0 {
            return None;
        }
        let mut index = rng.below(count as u32) as usize;
        for &moves in &groups {
            let size = moves.len();
            if index < size {
                let mv = nth_of(moves, index as u32);
                self.play(mv);
                return Some(mv);
            }
            index -= size;
        }
        None
    }

    #[inline]
    fn encode(&self, mv: Move) -> u16 {
        (mv.from as u16) << 9 | (mv.to as u16) << 3 | mv.promotion.map_or(0, |piece| piece as u16 + 1)
    }

    #[inline]
    fn decode(&self, code: u16) -> Move {
        Move {
            from: Square::index(usize::from(code >> 9 & 63)),
            to: Square::index(usize::from(code >> 3 & 63)),
            promotion: (code & 7).checked_sub(1).and_then(|piece| Piece::try_index(piece.into())),
        }
    }
}

/// The move with the given index in the iteration order of `moves`.
#[inline]
fn nth_of(moves: PieceMoves, index: u32) -> Move {
    const PROMOTIONS: [Piece; 4] = [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen];
    let last_ranks = Rank::First.bitboard() | Rank::Eighth.bitboard();
    // Either all of a pawn's target squares are on the last rank, or none are.
    let promotes = moves.piece == Piece::Pawn && !(moves.to & last_ranks).is_empty();
    let (index, promotion) = if promotes { (index / 4, Some(PROMOTIONS[index as usize % 4])) } else { (index, None) };
    Move { from: moves.from, to: Square::index(nth_bit(moves.to.0, index).trailing_zeros() as usize), promotion }
}
