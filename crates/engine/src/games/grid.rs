//! Text, cell names and winning lines for games on rectangular grids.
//!
//! Cells are named as in chess: columns by letters from the left, rows by numbers from the bottom. The text of a position lists the
//! rows from the top, with `.` for an empty cell: `.../.x./..o`.

use crate::{Error, Side, View};

/// The name of a column: 0 is `a`, 25 is `z`, 26 is `aa`.
pub(super) fn column_name(column: usize) -> String {
    let letter = char::from(b'a' + (column % 26) as u8);
    if column < 26 { letter.to_string() } else { column_name(column / 26 - 1) + &letter.to_string() }
}

/// The name of a cell; row 0 is at the bottom.
pub(super) fn cell_name(row: usize, column: usize) -> String {
    format!("{}{}", column_name(column), row + 1)
}

/// The names of all cells, row by row from the top left.
pub(super) fn squares(rows: usize, columns: usize) -> Vec<Option<String>> {
    (0..rows).rev().flat_map(|row| (0..columns).map(move |column| Some(cell_name(row, column)))).collect()
}

/// The index of a cell, row by row from the top left; row 0 is at the bottom.
pub(super) fn reading_index(rows: usize, columns: usize, row: usize, column: usize) -> usize {
    (rows - 1 - row) * columns + column
}

/// The indices of the cells of all straight runs in `cells` that satisfy `wins`. `bit` maps a row and a column to a bit index.
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
            let (mut row, mut column, mut run, mut indices) = (start_row, start_column, 0, Vec::new());
            while at(row, column) != 0 {
                run |= at(row, column);
                indices.push(reading_index(rows, columns, row, column));
                (row, column) = (row + up, column.wrapping_add(right));
            }
            if wins(run) {
                found.append(&mut indices);
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// Formats a position row by row.
pub(super) fn format<P: View>(position: &P, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
    let game = position.game();
    let mut letters = vec!['.'; game.rows * game.columns];
    position.cells(|cell, letter| letters[cell] = letter);
    let rows: Vec<String> = letters.chunks(game.columns).map(|row| row.iter().collect()).collect();
    f.write_str(&rows.join("/"))
}

/// Parses the output of [`format`], calls `place` with the row (0 is at the bottom), column and side of each piece and returns the side
/// to move. The first side must have as many pieces as the second, or one more.
pub(super) fn parse<P: View>(position: &P, text: &str, mut place: impl FnMut(usize, usize, Side)) -> Result<Side, Error> {
    let game = position.game();
    let [first, second] = [game.pieces[0].letter, game.pieces[1].letter];
    let count = |number: usize, noun: &str| format!("{number} {noun}{}", if number == 1 { "" } else { "s" });
    let invalid = |reason: String| {
        let (rows, cells) = (count(game.rows, "row"), count(game.columns, "cell"));
        let message = format!(
            "must have {rows} of {cells}, from the top, separated by `/`, with `{first}`, `{second}` or `.` in each cell, \
             but {reason}"
        );
        Error::parse("position", text, &message)
    };
    let lines: Vec<&str> = text.split('/').collect();
    if lines.len() != game.rows {
        return Err(invalid(format!("it has {}", count(lines.len(), "row"))));
    }
    let mut counts = [0, 0];
    for (index, line) in lines.iter().enumerate() {
        let row = game.rows - 1 - index;
        if line.chars().count() != game.columns {
            return Err(invalid(format!("row {} has {}", row + 1, count(line.chars().count(), "cell"))));
        }
        for (column, letter) in line.chars().enumerate() {
            let side = match letter {
                '.' => continue,
                _ if letter == first => Side::First,
                _ if letter == second => Side::Second,
                _ => {
                    return Err(invalid(format!("{} contains {letter:?}", cell_name(row, column))));
                }
            };
            counts[side as usize] += 1;
            place(row, column, side);
        }
    }
    match counts[0] - counts[1] {
        0 => Ok(Side::First),
        1 => Ok(Side::Second),
        _ => {
            let [firsts, seconds] = counts;
            let rule = format!("must have as many {first} as {second}, or one more {first}");
            let message = format!("{rule}, but has {firsts} {first} and {seconds} {second}");
            Err(Error::parse("position", text, &message))
        }
    }
}
