//! Text, names and lines shared by the games that put pieces of two sides on a rectangular grid.
//!
//! Cells are named as in chess: columns by letters from the left, rows by numbers from the bottom. A position is written row
//! by row from the top, `.` for an empty cell: `.../.x./..o`.

use crate::{Error, Position, Side};

/// Column `0` is `a`, `25` is `z`, `26` is `aa`.
pub(super) fn column_name(column: usize) -> String {
    let letter = char::from(b'a' + (column % 26) as u8);
    if column < 26 { letter.to_string() } else { column_name(column / 26 - 1) + &letter.to_string() }
}

/// The name of a cell; row 0 is the bottom one.
pub(super) fn cell_name(row: usize, column: usize) -> String {
    format!("{}{}", column_name(column), row + 1)
}

/// The names of all cells in reading order.
pub(super) fn squares(rows: usize, columns: usize) -> Vec<Option<String>> {
    (0..rows).rev().flat_map(|row| (0..columns).map(move |column| Some(cell_name(row, column)))).collect()
}

/// The index of a cell in reading order; row 0 is the bottom one.
pub(super) fn reading_index(rows: usize, columns: usize, row: usize, column: usize) -> usize {
    (rows - 1 - row) * columns + column
}

/// The cells, in reading order, of the straight runs in a set of cells that `wins`; `bit` says where a cell is in the set.
pub(super) fn winning_cells(
    (rows, columns): (usize, usize),
    cells: u64,
    bit: impl Fn(usize, usize) -> usize,
    wins: impl Fn(u64) -> bool,
) -> Vec<usize> {
    let at = |row, column| if row < rows && column < columns { cells & 1 << bit(row, column) } else { 0 };
    let mut found = Vec::new();
    for (start_row, start_column) in (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column))) {
        for (up, right) in [(0, 1), (1, 0), (1, 1), (1, usize::MAX)] {
            let (mut row, mut column, mut run, mut places) = (start_row, start_column, 0, Vec::new());
            while at(row, column) != 0 {
                run |= at(row, column);
                places.push(reading_index(rows, columns, row, column));
                (row, column) = (row + up, column.wrapping_add(right));
            }
            if wins(run) {
                found.append(&mut places);
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// Writes a position row by row.
pub(super) fn write<P: Position>(position: &P, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
    let game = position.game();
    let mut letters = vec!['.'; game.rows * game.columns];
    position.cells(|cell, letter| letters[cell] = letter);
    let rows: Vec<String> = letters.chunks(game.columns).map(|row| row.iter().collect()).collect();
    f.write_str(&rows.join("/"))
}

/// Reads what [`write`] wrote and calls `place` with row (0 is the bottom), column and side; the side to move is returned:
/// the first has as many pieces as the second or one more.
pub(super) fn read<P: Position>(position: &P, text: &str, mut place: impl FnMut(usize, usize, Side)) -> Result<Side, Error> {
    let game = position.game();
    let [first, second] = [game.pieces[0].letter, game.pieces[1].letter];
    let wrong = |why: String| {
        let accepted = format!(
            "is not a position: {why}; accepted are {} rows of {} cells from the top, each `{first}`, `{second}` or `.`, with `/` between rows",
            game.rows, game.columns
        );
        Error::parse("text", text, &accepted)
    };
    let lines: Vec<&str> = text.split('/').collect();
    if lines.len() != game.rows {
        return Err(wrong(format!("it has {} rows", lines.len())));
    }
    let mut counts = [0, 0];
    for (index, line) in lines.iter().enumerate() {
        let row = game.rows - 1 - index;
        if line.chars().count() != game.columns {
            return Err(wrong(format!("row {} has {} cells", row + 1, line.chars().count())));
        }
        for (column, letter) in line.chars().enumerate() {
            let side = match letter {
                '.' => continue,
                _ if letter == first => Side::First,
                _ if letter == second => Side::Second,
                _ => {
                    return Err(wrong(format!("{letter:?} stands on {}", cell_name(row, column))));
                }
            };
            counts[side as usize] += 1;
            place(row, column, side);
        }
    }
    match counts[0] - counts[1] {
        0 => Ok(Side::First),
        1 => Ok(Side::Second),
        _ => Err(wrong(format!("{first} stands {} times and {second} {} times", counts[0], counts[1]))),
    }
}
