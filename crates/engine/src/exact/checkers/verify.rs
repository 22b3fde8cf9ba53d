//! Table verification: each value must agree with the values of its successors.

use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU64};

use super::material::{Force, Material};
use super::men_index::MenIndex;
use super::tables::{ProbeResult, Tables};
use super::{MAX_PIECES, Value};
use crate::bits::nth_bit;
use crate::games::checkers::Checkers;
use crate::rng::split;
use crate::{Position, Rng, Side};

impl Tables {
    /// Compares a position's stored result with the one computed from its moves, and returns both if they differ.
    pub fn contradiction(&self, position: &Checkers) -> Option<(ProbeResult, ProbeResult)> {
        let stored = self.probe(position)?;
        let mut best: Option<ProbeResult> = None;
        position.legal_moves(|mv| {
            let mut after = position.clone();
            after.play(mv);
            if let Some(known) = self.probe(&after).map(ProbeResult::before) {
                best = Some(best.map_or(known, |best| best.better(known)));
            }
        });
        let computed = best.unwrap_or(ProbeResult { value: Value::Loss, distance: Some(0) });
        let distances_differ =
            stored.distance.is_some() && computed.value != Value::Draw && stored.distance != computed.distance;
        (stored.value != computed.value || distances_differ).then_some((stored, computed))
    }

    /// Checks `samples` random positions, distributed evenly over the slices with `pieces` pieces, and returns the first
    /// contradiction: position, stored result and computed result.
    ///
    /// `done` counts the positions checked; setting `stop` ends the check early.
    pub fn verify(
        &self,
        pieces: u8,
        samples: u64,
        seed: u64,
        done: &AtomicU64,
        stop: &AtomicBool,
    ) -> Option<(Checkers, ProbeResult, ProbeResult)> {
        let materials: Vec<Material> = if pieces <= self.pieces().min(MAX_PIECES) { all_materials(pieces) } else { Vec::new() };
        for (number, &material) in materials.iter().enumerate() {
            let men = MenIndex::new(material.black.men, material.white.men);
            let mut rng = Rng::new(split(seed, number as u64));
            let share = samples.div_ceil(materials.len() as u64);
            for _ in 0..share {
                if stop.load(Relaxed) {
                    return None;
                }
                let position = random_position_of(material, &men, &mut rng);
                if let Some((stored, computed)) = self.contradiction(&position) {
                    return Some((position, stored, computed));
                }
                done.fetch_add(1, Relaxed);
            }
        }
        None
    }
}

/// Returns every material combination with the given number of pieces in which both sides have pieces.
fn all_materials(pieces: u8) -> Vec<Material> {
    let stored = Material::stored(pieces);
    stored.into_iter().flat_map(|material| [material, material.swapped()].into_iter().take(material.sections())).collect()
}

/// Returns a uniformly random position of a slice with Black to move.
fn random_position_of(material: Material, men: &MenIndex, rng: &mut Rng) -> Checkers {
    let (black_men, white_men) = men.placement(rng.below(men.count() as u32) as usize);
    let mut taken = black_men | white_men;
    let mut place = |force: Force| {
        let before = taken;
        for _ in 0..force.kings {
            let free = !taken;
            taken |= nth_bit(free.into(), rng.below(free.count_ones())) as u32;
        }
        taken & !before
    };
    let (black_kings, white_kings) = (place(material.black), place(material.white));
    Checkers::from_sets(black_men | black_kings, white_men | white_kings, black_kings | white_kings, Side::First)
}

/// Returns a random position with the given number of pieces; `None` if `pieces` is not between 2 and [`MAX_PIECES`]. The
/// material is chosen uniformly at random, then a position with that material.
pub fn random_position(pieces: u8, rng: &mut Rng) -> Option<Checkers> {
    if !(2..=MAX_PIECES).contains(&pieces) {
        return None;
    }
    let materials = all_materials(pieces);
    let material = materials[rng.below(materials.len() as u32) as usize];
    Some(random_position_of(material, &MenIndex::new(material.black.men, material.white.men), rng))
}
