//! Checking tables against the rules: each value must follow from the values of the positions one move on.

use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU64};

use super::material::{Force, Material};
use super::men::Men;
use super::tables::{Known, Tables};
use super::{MOST_PIECES, Value};
use crate::bits::nth_bit;
use crate::games::checkers::Checkers;
use crate::rng::split;
use crate::{Position, Rng, Side};

impl Tables {
    /// Checks one position; the two answers if they differ, what the tables say and what its moves say.
    pub fn contradiction(&self, position: &Checkers) -> Option<(Known, Known)> {
        let said = self.probe(position)?;
        let mut best: Option<Known> = None;
        position.legal_moves(|mv| {
            let mut after = position.clone();
            after.play(mv);
            if let Some(known) = self.probe(&after).map(Known::before) {
                best = Some(best.map_or(known, |best| best.better(known)));
            }
        });
        let found = best.unwrap_or(Known { value: Value::Loss, distance: Some(0) });
        let distances_differ = said.distance.is_some() && found.value != Value::Draw && said.distance != found.distance;
        (said.value != found.value || distances_differ).then_some((said, found))
    }

    /// Checks `samples` positions, shared out evenly over the slices of `pieces` pieces, and the first contradiction if any.
    ///
    /// `done` counts the positions checked; `stop` ends it soon.
    pub fn verify(
        &self,
        pieces: u8,
        samples: u64,
        seed: u64,
        done: &AtomicU64,
        stop: &AtomicBool,
    ) -> Option<(Checkers, Known, Known)> {
        let slices: Vec<Material> = if pieces <= self.pieces().min(MOST_PIECES) { every_material(pieces) } else { Vec::new() };
        for (place, &material) in slices.iter().enumerate() {
            let men = Men::new(material.black.men, material.white.men);
            let mut rng = Rng::new(split(seed, place as u64));
            let share = samples.div_ceil(slices.len() as u64);
            for _ in 0..share {
                if stop.load(Relaxed) {
                    return None;
                }
                let position = draw(material, &men, &mut rng);
                if let Some((said, found)) = self.contradiction(&position) {
                    return Some((position, said, found));
                }
                done.fetch_add(1, Relaxed);
            }
        }
        None
    }
}

/// Every material of so many pieces, with both sides present.
fn every_material(pieces: u8) -> Vec<Material> {
    let stored = Material::stored(pieces);
    stored.into_iter().flat_map(|material| [material, material.swapped()].into_iter().take(material.sections())).collect()
}

/// A position of a slice with black to move, each as likely.
fn draw(material: Material, men: &Men, rng: &mut Rng) -> Checkers {
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
    Checkers::of(black_men | black_kings, white_men | white_kings, black_kings | white_kings, Side::First)
}

/// A position with so many pieces, drawn at random: first the material, each as likely, then the position.
pub fn random_position(pieces: u8, rng: &mut Rng) -> Option<Checkers> {
    if !(2..=MOST_PIECES).contains(&pieces) {
        return None;
    }
    let materials = every_material(pieces);
    let material = materials[rng.below(materials.len() as u32) as usize];
    Some(draw(material, &Men::new(material.black.men, material.white.men), rng))
}
