//! The tree: nodes in one array that never moves while a search runs, so that threads can grow it together.
//!
//! The children of a node are a block of neighbours, made when the node is first gone through: their moves in an order drawn by
//! chance, none of them tried. Every field is an atomic: one thread reads and writes them as plainly as ordinary fields, several
//! can share them without locks.

use std::ops::Range;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicU32, AtomicU64};

use bytemuck::Zeroable;

use super::config::Config;
use super::dump::Reader;
use super::graph::Transpositions;
use super::node::{Node, UNIT};
use crate::large::Large;

/// A block of more children than this may not fit though the tree is not full; then its parent stays a leaf.
const WIDEST: usize = 256;

/// Slots a thread that shares the tree takes at once.
const SUPPLY: u32 = 512;

/// What tidying the tree takes for a while, for each node: eight bytes a block, and blocks have four nodes and more on the whole.
const SCRATCH: usize = 2;

/// A number that threads change, on cache lines of its own: what stands beside it is read all the time.
#[repr(align(128))]
struct Alone(AtomicU32);

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

    pub(super) fn write(&self, bytes: &mut Vec<u8>) {
        for number in [&self.amaf_sum, &self.squares] {
            bytes.extend(number.load(Relaxed).to_le_bytes());
        }
        for number in [&self.amaf_visits, &self.action, &self.prior, &self.minimax] {
            bytes.extend(number.load(Relaxed).to_le_bytes());
        }
    }

    pub(super) fn read(&self, reader: &mut Reader) -> Option<()> {
        for number in [&self.amaf_sum, &self.squares] {
            number.store(u64::from_le_bytes(reader.take()?), Relaxed);
        }
        for number in [&self.amaf_visits, &self.action, &self.prior, &self.minimax] {
            number.store(u32::from_le_bytes(reader.take()?), Relaxed);
        }
        (self.prior().is_finite() && self.minimax().is_finite()).then_some(())
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
    nodes: Large<Node>,
    extras: Large<Extra>,
    pub(super) transpositions: Transpositions,
    /// Slots in use.
    used: Alone,
    /// What a node takes with all that is kept beside it.
    slot_bytes: usize,
    /// Slots below this may hold what an earlier tree left there; the others are still zero.
    dirty: u32,
}

impl Tree {
    /// A tree of one node that will never take more than `bytes` (but at least room for a thousand nodes). The memory is
    /// reserved, and taken from the machine only as the tree grows.
    pub(super) fn new(bytes: usize, config: &Config) -> Tree {
        let extras = config.needs_extras();
        let mut tree = Tree {
            nodes: Large::default(),
            extras: Large::default(),
            transpositions: Transpositions::new(0),
            used: Alone(AtomicU32::new(1)),
            dirty: 1,
            slot_bytes: size_of::<Node>()
                + if extras { size_of::<Extra>() } else { 0 }
                + if config.transpositions { Transpositions::BYTES } else { 0 },
        };
        let slots = (bytes / (tree.slot_bytes + SCRATCH)).clamp(1 << 10, u32::MAX as usize / 2);
        tree.nodes = Large::zeroed(slots);
        if extras {
            tree.extras = Large::zeroed(slots);
        }
        if config.transpositions {
            tree.transpositions = Transpositions::new(slots);
        }
        tree
    }

    /// The node in a slot.
    #[inline(always)]
    pub fn node(&self, slot: u32) -> &Node {
        &self.nodes[slot as usize]
    }

    /// The nodes in a range of slots.
    #[inline(always)]
    pub fn block(&self, slots: Range<u32>) -> &[Node] {
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
        self.used.0.load(Relaxed) as usize
    }

    /// Whether there is nothing but the root.
    pub fn is_empty(&self) -> bool {
        self.len() == 1
    }

    /// Memory in use.
    pub fn bytes(&self) -> usize {
        self.len() * self.slot_bytes
    }

    /// Nodes it can hold.
    pub(super) fn room(&self) -> usize {
        self.nodes.len()
    }

    /// Moves everything together that is reached from the root.
    pub(super) fn tidy(&mut self) {
        self.keep(0);
    }

    /// Takes the first slots into use, whatever they hold.
    pub(super) fn resize(&mut self, used: u32) {
        self.shrink(used);
        self.dirty = self.dirty.max(used);
    }

    /// Whether the next block may not fit.
    pub(super) fn is_full(&self) -> bool {
        self.nodes.len() - self.len() < WIDEST
    }

    /// Gives a node its children, by the codes of their moves, in slots of the thread's supply; `false` where the memory does not
    /// suffice. Another thread that came first keeps its block, and this one is lost.
    pub(super) fn expand<const SHARED: bool>(&self, slot: u32, codes: &[u16], supply: &mut Range<u32>) -> bool {
        let count = codes.len() as u32;
        if supply.len() < codes.len() {
            let taken = if SHARED { self.take(count.max(SUPPLY)).or_else(|| self.take(count)) } else { self.take(count) };
            let Some(taken) = taken else {
                return false;
            };
            *supply = taken;
        }
        let first = supply.start;
        supply.start += count;
        for slot in first..self.dirty.min(first + count) {
            self.node(slot).copy_from(&Node::default());
            if self.has_extras() {
                self.extra(slot).copy_from(&Extra::default());
            }
        }
        for (node, &code) in self.block(first..first + count).iter().zip(codes) {
            node.code.store(code, Relaxed);
        }
        self.attach(slot, &(first..first + count));
        true
    }

    /// Makes a block the children of a node, unless another thread gave it some before.
    pub(super) fn attach(&self, slot: u32, block: &Range<u32>) {
        let node = self.node(slot);
        node.count.store(block.len() as u16, Relaxed);
        let _ = node.children.compare_exchange(0, block.start, Release, Acquire);
    }

    fn take(&self, count: u32) -> Option<Range<u32>> {
        let fits = |used: u32| used.checked_add(count).filter(|&end| end as usize <= self.nodes.len());
        self.used.0.fetch_update(Relaxed, Relaxed, fits).ok().map(|first| first..first + count)
    }

    /// Takes back what is left of a supply, if no other was taken since; otherwise it lies idle until the tree is next tidied.
    pub(super) fn give_back(&self, supply: Range<u32>) {
        let _ = self.used.0.compare_exchange(supply.end, supply.start, Relaxed, Relaxed);
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.shrink(1);
        self.nodes[0].copy_from(&Node::default());
        self.transpositions.renew(|_| None);
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
        // Where each block begins and how long it is; later where it begins then and now. No more memory than that: it counts too.
        let opened = self.block(0..self.len() as u32).iter().filter(|node| !node.children().is_empty()).count();
        let mut blocks: Vec<(u32, u32)> = Vec::with_capacity(opened);
        let mut open = vec![0];
        // In a graph several ways lead to a block.
        let mut seen = vec![false; if self.transpositions.is_on() { self.len() } else { 0 }];
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
            if seen.get_mut(children.start as usize).is_some_and(|seen| std::mem::replace(seen, true)) {
                continue;
            }
            open.extend(children.clone());
            blocks.push((children.start, children.len() as u32));
        }
        blocks.sort_unstable();
        let mut used = 1;
        for (start, length) in &mut blocks {
            let first = used;
            for slot in *start..*start + *length {
                // Downwards, so nothing is overwritten before it is moved.
                self.nodes[used as usize].copy_from(&self.nodes[slot as usize]);
                if self.has_extras() {
                    self.extras[used as usize].copy_from(&self.extras[slot as usize]);
                }
                used += 1;
            }
            *length = first;
        }
        let moved = |first: u32| blocks.binary_search_by_key(&first, |&(old, _)| old).ok().map(|index| blocks[index].1);
        for node in self.block(0..used) {
            let first = node.children.load(Relaxed);
            if first != 0 {
                node.children.store(moved(first).unwrap_or(0), Relaxed);
            }
        }
        self.transpositions.renew(moved);
        self.shrink(used);
    }

    fn shrink(&mut self, used: u32) {
        self.dirty = self.dirty.max(self.used.0.load(Relaxed));
        self.used.0 = AtomicU32::new(used);
    }
}
