//! Board shapes and lines.

use std::fmt;

use crate::bits::each_bit;

/// The size of a board and the length of a line; compile-time constants for the standard game.
pub trait Shape: Copy + Eq + fmt::Debug + Send + Sync + 'static {
    /// The number of columns.
    fn columns(self) -> u32;
    /// The number of rows.
    fn rows(self) -> u32;
    /// The length of a winning line.
    fn line(self) -> u32;

    /// The lowest cell of each column.
    fn bottom(self) -> u64;

    /// All cells.
    #[inline(always)]
    fn full(self) -> u64 {
        // Each column is 2^rows - 1 times its lowest bit.
        self.bottom().wrapping_mul((1 << self.rows()) - 1)
    }

    /// The cells that would complete a line with `cells`. May include occupied cells.
    #[inline]
    fn completing(self, cells: u64) -> u64 {
        let mut found = 0;
        each_bit(self.full() & !cells, |bit| found |= u64::from(self.has_line(cells | 1 << bit)) << bit);
        found
    }

    /// Whether a set of cells contains a winning line.
    #[inline(always)]
    fn has_line(self, cells: u64) -> bool {
        let height = self.rows() + 1;
        [1, height - 1, height, height + 1].into_iter().any(|step| runs(cells, step, self.line()) != 0)
    }
}

/// The cells that complete a run of four cells `step` bits apart, at any of its four positions.
#[inline(always)]
fn completing_four(cells: u64, step: u32) -> u64 {
    let (below, above) = (cells << step, cells >> step);
    let (two_below, two_above) = (below & cells << (2 * step), above & cells >> (2 * step));
    two_below & (cells << (3 * step) | above) | two_above & (cells >> (3 * step) | below)
}

/// The lowest cells of runs of `length` cells `step` bits apart, found by doubling.
#[inline(always)]
pub(super) fn runs(cells: u64, step: u32, length: u32) -> u64 {
    let (mut runs, mut reached) = (cells, 1);
    while reached < length {
        let added = reached.min(length - reached);
        let shift = added * step;
        runs &= if shift < 64 { runs >> shift } else { 0 };
        reached += added;
    }
    runs
}

/// Seven columns, six rows, four in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standard;

impl Shape for Standard {
    #[inline(always)]
    fn columns(self) -> u32 {
        7
    }

    #[inline(always)]
    fn rows(self) -> u32 {
        6
    }

    #[inline(always)]
    fn line(self) -> u32 {
        4
    }

    #[inline(always)]
    fn bottom(self) -> u64 {
        0x0000_0408_1020_4081
    }

    #[inline(always)]
    fn completing(self, cells: u64) -> u64 {
        cells << 1 & cells << 2 & cells << 3 | completing_four(cells, 6) | completing_four(cells, 7) | completing_four(cells, 8)
    }

    #[inline(always)]
    fn has_line(self, cells: u64) -> bool {
        // No short-circuiting, because its branches would be mispredicted in playouts.
        runs(cells, 1, 4) | runs(cells, 6, 4) | runs(cells, 7, 4) | runs(cells, 8, 4) != 0
    }
}

/// Any other shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sized {
    columns: u8,
    rows: u8,
    line: u8,
    /// Cached because every move uses it.
    bottom: u64,
}

impl Sized {
    pub(super) fn new(columns: u8, rows: u8, line: u8) -> Sized {
        let bottom = (0..columns).fold(0, |cells, column| cells | 1 << (column * (rows + 1)));
        Sized { columns, rows, line, bottom }
    }
}

impl Shape for Sized {
    #[inline(always)]
    fn columns(self) -> u32 {
        self.columns.into()
    }

    #[inline(always)]
    fn rows(self) -> u32 {
        self.rows.into()
    }

    #[inline(always)]
    fn line(self) -> u32 {
        self.line.into()
    }

    #[inline(always)]
    fn bottom(self) -> u64 {
        self.bottom
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn standard_constants_match_the_generic_shape() {
        let sized = Sized::new(7, 6, 4);
        assert_eq!(Standard.bottom(), sized.bottom());
        assert_eq!(Standard.full(), sized.full());
    }

    #[test]
    fn runs_of_any_length_are_found() {
        for length in 2..=9 {
            assert_ne!(runs((1 << length) - 1, 1, length), 0);
            assert_eq!(runs((1 << (length - 1)) - 1, 1, length), 0);
        }
        assert_eq!(runs(u64::MAX, 8, 64), 0);
    }
}
