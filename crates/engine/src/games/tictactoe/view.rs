//! The tic-tac-toe board as displayed.

use super::{Shape, TicTacToe};
use crate::bits::each_bit;
use crate::games::grid;
use crate::{Game, Piece, Position, Side, View};

impl<S: Shape> View for TicTacToe<S> {
    fn game(&self) -> Game {
        let (rows, columns) = (self.shape.rows(), self.shape.columns());
        Game {
            rows,
            columns,
            squares: grid::squares(rows, columns),
            column_labels: (0..columns).map(grid::column_name).collect(),
            row_labels: (1..=rows).rev().map(|row| row.to_string()).collect(),
            bottom: Side::First,
            sides: ["x", "o"],
            pieces: Piece::pair("mark", 'x', 'o').to_vec(),
            actions: rows * columns,
            features: 2 * rows * columns,
        }
    }

    fn cells(&self, mut visit: impl FnMut(usize, char)) {
        let letters = if self.turn() == Side::First { ['x', 'o'] } else { ['o', 'x'] };
        for (cells, letter) in [self.mover, self.waiting].into_iter().zip(letters) {
            each_bit(cells, |bit| visit(self.cell_index(bit as usize), letter));
        }
    }

    fn path(&self, mv: u8) -> Vec<usize> {
        vec![self.cell_index(mv.into())]
    }

    /// The winning line.
    fn highlighted(&self) -> Vec<usize> {
        let size @ (_, columns) = (self.shape.rows(), self.shape.columns());
        grid::winning_cells(size, self.waiting, |row, column| row * columns + column, |run| self.shape.has_line(run))
    }
}
