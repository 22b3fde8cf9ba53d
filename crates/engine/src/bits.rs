//! Bits of a word, as cells of a board.

/// The `n`-th set bit (0 = lowest) alone in a word; `n` must be below `word.count_ones()`.
#[inline(always)]
pub(crate) fn nth_bit(word: u64, n: u32) -> u64 {
    #[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
    {
        // SAFETY: the function exists on every processor with BMI2, and this line is compiled only where the
        // whole program already requires BMI2.
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

/// The bits of `word` that stand in `mask`, pushed together at the low end.
#[inline(always)]
pub(crate) fn gather(word: u32, mask: u32) -> u32 {
    #[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
    {
        // SAFETY: as above.
        unsafe { std::arch::x86_64::_pext_u32(word, mask) }
    }
    #[cfg(not(all(target_arch = "x86_64", target_feature = "bmi2")))]
    {
        let (mut gathered, mut place) = (0, 0);
        each_bit(mask.into(), |bit| {
            gathered |= (word >> bit & 1) << place;
            place += 1;
        });
        gathered
    }
}

/// The low bits of `word` dealt out to the bits of `mask`: the inverse of [`gather`].
#[inline(always)]
pub(crate) fn scatter(word: u32, mask: u32) -> u32 {
    #[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
    {
        // SAFETY: as above.
        unsafe { std::arch::x86_64::_pdep_u32(word, mask) }
    }
    #[cfg(not(all(target_arch = "x86_64", target_feature = "bmi2")))]
    {
        let (mut scattered, mut place) = (0, 0);
        each_bit(mask.into(), |bit| {
            scattered |= (word >> place & 1) << bit;
            place += 1;
        });
        scattered
    }
}

/// Calls `visit` with the position of each set bit, lowest first.
#[inline(always)]
pub(crate) fn each_bit(mut word: u64, mut visit: impl FnMut(u32)) {
    while word != 0 {
        visit(word.trailing_zeros());
        word &= word - 1;
    }
}
