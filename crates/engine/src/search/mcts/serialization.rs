//! Serialisation of trees. Trees are validated when they are read: the children of every node must be its legal moves.

use std::ops::Range;
use std::sync::atomic::Ordering::Relaxed;

use super::formulas::{INV_SQRT, LookupTable};
use super::node::{Node, ONE};
use super::search::{MAX_VISITS, Search};
use super::transpositions::transposition_key;
use super::tree::Tree;
use crate::{Error, GameRules};

/// The size of a serialised node in bytes, without the data of enhancements.
const NODE_BYTES: usize = 24;

/// Reads integers from untrusted bytes.
pub(super) struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    pub(super) fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (head, rest) = self.0.split_first_chunk::<N>()?;
        self.0 = rest;
        Some(*head)
    }
}

fn invalid(reason: &str) -> Error {
    Error::Parse(format!(
        "invalid search tree: {reason}; a tree must be restored at the same position and with the same options"
    ))
}

impl<P: GameRules> Search<P> {
    /// Serialises the trees.
    pub fn dump(&mut self) -> Vec<u8> {
        let mut bytes = Vec::new();
        for (index, tree) in self.trees.iter_mut().enumerate() {
            tree.find_discarded();
            // Write the priors without noise, because every run adds its own.
            let raw = self.raw_priors.get(index).into_iter().flatten();
            if let Some(priors) = &tree.enhancements.priors {
                tree.root().children().zip(raw).for_each(|(slot, &prior)| priors.set(slot, prior));
            }
            tree.write(&mut bytes);
        }
        bytes
    }

    /// Replaces the trees with those that [`Search::dump`] wrote at the same position with the same options. After an error,
    /// the trees are empty.
    pub fn restore(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.clear();
        let restored = self.read(bytes);
        if restored.is_err() {
            self.clear();
        }
        restored
    }

    fn read(&mut self, bytes: &[u8]) -> Result<(), Error> {
        let mut reader = Reader(bytes);
        for index in 0..self.trees.len() {
            let count = u32::from_le_bytes(reader.take().ok_or_else(|| invalid("the data is truncated"))?);
            let tree = &mut self.trees[index];
            if count == 0 {
                return Err(invalid("it has no nodes"));
            }
            if count as usize > tree.capacity() {
                let needed = (count as usize).saturating_mul(tree.slot_bytes()) >> 20;
                let capacity = tree.capacity();
                return Err(invalid(&format!(
                    "its {count} nodes exceed the capacity of {capacity} nodes; about {} MiB of memory is required",
                    needed + 1
                )));
            }
            tree.read(&mut reader, count).ok_or_else(|| invalid("the data is truncated or contains an invalid value"))?;
            self.validate(&self.trees[index])?;
        }
        if !reader.0.is_empty() {
            return Err(invalid("there is extra data at the end"));
        }
        Ok(())
    }

    /// Validates a tree by replaying it from the root position.
    fn validate(&self, tree: &Tree) -> Result<(), Error> {
        // For each slot, the key of its parent's position with the lowest bit set; 0 if the slot has not been reached.
        let mut reached = vec![0_u64; tree.len()];
        let mut stack = vec![(0, self.root.position().clone(), self.root.moves().len())];
        while let Some((slot, position, ply)) = stack.pop() {
            let node = tree.node(slot);
            let children = node.children();
            if !node.is_consistent() {
                return Err(invalid("a node is inconsistent"));
            }
            if children.is_empty() {
                continue;
            }
            let valid: Range<u32> = 1..tree.len() as u32;
            if !valid.contains(&children.start) || children.end > valid.end {
                return Err(invalid("the children of a node are out of range"));
            }
            tree.transpositions.add_parent(children.start);
            let key = transposition_key(&position, ply);
            let mark = key | 1;
            let marks = &mut reached[children.start as usize..children.end as usize];
            if self.config.transpositions && marks.iter().all(|&other| other == mark) {
                continue;
            }
            if marks.iter().any(|&mark| mark != 0) {
                return Err(invalid("two nodes have the same children"));
            }
            marks.fill(mark);
            let mut legal = Vec::new();
            if slot == 0 || position.early_outcome().is_none() {
                position.legal_moves(|mv| legal.push(position.encode(mv)));
            }
            let mut codes: Vec<u16> = tree.block(children.clone()).iter().map(|child| child.move_code()).collect();
            codes.sort_unstable();
            legal.sort_unstable();
            if codes != legal {
                return Err(invalid("the children of a node are not its legal moves"));
            }
            if self.config.transpositions {
                tree.transpositions.insert(key, &children);
            }
            for child in children {
                let mut next = position.clone();
                next.play(position.decode(tree.node(child).move_code()));
                stack.push((child, next, ply + 1));
            }
        }
        match reached[1..].iter().all(|&mark| mark != 0) {
            true => Ok(()),
            false => Err(invalid("a node has no parent")),
        }
    }
}

impl Node {
    /// Whether the fields of a deserialised node are consistent.
    pub(super) fn is_consistent(&self) -> bool {
        let max_sum = u64::from(self.visits()) * ONE;
        let (first, count) = (self.first_child.load(Relaxed), self.child_count.load(Relaxed));
        self.visits() <= MAX_VISITS
            && self.reward_sum() <= max_sum
            && self.proven.load(Relaxed) <= 3
            && (first == 0 || count > 0)
            && self.tried_children() <= self.children().len() as u32
    }

    /// Appends the node to `bytes`, with `first_child` as the slot of its first child.
    pub(super) fn write(&self, first_child: u32, bytes: &mut Vec<u8>) {
        bytes.extend(self.reward_sum().to_le_bytes());
        bytes.extend(self.visits().to_le_bytes());
        bytes.extend(first_child.to_le_bytes());
        for field in [&self.child_count, &self.tried_children, &self.move_code] {
            bytes.extend(field.load(Relaxed).to_le_bytes());
        }
        bytes.extend([self.proven.load(Relaxed), self.proven_distance.load(Relaxed)]);
    }

    /// Reads what [`Node::write`] wrote; `None` if the data ends too early.
    pub(super) fn read(&self, reader: &mut Reader, inv_sqrt: &LookupTable) -> Option<()> {
        self.set_reward_sum(u64::from_le_bytes(reader.take()?));
        self.visits.store(u32::from_le_bytes(reader.take()?), Relaxed);
        self.first_child.store(u32::from_le_bytes(reader.take()?), Relaxed);
        for field in [&self.child_count, &self.tried_children, &self.move_code] {
            field.store(u16::from_le_bytes(reader.take()?), Relaxed);
        }
        let [proven, distance] = reader.take()?;
        self.proven.store(proven, Relaxed);
        self.proven_distance.store(distance, Relaxed);
        self.inv_sqrt_visits.store(inv_sqrt.get(self.visits()).to_bits(), Relaxed);
        Some(())
    }
}

impl Tree {
    /// Writes the reachable nodes in breadth-first order without gaps.
    fn write(&self, bytes: &mut Vec<u8>) {
        // The blocks in the order in which they are written, and the new first slot of each block, indexed by its current first slot.
        let root: Range<u32> = 0..1;
        let (mut blocks, mut new_slots) = (vec![root], vec![0; self.used() as usize]);
        let (mut count, mut next) = (1, 0);
        while let Some(block) = blocks.get(next).cloned() {
            for children in self.block(block).iter().map(|node| node.children()) {
                if !children.is_empty() && new_slots[children.start as usize] == 0 {
                    new_slots[children.start as usize] = count;
                    count += children.len() as u32;
                    blocks.push(children);
                }
            }
            next += 1;
        }
        bytes.extend(count.to_le_bytes());
        for slot in blocks.into_iter().flatten() {
            let node = self.node(slot);
            node.write(new_slots[node.children().start as usize], bytes);
            self.enhancements.write(slot, bytes);
        }
    }

    fn read(&mut self, reader: &mut Reader, count: u32) -> Option<()> {
        let slot_bytes = NODE_BYTES + self.enhancements.bytes();
        if reader.0.len() < (count as usize).checked_mul(slot_bytes)? {
            return None;
        }
        self.set_used(count);
        for slot in 0..count {
            self.node(slot).read(reader, &INV_SQRT)?;
            self.enhancements.read(slot, reader)?;
        }
        Some(())
    }
}
