//! User games written in Python, described by `plyground.user_games`.

use std::sync::{Arc, Mutex, PoisonError};

use plyground_documented::documented;
use plyground_engine::games::callback::{ACTIONS, CallbackPosition};
use plyground_engine::interrupt::{self, Interrupt};
use plyground_engine::{Line, Piece, PlaneLayout, Side, games};
use pyo3::call::PyCallArgs;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::erased::AnyLine;
use crate::game::{Game, Origin, Shared};
use crate::user_game::rules::PythonRules;
use crate::user_game::states::States;

pub(crate) mod compiled;
pub(crate) mod interrupts;
pub(crate) mod rules;
pub(crate) mod states;

/// Calls the engine within an interrupt. Returns the exception that a callback raised, if any.
pub(crate) fn run_within<T>(interrupt: &Arc<Interrupt>, function: impl FnOnce() -> T) -> PyResult<T> {
    let answer = interrupt::within(Some(interrupt.clone()), function);
    match interrupt.take_failure().map(|failure| failure.downcast::<PyErr>()) {
        Some(Ok(error)) => Err(*error),
        _ => Ok(answer),
    }
}

/// Records an exception raised by a callback, with a note on where it was raised, for [`run_within`].
pub(crate) fn record_failure(py: Python<'_>, error: PyErr, note: Option<&str>) {
    interrupt::fail(|| {
        if let Some(note) = note {
            // A failure to add the note is ignored.
            let _ = error.value(py).call_method1("add_note", (note,));
        }
        Box::new(error)
    });
}

/// The adapter of a user game: its properties, and methods for text and display.
pub(crate) struct GameAdapter {
    pub(crate) facts: plyground_engine::Game,
    /// The planes of a game that defines its own encoding.
    pub(crate) plane_layout: Option<PlaneLayout>,
    adapter: Py<PyAny>,
    id: &'static str,
}

impl GameAdapter {
    /// Records an exception raised by a method of the game.
    fn fail(&self, py: Python<'_>, error: PyErr, what: &str) {
        let location = self.adapter.bind(py).call_method1("location", (error.traceback(py),)).and_then(|text| text.extract());
        let location: Option<String> = location.unwrap_or_default();
        let note = location.map(|location| format!("raised by {what} of the game {}{location}", self.id));
        record_failure(py, error, note.as_deref());
    }

    /// Calls a method of the adapter; `None` if it is skipped or raises an exception, which is recorded.
    fn call<'py, T>(&self, py: Python<'py>, what: &str, arguments: impl PyCallArgs<'py>) -> Option<T>
    where
        T: for<'a> FromPyObject<'a, 'py, Error: Into<PyErr>>,
    {
        if interrupt::must_skip() {
            return None;
        }
        let method = what.split('(').next().unwrap_or(what);
        let answer = self.adapter.bind(py).getattr(method).and_then(|method| method.call1(arguments));
        answer.and_then(|answer| answer.extract().map_err(Into::into)).map_err(|error| self.fail(py, error, what)).ok()
    }

    pub(crate) fn text(&self, state: &Bound<'_, PyAny>) -> Option<String> {
        self.call(state.py(), "text(state)", (state,))
    }

    /// Parses the text of a state.
    pub(crate) fn parse<'py>(&self, py: Python<'py>, text: &str) -> Option<Bound<'py, PyAny>> {
        self.call(py, "parse(text)", (text,))
    }

    pub(crate) fn cells(&self, state: &Bound<'_, PyAny>) -> Option<Vec<(usize, char)>> {
        let cells: Vec<(usize, char)> = self.call(state.py(), "cells(state)", (state,))?;
        Some(cells.into_iter().filter(|&(cell, _)| cell < self.facts.squares.len()).collect())
    }

    pub(crate) fn path(&self, state: &Bound<'_, PyAny>, mv: &str) -> Option<Vec<usize>> {
        let path: Vec<usize> = self.call(state.py(), "path(state, move)", (state, mv))?;
        Some(path.into_iter().filter(|&cell| cell < self.facts.squares.len()).collect())
    }

    pub(crate) fn planes(&self, state: &Bound<'_, PyAny>) -> Option<Vec<f32>> {
        self.call(state.py(), "planes(state)", (state,))
    }
}

/// The plane layout of a game that has a method `planes`.
fn plane_layout(adapter: &Bound<'_, PyAny>) -> PyResult<Option<PlaneLayout>> {
    let shape: Option<(usize, usize, usize)> = adapter.getattr("plane_shape")?.extract()?;
    Ok(shape.map(|(planes, rows, columns)| {
        PlaneLayout::new((1..=planes).map(|plane| format!("plane {plane} of the game's own encoding")), rows, columns)
    }))
}

/// Reads the properties of a game from its adapter.
fn facts(adapter: &Bound<'_, PyAny>) -> PyResult<plyground_engine::Game> {
    let sides: (String, String) = adapter.getattr("sides")?.extract()?;
    let pieces: Vec<(char, usize, String)> = adapter.getattr("pieces")?.extract()?;
    let squares: Vec<Option<String>> = adapter.getattr("squares")?.extract()?;
    let (rows, columns): (usize, usize) = (adapter.getattr("rows")?.extract()?, adapter.getattr("columns")?.extract()?);
    if rows * columns != squares.len() {
        return Err(PyValueError::new_err(format!("squares must have {rows} x {columns} entries, got {}", squares.len())));
    }
    let pieces = pieces.into_iter().map(|(letter, side, name)| Piece { letter, side: side_of(side), name: intern(&name) });
    let pieces: Vec<Piece> = pieces.collect();
    Ok(plyground_engine::Game {
        rows,
        columns,
        column_labels: adapter.getattr("column_labels")?.extract()?,
        row_labels: adapter.getattr("row_labels")?.extract()?,
        bottom: Side::First,
        sides: [intern(&sides.0), intern(&sides.1)],
        actions: ACTIONS,
        features: pieces.len() * squares.len(),
        pieces,
        squares,
    })
}

fn side_of(number: usize) -> Side {
    if number == 0 { Side::First } else { Side::Second }
}

/// Interns a string for the lifetime of the process, once per distinct string.
fn intern(text: &str) -> &'static str {
    static KEPT: Mutex<Vec<&'static str>> = Mutex::new(Vec::new());
    let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    match kept.iter().find(|&&other| other == text) {
        Some(known) => known,
        None => {
            let text: &'static str = String::from(text).leak();
            kept.push(text);
            text
        }
    }
}

/// The registry entry of a user game, created once per ID, title and rules.
fn entry(id: &'static str, title: &'static str, rules: &'static str) -> &'static games::Entry {
    static KEPT: Mutex<Vec<&'static games::Entry>> = Mutex::new(Vec::new());
    let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    match kept.iter().find(|entry| (entry.id, entry.title, entry.rules) == (id, title, rules)) {
        Some(known) => known,
        None => {
            let entry: &'static games::Entry = Box::leak(Box::new(games::Entry { id, title, rules, options: &[] }));
            kept.push(entry);
            entry
        }
    }
}

/// Creates the adapter of a user game.
pub(crate) fn game_adapter(adapter: &Bound<'_, PyAny>) -> PyResult<GameAdapter> {
    let id: String = adapter.getattr("id")?.extract()?;
    let (facts, plane_layout) = (facts(adapter)?, plane_layout(adapter)?);
    Ok(GameAdapter { facts, plane_layout, adapter: adapter.clone().unbind(), id: intern(&id) })
}

/// Creates the `Game` object of a user game, given a line at its initial position. `states` is the cache of a game whose rules are
/// callbacks.
pub(crate) fn make_game(adapter: &Bound<'_, PyAny>, start: Box<dyn AnyLine>, states: Option<Arc<States>>) -> PyResult<Game> {
    let text = |name: &str| -> PyResult<String> { adapter.getattr(name)?.extract() };
    let id = text("id")?;
    let entry = entry(intern(&id), intern(&text("title")?), intern(&text("rules")?));
    Ok(Game { shared: Arc::new(Shared::new(entry, id, start, Origin::User(states))) })
}

/// Creates a user game whose cached states use at most `cache_bytes` while no search is running.
#[documented]
#[pyfunction]
pub(crate) fn user_game(adapter: &Bound<'_, PyAny>, cache_bytes: usize) -> PyResult<Game> {
    let states = Arc::new(States::new(adapter.py(), cache_bytes)?);
    let rules = Arc::new(PythonRules::new(adapter, game_adapter(adapter)?, states.clone())?);
    let interrupt = Interrupt::new(None, None);
    let start = run_within(&interrupt, || rules.start(adapter.py()))?.ok_or_else(interrupts::interrupted)?;
    make_game(adapter, Box::new(Line::new(CallbackPosition::new(rules, start))), Some(states))
}
