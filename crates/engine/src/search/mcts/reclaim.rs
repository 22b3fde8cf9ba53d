//! Reclaims the memory of rarely visited nodes when the tree is full, without moving nodes.
//!
//! A sweep visits all slots in steps. Nodes with too few visits become leaves, and the block of their children is marked as free. When
//! the sweep reaches a free block, it marks the blocks below it as free too, merges adjacent free blocks into a run, and adds the run
//! to a free list for its length. Discarding a subtree therefore sets one mark, regardless of its size. If a sweep frees too little,
//! the next one requires more visits.

use std::ops::Range;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{MutexGuard, PoisonError};

use super::node::Node;
use super::tree::Tree;

/// The maximum number of slots per step, which takes about 1 ms.
const MAX_STEP: u32 = 1 << 17;
/// The minimum number of steps per sweep. Between the steps, nodes that have not been swept yet can gain visits.
const MIN_STEPS: u32 = 8;
/// The number of free lists. The last one contains all runs of at least this length.
const FREE_LISTS: usize = 64;
/// The initial minimum number of visits. Nodes with fewer than two visits are leaves anyway.
const INITIAL_MIN_VISITS: u32 = 4;
/// Marks the first node of a free block: the sign bit of `inv_sqrt_visits`, which is never negative.
const FREE: u64 = 1 << 63;

/// The state of the sweep and the free lists.
pub(super) struct Reclaimer {
    /// The next slot of the sweep. Runs that start before it are in the free lists.
    next: u32,
    /// Nodes with fewer visits become leaves.
    min_visits: u32,
    /// The number of slots freed in this sweep.
    freed: u32,
    /// The number of slots known to be free.
    free_slots: u32,
    /// The heads of the free lists, by length: the first slot of the first run; 0 if a list is empty.
    lists: [u32; FREE_LISTS],
    /// A bit for each non-empty list.
    non_empty: u64,
}

impl Default for Reclaimer {
    fn default() -> Reclaimer {
        Reclaimer { next: 1, min_visits: INITIAL_MIN_VISITS, freed: 0, free_slots: 0, lists: [0; FREE_LISTS], non_empty: 0 }
    }
}

impl Reclaimer {
    pub(super) fn free_slots(&self) -> u32 {
        self.free_slots
    }

    /// Marks the block that starts with a node as free.
    fn mark_free(&mut self, first: &Node, slots: u32) {
        set_free_length(first, slots);
        self.freed += slots;
        self.free_slots += slots;
    }

    /// Starts a sweep, which rebuilds the free lists.
    fn start_sweep(&mut self, min_visits: u32) {
        *self = Reclaimer { min_visits, free_slots: self.free_slots, ..Reclaimer::default() };
    }

    /// Starts the next sweep, with a higher minimum number of visits if less than 1/8 was freed and a lower one if more than 1/4 was.
    fn start_next_sweep(&mut self, slots: usize) {
        let eighths = self.freed as usize * 8 / slots;
        self.start_sweep(match eighths {
            0 => self.min_visits.saturating_mul(2).max(INITIAL_MIN_VISITS),
            1 => self.min_visits,
            _ => (self.min_visits / 2).max(INITIAL_MIN_VISITS),
        });
    }
}

/// The length of the free block that starts with a node; 0 if the node is in use.
fn free_length(node: &Node) -> u32 {
    let bits = node.inv_sqrt_visits.load(Relaxed);
    if bits & FREE == 0 { 0 } else { bits as u32 }
}

fn set_free_length(node: &Node, slots: u32) {
    node.inv_sqrt_visits.store(FREE | u64::from(slots), Relaxed);
}

impl Tree {
    pub(super) fn reclaimer(&self) -> MutexGuard<'_, Reclaimer> {
        self.reclaimer.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Performs the next step of the sweep. No other thread may use the tree.
    pub(super) fn reclaim(&self) {
        let reclaimer = &mut *self.reclaimer();
        self.set_full(false);
        let used = self.used();
        if reclaimer.next >= used {
            reclaimer.start_next_sweep(self.capacity());
        }
        let end = used.min(reclaimer.next + MAX_STEP.min(self.capacity() as u32 / MIN_STEPS));
        let (mut run, mut slot) = (reclaimer.next..reclaimer.next, reclaimer.next);
        while slot < end {
            let node = self.node(slot);
            let length = free_length(node);
            if length == 0 {
                self.add_to_free_list(run, reclaimer);
                if node.visits() < reclaimer.min_visits {
                    self.make_leaf(node, reclaimer);
                }
                slot += 1;
                run = slot..slot;
                continue;
            }
            run.end = end.min(slot + length);
            for node in self.block(slot..run.end) {
                self.make_leaf(node, reclaimer);
            }
            if run.end < slot + length {
                set_free_length(self.node(run.end), slot + length - run.end);
            }
            slot = run.end;
        }
        self.add_to_free_list(run, reclaimer);
        reclaimer.next = slot;
    }

    /// Removes the children of a node.
    fn make_leaf(&self, node: &Node, reclaimer: &mut Reclaimer) {
        let children = node.children();
        if !children.is_empty() {
            node.remove_children();
            self.free_block(children, reclaimer);
        }
    }

    /// Removes one parent of a block and frees the block if that was the last one.
    fn free_block(&self, block: Range<u32>, reclaimer: &mut Reclaimer) {
        if self.transpositions.remove_parent(block.start) {
            reclaimer.mark_free(self.node(block.start), block.len() as u32);
        }
    }

    /// Adds a run of free slots without children to the free list for its length.
    fn add_to_free_list(&self, run: Range<u32>, reclaimer: &mut Reclaimer) {
        if run.is_empty() {
            return;
        }
        let (node, index) = (self.node(run.start), run.len().min(FREE_LISTS) - 1);
        set_free_length(node, run.len() as u32);
        node.visits.store(reclaimer.lists[index], Relaxed);
        reclaimer.lists[index] = run.start;
        reclaimer.non_empty |= 1 << index;
    }

    /// Allocates a block from the shortest sufficient run; among the longest runs, which share a list, from the first one that is long
    /// enough.
    pub(super) fn allocate_reclaimed(&self, count: u32) -> Option<Range<u32>> {
        let reclaimer = &mut *self.reclaimer();
        let shortest = count.clamp(1, FREE_LISTS as u32) - 1;
        let index = (shortest + (reclaimer.non_empty >> shortest).trailing_zeros()) as usize;
        let mut first = *reclaimer.lists.get(index)?;
        let mut previous = 0;
        while free_length(self.node(first)) < count {
            previous = first;
            first = self.node(first).visits();
            if first == 0 {
                return None;
            }
        }
        let (node, block) = (self.node(first), first..first + count);
        let end = first + free_length(node);
        match previous {
            0 => reclaimer.lists[index] = node.visits(),
            _ => self.node(previous).visits.store(node.visits(), Relaxed),
        }
        if reclaimer.lists[index] == 0 {
            reclaimer.non_empty &= !(1 << index);
        }
        reclaimer.free_slots -= count;
        self.add_to_free_list(block.end..end, reclaimer);
        self.reset(block.clone());
        Some(block)
    }

    /// Frees slots that are not the children of any node.
    pub(super) fn discard(&self, slots: Range<u32>) {
        self.reclaimer().mark_free(self.node(slots.start), slots.len() as u32);
    }

    /// Frees the former children of the root. In a small tree, also frees everything below them at once; in a large one, starts a
    /// sweep that does so and frees nothing else.
    pub(super) fn discard_subtrees(&mut self, children: Range<u32>) {
        let mut reclaimer = self.reclaimer();
        self.free_block(children, &mut reclaimer);
        reclaimer.start_sweep(0);
        drop(reclaimer);
        if self.used() <= MAX_STEP {
            self.find_discarded();
        }
    }

    /// Sweeps until every discarded node has been found. One sweep finds only those whose slots come after those of their parents.
    pub(super) fn find_discarded(&mut self) {
        loop {
            self.reclaimer().start_sweep(0);
            while self.reclaimer().next < self.used() {
                self.reclaim();
            }
            if self.reclaimer().freed == 0 {
                return;
            }
        }
    }
}
