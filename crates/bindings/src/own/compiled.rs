//! Games of the user's own whose rules Numba compiled: the engine calls them without the interpreter.

use std::sync::Arc;

use plyground_engine::erased::AnyLine;
use plyground_engine::games::compiled::{
    Compiled, Functions, MOST_MOVES, MOST_WORDS, Moves, Play, PlayRandom, Rules, Tell, Words,
};
use plyground_engine::{Error, Game as Facts, Line};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::errors::ParseError;
use crate::game::Game;
use crate::own::{Voice, made, voice};

/// States of no more words are copied as fast as states of one.
const SMALL: usize = 4;

/// The words of a compiled game by its adapter; states are tuples of numbers there.
struct CompiledWords {
    voice: Voice,
    repetitions: u32,
    names: Vec<String>,
    /// The compiled functions live as long as this.
    _functions: Py<PyAny>,
}

impl CompiledWords {
    fn with<T>(&self, state: &[i64], ask: impl FnOnce(&Voice, &Bound<'_, PyAny>) -> T, none: impl FnOnce() -> T) -> T {
        Python::attach(|py| match PyTuple::new(py, state) {
            Ok(state) => ask(&self.voice, &state),
            Err(error) => {
                self.voice.fail(py, error, "the state");
                none()
            }
        })
    }
}

impl Words for CompiledWords {
    fn game(&self) -> &Facts {
        &self.voice.facts
    }

    fn repetitions(&self) -> u32 {
        self.repetitions
    }

    fn text(&self, state: &[i64]) -> String {
        self.with(state, Voice::text, String::new)
    }

    fn parse(&self, text: &str) -> Result<Vec<i64>, Error> {
        let wrong = || Error::parse("text", text, "is not a position");
        Python::attach(|py| self.voice.parse(py, text).ok_or_else(wrong)?.extract().map_err(|_| wrong()))
    }

    fn move_text(&self, mv: u16) -> String {
        self.names.get(usize::from(mv)).cloned().unwrap_or_else(|| mv.to_string())
    }

    fn failed(&self, function: &'static str) {
        Python::attach(|py| {
            let why =
                format!("the compiled {function} failed; register(game.plain()) runs the same rules in Python and shows where");
            self.voice.fail(py, ParseError::new_err(why), function);
        });
    }

    fn cells(&self, state: &[i64]) -> Vec<(usize, char)> {
        self.with(state, Voice::cells, Vec::new)
    }

    fn path(&self, state: &[i64], mv: u16) -> Vec<usize> {
        self.with(state, |voice, state| voice.path(state, &self.move_text(mv)), Vec::new)
    }
}

/// The game of an adapter of `plyground.own` whose rules are C functions at these addresses, in the order `moves`, `play`,
/// `play_random`, `turn`, `outcome`; `functions` keeps them alive.
#[pyfunction]
pub(crate) fn compiled_game(
    adapter: &Bound<'_, PyAny>,
    start: Vec<i64>,
    names: Vec<String>,
    addresses: [usize; 5],
    functions: Py<PyAny>,
) -> PyResult<Game> {
    if addresses.contains(&0) || start.is_empty() || start.len() > MOST_WORDS || names.len() > usize::from(u16::MAX) {
        return Err(PyValueError::new_err("a compiled game has five functions, 1 to 32 words and up to 65535 moves"));
    }
    let mut voice = voice(adapter)?;
    voice.facts.actions = names.len();
    let failures = voice.failures.clone();
    let repetitions = adapter.getattr("repetitions")?.extract()?;
    let size = start.len();
    let words = Box::new(CompiledWords { voice, repetitions, names, _functions: functions });
    let [moves, play, play_random, turn, outcome] = addresses.map(|address| address as *const ());
    // SAFETY: `plyground.compiled`, the only caller, passes the addresses of functions that Numba compiled with these signatures
    // and bounds checks, over arrays of `size` words and MOST_MOVES moves; they hold no interpreter state, so any thread may call
    // them, and `words` keeps them alive for as long as the rules.
    let functions = unsafe {
        Functions::new(
            std::mem::transmute::<*const (), Moves>(moves),
            std::mem::transmute::<*const (), Play>(play),
            std::mem::transmute::<*const (), PlayRandom>(play_random),
            std::mem::transmute::<*const (), Tell>(turn),
            std::mem::transmute::<*const (), Tell>(outcome),
        )
    };
    let rules = Arc::new(Rules { functions, words, size });
    let line = if size <= SMALL { boxed::<SMALL>(rules, &start) } else { boxed::<MOST_WORDS>(rules, &start) };
    made(adapter, line.ok_or_else(|| PyValueError::new_err("the start has not as many words as a state"))?, failures)
}

fn boxed<const N: usize>(rules: Arc<Rules>, start: &[i64]) -> Option<Box<dyn AnyLine>> {
    Some(Box::new(Line::new(Compiled::<N>::new(rules, start)?)))
}

/// The most words of a state and the most moves of a position of a compiled game.
#[pyfunction]
pub(crate) fn compiled_limits() -> (usize, usize) {
    (MOST_WORDS, MOST_MOVES)
}
