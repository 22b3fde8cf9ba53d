//! Board shapes and lines.

use std::fmt;

/// The size of a board and its lines; compile-time constants for the classic board.
pub trait Shape: Copy + Eq + fmt::Debug + Send + Sync + 'static {
    /// The number of rows.
    fn rows(self) -> usize;
    /// The number of columns.
    fn columns(self) -> usize;
    /// Whether a set of cells contains a winning line.
    fn has_line(self, cells: u64) -> bool;
    /// The number of winning lines in a set of cells.
    fn count_lines(self, cells: u64) -> u32;

    /// All cells.
    #[inline(always)]
    fn full(self) -> u64 {
        u64::MAX >> (64 - self.rows() * self.columns())
    }
}

/// Three rows, three columns, three in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Classic;

const WINS: [u64; 8] = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];

/// A table of 512 bits in eight words: bit `cells` is set if the set `cells` of the nine cells contains a line.
const LINES: [u64; 8] = {
    let mut table = [0; 8];
    let mut cells = 0;
    while cells < 512 {
        let mut win = 0;
        while win < 8 {
            if cells & WINS[win] == WINS[win] {
                table[(cells >> 6) as usize] |= 1 << (cells & 63);
            }
            win += 1;
        }
        cells += 1;
    }
    table
};

impl Shape for Classic {
    #[inline(always)]
    fn rows(self) -> usize {
        3
    }

    #[inline(always)]
    fn columns(self) -> usize {
        3
    }

    #[inline(always)]
    fn has_line(self, cells: u64) -> bool {
        LINES[(cells >> 6 & 7) as usize] >> (cells & 63) & 1 != 0
    }

    fn count_lines(self, cells: u64) -> u32 {
        WINS.iter().map(|&win| u32::from(cells & win == win)).sum()
    }
}

/// Any other shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sized {
    rows: u8,
    columns: u8,
    line: u8,
    /// For each direction (right, up, up right, up left), the cells from which a line fits on the board.
    starts: [u64; 4],
}

impl Sized {
    pub(super) fn new(rows: u32, columns: u32, line: u32) -> Sized {
        let mut starts = [0; 4];
        let fits = |at: u32, step: i32, side: u32| (0..side as i32).contains(&(at as i32 + step * (line as i32 - 1)));
        for row in 0..rows {
            for column in 0..columns {
                for (start, (right, up)) in starts.iter_mut().zip([(1, 0), (0, 1), (1, 1), (-1, 1)]) {
                    if fits(column, right, columns) && fits(row, up, rows) {
                        *start |= 1 << (row * columns + column);
                    }
                }
            }
        }
        Sized { rows: rows as u8, columns: columns as u8, line: line as u8, starts }
    }

    /// The start cells of the lines in the given direction that `cells` contains.
    #[inline]
    fn lines(self, cells: u64, direction: usize) -> u64 {
        let columns = u32::from(self.columns);
        let step = [1, columns, columns + 1, columns.wrapping_sub(1)][direction];
        let mut lines = cells & self.starts[direction];
        for n in 1..u32::from(self.line) {
            if lines == 0 {
                break;
            }
            lines &= cells >> (n * step);
        }
        lines
    }
}

impl Shape for Sized {
    #[inline(always)]
    fn rows(self) -> usize {
        self.rows.into()
    }

    #[inline(always)]
    fn columns(self) -> usize {
        self.columns.into()
    }

    #[inline]
    fn has_line(self, cells: u64) -> bool {
        (0..4).any(|direction| self.lines(cells, direction) != 0)
    }

    fn count_lines(self, cells: u64) -> u32 {
        (0..4).map(|direction| self.lines(cells, direction).count_ones()).sum()
    }
}
