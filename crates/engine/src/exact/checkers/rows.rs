//! The rows of a slice in memory in the order in which files number positions.

use super::material::Material;
use super::subsets::{Subsets, subsets};
use super::threats::Still;

/// Goes through the rows of one side to move, with the positions that exist and those with a capture.
pub(super) struct Rows {
    side: usize,
    /// The sets that bits stand for, and those that rows do; the latter are none where the side to move has no kings.
    bits: &'static Subsets,
    rows: Option<&'static Subsets>,
    valid: Vec<u32>,
    captures: Vec<u32>,
}

/// One row.
pub(super) struct Row<'a> {
    /// Its place among the rows of the placement.
    pub(super) place: usize,
    /// The kings that are the same in all of it.
    pub(super) kings: u32,
    /// The positions that exist.
    pub(super) valid: &'a [u32],
    /// Those in which the side to move can capture, and some that do not exist.
    pub(super) captures: &'a [u32],
}

impl Rows {
    pub(super) fn new(material: Material, side: usize) -> Rows {
        let kings = [material.black.kings, material.white.kings];
        let (mover, other) = (kings[side], kings[1 - side]);
        let bits = subsets(if mover == 0 { other } else { mover }.into());
        let rows = (mover > 0).then(|| subsets(other.into()));
        Rows { side, bits, rows, valid: vec![0; bits.words], captures: vec![0; bits.words] }
    }

    /// The sets of kings that bits stand for.
    pub(super) fn bits(&self) -> &'static Subsets {
        self.bits
    }

    /// Whether bits stand for the kings of the side to move.
    pub(super) fn bits_are_movers(&self) -> bool {
        self.rows.is_some()
    }

    /// Calls `visit` with each row of a placement of men, in order.
    pub(super) fn each(&mut self, men: [u32; 2], mut visit: impl FnMut(Row<'_>)) {
        let still = Still { own_men: men[self.side], other_men: men[1 - self.side], white: self.side == 1 };
        let all_men = men[0] | men[1];
        let Some(rows) = self.rows else {
            self.bits.fill_without(all_men, &mut self.valid);
            still.captures_by(0, self.bits, &mut self.captures);
            return visit(Row { place: 0, kings: 0, valid: &self.valid, captures: &self.captures });
        };
        for (place, &kings) in rows.sets.iter().enumerate().filter(|(_, kings)| **kings & all_men == 0) {
            self.bits.fill_without(all_men | kings, &mut self.valid);
            still.captures_of(kings, self.bits, &mut self.captures);
            visit(Row { place, kings, valid: &self.valid, captures: &self.captures });
        }
    }
}
