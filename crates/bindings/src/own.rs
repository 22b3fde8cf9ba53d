//! Games of the user's own, written in Python: `plyground.own` describes them, the engine asks them.

use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::SeqCst;
use std::sync::{Arc, Mutex, PoisonError};

use plyground_engine::erased::AnyLine;
use plyground_engine::games::foreign::{ACTIONS, Foreign};
use plyground_engine::{Line, Piece, Side, games};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::game::{Game, Shared};
use crate::own::rules::PythonRules;

pub(crate) mod compiled;
pub(crate) mod rules;

/// What went wrong in the user's own code. The search has no way to stop in the middle of a simulation, so a call that fails gets any
/// answer, and whoever asked the engine looks here when it comes back.
#[derive(Default)]
pub(crate) struct Failures {
    count: AtomicU64,
    last: Mutex<Option<PyErr>>,
}

impl Failures {
    /// Keeps an exception, with a note on where it was raised.
    pub(crate) fn keep(&self, py: Python<'_>, error: PyErr, note: &str) {
        // An exception that takes no notes is kept without one.
        let _ = error.value(py).call_method1("add_note", (note,));
        *self.last.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
        self.count.fetch_add(1, SeqCst);
    }

    /// How often something went wrong so far.
    pub(crate) fn count(&self) -> u64 {
        self.count.load(SeqCst)
    }

    /// The last exception, if there was one since `count` of them were counted.
    pub(crate) fn since(&self, count: u64) -> PyResult<()> {
        if self.count() == count {
            return Ok(());
        }
        let last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        match &*last {
            Some(error) => Err(Python::attach(|py| error.clone_ref(py))),
            None => Ok(()),
        }
    }
}

/// The adapter of a game of `plyground.own`: its questions about words, and where failures go.
pub(crate) struct Voice {
    pub(crate) facts: plyground_engine::Game,
    pub(crate) failures: Arc<Failures>,
    adapter: Py<PyAny>,
    id: &'static str,
}

impl Voice {
    /// The answer, or else `stand_in` and a failure that names the method.
    fn heard<T>(&self, py: Python<'_>, what: &str, answer: PyResult<T>, stand_in: impl FnOnce() -> T) -> T {
        answer.unwrap_or_else(|error| {
            self.fail(py, error, what);
            stand_in()
        })
    }

    /// Keeps an exception that a part of the game raised.
    fn fail(&self, py: Python<'_>, error: PyErr, what: &str) {
        self.failures.keep(py, error, &format!("raised by {what} of the game {}", self.id));
    }

    pub(crate) fn text(&self, state: &Bound<'_, PyAny>) -> String {
        let answer = self.adapter.bind(state.py()).call_method1("text", (state,)).and_then(|text| text.extract());
        self.heard(state.py(), "text(state)", answer, String::new)
    }

    /// The state of a text, or `None` and a failure.
    pub(crate) fn parse<'py>(&self, py: Python<'py>, text: &str) -> Option<Bound<'py, PyAny>> {
        let answer = self.adapter.bind(py).call_method1("parse", (text,));
        self.heard(py, "parse(text)", answer.map(Some), || None)
    }

    pub(crate) fn cells(&self, state: &Bound<'_, PyAny>) -> Vec<(usize, char)> {
        let answer = self.adapter.bind(state.py()).call_method1("cells", (state,)).and_then(|cells| cells.extract());
        let cells: Vec<(usize, char)> = self.heard(state.py(), "cells(state)", answer, Vec::new);
        cells.into_iter().filter(|&(cell, _)| cell < self.facts.squares.len()).collect()
    }

    pub(crate) fn path(&self, state: &Bound<'_, PyAny>, mv: &str) -> Vec<usize> {
        let answer = self.adapter.bind(state.py()).call_method1("path", (state, mv)).and_then(|path| path.extract());
        let path: Vec<usize> = self.heard(state.py(), "path(state, move)", answer, Vec::new);
        path.into_iter().filter(|&cell| cell < self.facts.squares.len()).collect()
    }
}

/// The facts that an adapter tells of its game.
fn facts(adapter: &Bound<'_, PyAny>) -> PyResult<plyground_engine::Game> {
    let sides: (String, String) = adapter.getattr("sides")?.extract()?;
    let pieces: Vec<(char, usize, String)> = adapter.getattr("pieces")?.extract()?;
    let squares: Vec<Option<String>> = adapter.getattr("squares")?.extract()?;
    let (rows, columns): (usize, usize) = (adapter.getattr("rows")?.extract()?, adapter.getattr("columns")?.extract()?);
    if rows * columns != squares.len() {
        return Err(PyValueError::new_err(format!("{rows} rows of {columns} columns are not {} squares", squares.len())));
    }
    let pieces = pieces.into_iter().map(|(letter, side, name)| Piece { letter, side: side_of(side), name: lasting(&name) });
    let pieces: Vec<Piece> = pieces.collect();
    Ok(plyground_engine::Game {
        rows,
        columns,
        column_labels: adapter.getattr("column_labels")?.extract()?,
        row_labels: adapter.getattr("row_labels")?.extract()?,
        bottom: Side::First,
        sides: [lasting(&sides.0), lasting(&sides.1)],
        actions: ACTIONS,
        features: pieces.len() * squares.len(),
        pieces,
        squares,
    })
}

fn side_of(number: usize) -> Side {
    if number == 0 { Side::First } else { Side::Second }
}

/// The text for as long as the program runs; the same text is kept once, however often a game is registered.
fn lasting(text: &str) -> &'static str {
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

/// What the list of games would say of this one; kept once for each id and title.
fn entry(id: &'static str, title: &'static str) -> &'static games::Entry {
    static KEPT: Mutex<Vec<&'static games::Entry>> = Mutex::new(Vec::new());
    let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    match kept.iter().find(|entry| entry.id == id && entry.title == title) {
        Some(known) => known,
        None => {
            let start = |_: &[u32]| Err(plyground_engine::Error::Parse("a game of one's own starts from its adapter".into()));
            let entry: &'static games::Entry = Box::leak(Box::new(games::Entry { id, title, options: &[], start }));
            kept.push(entry);
            entry
        }
    }
}

/// What every game of one's own has, whatever asks its rules.
pub(crate) fn voice(adapter: &Bound<'_, PyAny>) -> PyResult<Voice> {
    let id: String = adapter.getattr("id")?.extract()?;
    Ok(Voice { facts: facts(adapter)?, failures: Arc::default(), adapter: adapter.clone().unbind(), id: lasting(&id) })
}

/// The class `Game` for a line at its start.
pub(crate) fn made(adapter: &Bound<'_, PyAny>, start: Box<dyn AnyLine>, failures: Arc<Failures>) -> PyResult<Game> {
    let (id, title): (String, String) = (adapter.getattr("id")?.extract()?, adapter.getattr("title")?.extract()?);
    let entry = entry(lasting(&id), lasting(&title));
    Ok(Game { shared: Arc::new(Shared::new(entry, id, start, Some(failures))) })
}

/// The game of an adapter of `plyground.own`, its states kept up to a number of them.
#[pyfunction]
pub(crate) fn own_game(adapter: &Bound<'_, PyAny>, remember: usize) -> PyResult<Game> {
    let rules = Arc::new(PythonRules::new(adapter, voice(adapter)?, remember)?);
    let failures = rules.failures().clone();
    let before = failures.count();
    let start = rules.start(adapter.py());
    failures.since(before)?;
    made(adapter, Box::new(Line::new(Foreign::new(rules, start))), failures)
}
