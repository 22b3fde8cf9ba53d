//! The recursion: is the score of a position above a number?

use super::board::Board;
use super::busy::Busy;
use super::ceiling::ceiling;
use super::table::{Bound, Table};
use super::{Progress, Watch};

/// Mirrored positions are looked for up to this ply: later they hardly meet.
const MIRRORED: i32 = 14;
/// Positions with fewer empty cells are solved faster than looked up.
const REMEMBERED: i32 = 8;
/// Moves are looked up before any is searched where more cells than this are empty.
const LOOKED_UP: i32 = 12;
/// Threads share what they find where more cells than this are empty: below, looking for it would take longer than finding it.
const NEAR: i32 = 16;
/// Threads keep out of each other's way where more cells than this are empty: below, there is too little to do.
const KEPT_APART: i32 = 24;
/// Nodes between two looks at the watch; far less than a millisecond.
const PATIENCE: u64 = 1 << 12;

/// One thread's search; `N` is at least the number of columns.
pub(super) struct Search<'a, B: Board, const N: usize> {
    board: B,
    /// What is remembered of positions with at most [`NEAR`] empty cells: its own, so that it stays in the caches of its core.
    near: &'a Table,
    /// What is remembered of the others; shared with all threads.
    far: &'a Table,
    watch: &'a mut dyn Watch,
    pub(super) progress: Progress,
    /// Set while nodes are left without an answer of theirs: how many discs are on the board where that ends, and the answer there.
    way_out: Option<(i32, i32)>,
    /// The nodes above that are shared with other threads.
    above: Vec<Shared>,
    /// The table grows after so many nodes.
    grow_at: u64,
    /// What speaks for each cell, where nothing else does.
    liking: &'a [u32; 64],
    /// What the threads are at, where there are several.
    busy: Option<&'a Busy>,
}

/// The way out that ends nowhere: the search is stopped.
const STOP: (i32, i32) = (-1, 0);

/// A node under way: whether the score of `key`, with `ply` discs on the board, is above `alpha`.
struct Shared {
    key: u64,
    alpha: i32,
    ply: i32,
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

    /// Where a position with so many empty cells is remembered.
    #[inline(always)]
    fn table(&self, left: i32) -> &'a Table {
        if left > NEAR { self.far } else { self.near }
    }

    /// Whether the search was broken off, and its answer is none.
    pub(super) fn is_stopped(&self) -> bool {
        self.way_out == Some(STOP)
    }

    /// Looks up from the work: whether to stop, whether the table should grow, whether another thread has answered what is asked here.
    #[cold]
    fn look_up(&mut self) {
        if self.watch.wants_stop(&self.progress) {
            self.way_out = Some(STOP);
            return;
        }
        if self.progress.nodes >= self.grow_at {
            self.way_out = (!self.far.grow(|| !self.watch.wants_stop(&self.progress))).then_some(STOP);
            self.grow_at = self.next_growth();
        }
        let answered = self.above.iter().find_map(|&Shared { key, alpha, ply }| Some((ply, self.far.answer(key, alpha)?)));
        self.way_out = self.way_out.or(answered);
    }

    /// The nodes after which the table will be full; never, where it cannot grow.
    fn next_growth(&self) -> u64 {
        self.far.patience().map_or(u64::MAX, |patience| self.progress.nodes + patience)
    }

    pub(super) fn new(
        board: B,
        [near, far]: [&'a Table; 2],
        watch: &'a mut dyn Watch,
        progress: Progress,
        busy: Option<&'a Busy>,
        liking: &'a [u32; 64],
    ) -> Self {
        Search { board, near, far, watch, progress, way_out: None, above: Vec::new(), grow_at: u64::MAX, liking, busy }
    }

    /// Lets the shared table grow when it is full: nobody else is at it.
    pub(super) fn let_grow(&mut self) {
        self.grow_at = self.next_growth();
    }

    /// A bound of the score on the same side of `alpha`: at most `alpha`, or at least `alpha + 1`. Worth nothing on the way out.
    pub(super) fn solve(&mut self, node: &Node, alpha: i32) -> i32 {
        let board = self.board;
        self.progress.nodes += 1;
        if self.progress.nodes.is_multiple_of(PATIENCE) {
            self.look_up();
            if self.way_out.is_some() {
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
            if let Some(bound) = self.table(left).probe(key) {
                if let Some(value) = bound.answers(alpha) {
                    return value;
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
        let (mut order, mut keys) = ([0u32; N], [0; N]);
        let mut open = 0;
        let mut found = worst;
        if moves.count == 1 {
            order[0] = N as u32;
            open = 1;
        } else {
            let table = self.table(left - 1);
            if left > LOOKED_UP {
                for (key, cell) in keys.iter_mut().zip(&moves.cells[..moves.count]) {
                    *key = self.key(node.mover ^ node.all, node.all | cell, node.ply + 1);
                    table.prefetch(*key);
                }
            }
            for (index, key) in keys[..moves.count].iter().enumerate() {
                if left > LOOKED_UP
                    && let Some(value) = table.answer(*key, -alpha - 1)
                {
                    if -value > alpha {
                        return -value;
                    }
                    found = found.max(-value);
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
        let busy = self.busy.filter(|_| remembered && left > KEPT_APART);
        let mut late = 0u32;
        'moves: for again in [false, true] {
            for (nth, promise) in order[..open].iter().enumerate() {
                let index = N - (promise & 0xff) as usize;
                if again && late >> index & 1 == 0 {
                    continue;
                }
                // What another thread is at comes last: by then there may be an answer.
                if !again && busy.is_some_and(|busy| nth >= busy.begun_by_all(node.ply) && busy.holds(keys[index])) {
                    late |= 1 << index;
                    continue;
                }
                if let Some(busy) = busy {
                    busy.enter(keys[index]);
                    self.above.push(Shared { key, alpha, ply: node.ply });
                }
                let value = -self.solve(&children[index], -alpha - 1);
                if let Some(busy) = busy {
                    busy.leave(keys[index]);
                    self.above.pop();
                }
                if let Some((ply, answer)) = self.way_out {
                    if ply == node.ply {
                        self.way_out = None;
                    }
                    return answer;
                }
                if value > found {
                    found = value;
                    decisive = index;
                    if value > alpha {
                        break 'moves;
                    }
                }
            }
            if late == 0 {
                break;
            }
        }
        let found = found.min(node.ceiling);
        if remembered {
            let column = moves.cells[decisive].trailing_zeros() / board.height();
            self.table(left).store(key, Bound { value: found, at_least: found > alpha, column }, self.progress.nodes - before);
        }
        found
    }
}
