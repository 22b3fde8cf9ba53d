//! What several threads are at, so that they do not search the same moves at the same time (Weill 1996, ABDADA).

use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

/// Keys at a time, a power of two: far more than threads are deep.
const PLACES: usize = 1 << 12;
/// Plies from the question in which a move searched for nothing costs most.
const TRUNK: i32 = 8;

/// Keys of positions that are being searched. Two may want the same place: then one is forgotten, and work is done twice.
pub(super) struct Busy {
    keys: Box<[AtomicU64]>,
    /// Discs on the board where the trunk ends.
    trunk: i32,
}

impl Busy {
    /// Nobody is at anything; the question is about a position with so many discs.
    pub(super) fn new(ply: i32) -> Busy {
        Busy { keys: (0..PLACES).map(|_| AtomicU64::new(0)).collect(), trunk: ply + TRUNK }
    }

    /// How many moves of a position with so many discs all threads begin with: the others often need no answer once these have one.
    pub(super) fn begun_by_all(&self, ply: i32) -> usize {
        if ply < self.trunk { 2 } else { 1 }
    }

    fn place(&self, key: u64) -> &AtomicU64 {
        &self.keys[crate::rng::mix(key) as usize % PLACES]
    }

    /// Whether somebody is at a position.
    pub(super) fn holds(&self, key: u64) -> bool {
        self.place(key).load(Relaxed) == key
    }

    /// Begins with a position.
    pub(super) fn enter(&self, key: u64) {
        self.place(key).store(key, Relaxed);
    }

    /// Is done with it.
    pub(super) fn leave(&self, key: u64) {
        let _ = self.place(key).compare_exchange(key, 0, Relaxed, Relaxed);
    }
}
