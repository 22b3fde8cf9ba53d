//! The numbers of positions in files: all positions of a slice with one side to move, without gaps.
//!
//! A position's number is made of the placement of its men, the rank of the kings of the side that has just moved among the
//! squares without men, and the rank of the other kings among the squares left.

use super::material::Material;
use super::memory::turned;
use super::men::Men;
use super::subsets::{CHOOSE, rank};
use crate::Position;
use crate::bits::gather;
use crate::games::checkers::Checkers;

/// A position as the slices with files see it.
#[derive(Clone, Copy)]
pub(super) struct Seen {
    pub(super) material: Material,
    pub(super) black: u32,
    pub(super) white: u32,
    pub(super) kings: u32,
    /// 0: black moves, 1: white.
    pub(super) side: usize,
}

impl Seen {
    /// A position, its colours exchanged where that is the slice with a file, and the side to move black where both are alike.
    #[inline(always)]
    pub(super) fn new(position: &Checkers) -> Seen {
        let (black, white, kings) = position.sets();
        let (material, side) = (Material::of(black, white, kings), position.turn() as usize);
        if material.is_stored() && side < material.sections() {
            return Seen { material, black, white, kings, side };
        }
        Seen { material: material.swapped(), black: turned(white), white: turned(black), kings: turned(kings), side: 1 - side }
    }
}

/// The numbers of one slice.
pub(super) struct Index {
    pub(super) men: Men,
    /// By side to move: positions of one placement of men, and of one set of kings of the side that has just moved.
    sizes: [[u64; 2]; 2],
}

impl Index {
    pub(super) fn new(material: Material) -> Index {
        let Material { black, white } = material;
        let free = 32 - usize::from(black.men + white.men);
        let size = |mover: u8, other: u8| {
            let inner = u64::from(CHOOSE[usize::from(mover)][free - usize::from(other)]);
            [u64::from(CHOOSE[usize::from(other)][free]) * inner, inner]
        };
        Index { men: Men::new(black.men, white.men), sizes: [size(black.kings, white.kings), size(white.kings, black.kings)] }
    }

    /// Positions of one placement of men with a side to move.
    pub(super) fn per_placement(&self, side: usize) -> u64 {
        self.sizes[side][0]
    }

    /// All positions with one side to move.
    pub(super) fn count(&self) -> u64 {
        self.men.count() as u64 * self.sizes[0][0]
    }

    /// The number of a position of this slice.
    #[inline(always)]
    pub(super) fn number(&self, seen: &Seen) -> u64 {
        let Seen { black, white, kings, side, .. } = *seen;
        let men = (black | white) & !kings;
        let (mover, other) = if side == 0 { (black & kings, white & kings) } else { (white & kings, black & kings) };
        let [placement, inner] = self.sizes[side];
        self.men.index(black & !kings, white & !kings) as u64 * placement
            + rank(gather(other, !men)) as u64 * inner
            + rank(gather(mover, !(men | other))) as u64
    }
}
