//! The terms of tic-tac-toe and its family.

use super::{Shape, TicTacToe};
use crate::bits::each_bit;
use crate::evaluate::{Measures, Term};
use crate::{Position, Side};

pub(super) const TERMS: &[Term] = &[
    Term { name: "open_lines", about: "lines more that can still be filled, of eight", start: 0.20 },
    Term { name: "threats", about: "cells more that complete a line, of four", start: 0.30 },
    Term { name: "centre", about: "marks more in the middle", start: 0.05 },
];

impl<S: Shape> TicTacToe<S> {
    /// Writes the terms in the order of [`TERMS`].
    pub(super) fn measure_terms(&self, terms: &mut Measures) {
        let (shape, empty) = (self.shape, self.empty);
        let (rows, columns) = (shape.rows(), shape.columns());
        let middle = 1u64 << (rows / 2 * columns + columns / 2);
        let sides = if self.turn() == Side::First { [self.mover, self.waiting] } else { [self.waiting, self.mover] };
        let [first, second] = sides.map(|own| {
            let mut threats = 0;
            each_bit(empty, |bit| threats += u32::from(shape.has_line(own | 1 << bit)));
            let open = shape.count_lines(own | empty);
            [open as f32 / 8.0, threats as f32 / 4.0, f32::from(own & middle != 0)]
        });
        for (term, (first, second)) in terms.iter_mut().zip(first.into_iter().zip(second)) {
            *term = first - second;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Classic;
    use crate::Position;
    use crate::evaluate::MOST_TERMS;

    #[test]
    fn lines_threats_and_the_middle_count() {
        let measured = |text: &str| {
            let mut terms = [0.0; MOST_TERMS];
            super::TicTacToe::new(Classic).parse(text).unwrap().measure(&mut terms);
            [terms[0], terms[1], terms[2]]
        };
        assert_eq!(measured(".../.../..."), [0.0; 3]);
        assert_eq!(measured(".../.x./..."), [0.5, 0.0, 1.0]);
        assert_eq!(measured("xx./.o./...")[1], 0.25);
    }
}
