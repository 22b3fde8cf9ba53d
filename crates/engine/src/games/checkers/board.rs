//! Sets of squares as 32-bit words, laid out so that a step in one direction is the same rotation for every square.
//!
//! Squares by number, as printed in books, and by bit index:
//!
//! ```text
//!      black                          black
//!     1   2   3   4                 11   5  31  25
//!   5   6   7   8                 10   4  30  24
//!     9  10  11  12                  3  29  23  17
//!  13  14  15  16                  2  28  22  16
//!    17  18  19  20                 27  21  15   9
//!  21  22  23  24                 26  20  14   8
//!    25  26  27  28                 19  13   7   1
//!  29  30  31  32                 18  12   6   0
//!      white                          white
//! ```
//!
//! Up and right is +1, up and left +7, down and left -1, down and right -7, all modulo 32. A white man on 22 (bit 20) can move to
//! 18 (bit 21) or 17 (bit 27). The rotation wraps at the edges, so each direction has a mask of valid from-squares.

/// The bit index of squares 1 to 32.
const BITS: [u8; 32] =
    [11, 5, 31, 25, 10, 4, 30, 24, 3, 29, 23, 17, 2, 28, 22, 16, 27, 21, 15, 9, 26, 20, 14, 8, 19, 13, 7, 1, 18, 12, 6, 0];

pub(super) const NUMBERS: [u8; 32] = {
    let mut numbers = [0; 32];
    let mut index = 0;
    while index < 32 {
        numbers[BITS[index] as usize] = index as u8 + 1;
        index += 1;
    }
    numbers
};

/// The left rotation for a step in each direction: up right, up left, down left, down right. The opposite of `d` is `(d + 2) % 4`.
pub(crate) const ROTATIONS: [u32; 4] = [1, 7, 31, 25];

/// The squares from which one step stays on the board, by direction.
pub(crate) const CAN_STEP: [u32; 4] = reach(1);
/// The squares from which two steps stay on the board.
pub(crate) const CAN_JUMP: [u32; 4] = reach(2);

/// The row on which white's men are crowned.
pub(crate) const WHITE_CROWN: u32 = squares_between(1, 4);
/// The row on which black's men are crowned.
pub(crate) const BLACK_CROWN: u32 = squares_between(29, 32);

const fn reach(steps: i32) -> [u32; 4] {
    let mut masks = [0; 4];
    let mut number = 1;
    while number <= 32 {
        let (row, column) = row_column(number);
        let mut direction = 0;
        while direction < 4 {
            let to_row = row as i32 + if direction < 2 { -steps } else { steps };
            let to_column = column as i32 + if direction == 0 || direction == 3 { steps } else { -steps };
            if to_row >= 0 && to_row < 8 && to_column >= 0 && to_column < 8 {
                masks[direction] |= bit(number);
            }
            direction += 1;
        }
        number += 1;
    }
    masks
}

pub(super) const fn row_column(number: u8) -> (u8, u8) {
    let index = number - 1;
    let row = index / 4;
    (row, index % 4 * 2 + (row + 1) % 2)
}

/// The set that contains only square `number` (1..=32).
pub(crate) const fn bit(number: u8) -> u32 {
    1 << BITS[number as usize - 1]
}

const fn squares_between(first: u8, last: u8) -> u32 {
    let (mut set, mut number) = (0, first);
    while number <= last {
        set |= bit(number);
        number += 1;
    }
    set
}

/// The set of squares with the given numbers.
pub(crate) fn squares(numbers: impl IntoIterator<Item = u8>) -> u32 {
    numbers.into_iter().fold(0, |set, number| set | bit(number))
}

/// The number (1..=32) of the square at a bit index (0..32).
pub(crate) fn number(bit: u32) -> u8 {
    NUMBERS[bit as usize]
}

/// The index of a square in the 8x8 diagram, row by row from the top left.
pub(crate) fn cell(number: u8) -> usize {
    let (row, column) = row_column(number);
    row as usize * 8 + column as usize
}

/// Moves every square in a set one step in a direction. The caller must mask out squares at the edge.
#[inline(always)]
pub(crate) fn step(set: u32, direction: usize) -> u32 {
    set.rotate_left(ROTATIONS[direction])
}

/// The inverse of [`step`].
#[inline(always)]
pub(crate) fn step_back(set: u32, direction: usize) -> u32 {
    set.rotate_right(ROTATIONS[direction])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_follow_the_diagram() {
        for number in 1..=32 {
            let (row, column) = row_column(number);
            for (direction, (up, right)) in [(1, 1), (1, -1), (-1, -1), (-1, 1)].into_iter().enumerate() {
                if CAN_STEP[direction] & bit(number) != 0 {
                    let to = super::number(step(bit(number), direction).trailing_zeros());
                    assert_eq!(
                        row_column(to),
                        ((row as i32 - up) as u8, (column as i32 + right) as u8),
                        "{number} {direction}"
                    );
                }
            }
        }
    }

    #[test]
    fn the_example_in_the_module_documentation_is_correct() {
        assert_eq!(bit(22), 1 << 20);
        assert_eq!(step(bit(22), 0), bit(18));
        assert_eq!(step(bit(22), 1), bit(17));
    }
}
