//! Large zero-initialised arrays, mapped directly from the operating system and backed by huge pages where possible.
//!
//! Accesses to search trees and tables are random. With 4 KiB pages, TLB misses cost as much as the accesses themselves and page
//! faults occur every few nodes, so these arrays request transparent huge pages.

use std::alloc::Layout;
use std::ops::{Deref, DerefMut};
use std::ptr::NonNull;

use bytemuck::Zeroable;
use memmap2::{MmapMut, MmapRaw};

/// The size of a huge page in bytes.
const HUGE_PAGE: usize = 2 << 20;
/// The minimum page size of all supported platforms, in bytes.
const SMALL_PAGE: usize = 4096;
/// The number of bytes at the start of an array that stay on small pages, so that a short search need not zero a huge page.
const HEAD: usize = 256 << 10;

/// Prefetches the cache line of an element that will be read soon.
#[inline(always)]
pub(crate) fn prefetch<T>(element: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch is a hint that neither faults nor has visible effects, whatever the address.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(element).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = element;
}

/// An owned slice, initially all zeros. If it is at least as large as a huge page, it starts [`HEAD`] bytes before a huge-page boundary.
pub(crate) struct Large<T> {
    first: NonNull<T>,
    len: usize,
    /// The mapping that contains the slice; `None` if the slice is empty.
    _map: Option<MmapRaw>,
}

// SAFETY: `Large` owns its elements like a box; the pointer is not shared.
unsafe impl<T: Send> Send for Large<T> {}
// SAFETY: as above; a shared reference to it yields only shared references.
unsafe impl<T: Sync> Sync for Large<T> {}

impl<T: Zeroable> Large<T> {
    /// Allocates `len` zeroed elements. Aborts if memory is exhausted, like other allocations.
    pub(crate) fn zeroed(len: usize) -> Large<T> {
        const { assert!(!std::mem::needs_drop::<T>() && align_of::<T>() <= SMALL_PAGE) };
        let Ok(layout) = Layout::array::<T>(len) else { panic!("an array of {len} elements exceeds the address space") };
        if layout.size() == 0 {
            return Large::default();
        }
        let padding = if layout.size() < HUGE_PAGE { 0 } else { HUGE_PAGE };
        let Ok(map) = MmapMut::map_anon(layout.size() + padding) else { std::alloc::handle_alloc_error(layout) };
        let skipped = if padding == 0 { 0 } else { map.as_ptr().wrapping_add(HEAD).align_offset(HUGE_PAGE).min(padding) };
        #[cfg(target_os = "linux")]
        if padding > 0 {
            // If the kernel rejects the request, the mapping uses small pages.
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
        // SAFETY: the mapping is owned and lives as long as `self`; `first` is page-aligned and followed by space for `len` elements,
        // which were initially zero and thus valid because `zeroed` requires `T: Zeroable`. An empty slice may have any aligned pointer.
        unsafe { std::slice::from_raw_parts(self.first.as_ptr(), self.len) }
    }
}

impl<T> DerefMut for Large<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: as above; the exclusive borrow rules out other references to the mapping.
        unsafe { std::slice::from_raw_parts_mut(self.first.as_ptr(), self.len) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrays_of_any_length_are_zeroed_and_writable() {
        for len in [0, 1, 1000, HUGE_PAGE / 8 - 1, HUGE_PAGE / 8, HUGE_PAGE + 3] {
            let mut large: Large<u64> = Large::zeroed(len);
            assert_eq!(large.len(), len);
            assert!(large.iter().all(|&value| value == 0));
            for (index, value) in large.iter_mut().enumerate() {
                *value = index as u64;
            }
            assert!(large.iter().enumerate().all(|(index, &value)| value == index as u64));
        }
    }

    #[test]
    fn long_arrays_are_huge_page_aligned_after_the_head() {
        let large: Large<u8> = Large::zeroed(HUGE_PAGE);
        assert_eq!(large[HEAD..].as_ptr().align_offset(HUGE_PAGE), 0);
    }
}
