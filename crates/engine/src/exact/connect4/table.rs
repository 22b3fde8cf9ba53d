//! What the solver remembers: bounds of positions, in memory of a fixed size that threads share without locks.
//!
//! A key of `bits` bits is scrambled by a bijection; its upper part says the bucket, its lower part is kept. So an entry is found for its
//! own position only, although it takes eight bytes:
//!
//! ```text
//!  63           16 15     11 10     8 7     1      0
//! | rest of the key | effort | column | value | at least |
//! ```

use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize};

use crate::large::Large;

/// Entries of a bucket: the first keeps what cost most, the second what came last.
const SLOTS: usize = 2;
/// A table begins with two to this power of buckets: half a mebibyte.
const SMALL: u32 = 15;
/// So many, two mebibytes, stay in the caches of a core.
const CACHED: u32 = 17;
/// Growing makes it larger by two to this power.
const GROWTH: u32 = 2;
/// An odd number with many ones far apart.
const SCRAMBLE: u64 = 0x9e37_79b9_7f4a_7c15;
/// Bits that an entry has for the rest of the key.
const KEPT: u32 = 48;
/// Buckets of the grown table that are filled between two looks at whether to go on: a mebibyte, which takes less than a millisecond.
const STRIDE: usize = 1 << 16;
/// Values are kept as numbers above 0.
const ZERO: i32 = 64;

/// A bound of a position's score, for its side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bound {
    pub(super) value: i32,
    /// Whether the score is at least the value; otherwise it is at most that.
    pub(super) at_least: bool,
    /// The column that proved it, 0 to 7; a hint.
    pub(super) column: u32,
}

impl Bound {
    /// What it says to the question whether the score is above `alpha`: a bound on that side of it, if anything.
    #[inline(always)]
    pub(super) fn answers(self, alpha: i32) -> Option<i32> {
        (self.at_least == (self.value > alpha)).then_some(self.value)
    }
}

pub(super) struct Table {
    slots: Large<AtomicU64>,
    /// Bits of a key.
    bits: u32,
    /// Buckets in use are two to this power.
    log: AtomicU32,
    /// While the table grows, what `log` will be.
    goal: AtomicU32,
    /// Buckets that have not moved yet while it grows; 0 otherwise.
    unmoved: AtomicUsize,
    least: u32,
    most: u32,
}

impl Table {
    /// An empty table for keys of `bits` bits that takes at most `bytes`, if that is 1 MiB or more.
    pub(super) fn new(bytes: usize, bits: u32) -> Table {
        let needed = bits.saturating_sub(KEPT).max(6);
        let most = (bytes / (SLOTS * size_of::<u64>())).max(1).ilog2().clamp(needed, bits.max(needed + 1) - 1);
        let slots = Large::zeroed(SLOTS << most);
        let least = SMALL.clamp(needed, most);
        let (log, goal, unmoved) = (AtomicU32::new(least), AtomicU32::new(least), AtomicUsize::new(0));
        Table { slots, bits: bits.max(most + 1), log, goal, unmoved, least, most }
    }

    /// The same, of its full size from the beginning.
    pub(super) fn grown(bytes: usize, bits: u32) -> Table {
        let mut table = Table::new(bytes, bits);
        table.least = table.most;
        table.clear();
        table
    }

    pub(super) fn bytes(&self) -> usize {
        size_of_val(&*self.slots)
    }

    pub(super) fn clear(&mut self) {
        for slot in &mut self.slots[..SLOTS << *self.goal.get_mut()] {
            *slot.get_mut() = 0;
        }
        (*self.log.get_mut(), *self.goal.get_mut(), *self.unmoved.get_mut()) = (self.least, self.least, 0);
    }

    /// Nodes that a search may visit before the table should grow, if it can.
    ///
    /// What cost most stays, so a table that is a thousand times too small costs a third more nodes; one that no longer fits in the
    /// caches costs twice the time a node.
    pub(super) fn patience(&self) -> Option<u64> {
        let log = self.log.load(Relaxed);
        let entries = (SLOTS as u64) << log;
        (log < self.most).then_some(match log {
            ..=CACHED if log + GROWTH <= CACHED => entries << 4,
            ..=CACHED => entries << 12,
            _ => entries / 2,
        })
    }

    /// Makes four times as much room, where it may; nothing is forgotten. Only for a thread that is alone with the table: others
    /// would look in the wrong places meanwhile. Whether it is done: where `goes_on` says no, [`Table::finish`] must do the rest
    /// before anything else is asked of the table.
    pub(super) fn grow(&self, goes_on: impl FnMut() -> bool) -> bool {
        let log = self.log.load(Relaxed);
        self.goal.store(self.most.min(log + GROWTH), Relaxed);
        self.unmoved.store(1 << log, Relaxed);
        self.finish(goes_on)
    }

    /// Goes on with a growth that was broken off, if one was. Whether it is done.
    pub(super) fn finish(&self, mut goes_on: impl FnMut() -> bool) -> bool {
        let (log, goal) = (self.log.load(Relaxed), self.goal.load(Relaxed));
        let (by, rest) = (goal - log, self.bits - goal);
        let mut unmoved = self.unmoved.load(Relaxed);
        // Each bucket becomes some that lie at or above it: from the last to the first none is in the way. What lies above all of them
        // is empty.
        while unmoved > 0 {
            if unmoved.is_multiple_of((STRIDE >> by).max(1)) && !goes_on() {
                return false;
            }
            unmoved -= 1;
            self.unmoved.store(unmoved, Relaxed);
            let here = &self.slots[SLOTS * unmoved..SLOTS * (unmoved + 1)];
            let old: [u64; SLOTS] = std::array::from_fn(|slot| here[slot].swap(0, Relaxed));
            let first = (SLOTS * unmoved) << by;
            for entry in old.into_iter().filter(|entry| entry & 0xff != 0) {
                let key = entry >> 16;
                let place = first + SLOTS * (key >> rest) as usize;
                let taken = usize::from(self.slots[place].load(Relaxed) != 0);
                self.slots[place + taken].store((key & ((1 << rest) - 1)) << 16 | entry & 0xffff, Relaxed);
            }
        }
        self.log.store(goal, Relaxed);
        true
    }

    /// The first slot of a key's bucket, and what is kept of the key.
    #[inline(always)]
    fn place(&self, key: u64) -> (usize, u64) {
        let scrambled = key.wrapping_mul(SCRAMBLE) & u64::MAX >> (64 - self.bits);
        let rest = self.bits - self.log.load(Relaxed);
        (SLOTS * (scrambled >> rest) as usize, scrambled & ((1 << rest) - 1))
    }

    /// Has the machine fetch a bucket that will be looked at soon.
    #[inline(always)]
    pub(super) fn prefetch(&self, key: u64) {
        #[cfg(target_arch = "x86_64")]
        {
            let slot = &raw const self.slots[self.place(key).0];
            // SAFETY: fetching ahead changes nothing a program can see, at any address.
            unsafe { std::arch::x86_64::_mm_prefetch::<{ std::arch::x86_64::_MM_HINT_T0 }>(slot.cast()) }
        }
    }

    #[inline(always)]
    pub(super) fn probe(&self, key: u64) -> Option<Bound> {
        let (first, rest) = self.place(key);
        for slot in &self.slots[first..first + SLOTS] {
            let entry = slot.load(Relaxed);
            if entry >> 16 == rest && entry & 0xff != 0 {
                return Some(Bound {
                    value: (entry >> 1 & 0x7f) as i32 - ZERO,
                    at_least: entry & 1 != 0,
                    column: (entry >> 8 & 7) as u32,
                });
            }
        }
        None
    }

    /// What is known to the question whether a score is above `alpha`: a bound on that side of it.
    #[inline(always)]
    pub(super) fn answer(&self, key: u64, alpha: i32) -> Option<i32> {
        self.probe(key)?.answers(alpha)
    }

    /// Keeps a bound that cost about `nodes`.
    #[inline(always)]
    pub(super) fn store(&self, key: u64, bound: Bound, nodes: u64) {
        let (first, rest) = self.place(key);
        let effort = u64::from((nodes | 1).ilog2().min(31));
        let value = ((bound.value + ZERO) as u64) << 1 | u64::from(bound.at_least);
        let entry = rest << 16 | effort << 11 | u64::from(bound.column & 7) << 8 | value;
        let [costly, latest] = [&self.slots[first], &self.slots[first + 1]];
        let old = costly.load(Relaxed);
        if old >> 16 == rest || effort >= old >> 11 & 0x1f {
            if old >> 16 != rest {
                latest.store(old, Relaxed);
            }
            costly.store(entry, Relaxed);
        } else {
            latest.store(entry, Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn growing_forgets_nothing_and_clearing_everything() {
        let mut table = Table::new(4 << 20, 49);
        let bound =
            |key: u64| Bound { value: (key % 43) as i32 - 21, at_least: key.is_multiple_of(2), column: (key % 7) as u32 };
        let keys: Vec<u64> = (1..20_000).map(|n| n * 28_147_497_671).collect();
        for &key in &keys {
            table.store(key, bound(key), key % 1000);
        }
        let known: Vec<u64> = keys.iter().copied().filter(|&key| table.probe(key).is_some()).collect();
        assert!(known.len() > 15_000);
        while table.patience().is_some() {
            let mut strides = 3;
            // Broken off again and again.
            let done = table.grow(|| false);
            assert!(!done);
            while !table.finish(|| {
                strides -= 1;
                strides % 2 == 0
            }) {}
            assert!(known.iter().all(|&key| table.probe(key) == Some(bound(key))));
        }
        assert!(table.bytes() <= 4 << 20);
        assert!(keys.iter().all(|key| table.probe(key + 1).is_none()));
        table.clear();
        assert!(keys.iter().all(|&key| table.probe(key).is_none()));
    }

    #[test]
    fn a_table_can_be_cleared_while_it_grows() {
        let mut table = Table::new(4 << 20, 49);
        let bound = Bound { value: 3, at_least: true, column: 2 };
        table.store(77, bound, 1);
        let mut left = 2;
        assert!(!table.grow(|| {
            left -= 1;
            left > 0
        }));
        table.clear();
        assert_eq!(table.probe(77), None);
        assert!(table.patience().is_some());
        assert!(table.slots.iter().all(|slot| slot.load(Relaxed) == 0));
    }

    #[test]
    fn what_cost_more_stays() {
        let table = Table::new(1 << 10, 49);
        let bound = Bound { value: 3, at_least: true, column: 2 };
        table.store(1, bound, 1 << 20);
        for key in 2..10_000 {
            table.store(key, bound, 1);
        }
        assert_eq!(table.probe(1), Some(bound));
    }
}
