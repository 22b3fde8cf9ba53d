//! What the solver asks of a board: all winning cells at once, for many positions beside each other.

use crate::games::connect4::{Shape, Sized, Standard};

/// A board as the solver sees it; the bits are those of [`crate::games::connect4`].
pub(super) trait Board: Shape {
    /// The cells that would complete a line with each of these; cells off the board and taken ones may be among them.
    fn wins<const N: usize>(self, cells: &[u64; N]) -> [u64; N];

    /// Bits of a column, the spare one too.
    #[inline(always)]
    fn height(self) -> u32 {
        self.rows() + 1
    }

    /// Cells of the board.
    #[inline(always)]
    fn cells(self) -> i32 {
        (self.columns() * self.rows()) as i32
    }

    /// The lower cells, where columns are divided into pairs from the top.
    #[inline(always)]
    fn lower(self) -> u64 {
        let every_second = if self.rows().is_multiple_of(2) { 0x5555_5555_5555_5555 } else { 0xaaaa_aaaa_aaaa_aaaa };
        self.bottom().wrapping_mul(every_second & ((1 << self.rows()) - 1))
    }

    /// The lowest cells where a disc can come to rest.
    #[inline(always)]
    fn landing(self, all: u64) -> u64 {
        all.wrapping_add(self.bottom()) & self.full()
    }

    /// The cells of the column of one cell.
    #[inline(always)]
    fn column_of(self, cell: u64) -> u64 {
        ((1 << self.rows()) - 1) << (cell.trailing_zeros() / self.height() * self.height())
    }

    /// These cells and those above them in their columns.
    #[inline(always)]
    fn upwards(self, cells: u64) -> u64 {
        let mut reached = cells & self.full();
        let mut step = 1;
        while step < self.rows() {
            let low = self.bottom().wrapping_mul((1 << step) - 1);
            reached |= reached << step & self.full() & !low;
            step *= 2;
        }
        reached
    }

    /// The board, or its key, seen in a mirror.
    #[inline(always)]
    fn mirror(self, key: u64) -> u64 {
        let (columns, height) = (self.columns(), self.height());
        let column = u64::MAX >> (64 - height);
        (0..columns).fold(0, |mirrored, at| mirrored | (key >> (at * height) & column) << ((columns - 1 - at) * height))
    }

    /// A number that no other position has: above each column's highest disc stands a one, below it the discs of the side to move.
    #[inline(always)]
    fn key(self, mover: u64, all: u64) -> u64 {
        all.wrapping_add(self.bottom()).wrapping_add(mover)
    }

    /// The same for a position and its mirror image.
    #[inline(always)]
    fn symmetric_key(self, mover: u64, all: u64) -> u64 {
        let key = self.key(mover, all);
        key.min(self.mirror(key))
    }
}

/// Cells that complete four in a row; `height` is that of a column with its spare cell. Without a branch, so that the
/// positions share vector registers.
#[inline(always)]
fn four<const N: usize>(cells: &[u64; N], height: u32) -> [u64; N] {
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
    fn wins<const N: usize>(self, cells: &[u64; N]) -> [u64; N] {
        four(cells, 7)
    }
}

impl Board for Sized {
    fn wins<const N: usize>(self, cells: &[u64; N]) -> [u64; N] {
        if self.line() == 4 { four(cells, self.height()) } else { cells.map(|cells| self.completing(cells)) }
    }
}
