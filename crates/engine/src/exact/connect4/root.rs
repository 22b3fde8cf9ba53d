//! From questions to a score.

use super::Progress;
use super::board::Board;
use super::ceiling::ceiling;
use super::search::{Node, safe};

/// A position in which nobody has a line, of which the score is asked.
#[derive(Clone, Copy)]
pub(super) struct Asked {
    /// Cells of the side to move.
    pub(super) mover: u64,
    /// Cells taken.
    pub(super) all: u64,
    /// The score is not below this.
    pub(super) least: i32,
}

/// The score of a position. `answer` is asked for a bound of a node's score on the same side of a number; if it has none, there is no
/// score.
pub(super) fn score<B: Board>(
    board: B,
    Asked { mover, all, least }: Asked,
    nodes: &mut u64,
    mut answer: impl FnMut(&Node, i32, &mut Progress) -> Option<i32>,
) -> Option<i32> {
    let ply = all.count_ones() as i32;
    let left = board.cells() - ply;
    let landing = board.landing(all);
    let [wins, threats] = board.wins(&[mover, mover ^ all]).map(|cells| cells & board.full() & !all);
    if wins & landing != 0 {
        return Some((left + 1) / 2);
    }
    let moves = safe(landing, threats);
    if moves == 0 {
        return Some(-(left / 2));
    }
    let node = Node { mover, all, moves, ply, ceiling: ceiling(board, mover, all, threats, ply) };
    let (mut low, mut high) = (least.max(-((left - 2) / 2)), (left - 1) / 2);
    while low < high {
        let mut progress = Progress { low, high, nodes: *nodes };
        let asked = question(low, high, left);
        let value = answer(&node, asked, &mut progress);
        *nodes = progress.nodes;
        match value? {
            value if value <= asked => high = value,
            value => low = value,
        }
    }
    Some(low)
}

/// What to ask next: first whether the side that does not fill the last cell wins, as the other one gets more out of a long game. Then
/// from near numbers to far ones: most games are long, and quick wins are ruled out with what is known by then.
fn question(low: i32, high: i32, left: i32) -> i32 {
    if low < 0 && high > 0 {
        -(left % 2)
    } else if low >= 0 {
        low + (high - low) / 3
    } else {
        high - 1 - (high - low) / 3
    }
}

/// What speaks for each cell: being near the middle.
pub(super) fn liking<B: Board>(board: B) -> [u32; 64] {
    let central = |at: u32, size: u32| size - (2 * at + 1).abs_diff(size);
    let mut liking = [0; 64];
    for column in 0..board.columns() {
        for row in 0..board.rows() {
            liking[(column * board.height() + row) as usize] = central(column, board.columns()) + central(row, board.rows());
        }
    }
    liking
}
