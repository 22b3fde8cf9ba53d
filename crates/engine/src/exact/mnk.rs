//! Tic-tac-toe and its family solved, on boards small enough to be.

use std::collections::HashMap;

use super::solution::{MoveScore, Progress, Solution, Solver, Watch, check_unfinished, distance};
use crate::bits::each_bit;
use crate::erased::AnyLine;
use crate::games::tictactoe::{Classic, Family, Shape, TicTacToe};
use crate::{Error, Line, Position};

/// Larger boards are refused: their trees are too large to be searched to the end.
pub const MOST_CELLS: usize = 16;
/// What an entry of the memory takes, about.
const ENTRY: usize = 40;
/// Positions with fewer empty cells are solved faster than looked up.
const REMEMBERED: u32 = 4;
/// Nodes between two looks at the watch.
const PATIENCE: u64 = 1 << 10;

/// The solver of the board that a line is played on, if that is of the family; an error if the board is too large.
pub fn solver(line: &dyn AnyLine, bytes: usize) -> Result<Option<Box<dyn Solver>>, Error> {
    if let Some(line) = line.as_any().downcast_ref::<Line<TicTacToe<Classic>>>() {
        return Ok(Some(Box::new(OneBoard::new(line.position().shape(), bytes)?)));
    }
    match line.as_any().downcast_ref::<Line<TicTacToe<Family>>>() {
        Some(line) => Ok(Some(Box::new(OneBoard::new(line.position().shape(), bytes)?))),
        None => Ok(None),
    }
}

/// A bound of a score.
#[derive(Clone, Copy)]
struct Bound {
    value: i8,
    /// Whether the score is at least the value; otherwise it is at most that.
    at_least: bool,
}

struct OneBoard<S: Shape> {
    shape: S,
    /// Where each cell goes, for each way of turning and mirroring the board.
    symmetries: Vec<Vec<u32>>,
    memory: HashMap<u64, Bound>,
    most: usize,
}

struct Search<'a, S: Shape> {
    solver: &'a mut OneBoard<S>,
    watch: &'a mut dyn Watch,
    progress: Progress,
    stopped: bool,
}

impl<S: Shape> OneBoard<S> {
    fn new(shape: S, bytes: usize) -> Result<Self, Error> {
        let (rows, columns) = (shape.rows(), shape.columns());
        if rows * columns > MOST_CELLS {
            return Err(Error::Parse(format!(
                "tictactoe of {rows} rows and {columns} columns has {} cells; the solver accepts up to {MOST_CELLS}",
                rows * columns
            )));
        }
        let cell = |row: usize, column: usize| (row * columns + column) as u32;
        let mut symmetries = Vec::new();
        for way in 0..if rows == columns { 8 } else { 4 } {
            let mut map = Vec::new();
            for row in 0..rows {
                for column in 0..columns {
                    let row = if way & 1 == 0 { row } else { rows - 1 - row };
                    let column = if way & 2 == 0 { column } else { columns - 1 - column };
                    map.push(if way & 4 == 0 { cell(row, column) } else { cell(column, row) });
                }
            }
            symmetries.push(map);
        }
        Ok(OneBoard { shape, symmetries, memory: HashMap::new(), most: (bytes / ENTRY).max(1) })
    }

    /// A number that a position shares with those that look the same from another side.
    fn key(&self, mover: u64, waiting: u64) -> u64 {
        let turned = |cells: u64, map: &[u32]| {
            let mut turned = 0;
            each_bit(cells, |bit| turned |= 1u64 << map[bit as usize]);
            turned
        };
        let keys = self.symmetries.iter().map(|map| turned(mover, map) << MOST_CELLS | turned(waiting, map));
        keys.min().unwrap_or(0)
    }

    /// The empty cells that would complete a line with these.
    fn completing(&self, cells: u64, empty: u64) -> u64 {
        let mut found = 0;
        each_bit(empty, |bit| found |= u64::from(self.shape.has_line(cells | 1 << bit)) << bit);
        found
    }
}

impl<S: Shape> Search<'_, S> {
    /// A bound of the score on the same side of `alpha`: at most `alpha`, or at least `alpha + 1`. Worth nothing once `stopped`.
    fn solve(&mut self, mover: u64, waiting: u64, alpha: i32) -> i32 {
        self.progress.nodes += 1;
        if self.progress.nodes.is_multiple_of(PATIENCE) && self.watch.wants_stop(&self.progress) {
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
        let remembered = left as u32 >= REMEMBERED && threats == 0;
        let key = if remembered { self.solver.key(mover, waiting) } else { 0 };
        if remembered
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
        if remembered && !self.stopped && self.solver.memory.len() < self.solver.most {
            self.solver.memory.insert(key, Bound { value: found as i8, at_least: found > alpha });
        }
        found
    }

    /// The score of a position in which nobody has a line; `None` if the watch wanted a stop.
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

impl<S: Shape> Solver for OneBoard<S> {
    fn solve(&mut self, line: &dyn AnyLine, every: bool, watch: &mut dyn Watch) -> Result<Option<Solution>, Error> {
        let line = match line.as_any().downcast_ref::<Line<TicTacToe<S>>>() {
            Some(line) if line.position().shape() == self.shape => line,
            _ => return Err(Error::Parse("the position is of another game than the solver".into())),
        };
        check_unfinished(line)?;
        let position = line.position();
        let (mover, waiting) = position.bits();
        let left = (self.shape.full() & !(mover | waiting)).count_ones() as i32;
        let mut search = Search { solver: self, watch, progress: Progress::default(), stopped: false };
        let Some(mut score) = search.score(mover, waiting) else {
            return Ok(None);
        };
        let mut moves = Vec::new();
        if every {
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
