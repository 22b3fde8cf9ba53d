//! Bit operations on words that represent sets of squares.

/// Isolates the `n`-th lowest set bit of `word`, counting from 0. `n` must be below `word.count_ones()`.
#[inline(always)]
pub(crate) fn nth_bit(word: u64, n: u32) -> u64 {
    #[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
    {
        // SAFETY: this is compiled only for targets with BMI2, which provides the instruction.
        unsafe { std::arch::x86_64::_pdep_u64(1 << n, word) }
    }
    #[cfg(not(all(target_arch = "x86_64", target_feature = "bmi2")))]
    {
        let mut rest = word;
        for _ in 0..n {
            rest &= rest - 1;
        }
        rest & rest.wrapping_neg()
    }
}

/// Extracts the bits of `word` selected by `mask` into the low bits (PEXT).
#[inline(always)]
pub(crate) fn gather(word: u32, mask: u32) -> u32 {
    #[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
    {
        // SAFETY: as above.
        unsafe { std::arch::x86_64::_pext_u32(word, mask) }
    }
    #[cfg(not(all(target_arch = "x86_64", target_feature = "bmi2")))]
    {
        let (mut gathered, mut index) = (0, 0);
        each_bit(mask.into(), |bit| {
            gathered |= (word >> bit & 1) << index;
            index += 1;
        });
        gathered
    }
}

/// Deposits the low bits of `word` at the set bits of `mask` (PDEP); the inverse of [`gather`].
#[inline(always)]
pub(crate) fn scatter(word: u32, mask: u32) -> u32 {
    #[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
    {
        // SAFETY: as above.
        unsafe { std::arch::x86_64::_pdep_u32(word, mask) }
    }
    #[cfg(not(all(target_arch = "x86_64", target_feature = "bmi2")))]
    {
        let (mut scattered, mut index) = (0, 0);
        each_bit(mask.into(), |bit| {
            scattered |= (word >> index & 1) << bit;
            index += 1;
        });
        scattered
    }
}

/// Calls `visit` with the index of each set bit, lowest first.
#[inline(always)]
pub(crate) fn each_bit(mut word: u64, mut visit: impl FnMut(u32)) {
    while word != 0 {
        visit(word.trailing_zeros());
        word &= word - 1;
    }
}
