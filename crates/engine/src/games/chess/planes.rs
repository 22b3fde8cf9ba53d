//! Chess positions as planes.

use cozy_chess::{Color, File, Piece, Rank, Square};

use super::Chess;
use crate::{PlaneLayout, Planes, Side};

const NAMES: [&str; 18] = [
    "own pawns",
    "own knights",
    "own bishops",
    "own rooks",
    "own queens",
    "own king",
    "opposing pawns",
    "opposing knights",
    "opposing bishops",
    "opposing rooks",
    "opposing queens",
    "opposing king",
    "own right to castle kingside (constant plane)",
    "own right to castle queenside (constant plane)",
    "opponent's right to castle kingside (constant plane)",
    "opponent's right to castle queenside (constant plane)",
    "square on which a pawn can be captured en passant",
    "plies without a capture or pawn move, as a fraction of the move limit (constant plane)",
];
const CELLS: usize = 64;

/// The board is mirrored vertically for black, so the viewer's pawns move up the board and the king starts on the same file. The
/// move limit depends on the option `draws`.
impl Planes for Chess {
    fn plane_layout(&self) -> PlaneLayout {
        PlaneLayout::new(NAMES, 8, 8)
    }

    fn write_planes(&self, viewer: Side, values: &mut [f32]) {
        let own = if viewer == Side::First { Color::White } else { Color::Black };
        let cell = |square: Square| {
            let index = square.relative_to(own) as usize;
            (7 - index / 8) * 8 + index % 8
        };
        let mut planes = values.chunks_exact_mut(CELLS);
        let mut next = || planes.next().unwrap_or_default();
        for color in [own, !own] {
            for piece in Piece::ALL {
                let plane = next();
                for square in self.board.colored_pieces(color, piece) {
                    plane[cell(square)] = 1.0;
                }
            }
        }
        for color in [own, !own] {
            let rights = self.board.castle_rights(color);
            for right in [rights.short, rights.long] {
                next().fill(f32::from(u8::from(right.is_some())));
            }
        }
        let en_passant = next();
        if let Some(file) = self.en_passant() {
            en_passant[cell(en_passant_square(file, self.board.side_to_move()))] = 1.0;
        }
        next().fill(f32::from(self.clock.min(self.move_limit())) / f32::from(self.move_limit()));
    }
}

/// The square that a pawn of the side to move captures on en passant.
fn en_passant_square(file: File, mover: Color) -> Square {
    Square::new(file, Rank::Sixth.relative_to(mover))
}

#[cfg(test)]
mod tests {
    use super::super::Draws;
    use super::*;
    use crate::{Notation, Position};

    fn planes(position: &Chess) -> Vec<f32> {
        let mut values = vec![0.0; position.plane_layout().values()];
        position.write_planes(position.turn(), &mut values);
        values
    }

    /// The indices of the cells of a plane that are 1.
    fn ones(values: &[f32], plane: usize) -> Vec<usize> {
        (0..CELLS).filter(|cell| values[plane * CELLS + cell] == 1.0).collect()
    }

    #[test]
    fn both_sides_see_the_start_position_alike() {
        let start = Chess::start(Draws::Claimed);
        let flipped = start.parse("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1").unwrap();
        assert_eq!(planes(&start), planes(&flipped));
        assert_eq!(ones(&planes(&start), 0), (48..56).collect::<Vec<_>>(), "own pawns are in the second row from the bottom");
    }

    #[test]
    fn rights_en_passant_and_clock_have_planes() {
        let start = Chess::start(Draws::Claimed);
        let position = start.parse("r3k3/8/8/8/1pP5/8/8/4K2R b Kq c3 0 1").unwrap();
        let values = planes(&position);
        assert_eq!([12, 13, 14, 15].map(|plane| ones(&values, plane).len()), [0, 64, 64, 0]);
        assert_eq!(ones(&values, 16), [2 * 8 + 2], "c3 is in the third row from the top for black");
        let mut later = start.parse("4k3/8/8/8/8/8/8/R3K3 w - - 24 40").unwrap();
        later.play(later.parse_move("a1a2").unwrap());
        assert_eq!(planes(&later)[17 * CELLS..], [0.25; CELLS]);
    }
}
