//! The evaluation features of Connect Four. In the endgame the first side gets the odd rows and the second side the even rows, so
//! threats are counted by the parity of their row (Allis 1988).

use super::shape::runs;
use super::{ConnectFour, Shape};
use crate::bits::each_bit;
use crate::position::{Feature, FeatureValues, Symmetry};
use crate::{Learning, Position, Side};

const FEATURES: &[Feature] = &[
    Feature { name: "open_lines", description: "difference in lines that can still be completed / 40", initial_weight: 0.08 },
    Feature { name: "pairs", description: "difference in open lines that need two more discs / 12", initial_weight: 0.10 },
    Feature {
        name: "odd_threats",
        description: "difference in cells in odd rows that complete a line / 4",
        initial_weight: 0.10,
    },
    Feature {
        name: "even_threats",
        description: "difference in cells in even rows that complete a line / 4",
        initial_weight: 0.10,
    },
    Feature { name: "centre", description: "difference in discs in the central columns / 6", initial_weight: 0.03 },
];

impl<S: Shape> Learning for ConnectFour<S> {
    fn action(&self, mv: u8) -> usize {
        mv.into()
    }

    fn active_features(&self, viewer: Side, mut visit: impl FnMut(usize)) {
        let (height, rows) = (self.shape.rows() as usize + 1, self.shape.rows() as usize);
        let cells = rows * self.shape.columns() as usize;
        let own = if viewer == self.turn() { self.mover } else { self.mover ^ self.all };
        for (side, board) in [own, own ^ self.all].into_iter().enumerate() {
            each_bit(board, |bit| visit(side * cells + bit as usize / height * rows + bit as usize % height));
        }
    }

    /// Reflection from left to right.
    fn symmetries(&self) -> Vec<Symmetry> {
        let (rows, columns) = (self.shape.rows() as usize, self.shape.columns() as usize);
        let reflect = |cell: usize| (columns - 1 - cell / rows) * rows + cell % rows;
        vec![Symmetry::new(rows * columns, 2, reflect, (0..columns as u32).rev().collect())]
    }

    fn features(&self) -> &'static [Feature] {
        FEATURES
    }

    fn evaluate_features(&self, values: &mut FeatureValues) {
        self.write_features(values);
    }

    #[inline]
    fn visit_tuples(&self, visit: impl FnMut(u64)) {
        self.each_tuple(visit);
    }
}

impl<S: Shape> ConnectFour<S> {
    /// Writes the feature values in the order of [`FEATURES`].
    fn write_features(&self, values: &mut FeatureValues) {
        let waiting = self.mover ^ self.all;
        let (first, second) = if self.turn() == Side::First { (self.mover, waiting) } else { (waiting, self.mover) };
        let (first, second) = (self.side_features(first), self.side_features(second));
        for (value, (first, second)) in values.iter_mut().zip(first.into_iter().zip(second)) {
            *value = first - second;
        }
    }

    fn side_features(&self, own: u64) -> [f32; 5] {
        let shape = self.shape;
        let (height, line) = (shape.rows() + 1, shape.line());
        let empty = shape.full() & !self.all;
        let odd = (0..shape.rows()).step_by(2).fold(0, |rows, row| rows | shape.bottom() << row);
        let threats = shape.completing(own) & empty;
        let (mut open, mut pairs) = (0, 0);
        for step in [1, height - 1, height, height + 1] {
            let lines = runs(own | empty, step, line);
            open += lines.count_ones();
            each_bit(lines, |first| {
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
    use crate::Notation;
    use crate::position::MAX_FEATURES;

    fn values(text: &str) -> [f32; 5] {
        let mut values = [0.0; MAX_FEATURES];
        ConnectFour::new(Standard).parse(text).unwrap().evaluate_features(&mut values);
        std::array::from_fn(|index| values[index])
    }

    #[test]
    fn threats_are_counted_by_the_parity_of_their_row() {
        assert_eq!(values(""), [0.0; 5]);
        let [_, _, odd, even, centre] = values("121212");
        assert_eq!((odd, even, centre), (0.0, 0.0, 0.0), "both threats are in row 4, an even row");
        let [_, _, odd, even, _] = values("112233");
        assert_eq!((odd, even), (0.25, -0.25), "the first side has a threat in row 1, the second side in row 2");
    }

    #[test]
    fn central_discs_favour_their_owner() {
        assert!(values("4")[4] > 0.0);
        assert!(values("14")[4] < 0.0);
        assert!(values("4")[0] > 0.0, "the disc blocks lines of the opponent");
    }
}
