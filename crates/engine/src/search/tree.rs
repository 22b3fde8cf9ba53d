//! The tree: nodes in one array that never moves while a search runs, so that threads can grow it together.
//!
//! The children of a node are a block of neighbours, made when the node is first gone through: their moves in an order drawn by
//! chance, none of them tried. Every field is an atomic: one thread reads and writes them as plainly as ordinary fields, several
//! can share them without locks.

use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicU32, AtomicU64};

use bytemuck::Zeroable;
use bytemuck::allocation::zeroed_slice_box;

use super::node::{Node, UNIT};

/// A block of more children than this may not fit though the tree is not full; then its parent stays a leaf.
const WIDEST: usize = 256;

/// What some enhancements keep beside a node; there only when one of them is on. Seen by the side that moved to it.
#[derive(Debug, Default, Zeroable)]
pub struct Extra {
    /// Rewards of simulations in which this move was made later (all moves as first), in [`UNIT`].
    amaf_sum: AtomicU64,
    amaf_visits: AtomicU32,
    /// [`crate::Position::action`] of the move that leads here.
    action: AtomicU32,
    /// Bits of an `f32`: how likely the move is before any simulation, all siblings together 1.
    prior: AtomicU32,
    /// Bits of an `f32`: the minimax of evaluations below, 0 to 1.
    minimax: AtomicU32,
    /// Sum of squared rewards, in [`UNIT`].
    squares: AtomicU64,
}

macro_rules! floats {
    ($($(#[$doc:meta])* $get:ident $set:ident;)*) => {
        $($(#[$doc])*
        #[inline(always)]
        pub fn $get(&self) -> f64 {
            f32::from_bits(self.$get.load(Relaxed)).into()
        }

        pub(super) fn $set(&self, value: f64) {
            self.$get.store((value as f32).to_bits(), Relaxed);
        })*
    };
}

impl Extra {
    floats! {
        /// How likely the move is before any simulation.
        prior set_prior;
        /// The minimax of the evaluations below.
        minimax set_minimax;
    }

    /// Rewards and number of simulations in which the move was made at some time.
    #[inline(always)]
    pub fn amaf(&self) -> (f64, f64) {
        (self.amaf_sum.load(Relaxed) as f64 * UNIT, self.amaf_visits.load(Relaxed).into())
    }

    #[inline(always)]
    pub(super) fn add_amaf(&self, reward: u64) {
        self.amaf_sum.fetch_add(reward, Relaxed);
        self.amaf_visits.fetch_add(1, Relaxed);
    }

    /// The action of the move that leads here.
    #[inline(always)]
    pub fn action(&self) -> usize {
        self.action.load(Relaxed) as usize
    }

    pub(super) fn set_action(&self, action: usize) {
        self.action.store(action as u32, Relaxed);
    }

    /// Sum of squared rewards.
    #[inline(always)]
    pub fn squares(&self) -> f64 {
        self.squares.load(Relaxed) as f64 * UNIT
    }

    #[inline(always)]
    pub(super) fn add_square(&self, reward: u64) {
        let value = reward as f64 * UNIT;
        self.squares.fetch_add((value * value / UNIT) as u64, Relaxed);
    }

    fn copy_from(&self, other: &Extra) {
        self.amaf_sum.store(other.amaf_sum.load(Relaxed), Relaxed);
        self.amaf_visits.store(other.amaf_visits.load(Relaxed), Relaxed);
        self.action.store(other.action.load(Relaxed), Relaxed);
        self.prior.store(other.prior.load(Relaxed), Relaxed);
        self.minimax.store(other.minimax.load(Relaxed), Relaxed);
        self.squares.store(other.squares.load(Relaxed), Relaxed);
    }
}

/// All nodes. Slot 0 is the root.
pub struct Tree {
    nodes: Box<[Node]>,
    extras: Box<[Extra]>,
    /// Slots in use.
    used: AtomicU32,
    /// Slots below this may hold what an earlier tree left there; the others are still zero.
    dirty: u32,
}

impl Tree {
    /// A tree of one node that will never take more than `bytes` (but at least room for a thousand nodes). The memory is
    /// reserved, and taken from the machine only as the tree grows.
    pub fn new(bytes: usize, with_extras: bool) -> Tree {
        let slots = (bytes / Tree::slot_bytes(with_extras)).clamp(1 << 10, u32::MAX as usize / 2);
        let extras = if with_extras { slots } else { 0 };
        Tree { nodes: zeroed_slice_box(slots), extras: zeroed_slice_box(extras), used: AtomicU32::new(1), dirty: 1 }
    }

    fn slot_bytes(with_extras: bool) -> usize {
        size_of::<Node>() + if with_extras { size_of::<Extra>() } else { 0 }
    }

    /// The node in a slot.
    #[inline(always)]
    pub fn node(&self, slot: u32) -> &Node {
        &self.nodes[slot as usize]
    }

    /// The nodes in a range of slots.
    #[inline(always)]
    pub fn block(&self, slots: std::ops::Range<u32>) -> &[Node] {
        &self.nodes[slots.start as usize..slots.end as usize]
    }

    /// What enhancements keep beside a node; only where the tree was made with extras.
    #[inline(always)]
    pub fn extra(&self, slot: u32) -> &Extra {
        &self.extras[slot as usize]
    }

    /// Whether enhancements keep something beside the nodes.
    #[inline(always)]
    pub fn has_extras(&self) -> bool {
        !self.extras.is_empty()
    }

    /// Nodes in use.
    pub fn len(&self) -> usize {
        self.used.load(Relaxed) as usize
    }

    /// Whether there is nothing but the root.
    pub fn is_empty(&self) -> bool {
        self.len() == 1
    }

    /// Memory in use.
    pub fn bytes(&self) -> usize {
        self.len() * Tree::slot_bytes(self.has_extras())
    }

    /// Whether the next block may not fit.
    pub(super) fn is_full(&self) -> bool {
        self.nodes.len() - self.len() < WIDEST
    }

    /// Gives a node its children, by the codes of their moves; `false` where the memory does not suffice. Another thread that came
    /// first keeps its block, and this one is lost.
    pub(super) fn expand(&self, slot: u32, codes: &[u16]) -> bool {
        let count = codes.len() as u32;
        let reserved = self
            .used
            .fetch_update(Relaxed, Relaxed, |used| used.checked_add(count).filter(|&end| end as usize <= self.nodes.len()));
        let Ok(first) = reserved else {
            return false;
        };
        for slot in first..self.dirty.min(first + count) {
            self.node(slot).copy_from(&Node::default());
            if self.has_extras() {
                self.extra(slot).copy_from(&Extra::default());
            }
        }
        for (node, &code) in self.block(first..first + count).iter().zip(codes) {
            node.code.store(code, Relaxed);
        }
        let node = self.node(slot);
        node.count.store(count as u16, Relaxed);
        let _ = node.children.compare_exchange(0, first, Release, Acquire);
        true
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.shrink(1);
        self.nodes[0].copy_from(&Node::default());
    }

    /// Makes a child of the root the root and forgets what is not below it.
    pub(super) fn advance(&mut self, child: u32) {
        self.nodes[0].copy_from(&self.nodes[child as usize]);
        if self.has_extras() {
            self.extras[0].copy_from(&self.extras[child as usize]);
        }
        self.keep(0);
    }

    /// Forgets the children of nodes with few visits until at least half of the memory is free.
    pub(super) fn prune(&mut self) {
        let mut fewest = 2;
        while self.len() > self.nodes.len() / 2 && fewest < 1 << 30 {
            self.keep(fewest);
            fewest *= 2;
        }
    }

    /// Keeps the root and what can be reached through nodes of at least `fewest` visits, moved together in the same order.
    fn keep(&mut self, fewest: u32) {
        let mut blocks = Vec::new();
        let mut open = vec![0];
        while let Some(slot) = open.pop() {
            let node = self.node(slot);
            let children = node.children();
            if children.is_empty() {
                continue;
            }
            if slot != 0 && node.visits() < fewest {
                node.children.store(0, Relaxed);
                node.tried.store(0, Relaxed);
                continue;
            }
            open.extend(children.clone());
            blocks.push(children);
        }
        blocks.sort_unstable_by_key(|block| block.start);
        let mut used = 1;
        let mut moved = Vec::with_capacity(blocks.len());
        for block in blocks {
            moved.push((block.start, used));
            for slot in block {
                // Downwards, so nothing is overwritten before it is moved.
                self.nodes[used as usize].copy_from(&self.nodes[slot as usize]);
                if self.has_extras() {
                    self.extras[used as usize].copy_from(&self.extras[slot as usize]);
                }
                used += 1;
            }
        }
        for node in self.block(0..used) {
            let first = node.children.load(Relaxed);
            if first != 0 {
                let new = moved.binary_search_by_key(&first, |&(old, _)| old).map_or(0, |index| moved[index].1);
                node.children.store(new, Relaxed);
            }
        }
        self.shrink(used);
    }

    fn shrink(&mut self, used: u32) {
        self.dirty = self.dirty.max(self.used.load(Relaxed));
        self.used = AtomicU32::new(used);
    }
}
