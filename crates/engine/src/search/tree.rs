//! The tree: nodes in one array that never moves while a search runs, so that threads can grow it together.
//!
//! The children of a node are a block of neighbours, made when the node is first gone through: their moves in an order drawn by
//! chance, none of them tried. Every field is an atomic: one thread reads and writes them as plainly as ordinary fields, several
//! can share them without locks.

use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64};

use bytemuck::Zeroable;

use super::config::Config;
use super::dump::Reader;
use super::graph::Transpositions;
use super::node::{Node, UNIT};
use super::recycle::Recycler;
use crate::large::Large;

/// Slots a thread that shares the tree takes at once.
const SUPPLY: u32 = 512;

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
    /// Slots that were taken into use; the others were never.
    used: Alone,
    /// Whether a block did not fit.
    full: AtomicBool,
    pub(super) recycler: Mutex<Recycler>,
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
            full: AtomicBool::new(false),
            recycler: Mutex::default(),
            dirty: 1,
            slot_bytes: size_of::<Node>()
                + if extras { size_of::<Extra>() } else { 0 }
                + if config.transpositions { Transpositions::BYTES } else { 0 },
        };
        let slots = (bytes / tree.slot_bytes).clamp(1 << 10, u32::MAX as usize / 2);
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

    /// The node of the position that is searched.
    #[inline(always)]
    pub fn root(&self) -> &Node {
        self.node(0)
    }

    /// The nodes in a range of slots.
    #[inline(always)]
    pub fn block(&self, slots: Range<u32>) -> &[Node] {
        &self.nodes[slots.start as usize..slots.end as usize]
    }

    /// The children of a node, in the order in which they are tried; empty before they are made.
    #[inline(always)]
    pub fn children(&self, node: &Node) -> &[Node] {
        let (first, count) = node.family();
        &self.nodes[first as usize..first as usize + count as usize]
    }

    /// What enhancements keep beside a node; only where the tree was made with extras.
    #[inline(always)]
    pub fn extra(&self, slot: u32) -> &Extra {
        &self.extras[slot as usize]
    }

    /// The same, of a node of this tree.
    pub(super) fn extra_of(&self, node: &Node) -> &Extra {
        let offset = std::ptr::from_ref(node).addr() - self.nodes.as_ptr().addr();
        &self.extras[offset / size_of::<Node>()]
    }

    /// Whether enhancements keep something beside the nodes.
    #[inline(always)]
    pub fn has_extras(&self) -> bool {
        !self.extras.is_empty()
    }

    /// Nodes, with those that were forgotten and not found again yet.
    pub fn len(&self) -> usize {
        (self.used() - self.recycler().idle()) as usize
    }

    /// Whether there is nothing but the root.
    pub fn is_empty(&self) -> bool {
        self.len() == 1
    }

    /// Memory in use.
    pub fn bytes(&self) -> usize {
        self.used() as usize * self.slot_bytes
    }

    /// Memory for each node.
    pub(super) fn slot_bytes(&self) -> usize {
        self.slot_bytes
    }

    /// Nodes it can hold.
    pub(super) fn room(&self) -> usize {
        self.nodes.len()
    }

    /// Slots that were taken into use, free again or not.
    pub(super) fn used(&self) -> u32 {
        self.used.0.load(Relaxed)
    }

    /// Takes the first slots into use, whatever they hold, and no others.
    pub(super) fn resize(&mut self, used: u32) {
        self.dirty = self.dirty.max(self.used()).max(used);
        self.used.0 = AtomicU32::new(used);
        self.full = AtomicBool::new(false);
        self.recycler = Mutex::default();
    }

    /// Whether a block did not fit since [`Tree::recycle`] last looked for room.
    #[inline(always)]
    pub(super) fn is_full(&self) -> bool {
        self.full.load(Relaxed)
    }

    pub(super) fn set_full(&self, full: bool) {
        self.full.store(full, Relaxed);
    }

    /// Gives a node its children, by the codes of their moves, in slots of the thread's supply; `false` where the memory does not
    /// suffice. Another thread that came first keeps its block, and this one is free again.
    pub(super) fn expand<const SHARED: bool>(&self, node: &Node, codes: &[u16], supply: &mut Range<u32>) -> bool {
        let count = codes.len() as u32;
        if supply.len() < codes.len() {
            let many = if SHARED { self.take::<SHARED>(count.max(SUPPLY)) } else { None };
            let fresh = many.or_else(|| self.take::<SHARED>(count));
            let Some(taken) = fresh.or_else(|| self.reuse(count)) else {
                self.set_full(true);
                return false;
            };
            let rest = std::mem::replace(supply, taken);
            if SHARED {
                self.give_back(rest);
            }
        }
        let block = supply.start..supply.start + count;
        supply.start += count;
        for (child, &code) in self.block(block.clone()).iter().zip(codes) {
            child.code.store(code, Relaxed);
        }
        if !self.attach::<SHARED>(node, &block) {
            self.discard(block);
        }
        true
    }

    /// Makes a block the children of a node, unless another thread gave it some before.
    #[inline(always)]
    pub(super) fn attach<const SHARED: bool>(&self, node: &Node, block: &Range<u32>) -> bool {
        node.count.store(block.len() as u16, Relaxed);
        let first = !SHARED || node.children.compare_exchange(0, block.start, Release, Acquire).is_ok();
        if !SHARED {
            node.children.store(block.start, Relaxed);
        }
        if first {
            self.transpositions.enter(block.start);
        }
        first
    }

    /// Slots that were never in use, all zero.
    fn take<const SHARED: bool>(&self, count: u32) -> Option<Range<u32>> {
        let fits = |used: u32| used.checked_add(count).filter(|&end| end as usize <= self.nodes.len());
        let first = if SHARED { self.used.0.fetch_update(Relaxed, Relaxed, fits).ok()? } else { self.used() };
        if !SHARED {
            self.used.0.store(fits(first)?, Relaxed);
        }
        self.wipe(first..self.dirty.min(first + count));
        Some(first..first + count)
    }

    /// Makes slots as if they had never been in use.
    pub(super) fn wipe(&self, slots: Range<u32>) {
        for slot in slots {
            self.node(slot).copy_from(&Node::default());
            if self.has_extras() {
                self.extra(slot).copy_from(&Extra::default());
            }
            self.transpositions.wipe(slot);
        }
    }

    /// Takes back what is left of a supply.
    pub(super) fn give_back(&self, supply: Range<u32>) {
        if !supply.is_empty() && self.used.0.compare_exchange(supply.end, supply.start, Relaxed, Relaxed).is_err() {
            self.discard(supply);
        }
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.resize(1);
        self.wipe(0..1);
        self.transpositions.clear();
    }

    /// Makes a child of the root the root and forgets what is not below it.
    pub(super) fn advance(&mut self, child: u32) {
        let siblings = self.node(0).children();
        self.node(0).copy_from(self.node(child));
        if self.has_extras() {
            self.extra(0).copy_from(self.extra(child));
        }
        self.node(child).forget_children();
        if self.node(0).children().is_empty() {
            self.resize(1);
            self.transpositions.clear();
        } else {
            self.forget(siblings);
        }
    }
}
