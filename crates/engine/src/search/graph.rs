//! Transpositions: positions that different moves lead to share their children, so that the tree becomes a graph.
//!
//! Moves keep visits of their own, but what a move is worth is no longer the sum of what came through it: it is computed again from
//! the moves behind it, to which others may have added. Positions count as the same only with the same number of plies since the last
//! move that cannot be taken back; so no way leads in a circle.

use std::ops::Range;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicU32, AtomicU64};

use bytemuck::Zeroable;

use super::mcts::Walker;
use super::node::{Node, ONE};
use crate::large::Large;
use crate::rng::mix;
use crate::{Position, Side};

/// Nodes of the tree for each position the table can hold.
const SPARSE: usize = 4;
/// Entries tried for a key.
const REACH: u64 = 8;

/// Where the children of a position are; a pair torn by threads does not fit together and is passed over.
#[derive(Debug, Default, Zeroable)]
struct Entry {
    /// The key of the position, mixed with `place`.
    check: AtomicU64,
    /// The era, 16 bits, the first child, 32, and the number of children, 16. In another era than the present one it is empty.
    place: AtomicU64,
}

/// Who needs a block of children; kept beside the first of them.
#[derive(Debug, Default, Zeroable)]
struct Owner {
    /// Nodes whose children they are.
    nodes: AtomicU32,
    /// One more than the index of the entry that leads to them; 0 for none.
    entry: AtomicU32,
}

/// The positions whose children are in the tree. Without room it forgets: a position is then opened twice.
pub(super) struct Transpositions {
    entries: Large<Entry>,
    owners: Large<Owner>,
    /// Counts how often everything was forgotten, from 1.
    era: u16,
}

impl Transpositions {
    /// A table for a tree of so many nodes.
    pub(super) fn new(nodes: usize) -> Transpositions {
        Transpositions { entries: Large::zeroed(nodes / SPARSE), owners: Large::zeroed(nodes), era: 1 }
    }

    /// Memory for each node of the tree.
    pub(super) const BYTES: usize = size_of::<Entry>() / SPARSE + size_of::<Owner>();

    /// Forgets everything, but for who owned the slots in use: those are to be wiped before they are used again.
    pub(super) fn clear(&mut self) {
        match self.era.checked_add(1) {
            Some(era) => self.era = era,
            None => *self = Transpositions::new(self.owners.len()),
        }
    }

    /// Makes a slot as if it had never been in use.
    #[inline(always)]
    pub(super) fn wipe(&self, slot: u32) {
        if let Some(owner) = self.owners.get(slot as usize) {
            owner.nodes.store(0, Relaxed);
            owner.entry.store(0, Relaxed);
        }
    }

    /// The children that an entry leads to, if it is not empty.
    #[inline(always)]
    fn children(&self, place: u64) -> Option<Range<u32>> {
        let first = (place >> 16) as u32;
        (place >> 48 == self.era.into()).then(|| first..first + u32::from(place as u16))
    }

    fn places(&self, key: u64) -> impl Iterator<Item = (usize, &Entry)> {
        let size = self.entries.len().max(1) as u64;
        let indexes = (0..REACH).map(move |step| (key.wrapping_add(step) % size) as usize);
        indexes.filter_map(|index| Some((index, self.entries.get(index)?)))
    }

    /// The children of a position, if they are known.
    pub(super) fn find(&self, key: u64) -> Option<Range<u32>> {
        self.places(key).find_map(|(_, entry)| {
            let place = entry.place.load(Relaxed);
            self.children(place).filter(|_| entry.check.load(Relaxed) ^ place == key)
        })
    }

    /// Notes the children of a position.
    pub(super) fn insert(&self, key: u64, children: &Range<u32>) {
        let free = self.places(key).find(|(_, entry)| self.children(entry.place.load(Relaxed)).is_none());
        if let Some((index, entry)) = free
            && self.owners[children.start as usize].entry.compare_exchange(0, index as u32 + 1, Relaxed, Relaxed).is_ok()
        {
            let place = u64::from(self.era) << 48 | u64::from(children.start) << 16 | children.len() as u64;
            entry.check.store(key ^ place, Relaxed);
            entry.place.store(place, Relaxed);
        }
    }

    /// Counts one more node with the children that begin at a slot.
    #[inline(always)]
    pub(super) fn enter(&self, first: u32) {
        if let Some(owner) = self.owners.get(first as usize) {
            owner.nodes.fetch_add(1, Relaxed);
        }
    }

    /// Counts one less; `true` where none is left, and nothing leads to the children any more.
    pub(super) fn leave(&self, first: u32) -> bool {
        let Some(owner) = self.owners.get(first as usize) else {
            return true;
        };
        if owner.nodes.fetch_sub(1, Relaxed) > 1 {
            return false;
        }
        let index = owner.entry.swap(0, Relaxed) as usize;
        if let Some(entry) = index.checked_sub(1).and_then(|index| self.entries.get(index))
            && self.children(entry.place.load(Relaxed)).is_some_and(|children| children.start == first)
        {
            entry.place.store(0, Relaxed);
        }
        true
    }
}

/// What positions that share their children have in common.
pub(super) fn graph_key<P: Position>(position: &P) -> u64 {
    mix(position.key() ^ u64::from(position.quiet_plies()).wrapping_mul(0x9e37_79b9_7f4a_7c15))
}

impl<P: Position> Walker<'_, P> {
    /// Gives a node the children of a position that was opened elsewhere, if it was: those at the head that have been tried need not
    /// be tried again.
    pub(super) fn join(&self, node: &Node, key: u64) -> bool {
        let Some(block) = self.tree.transpositions.find(key) else {
            return false;
        };
        let tried = self.tree.block(block.clone()).iter().take_while(|child| child.visits() > 0).count();
        node.tried.store(tried as u16, Relaxed);
        self.tree.attach::<true>(node, &block);
        true
    }

    /// Gives every node of the path that has children their mean again.
    pub(super) fn recompute(&self) {
        let mut turn = self.position.turn();
        for step in self.path.iter().rev() {
            let node = step.node;
            let (rewards, visits) = totals(self.tree.children(node), turn);
            if visits > 0 {
                let mean = (rewards / u128::from(visits)) as u64;
                node.set_mean(if step.mover == turn { mean } else { ONE - mean });
            }
            turn = step.mover;
        }
    }

    /// Simulations through the children of a node, whichever way they came.
    pub(super) fn visits_below(&self, children: &[Node]) -> u32 {
        children.iter().fold(0, |sum: u32, child| sum.saturating_add(child.visits()))
    }
}

/// Rewards and visits of all children, for the side to move; what is proven counts as what it is.
fn totals(children: &[Node], turn: Side) -> (u128, u64) {
    let mut sums = (0, 0);
    for child in children {
        let visits = u64::from(child.visits());
        let rewards = match child.proof() {
            Some(proof) => visits * proof.winner.map_or(ONE / 2, |winner| if winner == turn { ONE } else { 0 }),
            None => child.sum(),
        };
        sums.0 += u128::from(rewards);
        sums.1 += visits;
    }
    sums
}
