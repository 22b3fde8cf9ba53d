//! Game knowledge used by the searches. Every method has a default for games without such knowledge.

use super::{Position, ProvenValue, View};
use crate::Rng;

/// Decisive moves, captures and a hand-written evaluation.
pub trait Heuristics: Position {
    /// Tree search options (names and values) that suit this game better than the defaults.
    const TUNING: &'static [(&'static str, &'static str)] = &[];

    /// Whether quiet moves change the evaluation little enough for the alpha-beta search to prune with centipawn margins.
    const FORWARD_PRUNING: bool = false;

    /// Whether playing every reply to every move is cheap compared with a simulation.
    #[inline(always)]
    fn has_cheap_lookahead(&self) -> bool {
        true
    }

    /// A move that wins immediately, if the game can find one without trying moves.
    #[inline(always)]
    fn winning_move(&self) -> Option<Self::Move> {
        None
    }

    /// The move that stops the opponent from winning with the next move, if the game can find it without trying moves.
    #[inline(always)]
    fn blocking_move(&self) -> Option<Self::Move> {
        None
    }

    /// Plays a winning move, otherwise a blocking move, otherwise a random move. Games that can cheaply detect moves that allow an
    /// immediate win also avoid those. Returns `None` if there is no legal move.
    #[inline(always)]
    fn play_decisive(&mut self, rng: &mut Rng) -> Option<Self::Move> {
        match self.winning_move().or_else(|| self.blocking_move()) {
            Some(mv) => {
                self.play(mv);
                Some(mv)
            }
            None => self.play_random(rng),
        }
    }

    /// The value of the position from the active endgame tables, ignoring move limits and repetition.
    ///
    /// A call takes one memory load if no tables are active or the board has too many pieces, otherwise a fraction of a microsecond.
    /// It neither locks nor allocates.
    #[inline(always)]
    fn proven_value(&self) -> Option<ProvenValue> {
        None
    }

    /// Whether a legal move is a capture.
    fn captures(&self, _mv: Self::Move) -> bool {
        false
    }

    /// Whether a legal move ends on the edge of the board.
    fn ends_on_edge(&self, _mv: Self::Move) -> bool {
        false
    }

    /// The material gained by a legal move, in centipawns; 0 for a quiet move.
    #[inline]
    fn capture_gain(&self, mv: Self::Move) -> i32 {
        if self.captures(mv) { 100 } else { 0 }
    }

    /// Calls `visit` with each legal move that gains material and its gain in centipawns. Returns whether there is a quiet move.
    #[inline]
    fn capture_moves(&self, mut visit: impl FnMut(Self::Move, i32)) -> bool {
        let mut quiet = false;
        self.legal_moves(|mv| match self.capture_gain(mv) {
            0 => quiet = true,
            gain => visit(mv, gain),
        });
        quiet
    }

    /// The piece count of the side to move minus that of the opponent, regardless of the kinds of pieces; always 0 in games where
    /// this says nothing about who is ahead.
    fn piece_difference(&self) -> i32
    where
        Self: View,
    {
        let pieces = self.game().pieces;
        let mut difference = 0;
        self.cells(|_, letter| match pieces.iter().find(|piece| piece.letter == letter) {
            Some(piece) if piece.side == self.turn() => difference += 1,
            Some(_) => difference -= 1,
            None => {}
        });
        difference
    }

    /// The move-ordering score of a capture with the given gain; searches try higher scores first.
    #[inline(always)]
    fn capture_order(&self, _mv: Self::Move, gain: i32) -> i32 {
        gain
    }

    /// Whether the exchange on the target square of a legal move gains the mover at least `gain` centipawns (static exchange
    /// evaluation). By default, always `true`.
    #[inline(always)]
    fn exchange_gains(&self, _mv: Self::Move, _gain: i32) -> bool {
        true
    }

    /// Whether the side to move must respond to an attack on its king.
    #[inline(always)]
    fn is_in_check(&self) -> bool {
        false
    }

    /// The position after the side to move passes; `None` if passing is impossible or the side to move may be in zugzwang. Only games
    /// in which having the move is almost always an advantage implement this.
    #[inline(always)]
    fn null_move(&self) -> Option<Self> {
        None
    }

    /// The hand-written evaluation in centipawns for the side to move.
    fn heuristic(&self) -> i32 {
        0
    }

    /// The material balance in centipawns for the side to move.
    fn material(&self) -> i32 {
        self.heuristic()
    }
}
