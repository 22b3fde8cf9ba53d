//! English (American) checkers: men forward, kings one step both ways, captures compulsory, a whole capture is one move.

use std::fmt;

use super::{Entry, boxed};
use crate::evaluate::{Measures, Term};
use crate::options::{Accepts, GameOption};
use crate::rng::mix;
use crate::{Error, Exact, Game, Outcome, Piece, Position, Reason, Rng, Side};

pub(crate) mod board;
mod estimate;
mod movegen;
mod patterns;
mod terms;
mod text;

use movegen::Marks;
pub use movegen::Move;

pub(super) const ENTRY: Entry = Entry {
    id: "checkers",
    title: "Checkers",
    options: &[GameOption {
        name: "draws",
        accepts: Accepts::Word(&["english", "openspiel"]),
        about: "english: third repetition, 80 plies without capture or man move; openspiel: 40 plies without capture",
    }],
    start: |values| Ok(boxed(Checkers::start(if values[0] == 0 { Draws::English } else { Draws::OpenSpiel }))),
};

/// When a game without progress is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Draws {
    /// At the third repetition, or after 80 plies without a capture or a man's move.
    English,
    /// After 40 plies without a capture; repetition does not matter.
    OpenSpiel,
}

/// A position of checkers. Black moves first; sets of squares are laid out as `board.rs` draws them.
#[derive(Clone, Debug)]
pub struct Checkers {
    black: u32,
    white: u32,
    kings: u32,
    turn: Side,
    quiet: u8,
    draws: Draws,
}

impl PartialEq for Checkers {
    fn eq(&self, other: &Self) -> bool {
        (self.black, self.white, self.kings, self.turn) == (other.black, other.white, other.kings, other.turn)
    }
}

impl Eq for Checkers {}

impl Checkers {
    /// Twelve men a side.
    pub fn start(draws: Draws) -> Checkers {
        Checkers { black: board::squares(1..=12), white: board::squares(21..=32), kings: 0, turn: Side::First, quiet: 0, draws }
    }

    /// These pieces, a side to move and no history; the sets are trusted.
    #[inline(always)]
    pub(crate) fn of(black: u32, white: u32, kings: u32, turn: Side) -> Checkers {
        Checkers { black, white, kings, turn, quiet: 0, draws: Draws::English }
    }

    /// Black's pieces, white's, and the kings of both.
    #[inline(always)]
    pub(crate) fn sets(&self) -> (u32, u32, u32) {
        (self.black, self.white, self.kings)
    }

    fn quiet_limit(&self) -> u8 {
        match self.draws {
            Draws::English => 80,
            Draws::OpenSpiel => 40,
        }
    }

    /// A side without a move has lost even at the limit. Takes a copy, so that a playout can keep its position in registers.
    #[cold]
    fn decided_at_the_limit(self) -> Option<Outcome> {
        (self.count_moves() > 0).then(|| Outcome::draw(Reason::MoveLimit))
    }

    /// The pieces of the side to move and of the other.
    #[inline(always)]
    fn sides(&self) -> (u32, u32) {
        match self.turn {
            Side::First => (self.black, self.white),
            Side::Second => (self.white, self.black),
        }
    }

    #[inline(always)]
    fn play_marks<const WHITE: bool>(&mut self, marks: Marks) {
        let Marks { from, to, captured } = marks;
        // All ones if a king moves; playouts cannot guess it, so there is no branch on it.
        let king = u32::from(self.kings & from != 0).wrapping_neg();
        let crown = if WHITE { board::WHITE_CROWN } else { board::BLACK_CROWN };
        // A round trip starts and ends on the same square: the two bits cancel.
        if WHITE {
            self.white ^= from ^ to;
            self.black &= !captured;
            self.turn = Side::First;
        } else {
            self.black ^= from ^ to;
            self.white &= !captured;
            self.turn = Side::Second;
        }
        self.kings = self.kings & !(captured | from) | to & (crown | king);
        let quiet = (captured == 0) & ((king != 0) | (self.draws == Draws::OpenSpiel));
        self.quiet = (self.quiet + 1) & u8::from(quiet).wrapping_neg();
    }

    /// The number (1..=32) of a bit, seen from the mover's side: black's own view is the board turned round.
    fn relative(&self, bit: u32) -> usize {
        let number = board::number(bit) as usize;
        if self.turn == Side::First { 33 - number } else { number }
    }
}

impl fmt::Display for Checkers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&text::write(self))
    }
}

impl Position for Checkers {
    type Move = Move;

    const TUNING: &'static [(&'static str, &'static str)] =
        &[("playout_plies", "6"), ("playout_estimate", "true"), ("minimax", "0.85"), ("c", "0.2")];

    #[inline]
    fn turn(&self) -> Side {
        self.turn
    }

    #[inline]
    fn legal_moves(&self, visit: impl FnMut(Move)) {
        match self.turn {
            Side::First => self.visit_moves::<false>(visit),
            Side::Second => self.visit_moves::<true>(visit),
        }
    }

    #[inline(always)]
    fn play(&mut self, mv: Move) {
        match self.turn {
            Side::First => self.play_marks::<false>(mv.into()),
            Side::Second => self.play_marks::<true>(mv.into()),
        }
    }

    #[inline(always)]
    fn decided(&self) -> Option<Outcome> {
        if self.quiet < self.quiet_limit() { None } else { self.clone().decided_at_the_limit() }
    }

    fn stuck(&self) -> Outcome {
        Outcome::win(self.turn.other(), Reason::NoMoves)
    }

    #[inline]
    fn key(&self) -> u64 {
        let pieces = u64::from(self.black) << 32 | u64::from(self.white);
        mix(mix(pieces).wrapping_add(u64::from(self.kings) << 1 | self.turn as u64))
    }

    #[inline]
    fn repetitions(&self) -> u32 {
        match self.draws {
            Draws::English => 3,
            Draws::OpenSpiel => 0,
        }
    }

    #[inline]
    fn quiet_plies(&self) -> u32 {
        self.quiet.into()
    }

    #[inline]
    fn count_moves(&self) -> usize {
        match self.turn {
            Side::First => self.count::<false>(),
            Side::Second => self.count::<true>(),
        }
    }

    #[inline(always)]
    fn play_random(&mut self, rng: &mut Rng) -> Option<Move> {
        match self.turn {
            Side::First => self.play_random_as::<false>(rng),
            Side::Second => self.play_random_as::<true>(rng),
        }
    }

    #[inline]
    fn encode(&self, mv: Move) -> u16 {
        match self.turn {
            Side::First => self.code::<false>(mv),
            Side::Second => self.code::<true>(mv),
        }
    }

    #[inline]
    fn decode(&self, code: u16) -> Move {
        match self.turn {
            Side::First => self.decoded::<false>(code),
            Side::Second => self.decoded::<true>(code),
        }
    }

    #[inline]
    fn coded_moves(&self, mut visit: impl FnMut(Move, u16)) {
        let mut place = 0;
        self.legal_moves(|mv| {
            visit(mv, mv.code_at(place));
            place += 1;
        });
    }

    /// From the endgame tables in use; only for English draw rules, which leave wins time enough.
    #[inline(always)]
    fn exact(&self) -> Option<Exact> {
        match self.draws {
            Draws::English => crate::exact::checkers::exact(self),
            Draws::OpenSpiel => None,
        }
    }

    fn captures(&self, mv: Move) -> bool {
        mv.captured != 0
    }

    fn ends_on_edge(&self, mv: Move) -> bool {
        let cell = board::cell(board::number(mv.to.into()));
        matches!(cell % 8, 0 | 7) || matches!(cell / 8, 0 | 7)
    }

    #[inline]
    fn gain(&self, mv: Move) -> i32 {
        self.worth(mv.captured)
    }

    #[inline]
    fn gaining_moves(&self, visit: impl FnMut(Move, i32)) -> bool {
        match self.turn {
            Side::First => self.visit_captures::<false>(visit),
            Side::Second => self.visit_captures::<true>(visit),
        }
    }

    #[inline]
    fn estimate(&self) -> i32 {
        self.weigh()
    }

    #[inline]
    fn material(&self) -> i32 {
        let (own, other) = self.sides();
        self.worth(own) - self.worth(other)
    }

    fn parse(&self, text: &str) -> Result<Self, Error> {
        text::read(text, self.draws)
    }

    fn move_text(&self, mv: Move) -> String {
        text::write_move(self, mv)
    }

    fn parse_move(&self, text: &str) -> Result<Move, Error> {
        text::read_move(self, text)
    }

    /// From and to, 32 each; captures between the same squares over different pieces share an action.
    fn action(&self, mv: Move) -> usize {
        (self.relative(mv.from.into()) - 1) * 32 + self.relative(mv.to.into()) - 1
    }

    /// Own men, own kings, other men, other kings, 32 squares each.
    fn active_features(&self, mut visit: impl FnMut(usize)) {
        let (own, other) = self.sides();
        for (kind, pieces) in
            [own & !self.kings, own & self.kings, other & !self.kings, other & self.kings].into_iter().enumerate()
        {
            crate::bits::each_bit(pieces.into(), |bit| visit(kind * 32 + self.relative(bit) - 1));
        }
    }

    fn terms(&self) -> &'static [Term] {
        terms::TERMS
    }

    #[inline]
    fn measure(&self, terms: &mut Measures) {
        self.measure_terms(terms);
    }

    fn patterns(&self) -> usize {
        patterns::COUNT
    }

    #[inline(always)]
    fn visit_patterns(&self, visit: impl FnMut(usize, i32)) {
        self.each_pattern(visit);
    }

    #[inline(always)]
    fn phase(&self) -> i32 {
        self.pieces_left()
    }

    fn game(&self) -> Game {
        let mut squares = vec![None; 64];
        for number in 1..=32 {
            squares[board::cell(number)] = Some(number.to_string());
        }
        Game {
            rows: 8,
            columns: 8,
            squares,
            column_labels: Vec::new(),
            row_labels: Vec::new(),
            bottom: Side::Second,
            sides: ["black", "white"],
            pieces: [Piece::pair("man", 'b', 'w'), Piece::pair("king", 'B', 'W')].concat(),
            actions: 32 * 32,
            features: 4 * 32,
        }
    }

    fn cells(&self, mut visit: impl FnMut(usize, char)) {
        for (pieces, letters) in [(self.black, ['b', 'B']), (self.white, ['w', 'W'])] {
            crate::bits::each_bit(pieces.into(), |bit| {
                visit(board::cell(board::number(bit)), letters[(self.kings >> bit & 1) as usize]);
            });
        }
    }

    fn path(&self, mv: Move) -> Vec<usize> {
        self.route(mv).into_iter().map(|bit| board::cell(board::number(bit))).collect()
    }

    fn urgent(&self) -> Vec<usize> {
        let mut cells = Vec::new();
        self.legal_moves(|mv| {
            if mv.captured != 0 {
                cells.push(board::cell(board::number(mv.from.into())));
            }
        });
        cells.sort_unstable();
        cells.dedup();
        cells
    }
}
