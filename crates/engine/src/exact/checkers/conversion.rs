//! Distance to conversion: plies to the next capture or man move, computed on demand.
//!
//! Values alone are not enough to win a game, because each move can preserve the win without making progress. Between two
//! conversions only kings move, so only the current placement of men has to be solved, which takes milliseconds. Conversions are
//! irreversible, so always choosing the winning move with the smallest distance wins. A game is drawn after 80 plies without a
//! conversion. With up to six pieces, the distance stays below 62, except for three kings against two kings and a man on its
//! home row, where it reaches 82.

use super::combinations::{combinations, rank};
use super::index::CanonicalPosition;
use super::material::Material;
use super::retrograde::PlacementSolver;
use super::section::Loader;
use super::slice::{LoadedSlices, Slice, rotated};
use super::tables::Tables;
use crate::Position;
use crate::bits::each_bit;
use crate::games::checkers::Checkers;
use crate::games::checkers::board::{BLACK_CROWN, CAN_STEP, WHITE_CROWN, step};

/// Distances to conversion in plies for all positions with one placement of men; 0 for draws.
pub(super) struct ConversionTable {
    material: Material,
    men: [u32; 2],
    /// By side to move: one byte for each set of its kings and, within it, each set of the opponent's kings.
    distances: [Vec<u8>; 2],
}

impl Tables {
    /// Returns the distance to conversion in plies after each legal move, counting that move: 1 for captures and man moves,
    /// more for king moves, `None` for king moves to a drawn position. Returns `None` if the position is not in the tables.
    pub fn conversions(&'static self, position: &Checkers) -> Option<Vec<Option<u32>>> {
        self.probe(position)?;
        let (.., kings) = position.sets();
        let mut distances = Vec::new();
        position.legal_moves(|mv| {
            let is_quiet_king_move = mv.captured == 0 && kings >> mv.from & 1 != 0;
            let mut after = position.clone();
            after.play(mv);
            distances.push(match is_quiet_king_move {
                true => self.distance_to_conversion(&after).map(|plies| plies + 1),
                false => Some(1),
            });
        });
        Some(distances)
    }

    /// Returns the distance to conversion of a position in the tables, in plies; `None` for a draw.
    fn distance_to_conversion(&'static self, position: &Checkers) -> Option<u32> {
        let canonical = CanonicalPosition::new(position);
        let CanonicalPosition { material, black, white, kings, side } = canonical;
        if material.white.kings == 0 {
            // White has no kings, so each of its moves is a conversion.
            return Some(if side == 0 { 2 } else { 1 });
        }
        let men = [black & !kings, white & !kings];
        let mut cached = self.conversion_cache.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let is_cached = cached.as_ref().is_some_and(|cached| (cached.material, cached.men) == (material, men));
        if !is_cached {
            *cached = Some(self.solve_conversions(material, men)?);
        }
        let kings_by_side = [black & kings, white & kings];
        let others = combinations(kings_by_side[1 - side].count_ones()).sets.len();
        let plies = cached.as_ref()?.distances[side][rank(kings_by_side[side]) * others + rank(kings_by_side[1 - side])];
        (plies > 0).then_some(plies.into())
    }

    fn solve_conversions(&'static self, material: Material, men: [u32; 2]) -> Option<ConversionTable> {
        let mut loaded = LoadedSlices::backed_by(self);
        if men == [0, 0] {
            // Kings-only placements have millions of positions whose captures all lead to a few small slices: preload those.
            for smaller in (2..material.pieces()).flat_map(Material::stored) {
                if smaller.black.men + smaller.white.men == 0 {
                    self.load_placement(&mut loaded, smaller, [0, 0])?;
                }
            }
        }
        for (neighbour, men) in neighbours(material, men) {
            self.load_placement(&mut loaded, neighbour, men)?;
        }
        if loaded.get(material).is_none() {
            loaded.insert(Slice::new(material));
        }
        let sizes = [material.black.kings, material.white.kings].map(|kings| combinations(kings.into()).sets.len());
        let mut distances = [vec![0; sizes[0] * sizes[1]], vec![0; sizes[0] * sizes[1]]];
        PlacementSolver::new(&loaded, loaded.get(material)?).conversion_distances(men, |count, side, own, other| {
            distances[side][own * sizes[1 - side] + other] = count.min(u8::MAX.into()) as u8;
        });
        Some(ConversionTable { material, men, distances })
    }

    /// Loads one placement of a slice from its file.
    fn load_placement(&'static self, loaded: &mut LoadedSlices, material: Material, men: [u32; 2]) -> Option<()> {
        if loaded.get(material).is_none() {
            loaded.insert(Slice::new(material));
        }
        let (mut bits, mut distances) = (Vec::new(), Vec::new());
        Loader::new(loaded, self.file(material)?).load(men, &mut bits, &mut distances);
        let slice = loaded.get_mut(material)?;
        let placement = slice.men.index(men[0], men[1]);
        slice.store_placement(placement, &bits, &distances);
        Some(())
    }
}

/// Returns the canonical placements reachable by one man move.
fn neighbours(material: Material, men: [u32; 2]) -> Vec<(Material, [u32; 2])> {
    let mut neighbours = Vec::new();
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
                neighbours.push(match material.is_stored() {
                    true => (material, after),
                    false => (material.swapped(), [rotated(after[1]), rotated(after[0])]),
                });
            }
        });
    }
    neighbours
}
