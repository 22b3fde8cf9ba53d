//! What the solver remembers: bounds of positions, in memory of a fixed size that threads share without locks.
//!
//! A key of `bits` bits is scrambled by a bijection; its upper part says the bucket, its lower part is kept. So an entry is found for its
//! own position only, although it takes eight bytes:
//!
//! ```text
//!  63           16 15     11 10     8 7     1      0
//! | rest of the key | effort | column | value | at least |
//! ```

use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

/// Entries of a bucket: the first keeps what cost most, the second what came last.
const SLOTS: usize = 2;
/// An odd number with many ones far apart.
const SCRAMBLE: u64 = 0x9e37_79b9_7f4a_7c15;
/// Bits that an entry has for the rest of the key.
const KEPT: u32 = 48;
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

pub(super) struct Table {
    slots: Box<[AtomicU64]>,
    /// Bits of a key.
    bits: u32,
    /// Buckets are two to this power.
    log: u32,
}

impl Table {
    /// An empty table for keys of `bits` bits that takes at most `bytes`, if that is 1 MiB or more.
    pub(super) fn new(bytes: usize, bits: u32) -> Table {
        let least = bits.saturating_sub(KEPT).max(6);
        let log = (bytes / (SLOTS * size_of::<u64>())).max(1).ilog2().clamp(least, bits.max(least + 1) - 1);
        Table { slots: bytemuck::zeroed_slice_box(SLOTS << log), bits: bits.max(log + 1), log }
    }

    pub(super) fn bytes(&self) -> usize {
        size_of_val(&*self.slots)
    }

    pub(super) fn clear(&mut self) {
        for slot in &mut self.slots {
            *slot.get_mut() = 0;
        }
    }

    /// The first slot of a key's bucket, and what is kept of the key.
    #[inline(always)]
    fn place(&self, key: u64) -> (usize, u64) {
        let scrambled = key.wrapping_mul(SCRAMBLE) & u64::MAX >> (64 - self.bits);
        let rest = self.bits - self.log;
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
