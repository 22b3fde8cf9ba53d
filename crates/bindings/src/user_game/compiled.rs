//! User games compiled by Numba, called without the Python interpreter.

use std::sync::Arc;

use plyground_documented::documented;
use plyground_engine::games::compiled::{
    Compiled, Functions, MAX_MOVES, MAX_STATE_SIZE, Moves, Play, PlayRandom, Presentation, Query, Rules,
};
use plyground_engine::{Error, Game as Facts, Line, PlaneLayout};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::erased::AnyLine;
use crate::errors::ParseError;
use crate::game::Game;
use crate::user_game::{GameAdapter, game_adapter, make_game};

/// States of at most this many integers use a smaller representation.
const SMALL: usize = 4;

/// Text and display of a compiled game. They are provided by its adapter, to which states are tuples of integers.
struct CompiledPresentation {
    adapter: GameAdapter,
    repetitions: u32,
    names: Vec<String>,
    /// Keeps the compiled functions alive.
    _functions: Py<PyAny>,
}

impl CompiledPresentation {
    fn with<T: Default>(&self, state: &[i64], ask: impl FnOnce(&GameAdapter, &Bound<'_, PyAny>) -> Option<T>) -> T {
        Python::attach(|py| match PyTuple::new(py, state) {
            Ok(state) => ask(&self.adapter, &state),
            Err(error) => {
                self.adapter.fail(py, error, "the state");
                None
            }
        })
        .unwrap_or_default()
    }
}

impl Presentation for CompiledPresentation {
    fn game(&self) -> &Facts {
        &self.adapter.facts
    }

    fn repetition_limit(&self) -> u32 {
        self.repetitions
    }

    fn text(&self, state: &[i64]) -> String {
        self.with(state, GameAdapter::text)
    }

    fn parse(&self, text: &str) -> Result<Vec<i64>, Error> {
        let wrong = || Error::parse("position", text, "is not valid in this game");
        Python::attach(|py| self.adapter.parse(py, text).ok_or_else(wrong)?.extract().map_err(|_| wrong()))
    }

    fn move_text(&self, mv: u16) -> String {
        self.names.get(usize::from(mv)).cloned().unwrap_or_else(|| mv.to_string())
    }

    fn failed(&self, function: &'static str) {
        Python::attach(|py| {
            let why = format!(
                "the compiled {function} function failed; register(game.interpreted()) runs the same rules in Python and shows \
                 the error"
            );
            self.adapter.fail(py, ParseError::new_err(why), function);
        });
    }

    fn cells(&self, state: &[i64]) -> Vec<(usize, char)> {
        self.with(state, GameAdapter::cells)
    }

    fn path(&self, state: &[i64], mv: u16) -> Vec<usize> {
        self.with(state, |adapter, state| adapter.path(state, &self.move_text(mv)))
    }

    fn plane_layout(&self) -> Option<&PlaneLayout> {
        self.adapter.plane_layout.as_ref()
    }

    fn planes(&self, state: &[i64]) -> Vec<f32> {
        self.with(state, GameAdapter::planes)
    }
}

/// Creates a user game whose rules are the C functions at `addresses`, in the order `moves`, `play`, `play_random`, `turn`,
/// `outcome`; `functions` keeps them alive.
#[documented]
#[pyfunction]
pub(crate) fn compiled_game(
    adapter: &Bound<'_, PyAny>,
    start: Vec<i64>,
    names: Vec<String>,
    addresses: [usize; 5],
    functions: Py<PyAny>,
) -> PyResult<Game> {
    if addresses.contains(&0) || start.is_empty() || start.len() > MAX_STATE_SIZE || names.len() > usize::from(u16::MAX) {
        return Err(PyValueError::new_err(
            "a compiled game must have five functions, a state of 1 to 32 integers and at most 65535 distinct moves",
        ));
    }
    let mut game_adapter = game_adapter(adapter)?;
    game_adapter.facts.actions = names.len();
    let repetitions = adapter.getattr("repetition_limit")?.extract()?;
    let size = start.len();
    let presentation = Box::new(CompiledPresentation { adapter: game_adapter, repetitions, names, _functions: functions });
    let [moves, play, play_random, turn, outcome] = addresses.map(|address| address as *const ());
    // SAFETY: `plyground.compiled`, the only caller, passes the addresses of functions that Numba compiled with these signatures
    // and bounds checks, over arrays of `size` integers and MAX_MOVES moves; they hold no interpreter state, so any thread may call
    // them, and `functions` keeps them alive for as long as the rules.
    let functions = unsafe {
        Functions::new(
            std::mem::transmute::<*const (), Moves>(moves),
            std::mem::transmute::<*const (), Play>(play),
            std::mem::transmute::<*const (), PlayRandom>(play_random),
            std::mem::transmute::<*const (), Query>(turn),
            std::mem::transmute::<*const (), Query>(outcome),
        )
    };
    let rules = Arc::new(Rules { functions, presentation, size });
    let line = if size <= SMALL { boxed::<SMALL>(rules, &start) } else { boxed::<MAX_STATE_SIZE>(rules, &start) };
    make_game(adapter, line.ok_or_else(|| PyValueError::new_err("the start state must have 1 to 32 integers"))?, None)
}

fn boxed<const N: usize>(rules: Arc<Rules>, start: &[i64]) -> Option<Box<dyn AnyLine>> {
    Some(Box::new(Line::new(Compiled::<N>::new(rules, start)?)))
}

/// The maximum number of integers in a state and of moves in a position of a compiled game.
#[documented]
#[pyfunction]
pub(crate) fn compiled_limits() -> (usize, usize) {
    (MAX_STATE_SIZE, MAX_MOVES)
}
