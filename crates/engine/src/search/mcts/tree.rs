//! The search tree: nodes in one preallocated array, shared by threads without locks.
//!
//! The children of a node occupy consecutive slots, created when the node is expanded, in the order in which they are tried.

use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU32};

use super::enhancements::Enhancements;
use super::node::Node;
use super::reclaim::Reclaimer;
use super::transpositions::Transpositions;
use crate::large::Large;
use crate::search::config::Config;

/// The number of slots that a thread reserves at once in a shared tree.
const RESERVED_SLOTS: u32 = 512;

/// A counter on its own cache lines, because threads write it while others read the neighbouring fields.
#[repr(align(128))]
struct PaddedCounter(AtomicU32);

/// A search tree. Slot 0 is the root.
pub(super) struct Tree {
    nodes: Large<Node>,
    pub(super) enhancements: Enhancements,
    pub(super) transpositions: Transpositions,
    /// The number of slots that have been allocated, including reclaimed ones.
    used: PaddedCounter,
    /// Whether an allocation failed.
    full: AtomicBool,
    pub(super) reclaimer: Mutex<Reclaimer>,
    /// Memory per node in bytes, including enhancements and transpositions.
    slot_bytes: usize,
    /// Slots below this index may contain data from an earlier tree; all others are still zero.
    dirty: u32,
}

impl Tree {
    /// A tree with a root that uses at most `bytes` of memory, but has space for at least `min_slots` nodes. Memory is committed only
    /// as the tree grows.
    pub(super) fn new(bytes: usize, min_slots: usize, config: &Config) -> Tree {
        let mut slot_bytes = size_of::<Node>() + Enhancements::new(config, 1).bytes();
        if config.transpositions {
            slot_bytes += Transpositions::BYTES;
        }
        let slots = (bytes / slot_bytes).clamp(min_slots, u32::MAX as usize / 2);
        Tree {
            nodes: Large::zeroed(slots),
            enhancements: Enhancements::new(config, slots),
            transpositions: Transpositions::new(if config.transpositions { slots } else { 0 }),
            used: PaddedCounter(AtomicU32::new(1)),
            full: AtomicBool::new(false),
            reclaimer: Mutex::default(),
            slot_bytes,
            dirty: 1,
        }
    }

    /// The node in a slot.
    #[inline(always)]
    pub(super) fn node(&self, slot: u32) -> &Node {
        &self.nodes[slot as usize]
    }

    #[inline(always)]
    pub(super) fn root(&self) -> &Node {
        self.node(0)
    }

    /// The nodes in a range of slots.
    #[inline(always)]
    pub(super) fn block(&self, slots: Range<u32>) -> &[Node] {
        &self.nodes[slots.start as usize..slots.end as usize]
    }

    /// The children of a node in the order in which they are tried; empty if it is not expanded.
    #[inline(always)]
    pub(super) fn children(&self, node: &Node) -> &[Node] {
        let (first, count) = node.first_child_and_count();
        &self.nodes[first as usize..first as usize + count as usize]
    }

    /// The slot of a node of this tree.
    #[inline(always)]
    pub(super) fn slot(&self, node: &Node) -> u32 {
        ((std::ptr::from_ref(node).addr() - self.nodes.as_ptr().addr()) / size_of::<Node>()) as u32
    }

    /// The number of nodes, including discarded ones that have not been found by a sweep yet.
    pub(super) fn len(&self) -> usize {
        (self.used() - self.reclaimer().free_slots()) as usize
    }

    /// Memory in use, in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.used() as usize * self.slot_bytes
    }

    /// Memory per node in bytes.
    pub(super) fn slot_bytes(&self) -> usize {
        self.slot_bytes
    }

    /// The maximum number of nodes.
    pub(super) fn capacity(&self) -> usize {
        self.nodes.len()
    }

    pub(super) fn used(&self) -> u32 {
        self.used.0.load(Relaxed)
    }

    /// Sets the number of allocated slots without changing their contents.
    pub(super) fn set_used(&mut self, used: u32) {
        self.dirty = self.dirty.max(self.used()).max(used);
        self.used.0 = AtomicU32::new(used);
        self.full = AtomicBool::new(false);
        self.reclaimer = Mutex::default();
    }

    /// Whether an allocation has failed since the last [`Tree::reclaim`].
    #[inline(always)]
    pub(super) fn is_full(&self) -> bool {
        self.full.load(Relaxed)
    }

    pub(super) fn set_full(&self, full: bool) {
        self.full.store(full, Relaxed);
    }

    /// Takes a block of zeroed slots from the thread's reserve. Returns `None` if memory is exhausted.
    pub(super) fn take_block<const SHARED: bool>(&self, count: u32, reserve: &mut Range<u32>) -> Option<Range<u32>> {
        if (reserve.len() as u32) < count {
            let block = if SHARED { self.allocate::<SHARED>(count.max(RESERVED_SLOTS)) } else { None };
            let block = block.or_else(|| self.allocate::<SHARED>(count));
            let Some(allocated) = block.or_else(|| self.allocate_reclaimed(count)) else {
                self.set_full(true);
                return None;
            };
            let rest = std::mem::replace(reserve, allocated);
            if SHARED {
                self.release(rest);
            }
        }
        let block = reserve.start..reserve.start + count;
        reserve.start += count;
        Some(block)
    }

    /// Makes a block of initialised slots the children of a node that this thread has claimed.
    #[inline(always)]
    pub(super) fn attach(&self, node: &Node, block: &Range<u32>, tried: u16) {
        self.transpositions.add_parent(block.start);
        node.attach(block, tried);
    }

    /// Allocates zeroed slots that this tree has not used yet.
    fn allocate<const SHARED: bool>(&self, count: u32) -> Option<Range<u32>> {
        let fits = |used: u32| used.checked_add(count).filter(|&end| end as usize <= self.nodes.len());
        let first = if SHARED { self.used.0.fetch_update(Relaxed, Relaxed, fits).ok()? } else { self.used() };
        if !SHARED {
            self.used.0.store(fits(first)?, Relaxed);
        }
        self.reset(first..self.dirty.min(first + count));
        Some(first..first + count)
    }

    /// Resets slots to zero.
    pub(super) fn reset(&self, slots: Range<u32>) {
        for slot in slots {
            self.node(slot).copy_from(&Node::default());
            self.enhancements.reset(slot);
            self.transpositions.reset(slot);
        }
    }

    /// Releases the unused slots of a thread's reserve.
    pub(super) fn release(&self, reserve: Range<u32>) {
        if !reserve.is_empty() && self.used.0.compare_exchange(reserve.end, reserve.start, Relaxed, Relaxed).is_err() {
            self.discard(reserve);
        }
    }

    /// Removes all nodes except an empty root.
    pub(super) fn clear(&mut self) {
        self.set_used(1);
        self.reset(0..1);
        self.transpositions.clear();
    }

    /// Makes a child of the root the new root and discards everything that is not below it. `same_side` is whether the side that moved
    /// to the child moves again: the rewards of a root are those of the side that is not to move.
    pub(super) fn advance(&mut self, child: u32, same_side: bool) {
        let siblings = self.node(0).children();
        self.node(0).copy_from(self.node(child));
        self.enhancements.copy(child, 0);
        if same_side {
            self.node(0).invert_rewards();
        }
        self.node(child).remove_children();
        if self.node(0).children().is_empty() {
            self.set_used(1);
            self.transpositions.clear();
        } else {
            self.discard_subtrees(siblings);
        }
    }
}
