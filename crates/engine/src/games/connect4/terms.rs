//! The terms of Connect Four. The first side fills odd rows in the end, the second even ones, so threats count by their row.

use super::shape::runs;
use super::{ConnectFour, Shape};
use crate::Position;
use crate::Side;
use crate::evaluate::{Measures, Term};

pub(super) const TERMS: &[Term] = &[
    Term { name: "open_lines", about: "lines more that can still be filled, in forties", start: 0.08 },
    Term { name: "pairs", about: "lines more with all but two cells taken and the rest free, of twelve", start: 0.10 },
    Term { name: "odd_threats", about: "cells more in odd rows that complete a line, of four", start: 0.10 },
    Term { name: "even_threats", about: "cells more in even rows that complete a line, of four", start: 0.10 },
    Term { name: "centre", about: "discs more in the middle, of six", start: 0.03 },
];

impl<S: Shape> ConnectFour<S> {
    /// Writes the terms in the order of [`TERMS`].
    pub(super) fn measure_terms(&self, terms: &mut Measures) {
        let waiting = self.mover ^ self.all;
        let (first, second) = if self.turn() == Side::First { (self.mover, waiting) } else { (waiting, self.mover) };
        let (first, second) = (self.measure_side(first), self.measure_side(second));
        for (term, (first, second)) in terms.iter_mut().zip(first.into_iter().zip(second)) {
            *term = first - second;
        }
    }

    fn measure_side(&self, own: u64) -> [f32; 5] {
        let shape = self.shape;
        let (height, line) = (shape.rows() + 1, shape.line());
        let empty = shape.full() & !self.all;
        let odd = (0..shape.rows()).step_by(2).fold(0, |rows, row| rows | shape.bottom() << row);
        let threats = shape.completing(own) & empty;
        let (mut open, mut pairs) = (0, 0);
        for step in [1, height - 1, height, height + 1] {
            let lines = runs(own | empty, step, line);
            open += lines.count_ones();
            crate::bits::each_bit(lines, |first| {
                let cells = (0..line).filter(|place| own >> (first + place * step) & 1 != 0).count() as u32;
                pairs += u32::from(cells + 2 == line);
            });
        }
        let columns = shape.columns();
        let centre = self.column(columns / 2) | self.column((columns - 1) / 2);
        let count = |set: u64| set.count_ones() as f32;
        [
            open as f32 / 40.0,
            pairs as f32 / 12.0,
            count(threats & odd) / 4.0,
            count(threats & !odd) / 4.0,
            count(own & centre) / 6.0,
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::super::Standard;
    use super::*;
    use crate::evaluate::MOST_TERMS;

    fn measured(text: &str) -> [f32; 5] {
        let mut terms = [0.0; MOST_TERMS];
        ConnectFour::new(Standard).parse(text).unwrap().measure(&mut terms);
        std::array::from_fn(|index| terms[index])
    }

    #[test]
    fn threats_are_told_by_their_row() {
        assert_eq!(measured(""), [0.0; 5]);
        let [_, _, odd, even, centre] = measured("121212");
        assert_eq!((odd, even, centre), (0.0, 0.0, 0.0), "three on three: the fourth row is even for both");
        let [_, _, odd, even, _] = measured("112233");
        assert_eq!((odd, even), (0.25, -0.25), "the first side's fourth cell is in row 1, the other's in row 2");
    }

    #[test]
    fn the_middle_belongs_to_who_is_there() {
        assert!(measured("4")[4] > 0.0);
        assert!(measured("14")[4] < 0.0);
        assert!(measured("4")[0] > 0.0, "it takes lines from the other");
    }
}
