//! English draughts (American checkers): men move forward, kings move one step in any direction, captures are compulsory, and a
//! whole multi-jump is one move.

use std::fmt;

use super::{Entry, StartVisitor};
use crate::options::{Allowed, GameOption};
use crate::rng::mix;
use crate::{Error, Outcome, Position, Reason, Rng, Side};

pub(crate) mod board;
mod features;
mod heuristic;
mod movegen;
mod patterns;
mod planes;
mod tables;
mod text;
mod tuples;
mod view;

pub use movegen::Move;
use movegen::MoveMasks;
pub(crate) use tables::set_endgame_probe;

pub(super) const ENTRY: Entry = Entry {
    id: "checkers",
    title: "Checkers",
    rules: "Men move one dark square diagonally forward, kings also backward. Captures are mandatory, and a \
            capturing piece keeps capturing as long as it can. A man that reaches the far row becomes a king. A side that cannot \
            move loses.",
    options: &[GameOption {
        name: "draws",
        allowed: Allowed::OneOf(&["english", "openspiel"]),
        description: "english: threefold repetition or 80 plies without a capture or man move; \
                      openspiel: 40 plies without a capture",
    }],
};

pub(super) fn start<V: StartVisitor>(values: &[u32], visitor: V) -> Result<V::Output, Error> {
    Ok(visitor.visit(Checkers::start(if values[0] == 0 { Draws::English } else { Draws::OpenSpiel })))
}

/// The rules for draws in games without progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Draws {
    /// Threefold repetition, or 80 plies without a capture or man move.
    English,
    /// 40 plies without a capture, as in OpenSpiel; repetition is ignored.
    OpenSpiel,
}

/// A checkers position. Black moves first. See `board.rs` for the bit layout of the sets of squares.
#[derive(Clone, Debug)]
pub struct Checkers {
    black: u32,
    white: u32,
    kings: u32,
    turn: Side,
    /// Plies since the last capture or, with English draw rules, man move.
    clock: u8,
    draws: Draws,
}

impl PartialEq for Checkers {
    fn eq(&self, other: &Self) -> bool {
        (self.black, self.white, self.kings, self.turn) == (other.black, other.white, other.kings, other.turn)
    }
}

impl Eq for Checkers {}

impl Checkers {
    /// The start position with twelve men per side.
    pub fn start(draws: Draws) -> Checkers {
        Checkers { black: board::squares(1..=12), white: board::squares(21..=32), kings: 0, turn: Side::First, clock: 0, draws }
    }

    /// A position with English draw rules and no history. The sets are not validated.
    #[inline(always)]
    pub(crate) fn from_sets(black: u32, white: u32, kings: u32, turn: Side) -> Checkers {
        Checkers { black, white, kings, turn, clock: 0, draws: Draws::English }
    }

    /// Black's pieces, white's pieces and the kings of both sides.
    #[inline(always)]
    pub(crate) fn sets(&self) -> (u32, u32, u32) {
        (self.black, self.white, self.kings)
    }

    fn move_limit(&self) -> u8 {
        match self.draws {
            Draws::English => 80,
            Draws::OpenSpiel => 40,
        }
    }

    /// The outcome at the move limit: a draw unless the side to move has no legal move and therefore loses. Takes `self` by value so
    /// that a playout can keep its position in registers.
    #[cold]
    fn outcome_at_move_limit(self) -> Option<Outcome> {
        (self.count_moves() > 0).then(|| Outcome::draw(Reason::MoveLimit))
    }

    /// The pieces of the side to move and of the opponent.
    #[inline(always)]
    fn own_and_other(&self) -> (u32, u32) {
        match self.turn {
            Side::First => (self.black, self.white),
            Side::Second => (self.white, self.black),
        }
    }

    #[inline(always)]
    fn play_masks<const WHITE: bool>(&mut self, masks: MoveMasks) {
        let MoveMasks { from, to, captured } = masks;
        // All ones if a king moves. Branch-free because the branch would be unpredictable in playouts.
        let king = u32::from(self.kings & from != 0).wrapping_neg();
        let crown = if WHITE { board::WHITE_CROWN } else { board::BLACK_CROWN };
        // A round trip starts and ends on the same square, so the two bits cancel.
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
        let reversible = (captured == 0) & ((king != 0) | (self.draws == Draws::OpenSpiel));
        self.clock = (self.clock + 1) & u8::from(reversible).wrapping_neg();
    }

    /// The number (1..=32), from the mover's point of view, of the square at a bit index.
    fn relative(&self, bit: u32) -> usize {
        relative(bit, self.turn)
    }
}

/// The number (1..=32), from a side's point of view, of the square at a bit index. Black sees the board rotated by 180 degrees.
fn relative(bit: u32, viewer: Side) -> usize {
    let number = board::number(bit) as usize;
    if viewer == Side::First { 33 - number } else { number }
}

impl fmt::Display for Checkers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&text::format(self))
    }
}

impl Position for Checkers {
    type Move = Move;

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
            Side::First => self.play_masks::<false>(mv.into()),
            Side::Second => self.play_masks::<true>(mv.into()),
        }
    }

    #[inline(always)]
    fn early_outcome(&self) -> Option<Outcome> {
        if self.clock < self.move_limit() { None } else { self.clone().outcome_at_move_limit() }
    }

    fn no_move_outcome(&self) -> Outcome {
        Outcome::win(self.turn.other(), Reason::NoMoves)
    }

    #[inline]
    fn key(&self) -> u64 {
        let pieces = u64::from(self.black) << 32 | u64::from(self.white);
        mix(mix(pieces).wrapping_add(u64::from(self.kings) << 1 | self.turn as u64))
    }

    #[inline]
    fn repetition_limit(&self) -> u32 {
        match self.draws {
            Draws::English => 3,
            Draws::OpenSpiel => 0,
        }
    }

    #[inline]
    fn reversible_plies(&self) -> u32 {
        self.clock.into()
    }

    #[inline]
    fn plies_to_move_limit(&self) -> u32 {
        self.move_limit().saturating_sub(self.clock).into()
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
            Side::First => self.encode_as::<false>(mv),
            Side::Second => self.encode_as::<true>(mv),
        }
    }

    #[inline]
    fn decode(&self, code: u16) -> Move {
        match self.turn {
            Side::First => self.decode_as::<false>(code),
            Side::Second => self.decode_as::<true>(code),
        }
    }

    #[inline]
    fn coded_moves(&self, mut visit: impl FnMut(Move, u16)) {
        let mut index = 0;
        self.legal_moves(|mv| {
            visit(mv, mv.code(index));
            index += 1;
        });
    }
}
