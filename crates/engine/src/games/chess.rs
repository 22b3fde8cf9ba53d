//! Chess on the move generator of cozy-chess, with the draw rules it leaves to its user.
//!
//! Squares count from a1 along the ranks: a1 is 0, h1 is 7, h8 is 63.

use std::fmt;

use cozy_chess::{BitBoard, Board, Color, File, Move, Piece, PieceMoves, Rank, Square, get_pawn_attacks};

use super::{Entry, boxed};
use crate::bits::nth_bit;
use crate::evaluate::{Measures, Term};
use crate::options::{Accepts, GameOption};
use crate::{Error, Game, Outcome, Position, Reason, Rng, Side};

mod estimate;
mod pawn_ending;
mod terms;
mod text;

pub(super) const ENTRY: Entry = Entry {
    id: "chess",
    title: "Chess",
    options: &[GameOption {
        name: "draws",
        accepts: Accepts::Word(&["claimed", "forced"]),
        about: "claimed: third repetition and 50 moves end the game, as if claimed; forced: only the fifth and 75 moves",
    }],
    start: |values| {
        let draws = if values[0] == 0 { Draws::Claimed } else { Draws::Forced };
        Ok(boxed(Chess { board: Board::startpos(), quiet: 0, draws }))
    },
};

/// When a game without progress is drawn (FIDE Laws of Chess, articles 9.2, 9.3 and 9.6).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Draws {
    /// At the third repetition and after 50 moves a side without capture or pawn move, which a player may claim.
    Claimed,
    /// At the fifth repetition and after 75 moves, which no player can avoid.
    Forced,
}

/// A position of chess.
#[derive(Clone, Debug)]
pub struct Chess {
    board: Board,
    /// Plies since the last capture or pawn move; the board's own clock stops at 100.
    quiet: u16,
    draws: Draws,
}

impl PartialEq for Chess {
    fn eq(&self, other: &Self) -> bool {
        // The library's own comparison takes any piece that can go to the en passant square for a capturing pawn.
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

const NAMES: [(&str, char, char); 6] = [
    ("pawn", 'P', 'p'),
    ("knight", 'N', 'n'),
    ("bishop", 'B', 'b'),
    ("rook", 'R', 'r'),
    ("queen", 'Q', 'q'),
    ("king", 'K', 'k'),
];

fn side(color: Color) -> Side {
    match color {
        Color::White => Side::First,
        Color::Black => Side::Second,
    }
}

impl Chess {
    /// Whether neither side could mate by any moves: bare kings, one minor piece, or bishops that all stand on one colour.
    #[inline]
    fn is_dead(&self) -> bool {
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

    /// The mover's pawns beside a pawn that has just gone two squares.
    #[inline]
    fn en_passant_pawns(&self) -> BitBoard {
        let mover = self.board.side_to_move();
        self.board.en_passant().map_or(BitBoard::EMPTY, |file| {
            let to = Square::new(file, Rank::Sixth.relative_to(mover));
            get_pawn_attacks(to, !mover) & self.board.colored_pieces(mover, Piece::Pawn)
        })
    }

    /// The file of a pawn that can be taken en passant by a legal move: otherwise the right does not exist.
    fn en_passant(&self) -> Option<File> {
        let file = self.board.en_passant()?;
        let to = Square::new(file, Rank::Sixth.relative_to(self.board.side_to_move()));
        let legal = |from| self.board.is_legal(Move { from, to, promotion: None });
        self.en_passant_pawns().into_iter().any(legal).then_some(file)
    }

    /// The moves of the mover's pawns if all their steps and captures are legal.
    #[inline]
    fn count_free_pawn_moves(&self, pawns: BitBoard) -> usize {
        let mover = self.board.side_to_move();
        // Black's board is looked at from black's side.
        let seen = |set: BitBoard| if mover == Color::White { set.0 } else { set.0.swap_bytes() };
        let (pawns, enemies, empty) = (seen(pawns), seen(self.board.colors(!mover)), !seen(self.board.occupied()));
        let step = pawns << 8 & empty;
        let leap = (step & Rank::Third.bitboard().0) << 8 & empty;
        let left = (pawns & !File::A.bitboard().0) << 7 & enemies;
        let right = (pawns & !File::H.bitboard().0) << 9 & enemies;
        // Each move to the last rank is four.
        let count = |targets: u64| targets.count_ones() + 3 * (targets & Rank::Eighth.bitboard().0).count_ones();
        (count(step) + leap.count_ones() + count(left) + count(right)) as usize
    }

    /// A square from the mover's side: black sees the board mirrored top to bottom.
    fn relative(&self, square: Square) -> usize {
        square.relative_to(self.board.side_to_move()) as usize
    }

    /// Where the moving piece is seen to go: a castling king goes to the c- or g-file, not onto its rook.
    fn target(&self, mv: Move) -> Square {
        if !self.board.colors(self.board.side_to_move()).has(mv.to) {
            return mv.to;
        }
        Square::new(if mv.from.file() < mv.to.file() { File::G } else { File::C }, mv.from.rank())
    }
}

fn cell(square: Square) -> usize {
    (7 - square.rank() as usize) * 8 + square.file() as usize
}

impl fmt::Display for Chess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&text::write(self))
    }
}

impl Position for Chess {
    /// Castling is the king taking his own rook.
    type Move = Move;

    const TUNING: &'static [(&'static str, &'static str)] =
        &[("playout_plies", "2"), ("playout_estimate", "true"), ("minimax", "0.95"), ("c", "0.15")];

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
        self.quiet = if self.board.halfmove_clock() == 0 { 0 } else { self.quiet.saturating_add(1) };
    }

    #[inline]
    fn decided(&self) -> Option<Outcome> {
        let limit = match self.draws {
            Draws::Claimed => 100,
            Draws::Forced => 150,
        };
        if self.quiet >= limit && self.board.generate_moves(|_| true) {
            return Some(Outcome::draw(Reason::MoveLimit));
        }
        self.is_dead().then(|| Outcome::draw(Reason::InsufficientMaterial))
    }

    fn stuck(&self) -> Outcome {
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
    fn repetitions(&self) -> u32 {
        match self.draws {
            Draws::Claimed => 3,
            Draws::Forced => 5,
        }
    }

    #[inline]
    fn quiet_plies(&self) -> u32 {
        self.quiet.into()
    }

    #[inline]
    fn count_moves(&self) -> usize {
        let board = &self.board;
        let pawns = board.colored_pieces(board.side_to_move(), Piece::Pawn);
        // Without check, pins and captures en passant, the moves of all pawns are counted at once.
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

    fn captures(&self, mv: Move) -> bool {
        let board = &self.board;
        let en_passant = board.piece_on(mv.from) == Some(Piece::Pawn) && mv.from.file() != mv.to.file();
        board.colors(!board.side_to_move()).has(mv.to) || en_passant
    }

    fn ends_on_edge(&self, mv: Move) -> bool {
        matches!(mv.to.file(), File::A | File::H) || matches!(mv.to.rank(), Rank::First | Rank::Eighth)
    }

    #[inline]
    fn gain(&self, mv: Move) -> i32 {
        estimate::gain(&self.board, mv)
    }

    fn estimate(&self) -> i32 {
        estimate::weigh(&self.board)
    }

    fn material(&self) -> i32 {
        estimate::material(&self.board)
    }

    fn parse(&self, text: &str) -> Result<Self, Error> {
        text::read(text, self.draws)
    }

    fn move_text(&self, mv: Move) -> String {
        cozy_chess::util::display_uci_move(&self.board, mv).to_string()
    }

    fn parse_move(&self, text: &str) -> Result<Move, Error> {
        text::read_move(self, text)
    }

    fn notation(&self, mv: Move) -> String {
        cozy_chess::util::display_san_move(&self.board, mv).to_string()
    }

    /// From and to, 64 each; then under-promotions to knight, bishop, rook by file and step.
    fn action(&self, mv: Move) -> usize {
        let (from, to) = (self.relative(mv.from), self.relative(self.target(mv)));
        match mv.promotion {
            Some(piece) if piece != Piece::Queen => 4096 + ((piece as usize - 1) * 8 + from % 8) * 3 + (to % 8 + 1 - from % 8),
            _ => from * 64 + to,
        }
    }

    /// Own pawn, knight, bishop, rook, queen, king, then the other side's, 64 squares each.
    fn active_features(&self, mut visit: impl FnMut(usize)) {
        let mover = self.board.side_to_move();
        for (half, color) in [mover, !mover].into_iter().enumerate() {
            for piece in Piece::ALL {
                for square in self.board.colored_pieces(color, piece) {
                    visit((half * 6 + piece as usize) * 64 + self.relative(square));
                }
            }
        }
    }

    fn terms(&self) -> &'static [Term] {
        terms::TERMS
    }

    fn measure(&self, terms: &mut Measures) {
        terms::measure(&self.board, terms);
    }

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
            pieces: NAMES.iter().flat_map(|&(name, white, black)| crate::Piece::pair(name, white, black)).collect(),
            actions: 4096 + 3 * 8 * 3,
            features: 2 * 6 * 64,
        }
    }

    fn cells(&self, mut visit: impl FnMut(usize, char)) {
        for piece in Piece::ALL {
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

    fn urgent(&self) -> Vec<usize> {
        let king = self.board.king(self.board.side_to_move());
        if self.board.checkers().is_empty() { Vec::new() } else { vec![cell(king)] }
    }
}

/// The `index`-th move of a group, in the order of its iterator.
#[inline]
fn nth_of(moves: PieceMoves, index: u32) -> Move {
    const PROMOTIONS: [Piece; 4] = [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen];
    let last_ranks = Rank::First.bitboard() | Rank::Eighth.bitboard();
    // A pawn's targets are all on the last rank or none is.
    let promotes = moves.piece == Piece::Pawn && !(moves.to & last_ranks).is_empty();
    let (index, promotion) = if promotes { (index / 4, Some(PROMOTIONS[index as usize % 4])) } else { (index, None) };
    Move { from: moves.from, to: Square::index(nth_bit(moves.to.0, index).trailing_zeros() as usize), promotion }
}
