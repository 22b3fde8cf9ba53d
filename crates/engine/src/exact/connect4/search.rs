//! The recursion: is the score of a position above a number?

use super::board::Board;
use super::ceiling::ceiling;
use super::table::{Bound, Table};
use super::{Progress, Watch};

/// Mirrored positions are looked for up to this ply: later they hardly meet.
const MIRRORED: i32 = 14;
/// Positions with fewer empty cells are solved faster than looked up.
const REMEMBERED: i32 = 8;
/// Moves are looked up before any is searched where more cells than this are empty.
const LOOKED_UP: i32 = 12;
/// Nodes between two looks at the watch; far less than a millisecond.
const PATIENCE: u64 = 1 << 12;

/// One thread's search; `N` is at least the number of columns.
pub(super) struct Search<'a, B: Board, const N: usize> {
    board: B,
    table: &'a Table,
    watch: &'a mut dyn Watch,
    pub(super) progress: Progress,
    pub(super) stopped: bool,
    /// The table grows after so many nodes.
    grow_at: u64,
    /// What speaks for each cell, where nothing else does.
    liking: [u32; 64],
}

/// A position whose side to move cannot win at once.
#[derive(Clone, Copy, Default)]
pub(super) struct Node {
    /// Cells of the side to move.
    pub(super) mover: u64,
    /// Cells taken.
    pub(super) all: u64,
    /// Moves that do not lose at once; there is one.
    pub(super) moves: u64,
    /// Discs on the board.
    pub(super) ply: i32,
    /// The score is not above this.
    pub(super) ceiling: i32,
}

/// The moves of a node beside each other, with what is known after each.
struct Moves<const N: usize> {
    count: usize,
    cells: [u64; N],
    /// Empty cells that would win for the side that made the move.
    wins: [u64; N],
    /// Replies that do not lose at once.
    replies: [u64; N],
}

impl<const N: usize> Moves<N> {
    #[inline(always)]
    fn new<B: Board>(board: B, node: &Node) -> Moves<N> {
        let &Node { mover, all, moves, .. } = node;
        let (mut count, mut rest) = (0, moves);
        let (mut cells, mut after) = ([0; N], [0; N]);
        while rest != 0 && count < N {
            let cell = rest & rest.wrapping_neg();
            rest ^= cell;
            cells[count] = cell;
            after[count] = mover | cell;
            count += 1;
        }
        let (full, landing) = (board.full(), board.landing(all));
        let mut wins = board.wins(&after);
        let mut replies = [0; N];
        for ((wins, replies), cell) in wins.iter_mut().zip(&mut replies).zip(cells) {
            *wins &= full & !(all | cell);
            *replies = safe(landing ^ cell | cell << 1 & full, *wins);
        }
        Moves { count, cells, wins, replies }
    }

    /// The position after a move.
    #[inline(always)]
    fn child<B: Board>(&self, board: B, node: &Node, index: usize) -> Node {
        let (mover, all, threats, ply) = (node.mover ^ node.all, node.all | self.cells[index], self.wins[index], node.ply + 1);
        Node { mover, all, moves: self.replies[index], ply, ceiling: ceiling(board, mover, all, threats, ply) }
    }
}

/// Those of the moves that do not lose at once: a threat must be met, two cannot be, and the cell below one is poison.
#[inline(always)]
pub(super) fn safe(landing: u64, threats: u64) -> u64 {
    let forced = landing & threats;
    let met = if forced & forced.wrapping_sub(1) == 0 { forced } else { 0 };
    (if forced == 0 { landing } else { met }) & !(threats >> 1)
}

impl<'a, B: Board, const N: usize> Search<'a, B, N> {
    /// The key in the table of a position with so many discs.
    #[inline(always)]
    fn key(&self, mover: u64, all: u64, ply: i32) -> u64 {
        if ply <= MIRRORED { self.board.symmetric_key(mover, all) } else { self.board.key(mover, all) }
    }

    /// Looks up from the work: whether to stop, whether the table should grow.
    #[cold]
    fn look_up(&mut self) {
        self.stopped |= self.watch.wants_stop(&self.progress);
        if self.progress.nodes >= self.grow_at && !self.stopped {
            self.stopped = !self.table.grow(|| !self.watch.wants_stop(&self.progress));
            self.grow_at = self.next_growth();
        }
    }

    /// The nodes after which the table will be full; never, where it cannot grow.
    fn next_growth(&self) -> u64 {
        let (room, can_grow) = self.table.room();
        if can_grow { self.progress.nodes + room / 2 } else { u64::MAX }
    }

    /// A search; one that is `alone` with the table lets it grow.
    pub(super) fn new(
        board: B,
        table: &'a Table,
        watch: &'a mut dyn Watch,
        progress: Progress,
        alone: bool,
        liking: [u32; 64],
    ) -> Self {
        let mut search = Search { board, table, watch, progress, stopped: false, grow_at: u64::MAX, liking };
        if alone {
            search.grow_at = search.next_growth();
        }
        search
    }

    /// A bound of the score on the same side of `alpha`: at most `alpha`, or at least `alpha + 1`. Worth nothing once `stopped`.
    pub(super) fn solve(&mut self, node: &Node, alpha: i32) -> i32 {
        let board = self.board;
        self.progress.nodes += 1;
        if self.progress.nodes.is_multiple_of(PATIENCE) {
            self.look_up();
            if self.stopped {
                return 0;
            }
        }
        let left = board.cells() - node.ply;
        if left <= 2 {
            return 0;
        }
        // The side to move wins with its disc after this one at best, and loses to the disc after that at worst.
        let (worst, best) = (-((left - 2) / 2), (left - 1) / 2);
        if best <= alpha {
            return best;
        }
        if worst > alpha {
            return worst;
        }
        let remembered = left >= REMEMBERED && node.moves & (node.moves - 1) != 0;
        let (mut key, mut hint) = (0, 8);
        if remembered {
            key = self.key(node.mover, node.all, node.ply);
            if let Some(bound) = self.table.probe(key) {
                if bound.at_least == (bound.value > alpha) {
                    return bound.value;
                }
                hint = bound.column;
            }
        }
        let moves = Moves::<N>::new(board, node);
        if moves.replies[..moves.count].contains(&0) {
            return best;
        }
        if best - 1 <= alpha {
            return best - 1;
        }
        let mut children = [Node::default(); N];
        for (index, child) in children[..moves.count].iter_mut().enumerate() {
            *child = moves.child(board, node, index);
            if child.ceiling < -alpha {
                return -child.ceiling;
            }
        }
        let mut order = [0u32; N];
        let mut open = 0;
        let mut found = worst;
        if moves.count == 1 {
            order[0] = N as u32;
            open = 1;
        } else {
            let mut keys = [0; N];
            if left > LOOKED_UP {
                for (key, cell) in keys.iter_mut().zip(&moves.cells[..moves.count]) {
                    *key = self.key(node.mover ^ node.all, node.all | cell, node.ply + 1);
                    self.table.prefetch(*key);
                }
            }
            for (index, key) in keys[..moves.count].iter().enumerate() {
                if left > LOOKED_UP
                    && let Some(bound) = self.table.probe(*key)
                    && bound.at_least == (bound.value >= -alpha)
                {
                    if -bound.value > alpha {
                        return -bound.value;
                    }
                    found = found.max(-bound.value);
                    continue;
                }
                let bit = moves.cells[index].trailing_zeros();
                let hinted = u32::from(bit / board.height() == hint);
                let promise =
                    hinted << 24 | moves.wins[index].count_ones() << 16 | self.liking[bit as usize] << 8 | (N - index) as u32;
                let mut place = open;
                while place > 0 && order[place - 1] < promise {
                    order[place] = order[place - 1];
                    place -= 1;
                }
                order[place] = promise;
                open += 1;
            }
        }
        let before = self.progress.nodes;
        let mut decisive = moves.count - 1;
        for promise in &order[..open] {
            let index = N - (promise & 0xff) as usize;
            let value = -self.solve(&children[index], -alpha - 1);
            if self.stopped {
                return 0;
            }
            if value > found {
                found = value;
                decisive = index;
                if value > alpha {
                    break;
                }
            }
        }
        let found = found.min(node.ceiling);
        if remembered {
            let column = moves.cells[decisive].trailing_zeros() / board.height();
            self.table.store(key, Bound { value: found, at_least: found > alpha, column }, self.progress.nodes - before);
        }
        found
    }
}
