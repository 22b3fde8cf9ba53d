//! Plies to the next conversion, a capture or a step of a man, counted when somebody asks.
//!
//! Values alone do not win: every move may keep a win and none come nearer to it. Between two conversions only kings step, so
//! the count needs nothing but the placement of men at hand, and solving one placement takes milliseconds. A conversion cannot
//! be taken back, so whoever always takes the move with the least count wins. A game without a conversion is drawn after 80
//! plies: up to six pieces the count stays below 62, but for three kings against two kings and a man on its first row, where it
//! reaches 82.

use super::index::Seen;
use super::material::Material;
use super::memory::{Memory, Slice, turned};
use super::pack::Loader;
use super::solve::Solver;
use super::subsets::{rank, subsets};
use super::tables::Tables;
use crate::Position;
use crate::bits::each_bit;
use crate::games::checkers::Checkers;
use crate::games::checkers::board::{BLACK_CROWN, CAN_STEP, WHITE_CROWN, step};

/// The counts of one placement of men; 0 where nothing is won or lost.
pub(super) struct Counted {
    material: Material,
    men: [u32; 2],
    /// By side to move: a byte for each set of its kings and, within, each set of the other's.
    plies: [Vec<u8>; 2],
}

impl Tables {
    /// For each legal move, in order, the plies from here to the next conversion by it: 1 for a capture or a step of a man,
    /// more for a step of a king; `None` for a step of a king to a draw. `None` in all where the tables do not know the position.
    pub fn conversions(&'static self, position: &Checkers) -> Option<Vec<Option<u32>>> {
        self.probe(position)?;
        let (.., kings) = position.sets();
        let mut counts = Vec::new();
        position.legal_moves(|mv| {
            let quiet = mv.captured == 0 && kings >> mv.from & 1 != 0;
            let mut after = position.clone();
            after.play(mv);
            counts.push(if quiet { self.conversion(&after).map(|plies| plies + 1) } else { Some(1) });
        });
        Some(counts)
    }

    /// Plies to the next conversion of a position that the tables know; `None` for a draw.
    fn conversion(&'static self, position: &Checkers) -> Option<u32> {
        let seen = Seen::new(position);
        let Seen { material, black, white, kings, side } = seen;
        if material.white.kings == 0 {
            // One side has no kings: each of its moves is a conversion.
            return Some(if side == 0 { 2 } else { 1 });
        }
        let men = [black & !kings, white & !kings];
        let mut counted = self.counted.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let same = counted.as_ref().is_some_and(|counted| (counted.material, counted.men) == (material, men));
        if !same {
            *counted = Some(self.count(material, men)?);
        }
        let both = [black & kings, white & kings];
        let others = subsets(both[1 - side].count_ones()).sets.len();
        let plies = counted.as_ref()?.plies[side][rank(both[side]) * others + rank(both[1 - side])];
        (plies > 0).then_some(plies.into())
    }

    fn count(&'static self, material: Material, men: [u32; 2]) -> Option<Counted> {
        let mut memory = Memory::before(self);
        if men == [0, 0] {
            // Without men there are millions of positions, but those after captures are few: they are worth being read at once.
            for smaller in (2..material.pieces()).flat_map(Material::stored) {
                if smaller.black.men + smaller.white.men == 0 {
                    self.load(&mut memory, smaller, [0, 0])?;
                }
            }
        }
        for (neighbour, men) in neighbours(material, men) {
            self.load(&mut memory, neighbour, men)?;
        }
        if memory.get(material).is_none() {
            memory.insert(Slice::new(material));
        }
        let sizes = [material.black.kings, material.white.kings].map(|kings| subsets(kings.into()).sets.len());
        let mut plies = [vec![0; sizes[0] * sizes[1]], vec![0; sizes[0] * sizes[1]]];
        Solver::new(&memory, memory.get(material)?).count(men, |count, side, own, other| {
            plies[side][own * sizes[1 - side] + other] = count.min(u8::MAX.into()) as u8;
        });
        Some(Counted { material, men, plies })
    }

    /// Brings one placement of a slice into memory.
    fn load(&'static self, memory: &mut Memory, material: Material, men: [u32; 2]) -> Option<()> {
        if memory.get(material).is_none() {
            memory.insert(Slice::new(material));
        }
        let (mut bits, mut plies) = (Vec::new(), Vec::new());
        Loader::new(memory, self.file(material)?).load(men, &mut bits, &mut plies);
        let slice = memory.get_mut(material)?;
        let placement = slice.men.index(men[0], men[1]);
        slice.put(placement, &bits, &plies);
        Some(())
    }
}

/// The placements that a step of a man leads to, as slices with files see them.
fn neighbours(material: Material, men: [u32; 2]) -> Vec<(Material, [u32; 2])> {
    let mut found = Vec::new();
    for (side, (crown, directions)) in [(BLACK_CROWN, [2, 3]), (WHITE_CROWN, [0, 1])].into_iter().enumerate() {
        each_bit(men[side].into(), |square| {
            for direction in directions {
                let to = step(1 << square & CAN_STEP[direction], direction) & !(men[0] | men[1]);
                if to == 0 {
                    continue;
                }
                let (mut after, mut material) = (men, material);
                after[side] ^= 1 << square;
                if to & crown == 0 {
                    after[side] |= to;
                } else if side == 0 {
                    material.black = material.black.crowned();
                } else {
                    material.white = material.white.crowned();
                }
                found.push(match material.is_stored() {
                    true => (material, after),
                    false => (material.swapped(), [turned(after[1]), turned(after[0])]),
                });
            }
        });
    }
    found
}
