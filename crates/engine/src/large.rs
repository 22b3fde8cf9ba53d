//! Large arrays: zeroed memory straight from the system, which gives it piece by piece as it is first touched.
//!
//! Trees and tables are looked at all over. In pages of 4 KiB, looking up the addresses costs as much as reading what is there, and a
//! search that grows pays for a fault every few nodes; so the system is asked for large pages.

use std::alloc::Layout;
use std::ops::{Deref, DerefMut};
use std::ptr::NonNull;

use bytemuck::Zeroable;
use memmap2::{MmapMut, MmapRaw};

/// The size of a large page.
const PAGE: usize = 2 << 20;
/// The size of a page at least, wherever the program runs.
const SMALL_PAGE: usize = 4096;
/// The beginning of an array that stays in small pages: a search of a few simulations needs no more, and is not to wait for a large page
/// to be filled with zeros.
const HEAD: usize = 256 << 10;

/// A slice of its own that begins as zeros and, where it is as long as a large page, [`HEAD`] bytes before the beginning of one.
pub(crate) struct Large<T> {
    first: NonNull<T>,
    len: usize,
    /// Where it lies; nothing for a slice without elements.
    _map: Option<MmapRaw>,
}

// SAFETY: it owns its elements as a box does; the pointer goes nowhere else.
unsafe impl<T: Send> Send for Large<T> {}
// SAFETY: as above; a shared one gives out shared references only.
unsafe impl<T: Sync> Sync for Large<T> {}

impl<T: Zeroable> Large<T> {
    /// So many elements, all zero. Where the system has no room for them the program ends, as it does wherever memory is short.
    pub(crate) fn zeroed(len: usize) -> Large<T> {
        const { assert!(!std::mem::needs_drop::<T>() && align_of::<T>() <= SMALL_PAGE) };
        let Ok(layout) = Layout::array::<T>(len) else { panic!("{len} elements are more than any memory holds") };
        if layout.size() == 0 {
            return Large::default();
        }
        let room = if layout.size() < PAGE { 0 } else { PAGE };
        let Ok(map) = MmapMut::map_anon(layout.size() + room) else { std::alloc::handle_alloc_error(layout) };
        let skipped = if room == 0 { 0 } else { map.as_ptr().wrapping_add(HEAD).align_offset(PAGE).min(room) };
        #[cfg(target_os = "linux")]
        if room > 0 {
            // Where this is refused there are small pages.
            let _ = map.advise_range(memmap2::Advice::HugePage, skipped + HEAD, layout.size() - HEAD);
        }
        let map = MmapRaw::from(map);
        let first = NonNull::new(map.as_mut_ptr().wrapping_add(skipped)).map_or(NonNull::dangling(), NonNull::cast);
        Large { first, len, _map: Some(map) }
    }
}

impl<T> Default for Large<T> {
    fn default() -> Large<T> {
        Large { first: NonNull::dangling(), len: 0, _map: None }
    }
}

impl<T> Deref for Large<T> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        // SAFETY: the mapping is its own and lives as long as it does; `first` is at the beginning of a page, with room for `len` elements
        // behind it, and all was zero at first, which `T: Zeroable` (asked for where one is made) allows. Without elements any aligned
        // pointer will do.
        unsafe { std::slice::from_raw_parts(self.first.as_ptr(), self.len) }
    }
}

impl<T> DerefMut for Large<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: as above; nobody else reaches the mapping while this is borrowed for change.
        unsafe { std::slice::from_raw_parts_mut(self.first.as_ptr(), self.len) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrays_of_any_length_are_zero_and_can_be_written() {
        for len in [0, 1, 1000, PAGE / 8 - 1, PAGE / 8, PAGE + 3] {
            let mut large: Large<u64> = Large::zeroed(len);
            assert_eq!(large.len(), len);
            assert!(large.iter().all(|&number| number == 0));
            for (index, number) in large.iter_mut().enumerate() {
                *number = index as u64;
            }
            assert!(large.iter().enumerate().all(|(index, &number)| number == index as u64));
        }
    }

    #[test]
    fn long_ones_have_their_head_before_a_large_page() {
        let large: Large<u8> = Large::zeroed(PAGE);
        assert_eq!(large[HEAD..].as_ptr().align_offset(PAGE), 0);
    }
}
