//! The Connect Four board as displayed.

use super::{ConnectFour, Shape, column_text};
use crate::bits::each_bit;
use crate::games::grid;
use crate::{Game, Piece, Position, Side, View};

impl<S: Shape> View for ConnectFour<S> {
    fn game(&self) -> Game {
        let (rows, columns) = (self.shape.rows() as usize, self.shape.columns() as usize);
        Game {
            rows,
            columns,
            squares: grid::squares(rows, columns),
            column_labels: (0..columns as u32).map(|column| column_text(column).to_string()).collect(),
            row_labels: Vec::new(),
            bottom: Side::First,
            sides: ["red", "yellow"],
            pieces: Piece::pair("disc", 'r', 'y').to_vec(),
            actions: columns,
            features: 2 * rows * columns,
        }
    }

    fn cells(&self, mut visit: impl FnMut(usize, char)) {
        let letters = if self.turn() == Side::First { ['r', 'y'] } else { ['y', 'r'] };
        for (cells, letter) in [self.mover, self.mover ^ self.all].into_iter().zip(letters) {
            each_bit(cells, |bit| visit(self.cell_index(bit), letter));
        }
    }

    fn path(&self, mv: u8) -> Vec<usize> {
        vec![self.cell_index((self.landing() & self.column(mv.into())).trailing_zeros())]
    }

    /// The winning line.
    fn highlighted(&self) -> Vec<usize> {
        let size @ (rows, _) = (self.shape.rows() as usize, self.shape.columns() as usize);
        let waiting = self.mover ^ self.all;
        grid::winning_cells(size, waiting, |row, column| column * (rows + 1) + row, |run| self.shape.has_line(run))
    }
}
