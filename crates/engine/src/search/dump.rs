//! A search's trees as bytes and back, so that they can be kept between runs of the program. What is read is checked: every node's
//! children must be the legal moves of its position.

use std::ops::Range;

use super::graph::graph_key;
use super::run::Search;
use super::select::THINNESS;
use super::tree::Tree;
use crate::{Error, Position};

/// Bytes of a node, and of what some options keep beside it.
pub(super) const NODE: usize = 24;
pub(super) const EXTRA: usize = 32;

/// Takes numbers off the front of bytes from outside.
pub(super) struct Reader<'a>(pub(super) &'a [u8]);

impl Reader<'_> {
    pub(super) fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (head, rest) = self.0.split_first_chunk::<N>()?;
        self.0 = rest;
        Some(*head)
    }
}

fn broken(why: &str) -> Error {
    Error::Parse(format!("the tree cannot be read: {why}; accepted is what a search of the same position and options wrote"))
}

impl<P: Position> Search<P> {
    /// Everything the trees know.
    pub fn dump(&mut self) -> Vec<u8> {
        let mut bytes = Vec::new();
        for tree in &mut self.trees {
            tree.tidy();
            tree.write(&mut bytes);
        }
        bytes
    }

    /// Puts what [`Search::dump`] wrote in place of what the trees know. The search must stand at the position it stood at then.
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
            let count = u32::from_le_bytes(reader.take().ok_or_else(|| broken("it ends too early"))?);
            let tree = &mut self.trees[index];
            if count == 0 || count as usize > tree.room() {
                let (room, needed) = (tree.room(), (count as usize).saturating_mul(tree.slot_bytes()) >> 20);
                return Err(broken(&format!(
                    "its {count} nodes do not fit into {room}; with more memory (about {} mebibytes) they would",
                    needed + 1
                )));
            }
            tree.read(&mut reader, count).ok_or_else(|| broken("it ends too early, or a number in it is impossible"))?;
            self.check(&self.trees[index])?;
        }
        if !reader.0.is_empty() {
            return Err(broken("something follows its end"));
        }
        Ok(())
    }

    /// Walks through the whole tree with a board.
    fn check(&self, tree: &Tree) -> Result<(), Error> {
        let mut reached = vec![0_u64; tree.len()];
        let mut open = vec![(0, self.root.position().clone())];
        while let Some((slot, position)) = open.pop() {
            let node = tree.node(slot);
            let children = node.children();
            if !node.is_possible() {
                return Err(broken("a node's numbers contradict each other"));
            }
            if children.is_empty() {
                continue;
            }
            let within: Range<u32> = 1..tree.len() as u32;
            if !within.contains(&children.start) || children.end > within.end {
                return Err(broken("a node's children are out of reach"));
            }
            tree.transpositions.enter(children.start);
            let key = graph_key(&position) | 1;
            let marks = &mut reached[children.start as usize..children.end as usize];
            if self.config.transpositions && marks.iter().all(|&mark| mark == key) {
                continue;
            }
            if marks.iter().any(|&mark| mark != 0) {
                return Err(broken("two nodes have the same children"));
            }
            marks.fill(key);
            let mut legal = Vec::new();
            if slot == 0 || position.decided().is_none() {
                position.legal_moves(|mv| legal.push(position.encode(mv)));
            }
            let mut codes: Vec<u16> = tree.block(children.clone()).iter().map(|child| child.code()).collect();
            codes.sort_unstable();
            legal.sort_unstable();
            if codes != legal {
                return Err(broken("a node's children are not the legal moves"));
            }
            if self.config.transpositions {
                tree.transpositions.insert(graph_key(&position), &children);
            }
            for child in children {
                let mut next = position.clone();
                next.play(position.decode(tree.node(child).code()));
                open.push((child, next));
            }
        }
        match reached[1..].iter().all(|&mark| mark != 0) {
            true => Ok(()),
            false => Err(broken("some nodes belong to no other")),
        }
    }
}

impl Tree {
    /// Writes the nodes that are reached from the root, level by level, so that nothing lies between them.
    fn write(&self, bytes: &mut Vec<u8>) {
        // The blocks in the order in which they are written, and where each of them will begin, by where it begins.
        let root: Range<u32> = 0..1;
        let (mut blocks, mut places) = (vec![root], vec![0; self.used() as usize]);
        let (mut count, mut next) = (1, 0);
        while let Some(block) = blocks.get(next).cloned() {
            for children in self.block(block).iter().map(|node| node.children()) {
                if !children.is_empty() && places[children.start as usize] == 0 {
                    places[children.start as usize] = count;
                    count += children.len() as u32;
                    blocks.push(children);
                }
            }
            next += 1;
        }
        bytes.extend(count.to_le_bytes());
        for slot in blocks.into_iter().flatten() {
            let node = self.node(slot);
            node.write(places[node.children().start as usize], bytes);
            if self.has_extras() {
                self.extra(slot).write(bytes);
            }
        }
    }

    fn read(&mut self, reader: &mut Reader, count: u32) -> Option<()> {
        let each = NODE + if self.has_extras() { EXTRA } else { 0 };
        if reader.0.len() < (count as usize).checked_mul(each)? {
            return None;
        }
        self.resize(count);
        for slot in 0..count {
            self.node(slot).read(reader, &THINNESS)?;
            if self.has_extras() {
                self.extra(slot).read(reader)?;
            }
        }
        Some(())
    }
}
