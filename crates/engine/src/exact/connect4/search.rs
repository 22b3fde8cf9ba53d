//! Null-window alpha-beta search: is the score of a position above `alpha`?

use super::abdada::ActivePositions;
use super::board::Board;
use super::claimeven::upper_bound;
use super::transposition::{Bound, TranspositionTable};
use super::{Observer, Progress};

/// Up to this ply, a position and its mirror image share a table entry; later, mirror images rarely transpose.
const MAX_MIRROR_PLY: i32 = 14;
/// Positions with fewer empty cells are not stored: searching them is faster than probing the table.
const MIN_EMPTY_STORED: i32 = 8;
/// All moves are probed in the table before any is searched if more cells than this are empty.
const PROBE_CHILDREN_ABOVE: i32 = 12;
/// Positions with more empty cells use the shared table, others the thread's local one: searching a smaller subtree is faster
/// than accessing main memory.
const MAX_EMPTY_LOCAL: i32 = 16;
/// Moves that another thread is searching are deferred if more cells than this are empty; in smaller subtrees this is not worthwhile.
const DEFER_MOVES_ABOVE: i32 = 24;
/// Nodes between polls of the observer; they take much less than a millisecond.
const POLL_INTERVAL: u64 = 1 << 12;

/// One thread's search; `N` is at least the number of columns.
pub(super) struct Search<'a, B: Board, const N: usize> {
    board: B,
    /// Table for positions with at most [`MAX_EMPTY_LOCAL`] empty cells, local to the thread so that it stays in the core's
    /// caches.
    local: &'a TranspositionTable,
    /// Table for all other positions, shared by all threads.
    shared: &'a TranspositionTable,
    observer: &'a mut dyn Observer,
    pub(super) progress: Progress,
    /// Set while the search unwinds: the ply of the node to return to, and the bound found there.
    unwind: Option<(i32, i32)>,
    /// Ancestors of the current node whose null-window searches other threads may finish first.
    shared_ancestors: Vec<SharedNode>,
    /// Number of nodes at which the table grows.
    grow_at: u64,
    /// Static move-ordering bonus of each cell.
    centrality: &'a [u32; 64],
    /// Positions being searched by any thread; `None` if there is only one thread.
    active: Option<&'a ActivePositions>,
}

/// Value of [`Search::unwind`] that unwinds the whole search after a stop request.
const STOP: (i32, i32) = (-1, 0);

/// A null-window search in progress: is the score of the position `key`, with `ply` discs on the board, above `alpha`?
struct SharedNode {
    key: u64,
    alpha: i32,
    ply: i32,
}

/// A position in which the side to move has no immediate win.
#[derive(Clone, Copy, Default)]
pub(super) struct Node {
    /// Discs of the side to move.
    pub(super) mover: u64,
    /// All discs.
    pub(super) all: u64,
    /// Moves that do not lose immediately; at least one.
    pub(super) moves: u64,
    /// Number of discs on the board.
    pub(super) ply: i32,
    /// Upper bound on the score.
    pub(super) upper_bound: i32,
}

/// The moves of a node and the resulting threats, as parallel arrays.
struct Moves<const N: usize> {
    count: usize,
    cells: [u64; N],
    /// Empty cells that would win for the side that made the move.
    wins: [u64; N],
    /// Replies that do not lose immediately.
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
        let mut wins = board.winning_cells(&after);
        let mut replies = [0; N];
        for ((wins, replies), cell) in wins.iter_mut().zip(&mut replies).zip(cells) {
            *wins &= full & !(all | cell);
            *replies = non_losing_moves(landing ^ cell | cell << 1 & full, *wins);
        }
        Moves { count, cells, wins, replies }
    }

    /// Returns the position after a move.
    #[inline(always)]
    fn child<B: Board>(&self, board: B, node: &Node, index: usize) -> Node {
        let (mover, all, threats, ply) = (node.mover ^ node.all, node.all | self.cells[index], self.wins[index], node.ply + 1);
        Node { mover, all, moves: self.replies[index], ply, upper_bound: upper_bound(board, mover, all, threats, ply) }
    }
}

/// Returns the moves that do not lose immediately: a single immediate threat must be blocked, two cannot be, and playing below
/// a threat loses.
#[inline(always)]
pub(super) fn non_losing_moves(landing: u64, threats: u64) -> u64 {
    let forced = landing & threats;
    let block = if forced & forced.wrapping_sub(1) == 0 { forced } else { 0 };
    (if forced == 0 { landing } else { block }) & !(threats >> 1)
}

impl<'a, B: Board, const N: usize> Search<'a, B, N> {
    /// Returns the table key of a position.
    #[inline(always)]
    fn key(&self, mover: u64, all: u64, ply: i32) -> u64 {
        if ply <= MAX_MIRROR_PLY { self.board.symmetric_key(mover, all) } else { self.board.key(mover, all) }
    }

    /// Returns the table for positions with the given number of empty cells.
    #[inline(always)]
    fn table(&self, empty: i32) -> &'a TranspositionTable {
        if empty > MAX_EMPTY_LOCAL { self.shared } else { self.local }
    }

    /// Whether the search was stopped and has no result.
    pub(super) fn is_stopped(&self) -> bool {
        self.unwind == Some(STOP)
    }

    /// Checks whether to stop, whether to grow the table, and whether another thread has resolved an ancestor.
    #[cold]
    fn poll(&mut self) {
        if self.observer.should_stop(&self.progress) {
            self.unwind = Some(STOP);
            return;
        }
        if self.progress.nodes >= self.grow_at {
            self.unwind = (!self.shared.grow(|| !self.observer.should_stop(&self.progress))).then_some(STOP);
            self.grow_at = self.next_growth();
        }
        let resolved = self
            .shared_ancestors
            .iter()
            .find_map(|&SharedNode { key, alpha, ply }| Some((ply, self.shared.probe_cutoff(key, alpha)?)));
        self.unwind = self.unwind.or(resolved);
    }

    /// Returns the number of nodes at which the table should grow; `u64::MAX` if it cannot.
    fn next_growth(&self) -> u64 {
        self.shared.nodes_before_growth().map_or(u64::MAX, |nodes| self.progress.nodes + nodes)
    }

    pub(super) fn new(
        board: B,
        [local, shared]: [&'a TranspositionTable; 2],
        observer: &'a mut dyn Observer,
        progress: Progress,
        active: Option<&'a ActivePositions>,
        centrality: &'a [u32; 64],
    ) -> Self {
        Search {
            board,
            local,
            shared,
            observer,
            progress,
            unwind: None,
            shared_ancestors: Vec::new(),
            grow_at: u64::MAX,
            centrality,
            active,
        }
    }

    /// Allows the shared table to grow. Only valid if no other thread uses it.
    pub(super) fn allow_growth(&mut self) {
        self.grow_at = self.next_growth();
    }

    /// Returns a bound on the score: an upper bound of at most `alpha`, or a lower bound above `alpha`. Meaningless while
    /// unwinding.
    pub(super) fn solve(&mut self, node: &Node, alpha: i32) -> i32 {
        let board = self.board;
        self.progress.nodes += 1;
        if self.progress.nodes.is_multiple_of(POLL_INTERVAL) {
            self.poll();
            if self.unwind.is_some() {
                return 0;
            }
        }
        let empty = board.cells() - node.ply;
        if empty <= 2 {
            return 0;
        }
        // Neither side can win with its next disc: the fastest possible win and loss take two discs each.
        let (min_score, max_score) = (-((empty - 2) / 2), (empty - 1) / 2);
        if max_score <= alpha {
            return max_score;
        }
        if min_score > alpha {
            return min_score;
        }
        let is_stored = empty >= MIN_EMPTY_STORED && node.moves & (node.moves - 1) != 0;
        let (mut key, mut table_column) = (0, 8);
        if is_stored {
            key = self.key(node.mover, node.all, node.ply);
            if let Some(bound) = self.table(empty).probe(key) {
                if let Some(value) = bound.cutoff(alpha) {
                    return value;
                }
                table_column = bound.column;
            }
        }
        let moves = Moves::<N>::new(board, node);
        if moves.replies[..moves.count].contains(&0) {
            return max_score;
        }
        if max_score - 1 <= alpha {
            return max_score - 1;
        }
        let mut children = [Node::default(); N];
        for (index, child) in children[..moves.count].iter_mut().enumerate() {
            *child = moves.child(board, node, index);
            if child.upper_bound < -alpha {
                return -child.upper_bound;
            }
        }
        let (mut order, mut keys) = ([0u32; N], [0; N]);
        let mut move_count = 0;
        let mut best_score = min_score;
        if moves.count == 1 {
            order[0] = N as u32;
            move_count = 1;
        } else {
            let table = self.table(empty - 1);
            if empty > PROBE_CHILDREN_ABOVE {
                for (key, cell) in keys.iter_mut().zip(&moves.cells[..moves.count]) {
                    *key = self.key(node.mover ^ node.all, node.all | cell, node.ply + 1);
                    table.prefetch(*key);
                }
            }
            for (index, key) in keys[..moves.count].iter().enumerate() {
                if empty > PROBE_CHILDREN_ABOVE
                    && let Some(value) = table.probe_cutoff(*key, -alpha - 1)
                {
                    if -value > alpha {
                        return -value;
                    }
                    best_score = best_score.max(-value);
                    continue;
                }
                let bit = moves.cells[index].trailing_zeros();
                let is_table_move = u32::from(bit / board.height() == table_column);
                let order_key = is_table_move << 24
                    | moves.wins[index].count_ones() << 16
                    | self.centrality[bit as usize] << 8
                    | (N - index) as u32;
                let mut slot = move_count;
                while slot > 0 && order[slot - 1] < order_key {
                    order[slot] = order[slot - 1];
                    slot -= 1;
                }
                order[slot] = order_key;
                move_count += 1;
            }
        }
        let nodes_before = self.progress.nodes;
        let mut best_index = moves.count - 1;
        let active = self.active.filter(|_| is_stored && empty > DEFER_MOVES_ABOVE);
        let mut deferred = 0u32;
        'moves: for second_pass in [false, true] {
            for (nth, order_key) in order[..move_count].iter().enumerate() {
                let index = N - (order_key & 0xff) as usize;
                if second_pass && deferred >> index & 1 == 0 {
                    continue;
                }
                // Defer moves that another thread is searching; the result may be in the table by then.
                if !second_pass
                    && active.is_some_and(|active| nth >= active.undeferred_moves(node.ply) && active.contains(keys[index]))
                {
                    deferred |= 1 << index;
                    continue;
                }
                if let Some(active) = active {
                    active.start(keys[index]);
                    self.shared_ancestors.push(SharedNode { key, alpha, ply: node.ply });
                }
                let value = -self.solve(&children[index], -alpha - 1);
                if let Some(active) = active {
                    active.finish(keys[index]);
                    self.shared_ancestors.pop();
                }
                if let Some((ply, bound)) = self.unwind {
                    if ply == node.ply {
                        self.unwind = None;
                    }
                    return bound;
                }
                if value > best_score {
                    best_score = value;
                    best_index = index;
                    if value > alpha {
                        break 'moves;
                    }
                }
            }
            if deferred == 0 {
                break;
            }
        }
        let best_score = best_score.min(node.upper_bound);
        if is_stored {
            let column = moves.cells[best_index].trailing_zeros() / board.height();
            let bound = Bound { value: best_score, is_lower: best_score > alpha, column };
            self.table(empty).store(key, bound, self.progress.nodes - nodes_before);
        }
        best_score
    }
}
