//! What a side gets at most, if the other one only ever answers in the column just played.
//!
//! Columns are filled in pairs, counted from the top: the side that answers gets the upper cell of each. Where a column has an odd
//! number of empty cells, its lowest one is answered by the lowest one of another such column; which of the two the side to move gets
//! is open, so it is given both. If it has no line even then, it never wins. And if the answering side has a winning cell among those
//! it gets, the game ends there at the latest when everything else is full.
//!
//! The side that fills the last cell of the board can always play so: when the other one is to move, an even number of cells is empty.
//! The other one can if one column is left out of the pairing, in which it has a winning cell that falls to it because its opponent
//! must begin there. On boards with an even number of rows this is the "odd threat" of Allis (1988), "A knowledge-based approach of
//! Connect-Four", and the answering is his rule Claimeven.

use super::board::Board;

/// Above every score.
pub(super) const NONE: i32 = 64;

/// A bound of the score of the side to move from above, [`NONE`] where the rule says nothing; `threats` are the empty cells that would
/// win for the other side.
#[inline(always)]
pub(super) fn ceiling<B: Board>(board: B, mover: u64, all: u64, threats: u64, ply: i32) -> i32 {
    let (full, lower) = (board.full(), board.lower());
    let upper = full ^ lower;
    let empty = full & !all;
    let landing = board.landing(all);
    let threats = threats & !landing;
    let reached = mover | empty & lower | landing & upper;
    // From a winning cell upwards nothing is played any more; so many cells stay empty.
    let lost_by = |closed: u64| -((closed.count_ones() as i32 + 1) / 2);
    if (board.cells() - ply) % 2 == 0 {
        let closed = board.upwards(threats & upper);
        return if board.has_line(reached & !closed) { NONE } else { lost_by(closed) };
    }
    let mut candidates = threats & lower;
    while candidates != 0 {
        let cell = candidates & candidates.wrapping_neg();
        let column = board.column_of(cell);
        candidates &= !column;
        if landing & column & upper == 0 {
            continue;
        }
        let below = (cell - 1) & column & empty & upper;
        let closed = board.upwards(threats & upper & !column | cell);
        if !board.has_line((reached & !column | mover | below) & !closed) {
            return lost_by(closed);
        }
    }
    NONE
}
