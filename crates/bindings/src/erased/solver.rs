//! Type-erased solvers.

use plyground_engine::exact::connect4::{self, SolverOptions};
use plyground_engine::exact::mnk;
use plyground_engine::exact::solution::{Observer, Solution, Solver};
use plyground_engine::games::connect4::{ConnectFour, Sized, Standard};
use plyground_engine::games::tictactoe::{self, Classic, TicTacToe};
use plyground_engine::{Error, Line, Position};

use super::AnyLine;

/// A [`Solver`] of any game.
pub(crate) trait AnySolver: Send {
    fn solve(&mut self, line: &dyn AnyLine, all_moves: bool, observer: &mut dyn Observer) -> Result<Option<Solution>, Error>;
    fn scores(&mut self, lines: &[&dyn AnyLine], observer: &mut dyn Observer) -> Result<Option<Vec<i32>>, Error>;
    fn clear(&mut self);
    fn bytes(&self) -> usize;
}

struct TypedSolver<P: Position>(Box<dyn Solver<P>>);

/// Downcasts a line to the solver's game.
fn typed<P: Position>(line: &dyn AnyLine) -> Result<&Line<P>, Error> {
    let other_game = || Error::Parse("the position and the solver belong to different games".into());
    line.as_any().downcast_ref().ok_or_else(other_game)
}

impl<P: Position> AnySolver for TypedSolver<P> {
    fn solve(&mut self, line: &dyn AnyLine, all_moves: bool, observer: &mut dyn Observer) -> Result<Option<Solution>, Error> {
        self.0.solve(typed(line)?, all_moves, observer)
    }

    fn scores(&mut self, lines: &[&dyn AnyLine], observer: &mut dyn Observer) -> Result<Option<Vec<i32>>, Error> {
        let lines = lines.iter().map(|line| typed(*line)).collect::<Result<Vec<_>, _>>()?;
        self.0.scores(&lines, observer)
    }

    fn clear(&mut self) {
        self.0.clear();
    }

    fn bytes(&self) -> usize {
        self.0.bytes()
    }
}

/// The solver for the game of a line; `None` if there is none.
pub(crate) fn solver(line: &dyn AnyLine, options: SolverOptions) -> Result<Option<Box<dyn AnySolver>>, Error> {
    if typed::<ConnectFour<Standard>>(line).is_ok() {
        return Ok(Some(Box::new(TypedSolver(connect4::standard_solver(options)))));
    }
    if let Ok(line) = typed::<ConnectFour<Sized>>(line) {
        return Ok(Some(Box::new(TypedSolver(connect4::sized_solver(line.position().shape(), options)))));
    }
    if let Ok(line) = typed::<TicTacToe<Classic>>(line) {
        return Ok(Some(Box::new(TypedSolver(mnk::solver(line.position().shape(), options.bytes)?))));
    }
    if let Ok(line) = typed::<TicTacToe<tictactoe::Sized>>(line) {
        return Ok(Some(Box::new(TypedSolver(mnk::solver(line.position().shape(), options.bytes)?))));
    }
    Ok(None)
}
