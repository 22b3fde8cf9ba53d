//! Root search: narrows down the score with null-window searches.

use super::Progress;
use super::board::Board;
use super::claimeven::upper_bound;
use super::search::{Node, non_losing_moves};

/// A position to score, in which neither side has a winning line.
#[derive(Clone, Copy)]
pub(super) struct RootPosition {
    /// Discs of the side to move.
    pub(super) mover: u64,
    /// All discs.
    pub(super) all: u64,
    /// Lower bound on the score.
    pub(super) lower_bound: i32,
}

/// Returns the score of a position. `null_window` returns a bound on a node's score that lies on the same side of `alpha` as the
/// score; if it returns `None`, so does this function.
pub(super) fn score<B: Board>(
    board: B,
    RootPosition { mover, all, lower_bound }: RootPosition,
    nodes: &mut u64,
    mut null_window: impl FnMut(&Node, i32, &mut Progress) -> Option<i32>,
) -> Option<i32> {
    let ply = all.count_ones() as i32;
    let empty = board.cells() - ply;
    let landing = board.landing(all);
    let [wins, threats] = board.winning_cells(&[mover, mover ^ all]).map(|cells| cells & board.full() & !all);
    if wins & landing != 0 {
        return Some((empty + 1) / 2);
    }
    let moves = non_losing_moves(landing, threats);
    if moves == 0 {
        return Some(-(empty / 2));
    }
    let node = Node { mover, all, moves, ply, upper_bound: upper_bound(board, mover, all, threats, ply) };
    let (mut low, mut high) = (lower_bound.max(-((empty - 2) / 2)), (empty - 1) / 2);
    while low < high {
        let mut progress = Progress { low, high, nodes: *nodes };
        let alpha = next_alpha(low, high, empty);
        let value = null_window(&node, alpha, &mut progress);
        *nodes = progress.nodes;
        match value? {
            value if value <= alpha => high = value,
            value => low = value,
        }
    }
    Some(low)
}

/// Returns the `alpha` of the next null window. The first window tests whether the side that does not fill the last cell wins,
/// because the other side benefits from zugzwang. Later windows proceed from small to large absolute scores: most games are
/// long, and fast wins are refuted cheaply once the table is filled.
fn next_alpha(low: i32, high: i32, empty: i32) -> i32 {
    if low < 0 && high > 0 {
        -(empty % 2)
    } else if low >= 0 {
        low + (high - low) / 3
    } else {
        high - 1 - (high - low) / 3
    }
}

/// Returns the move-ordering bonus of each cell: its proximity to the centre.
pub(super) fn centrality<B: Board>(board: B) -> [u32; 64] {
    let central = |at: u32, size: u32| size - (2 * at + 1).abs_diff(size);
    let mut centrality = [0; 64];
    for column in 0..board.columns() {
        for row in 0..board.rows() {
            centrality[(column * board.height() + row) as usize] =
                central(column, board.columns()) + central(row, board.rows());
        }
    }
    centrality
}
