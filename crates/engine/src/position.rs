//! The rules of a game as a trait, [`Position`], over which the rest of the engine is generic.
//!
//! A game implements [`Position`] and five extension traits: [`Notation`] (text), [`Heuristics`] (game knowledge used by the
//! searches), [`Learning`] (features and action indices), [`Planes`] (the input of networks) and [`View`] (the board as displayed).
//! [`GameRules`] combines all six.

use std::fmt::{Debug, Display};

use crate::Rng;

mod heuristics;
mod learning;
mod notation;
mod outcome;
mod planes;
mod view;

pub use heuristics::Heuristics;
pub use learning::{Feature, FeatureValues, Learning, MAX_FEATURES, MAX_PHASE, Symmetry};
pub use notation::Notation;
pub use outcome::{Outcome, ProvenValue, Reason, Side};
pub use planes::{PlaneLayout, Planes};
pub use view::{Game, Piece, View};

/// The pieces on the board and the side to move, as plain data. To try a move, play it on a clone.
///
/// `==` compares the board and the side to move but not clocks or history, and equal positions have the same
/// [`key`](Position::key). Draws by repetition depend on earlier positions and are detected by [`crate::Line`].
pub trait Position: Clone + Eq + Debug + Display + Send + Sync + 'static {
    /// A move. It is meaningful only in the position that generated it.
    type Move: Copy + Eq + Debug + Send + Sync + 'static;

    /// The side to move. Sides need not alternate, so the sign of a score must depend on this, never on the parity of the ply.
    fn turn(&self) -> Side;

    /// Calls `visit` with each legal move once, always in the same order. A won position has no legal moves.
    fn legal_moves(&self, visit: impl FnMut(Self::Move));

    /// Plays a legal move. Playing any other move leaves the position in an unspecified state but is not undefined behaviour.
    fn play(&mut self, mv: Self::Move);

    /// The outcome if it can be determined without generating moves: a completed line, insufficient material or the move limit.
    fn early_outcome(&self) -> Option<Outcome>;

    /// The outcome if the side to move has no legal move and there is no [`early_outcome`](Position::early_outcome).
    fn no_move_outcome(&self) -> Outcome;

    /// A 64-bit hash of the board and the side to move.
    fn key(&self) -> u64;

    /// The number of occurrences of a position at which the game is drawn; 0 if positions cannot repeat.
    fn repetition_limit(&self) -> u32 {
        0
    }

    /// Plies since the last irreversible move. Only positions at most this many plies back can equal the current one.
    fn reversible_plies(&self) -> u32 {
        0
    }

    /// Plies until a draw by the move limit if every move until then is reversible.
    fn plies_to_move_limit(&self) -> u32 {
        u32::MAX
    }

    /// The outcome of the game, ignoring repetition.
    fn outcome(&self) -> Option<Outcome> {
        self.early_outcome().or_else(|| (self.count_moves() == 0).then(|| self.no_move_outcome()))
    }

    /// The number of legal moves. Games that can count moves without listing them override this.
    fn count_moves(&self) -> usize {
        let mut count = 0;
        self.legal_moves(|_| count += 1);
        count
    }

    /// Plays the legal move with index `rng.below(count_moves)` in a position without an early outcome. Returns `None`, without
    /// drawing a random number, if there is no legal move.
    #[inline]
    fn play_random(&mut self, rng: &mut Rng) -> Option<Self::Move> {
        let count = self.count_moves();
        if count == 0 {
            return None;
        }
        let chosen = rng.below(count as u32) as usize;
        let (mut index, mut found) = (0, None);
        self.legal_moves(|mv| {
            if index == chosen {
                found = Some(mv);
            }
            index += 1;
        });
        let mv = found?;
        self.play(mv);
        Some(mv)
    }

    /// Encodes a legal move in 16 bits for compact storage, by default as its index among the legal moves.
    #[inline]
    fn encode(&self, mv: Self::Move) -> u16 {
        let (mut index, mut code) = (0, 0);
        self.legal_moves(|other| {
            if other == mv {
                code = index;
            }
            index += 1;
        });
        code
    }

    /// Decodes a move encoded by [`encode`](Position::encode) in this position.
    #[inline]
    fn decode(&self, code: u16) -> Self::Move {
        let mut moves = smallvec::SmallVec::<[Self::Move; 64]>::new();
        self.legal_moves(|mv| moves.push(mv));
        moves[code as usize]
    }

    /// Whether one of the game's callbacks was skipped or failed during the current search, so that recent results may be placeholders
    /// and must be discarded. Always `false` for games without callbacks.
    #[inline(always)]
    fn is_interrupted(&self) -> bool {
        false
    }

    /// Calls `visit` with each legal move and its code.
    #[inline]
    fn coded_moves(&self, mut visit: impl FnMut(Self::Move, u16)) {
        self.legal_moves(|mv| visit(mv, self.encode(mv)));
    }
}

/// Everything a complete game implements; the trait bound used by searches and learning.
pub trait GameRules: Position + Notation + Heuristics + Learning + Planes + View {}

impl<P: Position + Notation + Heuristics + Learning + Planes + View> GameRules for P {}
