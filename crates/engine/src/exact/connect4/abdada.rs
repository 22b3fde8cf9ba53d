//! Simplified ABDADA (Weill 1996): tracks the positions being searched, so that threads search different moves first.

use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

/// Number of slots, a power of two; far more than the number of positions active at any time.
const SLOTS: usize = 1 << 12;
/// Depth of the trunk in plies from the root; duplicated searches are most expensive there.
const TRUNK: i32 = 8;

/// Hash set of the positions being searched. A collision overwrites an entry, which at worst duplicates work.
pub(super) struct ActivePositions {
    keys: Box<[AtomicU64]>,
    /// Ply at which the trunk ends.
    trunk: i32,
}

impl ActivePositions {
    /// Returns an empty set for a search whose root has `ply` discs.
    pub(super) fn new(ply: i32) -> ActivePositions {
        ActivePositions { keys: (0..SLOTS).map(|_| AtomicU64::new(0)).collect(), trunk: ply + TRUNK }
    }

    /// Number of leading moves that are never deferred at `ply`: the others often need no search once these have a result.
    pub(super) fn undeferred_moves(&self, ply: i32) -> usize {
        if ply < self.trunk { 2 } else { 1 }
    }

    fn slot(&self, key: u64) -> &AtomicU64 {
        &self.keys[crate::rng::mix(key) as usize % SLOTS]
    }

    /// Whether a thread is searching a position.
    pub(super) fn contains(&self, key: u64) -> bool {
        self.slot(key).load(Relaxed) == key
    }

    /// Marks a position as being searched.
    pub(super) fn start(&self, key: u64) {
        self.slot(key).store(key, Relaxed);
    }

    /// Removes a position.
    pub(super) fn finish(&self, key: u64) {
        let _ = self.slot(key).compare_exchange(key, 0, Relaxed, Relaxed);
    }
}
