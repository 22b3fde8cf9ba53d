//! The data that enhancements store alongside the nodes: one column of atomic integers per quantity, indexed by slot.

use std::ops::Range;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicU32, AtomicU64};

use bytemuck::Zeroable;

use super::serialization::Reader;
use crate::large::Large;

/// One integer per slot of the tree, initially 0.
pub(super) struct Column<A>(Large<A>);

impl<A: Zeroable> Column<A> {
    pub(super) fn new(slots: usize) -> Column<A> {
        Column(Large::zeroed(slots))
    }

    #[inline(always)]
    pub(super) fn get(&self, slot: u32) -> &A {
        &self.0[slot as usize]
    }

    #[inline(always)]
    pub(super) fn block(&self, slots: Range<u32>) -> &[A] {
        &self.0[slots.start as usize..slots.end as usize]
    }
}

/// The operations that the tree performs on every column.
pub(super) trait AnyColumn {
    /// Memory per slot in bytes.
    fn bytes(&self) -> usize;
    fn reset(&self, slot: u32);
    fn copy(&self, from: u32, to: u32);
    /// Appends the value of a slot to `bytes`.
    fn write(&self, slot: u32, bytes: &mut Vec<u8>);
    /// Reads what [`AnyColumn::write`] wrote; `None` if the data ends too early.
    fn read(&self, slot: u32, reader: &mut Reader) -> Option<()>;
}

macro_rules! columns {
    ($($atomic:ty: $int:ty),*) => {$(
        impl AnyColumn for Column<$atomic> {
            fn bytes(&self) -> usize {
                size_of::<$int>()
            }

            fn reset(&self, slot: u32) {
                self.get(slot).store(0, Relaxed);
            }

            fn copy(&self, from: u32, to: u32) {
                self.get(to).store(self.get(from).load(Relaxed), Relaxed);
            }

            fn write(&self, slot: u32, bytes: &mut Vec<u8>) {
                bytes.extend(self.get(slot).load(Relaxed).to_le_bytes());
            }

            fn read(&self, slot: u32, reader: &mut Reader) -> Option<()> {
                self.get(slot).store(<$int>::from_le_bytes(reader.take()?), Relaxed);
                Some(())
            }
        }
    )*};
}

columns!(AtomicU32: u32, AtomicU64: u64);
