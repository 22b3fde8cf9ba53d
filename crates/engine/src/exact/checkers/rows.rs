//! Visits the rows of a slice in index order.

use super::captures::FixedMen;
use super::combinations::{Combinations, combinations};
use super::material::Material;

/// Iterates over rows for one side to move, with masks of the possible positions and of those with a capture.
pub(super) struct Rows {
    side: usize,
    /// The sets of kings that index the bits and those that index the rows; `rows` is `None` if the side to move has no kings.
    bits: &'static Combinations,
    rows: Option<&'static Combinations>,
    valid: Vec<u32>,
    captures: Vec<u32>,
}

/// One row.
pub(super) struct Row<'a> {
    /// Index among the rows of the placement.
    pub(super) index: usize,
    /// The kings that index the row.
    pub(super) kings: u32,
    /// Possible positions: those without two pieces on the same square.
    pub(super) valid: &'a [u32],
    /// Positions in which the side to move can capture; may include impossible ones.
    pub(super) captures: &'a [u32],
}

impl Rows {
    pub(super) fn new(material: Material, side: usize) -> Rows {
        let kings = [material.black.kings, material.white.kings];
        let (mover, other) = (kings[side], kings[1 - side]);
        let bits = combinations(if mover == 0 { other } else { mover }.into());
        let rows = (mover > 0).then(|| combinations(other.into()));
        Rows { side, bits, rows, valid: vec![0; bits.words], captures: vec![0; bits.words] }
    }

    /// The sets of kings that index the bits.
    pub(super) fn bits(&self) -> &'static Combinations {
        self.bits
    }

    /// Whether bits are indexed by the kings of the side to move.
    pub(super) fn bits_are_own_kings(&self) -> bool {
        self.rows.is_some()
    }

    /// Calls `visit` with each row of a placement of men in index order.
    pub(super) fn for_each(&mut self, men: [u32; 2], mut visit: impl FnMut(Row<'_>)) {
        let fixed = FixedMen { own_men: men[self.side], other_men: men[1 - self.side], white: self.side == 1 };
        let all_men = men[0] | men[1];
        let Some(rows) = self.rows else {
            self.bits.fill_disjoint(all_men, &mut self.valid);
            fixed.captures_over_opponent_kings(0, self.bits, &mut self.captures);
            return visit(Row { index: 0, kings: 0, valid: &self.valid, captures: &self.captures });
        };
        for (index, &kings) in rows.sets.iter().enumerate().filter(|(_, kings)| **kings & all_men == 0) {
            self.bits.fill_disjoint(all_men | kings, &mut self.valid);
            fixed.captures_over_own_kings(kings, self.bits, &mut self.captures);
            visit(Row { index, kings, valid: &self.valid, captures: &self.captures });
        }
    }
}
