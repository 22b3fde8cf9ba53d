//! The evaluation features of tic-tac-toe.

use super::{Shape, TicTacToe};
use crate::bits::each_bit;
use crate::position::{Feature, FeatureValues, Symmetry};
use crate::{Learning, Position, Side};

const FEATURES: &[Feature] = &[
    Feature { name: "open_lines", description: "difference in lines that can still be completed / 8", initial_weight: 0.20 },
    Feature { name: "threats", description: "difference in cells that complete a line / 4", initial_weight: 0.30 },
    Feature { name: "centre", description: "difference in marks on the central cell", initial_weight: 0.05 },
];

impl<S: Shape> Learning for TicTacToe<S> {
    fn action(&self, mv: u8) -> usize {
        mv.into()
    }

    fn active_features(&self, viewer: Side, mut visit: impl FnMut(usize)) {
        let cells = self.shape.rows() * self.shape.columns();
        let (own, other) = if viewer == self.turn() { (self.mover, self.waiting) } else { (self.waiting, self.mover) };
        each_bit(own, |bit| visit(bit as usize));
        each_bit(other, |bit| visit(cells + bit as usize));
    }

    /// Reflections and, on square boards, rotations.
    fn symmetries(&self) -> Vec<Symmetry> {
        let (rows, columns) = (self.shape.rows(), self.shape.columns());
        let kinds = 1..if rows == columns { 8 } else { 4 };
        let symmetry = |kind: usize| {
            let target = |cell: usize| {
                let (mut row, mut column) = (cell / columns, cell % columns);
                row = if kind & 1 == 0 { row } else { rows - 1 - row };
                column = if kind & 2 == 0 { column } else { columns - 1 - column };
                if kind & 4 == 0 { row * columns + column } else { column * columns + row }
            };
            Symmetry::new(rows * columns, 2, target, (0..rows * columns).map(|cell| target(cell) as u32).collect())
        };
        kinds.map(symmetry).collect()
    }

    fn features(&self) -> &'static [Feature] {
        FEATURES
    }

    fn evaluate_features(&self, values: &mut FeatureValues) {
        self.write_features(values);
    }
}

impl<S: Shape> TicTacToe<S> {
    /// Writes the feature values in the order of [`FEATURES`].
    fn write_features(&self, values: &mut FeatureValues) {
        let (shape, empty) = (self.shape, self.empty);
        let (rows, columns) = (shape.rows(), shape.columns());
        let centre = 1u64 << (rows / 2 * columns + columns / 2);
        let sides = if self.turn() == Side::First { [self.mover, self.waiting] } else { [self.waiting, self.mover] };
        let [first, second] = sides.map(|own| {
            let mut threats = 0;
            each_bit(empty, |bit| threats += u32::from(shape.has_line(own | 1 << bit)));
            let open = shape.count_lines(own | empty);
            [open as f32 / 8.0, threats as f32 / 4.0, f32::from(own & centre != 0)]
        });
        for (value, (first, second)) in values.iter_mut().zip(first.into_iter().zip(second)) {
            *value = first - second;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Classic;
    use crate::position::MAX_FEATURES;
    use crate::{Learning, Notation};

    #[test]
    fn lines_threats_and_the_centre_contribute() {
        let values = |text: &str| {
            let mut values = [0.0; MAX_FEATURES];
            super::TicTacToe::new(Classic).parse(text).unwrap().evaluate_features(&mut values);
            [values[0], values[1], values[2]]
        };
        assert_eq!(values(".../.../..."), [0.0; 3]);
        assert_eq!(values(".../.x./..."), [0.5, 0.0, 1.0]);
        assert_eq!(values("xx./.o./...")[1], 0.25);
    }
}
