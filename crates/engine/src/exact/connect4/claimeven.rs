//! Static upper bound on the score, based on a strategy of the opponent: always reply in the same column.
//!
//! Columns are divided into pairs of cells from the top, and the replying side gets the upper cell of each pair. If a column
//! has an odd number of empty cells, a disc in its lowest one is answered in the lowest one of another such column. Either of
//! the two may go to the side to move, so it is credited with both; if it has no winning line even then, it cannot win. If the
//! replying side gets a winning cell, the game ends there, at the latest when all other cells are full.
//!
//! The side that fills the last cell of the board can always follow this strategy: an even number of cells is empty when its
//! opponent is to move. The other side can follow it if one column is left out of the pairing; there, zugzwang gives it a
//! winning cell because the opponent has to play below it. On boards with an even number of rows this is the odd threat, and
//! replying in the same column is the Claimeven rule of Allis (1988), "A Knowledge-based Approach of Connect-Four".

use super::board::Board;

/// Larger than any score.
pub(super) const NO_BOUND: i32 = 64;

/// Returns an upper bound on the score for the side to move, or [`NO_BOUND`] if the rule does not apply. `threats` are the empty
/// cells that would win for the opponent.
#[inline(always)]
pub(super) fn upper_bound<B: Board>(board: B, mover: u64, all: u64, threats: u64, ply: i32) -> i32 {
    let (full, lower) = (board.full(), board.lower_cells());
    let upper = full ^ lower;
    let empty = full & !all;
    let landing = board.landing(all);
    let threats = threats & !landing;
    let reachable = mover | empty & lower | landing & upper;
    // The cells from a winning cell upwards stay empty, and their number determines the score.
    let lost_by = |closed: u64| -((closed.count_ones() as i32 + 1) / 2);
    if (board.cells() - ply) % 2 == 0 {
        let closed = board.fill_up(threats & upper);
        return if board.has_line(reachable & !closed) { NO_BOUND } else { lost_by(closed) };
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
        let closed = board.fill_up(threats & upper & !column | cell);
        if !board.has_line((reachable & !column | mover | below) & !closed) {
            return lost_by(closed);
        }
    }
    NO_BOUND
}
