//! The transposition table: what earlier searches found, in memory of a fixed size.

use bytemuck::Zeroable;

use super::{MOST_PLIES, WIN};
use crate::large::Large;

/// What a stored value says of the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// The true value is at most this.
    Upper,
    /// The true value is at least this.
    Lower,
    /// This is the value.
    Exact,
}

/// What is known of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    /// For the side to move.
    pub(super) value: i32,
    pub(super) bound: Bound,
    /// Plies searched below the position.
    pub(super) depth: i32,
    /// The best move, or the one that refuted the position.
    pub(super) code: u16,
    /// Whether some leaf below was valued by rule of thumb: otherwise the value holds at any depth.
    pub(super) guessed: bool,
}

/// An entry in sixteen bytes. An empty one has kind 0.
#[derive(Clone, Copy, Default, Zeroable)]
struct Slot {
    key: u64,
    value: i16,
    code: u16,
    depth: u8,
    /// Bits 0 and 1: 1 upper, 2 lower, 3 exact; bit 2: guessed.
    kind: u8,
}

/// Slots that share a cache line.
const BUCKET: usize = 4;
/// Buckets in use at first: what a processor's own cache holds.
const AT_FIRST: usize = 1 << 12;

/// The table. It uses a small part of its memory at first and more as it fills: a short search stays in the processor's cache, and the
/// machine gives the rest only when it is needed.
pub(super) struct Table {
    /// They begin at the beginning of a cache line, and so does every bucket.
    slots: Large<Slot>,
    /// Buckets in use.
    buckets: usize,
    /// Buckets there is room for.
    most: usize,
    /// Entries that went into empty slots.
    filled: usize,
}

impl Table {
    /// A table of at most `bytes`, and of two buckets at least.
    pub(super) fn new(bytes: usize) -> Table {
        let slots = Large::<Slot>::zeroed((bytes / size_of::<Slot>()).max(2 * BUCKET));
        let most = slots.len() / BUCKET;
        Table { slots, buckets: most.min(AT_FIRST), most, filled: 0 }
    }

    /// Memory the table may come to take.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(&*self.slots)
    }

    #[inline]
    fn bucket(&self, key: u64) -> std::ops::Range<usize> {
        let index = ((u128::from(key) * self.buckets as u128) >> 64) as usize;
        let start = index * BUCKET;
        start..start + BUCKET
    }

    /// Asks the machine to fetch what may be known of a position that is looked up soon.
    #[inline]
    pub(super) fn prefetch(&self, key: u64) {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            let bucket = self.slots.as_ptr().wrapping_add(self.bucket(key).start);
            // SAFETY: a prefetch is a hint; it neither faults nor changes what the program sees, whatever the address.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(bucket.cast()) };
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = key;
    }

    /// What is known of a position `ply` plies from the root.
    #[inline]
    pub(super) fn probe(&self, key: u64, ply: i32) -> Option<Entry> {
        let slot = self.slots[self.bucket(key)].iter().find(|slot| slot.kind != 0 && slot.key == key)?;
        let bound = match slot.kind & 3 {
            1 => Bound::Upper,
            2 => Bound::Lower,
            _ => Bound::Exact,
        };
        let value = from_node(slot.value.into(), ply);
        Some(Entry { value, bound, depth: slot.depth.into(), code: slot.code, guessed: slot.kind & 4 != 0 })
    }

    /// Keeps an entry in the place of the same position, of nothing, or of the shallowest search in its bucket.
    #[inline]
    pub(super) fn store(&mut self, key: u64, ply: i32, entry: Entry) {
        let bound = match entry.bound {
            Bound::Upper => 1,
            Bound::Lower => 2,
            Bound::Exact => 3,
        };
        self.put(Slot {
            key,
            value: to_node(entry.value, ply) as i16,
            code: entry.code,
            depth: entry.depth.clamp(0, 255) as u8,
            kind: bound | u8::from(entry.guessed) << 2,
        });
        // With one slot in eight taken, few buckets are full.
        if 2 * self.filled > self.buckets && self.buckets < self.most {
            self.grow();
        }
    }

    #[inline]
    fn put(&mut self, new: Slot) {
        let bucket = self.bucket(new.key);
        let worth = |slot: &Slot| match slot {
            slot if slot.kind == 0 || slot.key == new.key => -1,
            slot => i32::from(slot.depth),
        };
        if let Some(slot) = self.slots[bucket].iter_mut().min_by_key(|slot| worth(slot)) {
            self.filled += usize::from(slot.kind == 0);
            *slot = new;
        }
    }

    /// Doubles the part in use. Places grow with the keys, so an entry never moves down: from the last bucket to the first, none is
    /// met twice.
    #[cold]
    fn grow(&mut self) {
        let before = self.buckets;
        (self.buckets, self.filled) = (self.most.min(before * 2), 0);
        for index in (0..before).rev() {
            let start = index * BUCKET;
            let mut bucket = [Slot::default(); BUCKET];
            bucket.swap_with_slice(&mut self.slots[start..start + BUCKET]);
            bucket.into_iter().filter(|slot| slot.kind != 0).for_each(|slot| self.put(slot));
        }
    }
}

/// A win counted from the root, counted from the node instead: the same position may be met at another ply.
fn to_node(value: i32, ply: i32) -> i32 {
    match value {
        value if value >= WIN - MOST_PLIES => value + ply,
        value if value <= MOST_PLIES - WIN => value - ply,
        value => value,
    }
}

/// The inverse of [`to_node`].
fn from_node(value: i32, ply: i32) -> i32 {
    match value {
        value if value >= WIN - MOST_PLIES => value - ply,
        value if value <= MOST_PLIES - WIN => value + ply,
        value => value,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::mix;

    fn entry(value: i32, depth: i32) -> Entry {
        Entry { value, bound: Bound::Exact, depth, code: 7, guessed: true }
    }

    #[test]
    fn what_is_stored_is_found_again() {
        let mut table = Table::new(1 << 12);
        table.store(42, 3, entry(-55, 4));
        assert_eq!(table.probe(42, 9), Some(entry(-55, 4)));
        assert_eq!(table.probe(43, 9), None);
    }

    #[test]
    fn a_win_is_counted_from_where_it_is_met() {
        let mut table = Table::new(1 << 12);
        table.store(1, 4, entry(WIN - 6, 4));
        assert_eq!(table.probe(1, 7).map(|entry| entry.value), Some(WIN - 9));
        table.store(2, 4, entry(6 - WIN, 4));
        assert_eq!(table.probe(2, 0).map(|entry| entry.value), Some(2 - WIN));
    }

    #[test]
    fn a_table_that_grows_forgets_next_to_nothing() {
        let mut table = Table::new(3 << 20);
        assert_eq!(table.buckets, AT_FIRST);
        let count = table.most as u64;
        let value = |number: u64| (number % 1000) as i32;
        for number in 0..count {
            table.store(mix(number), 0, entry(value(number), 3));
        }
        assert_eq!(table.buckets, table.most);
        let kept = (0..count).filter(|&number| table.probe(mix(number), 0) == Some(entry(value(number), 3))).count();
        assert!(kept as u64 > count * 98 / 100, "{kept} of {count}");
    }

    #[test]
    fn the_shallowest_makes_room_and_memory_stays_within_the_cap() {
        assert!(Table::new(1000).bytes() <= 1000);
        let mut table = Table::new(0);
        for key in 0..5 {
            table.store(key, 0, entry(0, 5 - key as i32));
        }
        assert_eq!((0..5).filter(|&key| table.probe(key, 0).is_some()).collect::<Vec<u64>>(), [0, 1, 2, 4]);
    }
}
