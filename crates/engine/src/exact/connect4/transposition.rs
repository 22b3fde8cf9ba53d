//! Transposition table with a fixed maximum size, shared by threads without locks.
//!
//! A key of `bits` bits is hashed by a bijection. The upper bits of the hash select the bucket and the lower ones are stored,
//! so entries of different positions are never confused even though an entry has only eight bytes:
//!
//! ```text
//!  63            16 15    11 10     8 7     1 0
//! | rest of the key | effort | column | value | is_lower |
//! ```

use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize};

use crate::large::{Large, prefetch};

/// Entries per bucket: the first is replaced only by entries of at least the same effort, the second by any entry.
const BUCKET_SIZE: usize = 2;
/// Base-2 logarithm of the initial number of buckets: 512 KiB.
const INITIAL_LOG2: u32 = 15;
/// Base-2 logarithm of the number of buckets that fit in a core's caches: 2 MiB.
const CACHED_LOG2: u32 = 17;
/// Base-2 logarithm of the growth factor.
const GROWTH_LOG2: u32 = 2;
/// Multiplier of Fibonacci hashing: 2^64 divided by the golden ratio. It is odd, so multiplication is a bijection.
const HASH_MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;
/// Bits of an entry that store the rest of the key.
const KEY_BITS: u32 = 48;
/// Buckets of the grown table filled between two polls: 1 MiB, which takes less than a millisecond.
const POLL_BUCKETS: usize = 1 << 16;
/// Added to values to make them positive.
const VALUE_OFFSET: i32 = 64;

/// A bound on a position's score, from the point of view of the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bound {
    pub(super) value: i32,
    /// Whether `value` is a lower bound on the score; otherwise it is an upper bound.
    pub(super) is_lower: bool,
    /// Column of the best move, 0 to 7, for move ordering only.
    pub(super) column: u32,
}

impl Bound {
    /// Returns the value if it decides whether the score is above `alpha`.
    #[inline(always)]
    pub(super) fn cutoff(self, alpha: i32) -> Option<i32> {
        (self.is_lower == (self.value > alpha)).then_some(self.value)
    }
}

pub(super) struct TranspositionTable {
    slots: Large<AtomicU64>,
    /// Number of bits in a key.
    bits: u32,
    /// Base-2 logarithm of the number of buckets in use.
    log2: AtomicU32,
    /// Value of `log2` once the table has finished growing.
    target_log2: AtomicU32,
    /// Number of buckets still to be moved while the table grows; otherwise 0.
    pending: AtomicUsize,
    min_log2: u32,
    max_log2: u32,
}

impl TranspositionTable {
    /// Returns an empty table for keys of `bits` bits. It uses at most `bytes` bytes if that is 1 MiB or more.
    pub(super) fn new(bytes: usize, bits: u32) -> TranspositionTable {
        let needed = bits.saturating_sub(KEY_BITS).max(6);
        let max_log2 = (bytes / (BUCKET_SIZE * size_of::<u64>())).max(1).ilog2().clamp(needed, bits.max(needed + 1) - 1);
        let slots = Large::zeroed(BUCKET_SIZE << max_log2);
        let min_log2 = INITIAL_LOG2.clamp(needed, max_log2);
        let (log2, target_log2, pending) = (AtomicU32::new(min_log2), AtomicU32::new(min_log2), AtomicUsize::new(0));
        TranspositionTable { slots, bits: bits.max(max_log2 + 1), log2, target_log2, pending, min_log2, max_log2 }
    }

    /// Like [`TranspositionTable::new`], but with the maximum size from the start.
    pub(super) fn full_size(bytes: usize, bits: u32) -> TranspositionTable {
        let mut table = TranspositionTable::new(bytes, bits);
        table.min_log2 = table.max_log2;
        table.clear();
        table
    }

    pub(super) fn bytes(&self) -> usize {
        size_of_val(&*self.slots)
    }

    pub(super) fn clear(&mut self) {
        for slot in &mut self.slots[..BUCKET_SIZE << *self.target_log2.get_mut()] {
            *slot.get_mut() = 0;
        }
        (*self.log2.get_mut(), *self.target_log2.get_mut(), *self.pending.get_mut()) = (self.min_log2, self.min_log2, 0);
    }

    /// Number of nodes to search before the table should grow; `None` if it has its maximum size.
    ///
    /// Entries of high effort are retained, so a table a thousand times too small costs only a third more nodes, while one that
    /// no longer fits in the caches doubles the time per node.
    pub(super) fn nodes_before_growth(&self) -> Option<u64> {
        let log2 = self.log2.load(Relaxed);
        let entries = (BUCKET_SIZE as u64) << log2;
        (log2 < self.max_log2).then_some(match log2 {
            ..=CACHED_LOG2 if log2 + GROWTH_LOG2 <= CACHED_LOG2 => entries << 4,
            ..=CACHED_LOG2 => entries << 12,
            _ => entries / 2,
        })
    }

    /// Enlarges the table by a factor of four, up to its maximum size; all entries are kept. No other thread may use the table
    /// meanwhile. Returns whether growing completed: if `keep_going` returns false, [`TranspositionTable::finish_growing`] must be
    /// called before the table is used again.
    pub(super) fn grow(&self, keep_going: impl FnMut() -> bool) -> bool {
        let log2 = self.log2.load(Relaxed);
        self.target_log2.store(self.max_log2.min(log2 + GROWTH_LOG2), Relaxed);
        self.pending.store(1 << log2, Relaxed);
        self.finish_growing(keep_going)
    }

    /// Resumes growing if it was interrupted. Returns whether it completed.
    pub(super) fn finish_growing(&self, mut keep_going: impl FnMut() -> bool) -> bool {
        let (log2, target_log2) = (self.log2.load(Relaxed), self.target_log2.load(Relaxed));
        let (by, rest) = (target_log2 - log2, self.bits - target_log2);
        let mut pending = self.pending.load(Relaxed);
        // Buckets move to equal or higher indices, so processing them from the last to the first overwrites nothing. The slots
        // above them are empty.
        while pending > 0 {
            if pending.is_multiple_of((POLL_BUCKETS >> by).max(1)) && !keep_going() {
                return false;
            }
            pending -= 1;
            self.pending.store(pending, Relaxed);
            let here = &self.slots[BUCKET_SIZE * pending..BUCKET_SIZE * (pending + 1)];
            let old: [u64; BUCKET_SIZE] = std::array::from_fn(|slot| here[slot].swap(0, Relaxed));
            let first = (BUCKET_SIZE * pending) << by;
            for entry in old.into_iter().filter(|entry| entry & 0xff != 0) {
                let key = entry >> 16;
                let bucket = first + BUCKET_SIZE * (key >> rest) as usize;
                let taken = usize::from(self.slots[bucket].load(Relaxed) != 0);
                self.slots[bucket + taken].store((key & ((1 << rest) - 1)) << 16 | entry & 0xffff, Relaxed);
            }
        }
        self.log2.store(target_log2, Relaxed);
        true
    }

    /// Returns the first slot of a key's bucket, and the part of the key that is stored.
    #[inline(always)]
    fn locate(&self, key: u64) -> (usize, u64) {
        let hashed = key.wrapping_mul(HASH_MULTIPLIER) & u64::MAX >> (64 - self.bits);
        let rest = self.bits - self.log2.load(Relaxed);
        (BUCKET_SIZE * (hashed >> rest) as usize, hashed & ((1 << rest) - 1))
    }

    /// Prefetches a key's bucket.
    #[inline(always)]
    pub(super) fn prefetch(&self, key: u64) {
        prefetch(&self.slots[self.locate(key).0]);
    }

    #[inline(always)]
    pub(super) fn probe(&self, key: u64) -> Option<Bound> {
        let (first, rest) = self.locate(key);
        for slot in &self.slots[first..first + BUCKET_SIZE] {
            let entry = slot.load(Relaxed);
            if entry >> 16 == rest && entry & 0xff != 0 {
                return Some(Bound {
                    value: (entry >> 1 & 0x7f) as i32 - VALUE_OFFSET,
                    is_lower: entry & 1 != 0,
                    column: (entry >> 8 & 7) as u32,
                });
            }
        }
        None
    }

    /// Returns the stored bound of a key if it decides whether the score is above `alpha`.
    #[inline(always)]
    pub(super) fn probe_cutoff(&self, key: u64, alpha: i32) -> Option<i32> {
        self.probe(key)?.cutoff(alpha)
    }

    /// Stores a bound that took about `nodes` nodes to find.
    #[inline(always)]
    pub(super) fn store(&self, key: u64, bound: Bound, nodes: u64) {
        let (first, rest) = self.locate(key);
        let effort = u64::from((nodes | 1).ilog2().min(31));
        let value = ((bound.value + VALUE_OFFSET) as u64) << 1 | u64::from(bound.is_lower);
        let entry = rest << 16 | effort << 11 | u64::from(bound.column & 7) << 8 | value;
        let [preferred, always] = [&self.slots[first], &self.slots[first + 1]];
        let old = preferred.load(Relaxed);
        if old >> 16 == rest || effort >= old >> 11 & 0x1f {
            if old >> 16 != rest {
                always.store(old, Relaxed);
            }
            preferred.store(entry, Relaxed);
        } else {
            always.store(entry, Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn growing_keeps_all_entries_and_clearing_removes_them() {
        let mut table = TranspositionTable::new(4 << 20, 49);
        let bound =
            |key: u64| Bound { value: (key % 43) as i32 - 21, is_lower: key.is_multiple_of(2), column: (key % 7) as u32 };
        let keys: Vec<u64> = (1..20_000).map(|n| n * 28_147_497_671).collect();
        for &key in &keys {
            table.store(key, bound(key), key % 1000);
        }
        let known: Vec<u64> = keys.iter().copied().filter(|&key| table.probe(key).is_some()).collect();
        assert!(known.len() > 15_000);
        while table.nodes_before_growth().is_some() {
            let mut polls = 3;
            // Growing is interrupted repeatedly.
            let done = table.grow(|| false);
            assert!(!done);
            while !table.finish_growing(|| {
                polls -= 1;
                polls % 2 == 0
            }) {}
            assert!(known.iter().all(|&key| table.probe(key) == Some(bound(key))));
        }
        assert!(table.bytes() <= 4 << 20);
        assert!(keys.iter().all(|key| table.probe(key + 1).is_none()));
        table.clear();
        assert!(keys.iter().all(|&key| table.probe(key).is_none()));
    }

    #[test]
    fn can_be_cleared_while_growing() {
        let mut table = TranspositionTable::new(4 << 20, 49);
        let bound = Bound { value: 3, is_lower: true, column: 2 };
        table.store(77, bound, 1);
        let mut left = 2;
        assert!(!table.grow(|| {
            left -= 1;
            left > 0
        }));
        table.clear();
        assert_eq!(table.probe(77), None);
        assert!(table.nodes_before_growth().is_some());
        assert!(table.slots.iter().all(|slot| slot.load(Relaxed) == 0));
    }

    #[test]
    fn entries_of_higher_effort_are_retained() {
        let table = TranspositionTable::new(1 << 10, 49);
        let bound = Bound { value: 3, is_lower: true, column: 2 };
        table.store(1, bound, 1 << 20);
        for key in 2..10_000 {
            table.store(key, bound, 1);
        }
        assert_eq!(table.probe(1), Some(bound));
    }
}
