//! Bitboard operations of the solver; winning cells are computed for several positions at once.

use crate::games::connect4::{Shape, Sized, Standard};

/// A board with the operations that the solver needs. The bit layout is that of [`crate::games::connect4`].
pub(super) trait Board: Shape {
    /// Returns the cells that would complete a line with the discs of each set. May include occupied cells and cells off the
    /// board.
    fn winning_cells<const N: usize>(self, cells: &[u64; N]) -> [u64; N];

    /// Bits per column, including the spare bit.
    #[inline(always)]
    fn height(self) -> u32 {
        self.rows() + 1
    }

    /// Number of cells.
    #[inline(always)]
    fn cells(self) -> i32 {
        (self.columns() * self.rows()) as i32
    }

    /// Returns the lower cell of each pair when columns are divided into pairs of cells from the top.
    #[inline(always)]
    fn lower_cells(self) -> u64 {
        let every_second = if self.rows().is_multiple_of(2) { 0x5555_5555_5555_5555 } else { 0xaaaa_aaaa_aaaa_aaaa };
        self.bottom().wrapping_mul(every_second & ((1 << self.rows()) - 1))
    }

    /// Returns the cells on which the next disc of each column lands.
    #[inline(always)]
    fn landing(self, all: u64) -> u64 {
        all.wrapping_add(self.bottom()) & self.full()
    }

    /// Returns the cells in the same column as a cell.
    #[inline(always)]
    fn column_of(self, cell: u64) -> u64 {
        ((1 << self.rows()) - 1) << (cell.trailing_zeros() / self.height() * self.height())
    }

    /// Returns the given cells and all cells above them.
    #[inline(always)]
    fn fill_up(self, cells: u64) -> u64 {
        let mut reached = cells & self.full();
        let mut step = 1;
        while step < self.rows() {
            let low = self.bottom().wrapping_mul((1 << step) - 1);
            reached |= reached << step & self.full() & !low;
            step *= 2;
        }
        reached
    }

    /// Mirrors a bitboard or a key horizontally.
    #[inline(always)]
    fn mirror(self, key: u64) -> u64 {
        let (columns, height) = (self.columns(), self.height());
        let column = u64::MAX >> (64 - height);
        (0..columns).fold(0, |mirrored, at| mirrored | (key >> (at * height) & column) << ((columns - 1 - at) * height))
    }

    /// Returns a unique key of a position: in each column, a set bit above the topmost disc and the discs of the side to move
    /// below it.
    #[inline(always)]
    fn key(self, mover: u64, all: u64) -> u64 {
        all.wrapping_add(self.bottom()).wrapping_add(mover)
    }

    /// Returns a key that a position shares with its mirror image.
    #[inline(always)]
    fn symmetric_key(self, mover: u64, all: u64) -> u64 {
        let key = self.key(mover, all);
        key.min(self.mirror(key))
    }
}

/// Returns the cells that complete four in a row; `height` is the number of bits per column. Branch-free, so that the
/// compiler can process several positions in vector registers.
#[inline(always)]
fn completing_four<const N: usize>(cells: &[u64; N], height: u32) -> [u64; N] {
    let up = |cells: u64, by: u32| cells.checked_shl(by).unwrap_or(0);
    let down = |cells: u64, by: u32| cells.checked_shr(by).unwrap_or(0);
    let mut found = [0; N];
    for (found, &cells) in found.iter_mut().zip(cells) {
        *found = cells << 1 & cells << 2 & cells << 3;
        for step in [height - 1, height, height + 1] {
            let (below, above) = (up(cells, step), down(cells, step));
            let (two_below, two_above) = (below & up(cells, 2 * step), above & down(cells, 2 * step));
            *found |= two_below & (up(cells, 3 * step) | above) | two_above & (down(cells, 3 * step) | below);
        }
    }
    found
}

impl Board for Standard {
    #[inline(always)]
    fn winning_cells<const N: usize>(self, cells: &[u64; N]) -> [u64; N] {
        completing_four(cells, 7)
    }
}

impl Board for Sized {
    fn winning_cells<const N: usize>(self, cells: &[u64; N]) -> [u64; N] {
        if self.line() == 4 { completing_four(cells, self.height()) } else { cells.map(|cells| self.completing(cells)) }
    }
}
