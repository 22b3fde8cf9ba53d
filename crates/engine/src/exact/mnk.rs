//! Solver for tic-tac-toe and other m,n,k-games on small boards.

use std::collections::HashMap;

use super::solution::{MoveScore, Observer, Progress, Solution, Solver, check_unfinished, distance};
use crate::bits::each_bit;
use crate::games::tictactoe::{Shape, TicTacToe};
use crate::{Error, Line, Notation};

/// Maximum number of cells; larger boards are rejected because their game trees are too large.
pub const MAX_CELLS: usize = 16;
/// Approximate size of a table entry in bytes.
const ENTRY: usize = 40;
/// Positions with fewer empty cells are not stored: searching them is faster than probing the table.
const MIN_EMPTY_STORED: u32 = 4;
/// Nodes between polls of the observer.
const POLL_INTERVAL: u64 = 1 << 10;

/// Returns a solver for a board; an error if the board is too large.
pub fn solver<S: Shape>(shape: S, bytes: usize) -> Result<Box<dyn Solver<TicTacToe<S>>>, Error> {
    Ok(Box::new(MnkSolver::new(shape, bytes)?))
}

/// A bound on a score.
#[derive(Clone, Copy)]
struct Bound {
    value: i8,
    /// Whether `value` is a lower bound on the score; otherwise it is an upper bound.
    at_least: bool,
}

struct MnkSolver<S: Shape> {
    shape: S,
    /// Permutation of the cells for each rotation and reflection of the board.
    symmetries: Vec<Vec<u32>>,
    memory: HashMap<u64, Bound>,
    max_entries: usize,
}

struct Search<'a, S: Shape> {
    solver: &'a mut MnkSolver<S>,
    observer: &'a mut dyn Observer,
    progress: Progress,
    stopped: bool,
}

impl<S: Shape> MnkSolver<S> {
    fn new(shape: S, bytes: usize) -> Result<Self, Error> {
        let (rows, columns) = (shape.rows(), shape.columns());
        if rows * columns > MAX_CELLS {
            return Err(Error::Parse(format!(
                "a board with {rows} rows and {columns} columns has {} cells; the solver supports at most {MAX_CELLS}",
                rows * columns
            )));
        }
        let cell = |row: usize, column: usize| (row * columns + column) as u32;
        let mut symmetries = Vec::new();
        for symmetry in 0..if rows == columns { 8 } else { 4 } {
            let mut map = Vec::new();
            for row in 0..rows {
                for column in 0..columns {
                    let row = if symmetry & 1 == 0 { row } else { rows - 1 - row };
                    let column = if symmetry & 2 == 0 { column } else { columns - 1 - column };
                    map.push(if symmetry & 4 == 0 { cell(row, column) } else { cell(column, row) });
                }
            }
            symmetries.push(map);
        }
        Ok(MnkSolver { shape, symmetries, memory: HashMap::new(), max_entries: (bytes / ENTRY).max(1) })
    }

    /// Returns a key that a position shares with its rotations and reflections.
    fn key(&self, mover: u64, waiting: u64) -> u64 {
        let transform = |cells: u64, map: &[u32]| {
            let mut transformed = 0;
            each_bit(cells, |bit| transformed |= 1u64 << map[bit as usize]);
            transformed
        };
        let keys = self.symmetries.iter().map(|map| transform(mover, map) << MAX_CELLS | transform(waiting, map));
        keys.min().unwrap_or(0)
    }

    /// Returns the empty cells that would complete a line with `cells`.
    fn completing(&self, cells: u64, empty: u64) -> u64 {
        let mut found = 0;
        each_bit(empty, |bit| found |= u64::from(self.shape.has_line(cells | 1 << bit)) << bit);
        found
    }
}

impl<S: Shape> Search<'_, S> {
    /// Returns a bound on the score: an upper bound of at most `alpha`, or a lower bound above `alpha`. Meaningless once
    /// `stopped`.
    fn solve(&mut self, mover: u64, waiting: u64, alpha: i32) -> i32 {
        self.progress.nodes += 1;
        if self.progress.nodes.is_multiple_of(POLL_INTERVAL) && self.observer.should_stop(&self.progress) {
            self.stopped = true;
        }
        let empty = self.solver.shape.full() & !(mover | waiting);
        let left = empty.count_ones() as i32;
        if left == 0 {
            return 0;
        }
        if self.solver.completing(mover, empty) != 0 {
            return (left + 1) / 2;
        }
        let threats = self.solver.completing(waiting, empty);
        if threats & threats.wrapping_sub(1) != 0 {
            return -(left / 2);
        }
        if (left - 1) / 2 <= alpha {
            return (left - 1) / 2;
        }
        let is_stored = left as u32 >= MIN_EMPTY_STORED && threats == 0;
        let key = if is_stored { self.solver.key(mover, waiting) } else { 0 };
        if is_stored
            && let Some(bound) = self.solver.memory.get(&key)
            && bound.at_least == (i32::from(bound.value) > alpha)
        {
            return bound.value.into();
        }
        let mut found = -left;
        let mut moves = if threats == 0 { empty } else { threats };
        while moves != 0 && found <= alpha && !self.stopped {
            let cell = moves & moves.wrapping_neg();
            moves ^= cell;
            found = found.max(-self.solve(waiting, mover | cell, -alpha - 1));
        }
        if is_stored && !self.stopped && self.solver.memory.len() < self.solver.max_entries {
            self.solver.memory.insert(key, Bound { value: found as i8, at_least: found > alpha });
        }
        found
    }

    /// Returns the score of a position in which neither side has a line; `None` if the observer requested a stop.
    fn score(&mut self, mover: u64, waiting: u64) -> Option<i32> {
        let left = (self.solver.shape.full() & !(mover | waiting)).count_ones() as i32;
        (self.progress.low, self.progress.high) = (-(left / 2), (left + 1) / 2);
        while self.progress.low < self.progress.high {
            let middle = (self.progress.low + self.progress.high).div_euclid(2);
            let value = self.solve(mover, waiting, middle);
            if self.stopped {
                return None;
            }
            if value <= middle {
                self.progress.high = value;
            } else {
                self.progress.low = value;
            }
        }
        Some(self.progress.low)
    }
}

impl<S: Shape> Solver<TicTacToe<S>> for MnkSolver<S> {
    fn solve(
        &mut self,
        line: &Line<TicTacToe<S>>,
        all_moves: bool,
        observer: &mut dyn Observer,
    ) -> Result<Option<Solution>, Error> {
        if line.position().shape() != self.shape {
            return Err(Error::Parse("the position's board size or line length differs from the solver's".into()));
        }
        check_unfinished(line)?;
        let position = line.position();
        let (mover, waiting) = position.bits();
        let left = (self.shape.full() & !(mover | waiting)).count_ones() as i32;
        let mut search = Search { solver: self, observer, progress: Progress::default(), stopped: false };
        let Some(mut score) = search.score(mover, waiting) else {
            return Ok(None);
        };
        let mut moves = Vec::new();
        if all_moves {
            for mv in line.legal_moves() {
                let cell = 1 << mv;
                let score = match search.solver.shape.has_line(mover | cell) {
                    true => Some((left + 1) / 2),
                    false => search.score(waiting, mover | cell).map(|score| -score),
                };
                let Some(score) = score else {
                    return Ok(None);
                };
                moves.push(MoveScore { text: position.move_text(mv), score, distance: distance(score, left) });
            }
            score = moves.iter().map(|mv| mv.score).max().unwrap_or(score);
        }
        Ok(Some(Solution { score, distance: distance(score, left), moves, nodes: search.progress.nodes }))
    }

    fn clear(&mut self) {
        self.memory.clear();
    }

    fn bytes(&self) -> usize {
        self.memory.len() * ENTRY
    }
}
