//! Transpositions (Childs, Brodeur and Kocsis 2008, "Transpositions and move groups in Monte Carlo tree search"): positions reached by
//! different moves share their children, so that the tree becomes a directed acyclic graph.
//!
//! Each move keeps its own visits, but its value is recomputed from the moves below it, which other paths may have updated. Positions
//! are merged only after the same number of plies, so the graph has no cycles, and only with the same number of reversible plies.

use std::ops::Range;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicU32, AtomicU64};

use bytemuck::Zeroable;

use super::node::{Node, ONE};
use super::simulator::Simulator;
use super::tree::Tree;
use crate::large::Large;
use crate::rng::mix;
use crate::{GameRules, Position, Side};

/// The number of tree nodes per table entry.
const NODES_PER_ENTRY: usize = 4;
/// The number of entries probed for a key.
const PROBES: u64 = 8;

/// The location of the children of a position. If threads write an entry at the same time, its two parts do not match and it is
/// ignored.
#[derive(Debug, Default, Zeroable)]
struct Entry {
    /// The key of the position XOR `location`.
    check: AtomicU64,
    /// The generation (16 bits), first child (32 bits) and number of children (16 bits). Entries of other generations count as empty.
    location: AtomicU64,
}

/// The reference count of a block of children, stored at the slot of the first child.
#[derive(Debug, Default, Zeroable)]
struct BlockOwners {
    /// The number of nodes that have these children.
    parents: AtomicU32,
    /// The index of the block's entry plus 1; 0 if it has none.
    entry: AtomicU32,
}

/// A hash table of the positions whose children are in the tree. If the table is full, a position may be expanded more than once.
pub(super) struct Transpositions {
    entries: Large<Entry>,
    owners: Large<BlockOwners>,
    /// Incremented to clear the table; starts at 1.
    generation: u16,
}

impl Transpositions {
    /// Memory per tree node in bytes.
    pub(super) const BYTES: usize = size_of::<Entry>() / NODES_PER_ENTRY + size_of::<BlockOwners>();

    /// A table for a tree with `nodes` slots.
    pub(super) fn new(nodes: usize) -> Transpositions {
        Transpositions { entries: Large::zeroed(nodes / NODES_PER_ENTRY), owners: Large::zeroed(nodes), generation: 1 }
    }

    /// Clears the table but not the owners of allocated slots, which must be reset before they are reused.
    pub(super) fn clear(&mut self) {
        match self.generation.checked_add(1) {
            Some(generation) => self.generation = generation,
            None => *self = Transpositions::new(self.owners.len()),
        }
    }

    /// Resets the owners of a slot.
    #[inline(always)]
    pub(super) fn reset(&self, slot: u32) {
        if let Some(owners) = self.owners.get(slot as usize) {
            owners.parents.store(0, Relaxed);
            owners.entry.store(0, Relaxed);
        }
    }

    /// The children at a location; `None` if the entry is empty.
    #[inline(always)]
    fn children(&self, location: u64) -> Option<Range<u32>> {
        let first = (location >> 16) as u32;
        (location >> 48 == self.generation.into()).then(|| first..first + u32::from(location as u16))
    }

    /// The entries to probe for a key.
    fn probe(&self, key: u64) -> impl Iterator<Item = (usize, &Entry)> {
        let size = self.entries.len().max(1) as u64;
        let indices = (0..PROBES).map(move |step| (key.wrapping_add(step) % size) as usize);
        indices.filter_map(|index| Some((index, self.entries.get(index)?)))
    }

    /// The children of a position, if they are known.
    pub(super) fn find(&self, key: u64) -> Option<Range<u32>> {
        self.probe(key).find_map(|(_, entry)| {
            // Acquire ordering makes the initialised children visible.
            let location = entry.location.load(Acquire);
            self.children(location).filter(|_| entry.check.load(Relaxed) ^ location == key)
        })
    }

    /// Stores the children of a position.
    pub(super) fn insert(&self, key: u64, children: &Range<u32>) {
        let empty = self.probe(key).find(|(_, entry)| self.children(entry.location.load(Relaxed)).is_none());
        if let Some((index, entry)) = empty
            && self.owners[children.start as usize].entry.compare_exchange(0, index as u32 + 1, Relaxed, Relaxed).is_ok()
        {
            let location = u64::from(self.generation) << 48 | u64::from(children.start) << 16 | children.len() as u64;
            entry.check.store(key ^ location, Relaxed);
            entry.location.store(location, Release);
        }
    }

    /// Adds a parent to the block of children that starts at a slot.
    #[inline(always)]
    pub(super) fn add_parent(&self, first: u32) {
        if let Some(owners) = self.owners.get(first as usize) {
            owners.parents.fetch_add(1, Relaxed);
        }
    }

    /// Removes a parent. If it was the last one, removes the block's entry and returns `true`.
    pub(super) fn remove_parent(&self, first: u32) -> bool {
        let Some(owners) = self.owners.get(first as usize) else {
            return true;
        };
        if owners.parents.fetch_sub(1, Relaxed) > 1 {
            return false;
        }
        let index = owners.entry.swap(0, Relaxed) as usize;
        if let Some(entry) = index.checked_sub(1).and_then(|index| self.entries.get(index))
            && self.children(entry.location.load(Relaxed)).is_some_and(|children| children.start == first)
        {
            entry.location.store(0, Relaxed);
        }
        true
    }
}

/// The key of positions that share their children, where `ply` is the number of moves since the start of the game.
pub(super) fn transposition_key<P: Position>(position: &P, ply: usize) -> u64 {
    let clocks = u64::from(position.reversible_plies()) ^ (ply as u64) << 32;
    mix(position.key() ^ clocks.wrapping_mul(0x9e37_79b9_7f4a_7c15))
}

impl<P: GameRules> Simulator<'_, P> {
    /// Attaches the children of an expanded position with the same key, if any, to a node that this thread has claimed. Leading
    /// children that have been visited count as tried.
    pub(super) fn share_children(&self, node: &Node, key: u64) -> bool {
        let Some(block) = self.tree.transpositions.find(key) else {
            return false;
        };
        let tried = self.tree.block(block.clone()).iter().take_while(|child| child.visits() > 0).count();
        self.tree.attach(node, &block, tried as u16);
        true
    }

    /// Recomputes the mean of every expanded node on the path from its children.
    pub(super) fn recompute_means(&self) {
        let mut turn = self.position.turn();
        for step in self.path.iter().rev() {
            let node = step.node;
            let (rewards, visits) = sum_of_children(self.tree.children(node), turn);
            if visits > 0 {
                let mean = (rewards / u128::from(visits)) as u64;
                node.set_mean(if step.mover == turn { mean } else { ONE - mean });
            }
            turn = step.mover;
        }
    }
}

impl Tree {
    /// The number of simulations through the children of a node along any path, plus 1 for the current simulation.
    pub(super) fn visits_below(&self, children: &[Node]) -> u32 {
        children.iter().fold(1, |sum: u32, child| sum.saturating_add(child.visits()))
    }
}

/// The sums of the rewards for the side to move and of the visits of all children. Proven children count with their proven value.
fn sum_of_children(children: &[Node], turn: Side) -> (u128, u64) {
    let mut sums = (0, 0);
    for child in children {
        let visits = u64::from(child.visits());
        let rewards = match child.proven() {
            Some(proven) => visits * proven.winner.map_or(ONE / 2, |winner| if winner == turn { ONE } else { 0 }),
            None => child.reward_sum(),
        };
        sums.0 += u128::from(rewards);
        sums.1 += visits;
    }
    sums
}
