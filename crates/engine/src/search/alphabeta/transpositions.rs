//! The transposition table, shared by threads without locks.
//!
//! A slot consists of two words: the data, and the key XORed with the data. If two threads write a slot at the same time, the words do
//! not match and the slot is ignored (Hyatt and Mann 2002, "A lock-less transposition table implementation for parallel search
//! chess engines").

use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicU64, AtomicUsize};

use bytemuck::Zeroable;

use super::ordering::NO_MOVE;
use super::{MAX_PLIES, WIN};
use crate::large::{Large, prefetch};
use crate::search::analysis::Bound;

/// The result of an earlier search of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    /// The score for the side to move.
    pub(super) score: i32,
    pub(super) bound: Bound,
    /// The search depth in plies.
    pub(super) depth: i32,
    /// The code of the best move or of the move that caused a cutoff.
    pub(super) code: u16,
    /// Whether the score depends on the evaluation of a leaf or a repetition. Otherwise it is valid at any depth.
    pub(super) inexact: bool,
}

/// A slot of 16 bytes. In empty slots, both words are 0.
#[derive(Default, Zeroable)]
struct Slot {
    /// The key of the position XOR `data`.
    check: AtomicU64,
    data: AtomicU64,
}

/// The unpacked data of a slot.
#[derive(Clone, Copy)]
struct Data {
    score: i16,
    code: u16,
    depth: u8,
    /// Bits 0 and 1: 1 upper bound, 2 lower bound, 3 exact; bit 2: inexact.
    kind: u8,
    /// The number of the search, modulo 256.
    age: u8,
}

impl Data {
    fn pack(self) -> u64 {
        let low = u64::from(self.score as u16) | u64::from(self.code) << 16;
        low | u64::from(self.depth) << 32 | u64::from(self.kind) << 40 | u64::from(self.age) << 48
    }

    fn unpack(data: u64) -> Data {
        Data {
            score: data as i16,
            code: (data >> 16) as u16,
            depth: (data >> 32) as u8,
            kind: (data >> 40) as u8,
            age: (data >> 48) as u8,
        }
    }
}

impl Slot {
    /// The key and data; `None` if the slot is empty.
    #[inline]
    fn load(&self) -> Option<(u64, u64)> {
        let data = self.data.load(Relaxed);
        (data != 0).then(|| (self.check.load(Relaxed) ^ data, data))
    }

    #[inline]
    fn set(&self, key: u64, data: u64) {
        self.data.store(data, Relaxed);
        self.check.store(if data == 0 { 0 } else { key ^ data }, Relaxed);
    }
}

/// The number of slots in a bucket, which fills a cache line.
const BUCKET_SLOTS: usize = 4;
/// The initial number of buckets in use, small enough for the cache of a processor core.
const INITIAL_BUCKETS: usize = 1 << 12;
/// An entry from the previous search is worth as much as one from this search that is this many plies shallower.
const AGE_PLIES: i32 = 8;

/// The number of buckets in the sample that estimates how full the table is.
const SAMPLE_BUCKETS: usize = 256;

/// The table. It uses a small part of its memory at first and more as it fills, so that short searches stay in the processor cache and
/// memory is committed only when it is needed.
pub(super) struct TranspositionTable {
    /// Aligned to a cache line, as is every bucket.
    slots: Large<Slot>,
    /// The number of buckets in use.
    buckets: AtomicUsize,
    /// The maximum number of buckets.
    max_buckets: usize,
    /// The number of occupied slots.
    filled: AtomicUsize,
    age: u8,
    /// Whether several threads use the table, so that it cannot grow.
    shared: bool,
}

impl TranspositionTable {
    /// A table of at most `bytes`, with at least two buckets.
    pub(super) fn new(bytes: usize) -> TranspositionTable {
        let slots = Large::<Slot>::zeroed((bytes / size_of::<Slot>()).max(2 * BUCKET_SLOTS));
        let max_buckets = slots.len() / BUCKET_SLOTS;
        let buckets = AtomicUsize::new(max_buckets.min(INITIAL_BUCKETS));
        TranspositionTable { slots, buckets, max_buckets, filled: AtomicUsize::new(0), age: 0, shared: false }
    }

    /// The maximum size of the table in bytes.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(&*self.slots)
    }

    /// The fraction of the table filled by the current search, from 0 to 1, estimated from a sample.
    pub(super) fn used(&self) -> f64 {
        let buckets = self.buckets();
        let sample = &self.slots[..buckets.min(SAMPLE_BUCKETS) * BUCKET_SLOTS];
        let is_current = |slot: &&Slot| slot.load().is_some_and(|(_, data)| Data::unpack(data).age == self.age);
        let filled = sample.iter().filter(is_current).count() as f64 / sample.len() as f64;
        filled * buckets as f64 / self.max_buckets as f64
    }

    /// Starts a new search, whose entries replace older ones first. A table shared by several threads uses all of its memory from the
    /// start.
    pub(super) fn start_search(&mut self, shared: bool) {
        self.age = self.age.wrapping_add(1);
        self.shared = shared;
        if shared && *self.filled.get_mut() == 0 {
            *self.buckets.get_mut() = self.max_buckets;
        }
        while shared && self.buckets() < self.max_buckets {
            self.grow();
        }
    }

    /// Removes all entries.
    pub(super) fn clear(&mut self) {
        let used = self.buckets() * BUCKET_SLOTS;
        self.slots[..used].iter_mut().for_each(|slot| *slot = Slot::default());
        *self.buckets.get_mut() = self.max_buckets.min(INITIAL_BUCKETS);
        *self.filled.get_mut() = 0;
        self.age = 0;
    }

    #[inline]
    fn buckets(&self) -> usize {
        self.buckets.load(Relaxed)
    }

    #[inline]
    fn bucket(&self, key: u64) -> &[Slot] {
        let index = ((u128::from(key) * self.buckets() as u128) >> 64) as usize;
        let start = index * BUCKET_SLOTS;
        &self.slots[start..start + BUCKET_SLOTS]
    }

    /// Prefetches the bucket of a position.
    #[inline]
    pub(super) fn prefetch(&self, key: u64) {
        prefetch(&self.bucket(key)[0]);
    }

    /// Looks up a position `ply` plies from the root.
    #[inline]
    pub(super) fn probe(&self, key: u64, ply: i32) -> Option<Entry> {
        let find = |slot: &Slot| slot.load().filter(|&(found, _)| found == key);
        let (_, data) = self.bucket(key).iter().find_map(find)?;
        let data = Data::unpack(data);
        let bound = match data.kind & 3 {
            1 => Bound::Upper,
            2 => Bound::Lower,
            _ => Bound::Exact,
        };
        let score = score_from_node(data.score.into(), ply);
        Some(Entry { score, bound, depth: data.depth.into(), code: data.code, inexact: data.kind & 4 != 0 })
    }

    /// Stores an entry in the slot of the same position, in an empty slot, or in place of the oldest and shallowest entry in the
    /// bucket.
    #[inline]
    pub(super) fn store(&self, key: u64, ply: i32, entry: Entry) {
        let bound = match entry.bound {
            Bound::Upper => 1,
            Bound::Lower => 2,
            Bound::Exact => 3,
        };
        let data = Data {
            score: score_to_node(entry.score, ply) as i16,
            code: entry.code,
            depth: entry.depth.clamp(0, 255) as u8,
            kind: bound | u8::from(entry.inexact) << 2,
            age: self.age,
        };
        self.insert(key, data);
        // Grow when one slot in eight is occupied, before many buckets are full.
        let buckets = self.buckets();
        if 2 * self.filled.load(Relaxed) > buckets && buckets < self.max_buckets && !self.shared {
            self.grow();
        }
    }

    #[inline]
    fn insert(&self, key: u64, mut new: Data) {
        let (mut chosen, mut lowest, mut is_empty) = (None, i32::MAX, false);
        for slot in self.bucket(key) {
            let Some((found, data)) = slot.load() else {
                (chosen, is_empty) = (Some(slot), true);
                break;
            };
            let old = Data::unpack(data);
            if found == key {
                // A search in which every move failed low has no best move; an older one may still be good.
                new.code = if new.code == NO_MOVE { old.code } else { new.code };
                chosen = Some(slot);
                break;
            }
            let priority = i32::from(old.depth) - AGE_PLIES * i32::from(self.age.wrapping_sub(old.age));
            if priority < lowest {
                (chosen, lowest) = (Some(slot), priority);
            }
        }
        if let Some(slot) = chosen {
            slot.set(key, new.pack());
        }
        if is_empty && !self.shared {
            self.filled.store(self.filled.load(Relaxed) + 1, Relaxed);
        }
    }

    /// Doubles the number of buckets in use. Entries never move to lower buckets, so rehashing from the last bucket to the first moves
    /// each entry once. Must not run while another thread uses the table.
    #[cold]
    fn grow(&self) {
        let before = self.buckets();
        self.buckets.store(self.max_buckets.min(before * 2), Relaxed);
        self.filled.store(0, Relaxed);
        for index in (0..before).rev() {
            let slots = &self.slots[index * BUCKET_SLOTS..][..BUCKET_SLOTS];
            let bucket: [Option<(u64, u64)>; BUCKET_SLOTS] = std::array::from_fn(|slot| slots[slot].load());
            slots.iter().for_each(|slot| slot.set(0, 0));
            bucket.into_iter().flatten().for_each(|(key, data)| self.insert(key, Data::unpack(data)));
        }
    }
}

/// Converts a score relative to the root to one relative to the node, because the position may occur at another ply.
fn score_to_node(score: i32, ply: i32) -> i32 {
    match score {
        score if score >= WIN - MAX_PLIES => score + ply,
        score if score <= MAX_PLIES - WIN => score - ply,
        score => score,
    }
}

/// The inverse of [`score_to_node`].
fn score_from_node(score: i32, ply: i32) -> i32 {
    match score {
        score if score >= WIN - MAX_PLIES => score - ply,
        score if score <= MAX_PLIES - WIN => score + ply,
        score => score,
    }
}

#[cfg(test)]
mod tests;
