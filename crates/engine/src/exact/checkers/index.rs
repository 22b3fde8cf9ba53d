//! Dense index of a slice's positions with a given side to move. Files store positions in this order.
//!
//! The index combines the placement of men, the rank of the kings of the side that has just moved among the squares without
//! men, and the rank of the kings of the side to move among the remaining squares.

use super::combinations::{BINOMIAL, rank};
use super::material::Material;
use super::men_index::MenIndex;
use super::slice::rotated;
use crate::Position;
use crate::bits::gather;
use crate::games::checkers::Checkers;

/// A position with its colours swapped, if necessary, to match the stored slice.
#[derive(Clone, Copy)]
pub(super) struct CanonicalPosition {
    pub(super) material: Material,
    pub(super) black: u32,
    pub(super) white: u32,
    pub(super) kings: u32,
    /// Side to move: 0 for Black, 1 for White.
    pub(super) side: usize,
}

impl CanonicalPosition {
    /// Returns the canonical form of a position. Colours are swapped if only the opposite slice is stored, or if both sides
    /// have equal forces and White is to move.
    #[inline(always)]
    pub(super) fn new(position: &Checkers) -> CanonicalPosition {
        let (black, white, kings) = position.sets();
        let (material, side) = (Material::of(black, white, kings), position.turn() as usize);
        if material.is_stored() && side < material.sections() {
            return CanonicalPosition { material, black, white, kings, side };
        }
        CanonicalPosition {
            material: material.swapped(),
            black: rotated(white),
            white: rotated(black),
            kings: rotated(kings),
            side: 1 - side,
        }
    }
}

/// Index of one slice.
pub(super) struct SliceIndex {
    pub(super) men: MenIndex,
    /// By side to move: number of positions per placement of men, and per placement of men and opposing kings.
    sizes: [[u64; 2]; 2],
}

impl SliceIndex {
    pub(super) fn new(material: Material) -> SliceIndex {
        let Material { black, white } = material;
        let free = 32 - usize::from(black.men + white.men);
        let size = |mover: u8, other: u8| {
            let inner = u64::from(BINOMIAL[usize::from(mover)][free - usize::from(other)]);
            [u64::from(BINOMIAL[usize::from(other)][free]) * inner, inner]
        };
        SliceIndex {
            men: MenIndex::new(black.men, white.men),
            sizes: [size(black.kings, white.kings), size(white.kings, black.kings)],
        }
    }

    /// Number of positions per placement of men with the given side to move.
    pub(super) fn per_placement(&self, side: usize) -> u64 {
        self.sizes[side][0]
    }

    /// Number of positions with a given side to move; the same for both sides.
    pub(super) fn count(&self) -> u64 {
        self.men.count() as u64 * self.sizes[0][0]
    }

    /// Returns the index of a position of this slice.
    #[inline(always)]
    pub(super) fn index_of(&self, canonical: &CanonicalPosition) -> u64 {
        let CanonicalPosition { black, white, kings, side, .. } = *canonical;
        let men = (black | white) & !kings;
        let (mover, other) = if side == 0 { (black & kings, white & kings) } else { (white & kings, black & kings) };
        let [placement, inner] = self.sizes[side];
        self.men.index(black & !kings, white & !kings) as u64 * placement
            + rank(gather(other, !men)) as u64 * inner
            + rank(gather(mover, !(men | other))) as u64
    }
}
