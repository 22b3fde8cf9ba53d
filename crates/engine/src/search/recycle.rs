//! What happens when the memory is spent: children of nodes with few visits make room for others, and nothing moves.
//!
//! A look goes round and round through the slots, a portion at a time. Nodes it finds with too few visits become leaves again, and the
//! block of their children is marked as free. When it comes to such a block, what stood below it is marked in its turn, and free
//! neighbours become one run, which waits in a list of runs of its length for somebody to need it. So what is forgotten costs no more
//! than the mark, however much hangs below; it is found again on the way round. A round that frees little makes the next one stricter.

use std::ops::Range;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{MutexGuard, PoisonError};

use super::node::Node;
use super::tree::Tree;

/// Slots of a portion at most: about a millisecond.
const PORTION: u32 = 1 << 17;
/// Portions of a round at least: what is still to come in the round can gain visits meanwhile.
const PORTIONS: u32 = 8;
/// Runs are listed by length; those in the last list have at least as many slots as there are lists.
const LISTS: usize = 64;
/// The first round that takes something away makes nodes with fewer visits leaves: those with fewer than two are leaves anyway.
const FEWEST: u32 = 4;
/// Where a thinness has its sign, and no thinness is negative.
const FREE: u64 = 1 << 63;

/// Where the look through the slots stands, and what it found.
pub(super) struct Recycler {
    /// The slot to go on from. Runs that begin before it are listed.
    next: u32,
    /// Nodes with fewer visits become leaves.
    fewest: u32,
    /// Slots freed in this round.
    freed: u32,
    /// All free slots that are known.
    idle: u32,
    /// First slot of the first run of each length; 0 for none.
    lists: [u32; LISTS],
    /// A bit for each list that is not empty.
    filled: u64,
}

impl Default for Recycler {
    fn default() -> Recycler {
        Recycler { next: 1, fewest: FEWEST, freed: 0, idle: 0, lists: [0; LISTS], filled: 0 }
    }
}

impl Recycler {
    /// All free slots that are known.
    pub(super) fn idle(&self) -> u32 {
        self.idle
    }

    /// Marks the block that begins with a node as free.
    fn mark(&mut self, first: &Node, slots: u32) {
        set_free_length(first, slots);
        self.freed += slots;
        self.idle += slots;
    }

    /// Begins a round. What was listed is found again on the way.
    fn begin(&mut self, fewest: u32) {
        *self = Recycler { fewest, idle: self.idle, ..Recycler::default() };
    }

    /// The round after this one: stricter where less than an eighth was freed, more lenient where more than a quarter was.
    fn begin_next(&mut self, slots: usize) {
        let share = self.freed as usize * 8 / slots;
        self.begin(match share {
            0 => self.fewest.saturating_mul(2).max(FEWEST),
            1 => self.fewest,
            _ => (self.fewest / 2).max(FEWEST),
        });
    }
}

/// Slots of the free block that begins with a node; 0 where the node is in use.
fn free_length(node: &Node) -> u32 {
    let thinness = node.thinness.load(Relaxed);
    if thinness & FREE == 0 { 0 } else { thinness as u32 }
}

fn set_free_length(node: &Node, slots: u32) {
    node.thinness.store(FREE | u64::from(slots), Relaxed);
}

impl Tree {
    pub(super) fn recycler(&self) -> MutexGuard<'_, Recycler> {
        self.recycler.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Looks through the next portion of slots for room. Nobody else may be in the tree.
    pub(super) fn recycle(&self) {
        let recycler = &mut *self.recycler();
        self.set_full(false);
        let used = self.used();
        if recycler.next >= used {
            recycler.begin_next(self.room());
        }
        let end = used.min(recycler.next + PORTION.min(self.room() as u32 / PORTIONS));
        let (mut run, mut slot) = (recycler.next..recycler.next, recycler.next);
        while slot < end {
            let node = self.node(slot);
            let length = free_length(node);
            if length == 0 {
                self.list(run, recycler);
                if node.visits() < recycler.fewest {
                    self.cut(node, recycler);
                }
                slot += 1;
                run = slot..slot;
                continue;
            }
            run.end = end.min(slot + length);
            for node in self.block(slot..run.end) {
                self.cut(node, recycler);
            }
            if run.end < slot + length {
                set_free_length(self.node(run.end), slot + length - run.end);
            }
            slot = run.end;
        }
        self.list(run, recycler);
        recycler.next = slot;
    }

    /// Makes a node a leaf.
    fn cut(&self, node: &Node, recycler: &mut Recycler) {
        let children = node.children();
        if !children.is_empty() {
            node.forget_children();
            self.free(children, recycler);
        }
    }

    /// Takes a block from a node; it is free where no other has it too.
    fn free(&self, block: Range<u32>, recycler: &mut Recycler) {
        if self.transpositions.leave(block.start) {
            recycler.mark(self.node(block.start), block.len() as u32);
        }
    }

    /// Notes a run of free slots below which nothing is left.
    fn list(&self, run: Range<u32>, recycler: &mut Recycler) {
        if run.is_empty() {
            return;
        }
        let (node, index) = (self.node(run.start), run.len().min(LISTS) - 1);
        set_free_length(node, run.len() as u32);
        node.visits.store(recycler.lists[index], Relaxed);
        recycler.lists[index] = run.start;
        recycler.filled |= 1 << index;
    }

    /// Slots for a block out of the shortest run that has so many.
    pub(super) fn reuse(&self, count: u32) -> Option<Range<u32>> {
        let recycler = &mut *self.recycler();
        let shortest = count.clamp(1, LISTS as u32) - 1;
        let index = (shortest + (recycler.filled >> shortest).trailing_zeros()) as usize;
        let first = *recycler.lists.get(index)?;
        let (node, block) = (self.node(first), first..first + count);
        let end = first + free_length(node);
        if end < block.end {
            return None;
        }
        recycler.lists[index] = node.visits();
        if recycler.lists[index] == 0 {
            recycler.filled &= !(1 << index);
        }
        recycler.idle -= count;
        self.list(block.end..end, recycler);
        self.wipe(block.clone());
        Some(block)
    }

    /// Gives up slots that no node has as children.
    pub(super) fn discard(&self, slots: Range<u32>) {
        self.recycler().mark(self.node(slots.start), slots.len() as u32);
    }

    /// Gives up what was the children of the root, and of a small tree all below them at once. The round that begins looks for the
    /// rest and takes nothing else away.
    pub(super) fn forget(&mut self, children: Range<u32>) {
        let mut recycler = self.recycler();
        self.free(children, &mut recycler);
        recycler.begin(0);
        drop(recycler);
        if self.used() <= PORTION {
            self.tidy();
        }
    }

    /// Looks for everything that was given up, in one round for each time that it stands before what it hung below.
    pub(super) fn tidy(&mut self) {
        loop {
            self.recycler().begin(0);
            while self.recycler().next < self.used() {
                self.recycle();
            }
            if self.recycler().freed == 0 {
                return;
            }
        }
    }
}
