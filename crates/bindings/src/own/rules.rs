//! The rules of a Python game, asked by calls. The interpreter lock is taken for each question and for nothing else.

use std::sync::Arc;

use plyground_engine::error::quote;
use plyground_engine::games::foreign::{Rules, State};
use plyground_engine::{Error, Game, Side};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString};

use crate::own::{Failures, Voice};

/// A state of the engine as an object that a Python dictionary can hold.
#[pyclass(frozen)]
struct Known(Arc<State>);

/// What a [`State`] holds: the state and the list of its moves, as Python knows them.
struct Payload {
    state: Py<PyAny>,
    moves: Py<PyList>,
}

/// The rules of a game by the methods of its class, and the states that are known.
pub(crate) struct PythonRules {
    voice: Voice,
    repetitions: u32,
    start: Py<PyAny>,
    turn: Py<PyAny>,
    moves: Py<PyAny>,
    play: Py<PyAny>,
    outcome: Py<PyAny>,
    estimate: Option<Py<PyAny>>,
    /// Every state that is kept, by itself; emptied when there are `remember` of them.
    states: Py<PyDict>,
    remember: usize,
}

impl PythonRules {
    pub(crate) fn new(adapter: &Bound<'_, PyAny>, voice: Voice, remember: usize) -> PyResult<PythonRules> {
        let game = adapter.getattr("game")?;
        let method = |name: &str| Ok::<_, PyErr>(game.getattr(name)?.unbind());
        Ok(PythonRules {
            voice,
            repetitions: adapter.getattr("repetitions")?.extract()?,
            start: method("start")?,
            turn: method("turn")?,
            moves: method("moves")?,
            play: method("play")?,
            outcome: method("outcome")?,
            estimate: game.getattr_opt("estimate")?.map(Bound::unbind),
            states: PyDict::new(adapter.py()).unbind(),
            remember: remember.max(1),
        })
    }

    pub(crate) fn failures(&self) -> &Arc<Failures> {
        &self.voice.failures
    }

    /// The state in which the game begins.
    pub(crate) fn start(&self, py: Python<'_>) -> Arc<State> {
        match self.start.call0(py) {
            Ok(state) => self.meet(state.into_bound(py)),
            Err(error) => self.failed(py, "start()", error),
        }
    }

    fn failed(&self, py: Python<'_>, what: &str, error: PyErr) -> Arc<State> {
        self.voice.fail(py, error, what);
        Arc::new(State::broken())
    }

    /// The state as the engine knows it: asked for its moves, and for its outcome where there are none, the first time only.
    fn meet(&self, state: Bound<'_, PyAny>) -> Arc<State> {
        let py = state.py();
        let states = self.states.bind(py);
        match states.get_item(&state) {
            Ok(Some(known)) => match known.cast::<Known>() {
                Ok(known) => return known.get().0.clone(),
                Err(_) => states.clear(),
            },
            Ok(None) => {}
            Err(error) => return self.failed(py, "the hash of a state (states must be hashable)", error),
        }
        let made = match self.ask(&state) {
            Ok(made) => Arc::new(made),
            Err((what, error)) => return self.failed(py, what, error),
        };
        if states.len() >= self.remember {
            states.clear();
        }
        let kept = Bound::new(py, Known(made.clone())).and_then(|known| states.set_item(&state, known));
        match kept {
            Ok(()) => made,
            Err(error) => self.failed(py, "the hash of a state (states must be hashable)", error),
        }
    }

    fn ask(&self, state: &Bound<'_, PyAny>) -> Result<State, (&'static str, PyErr)> {
        let py = state.py();
        let moves = self.moves.bind(py).call1((state,)).and_then(listed).map_err(|error| ("moves(state)", error))?;
        let payload = Box::new(Payload { state: state.clone().unbind(), moves: moves.clone().unbind() });
        if !moves.is_empty() {
            return Ok(State::open(payload, moves.len() as u16));
        }
        let winner = self.outcome.bind(py).call1((state,)).and_then(|answer| winner(&answer));
        Ok(State::over(payload, winner.map_err(|error| ("outcome(state)", error))?))
    }
}

/// The moves as a list of texts that fits sixteen bits.
fn listed(moves: Bound<'_, PyAny>) -> PyResult<Bound<'_, PyList>> {
    let list = match moves.cast_into::<PyList>() {
        Ok(list) => list,
        Err(other) => {
            let moves = other.into_inner();
            let list = PyList::empty(moves.py());
            for mv in moves.try_iter()? {
                list.append(mv?)?;
            }
            list
        }
    };
    if list.len() > usize::from(u16::MAX) {
        return Err(PyValueError::new_err(format!("moves(state) gave {} moves; accepted are up to 65535", list.len())));
    }
    match list.iter().find(|mv| !mv.is_instance_of::<PyString>()) {
        None => Ok(list),
        Some(mv) => Err(PyTypeError::new_err(format!("moves(state) gave {mv:?}; accepted are texts"))),
    }
}

/// The winner by an answer of `outcome`.
fn winner(answer: &Bound<'_, PyAny>) -> PyResult<Option<Side>> {
    match answer.extract::<i64>() {
        Ok(0) => Ok(Some(Side::First)),
        Ok(1) => Ok(Some(Side::Second)),
        _ if answer.extract::<String>().is_ok_and(|text| text == "draw") => Ok(None),
        _ => Err(PyValueError::new_err(format!(
            "outcome(state) gave {answer:?} for a state without moves; accepted are 0, 1 and 'draw'"
        ))),
    }
}

impl Rules for PythonRules {
    fn game(&self) -> &Game {
        &self.voice.facts
    }

    fn repetitions(&self) -> u32 {
        self.repetitions
    }

    fn next(&self, state: &State, mv: u16) -> Arc<State> {
        Python::attach(|py| {
            let Some(payload) = state.payload().downcast_ref::<Payload>() else {
                return Arc::new(State::broken());
            };
            let moves = payload.moves.bind(py);
            match moves.get_item(mv.into()).and_then(|mv| self.play.bind(py).call1((&payload.state, mv))) {
                Ok(next) => self.meet(next),
                Err(error) => self.failed(py, &format!("play(state, {})", quote(&self.move_text(state, mv))), error),
            }
        })
    }

    fn turn(&self, state: &State) -> Side {
        self.with(state, Side::First, |state| {
            let answer = self.turn.bind(state.py()).call1((state,)).and_then(|turn| match turn.extract::<i64>() {
                Ok(0) => Ok(Side::First),
                Ok(1) => Ok(Side::Second),
                _ => Err(PyValueError::new_err(format!("turn(state) gave {turn:?}; accepted are 0 and 1"))),
            });
            self.voice.heard(state.py(), "turn(state)", answer, || Side::First)
        })
    }

    fn is_same(&self, one: &State, other: &State) -> bool {
        self.with(one, false, |one| {
            self.with(other, false, |other| self.voice.heard(one.py(), "== of two states", one.eq(other), || false))
        })
    }

    fn estimate(&self, state: &State) -> i32 {
        let Some(estimate) = &self.estimate else {
            return 0;
        };
        self.with(state, 0, |state| {
            let answer = estimate.bind(state.py()).call1((state,)).and_then(|answer| answer.extract::<f64>());
            self.voice.heard(state.py(), "estimate(state)", answer, || 0.0).clamp(-1e5, 1e5) as i32
        })
    }

    fn text(&self, state: &State) -> String {
        self.with(state, String::new(), |state| self.voice.text(state))
    }

    fn parse(&self, text: &str) -> Result<Arc<State>, Error> {
        Python::attach(|py| match self.voice.parse(py, text) {
            Some(state) => Ok(self.meet(state)),
            None => Err(Error::parse("text", text, "is not a position")),
        })
    }

    fn move_text(&self, state: &State, mv: u16) -> String {
        Python::attach(|py| {
            let payload = state.payload().downcast_ref::<Payload>();
            let text = payload.map(|payload| payload.moves.bind(py).get_item(mv.into()).and_then(|mv| mv.extract()));
            self.voice.heard(py, "moves(state)", text.unwrap_or_else(|| Ok(String::new())), String::new)
        })
    }

    fn cells(&self, state: &State) -> Vec<(usize, char)> {
        self.with(state, Vec::new(), |state| self.voice.cells(state))
    }

    fn path(&self, state: &State, mv: u16) -> Vec<usize> {
        let name = self.move_text(state, mv);
        self.with(state, Vec::new(), |state| self.voice.path(state, &name))
    }
}

impl PythonRules {
    /// Asks about the Python state of a state; a broken one has none.
    fn with<T>(&self, state: &State, none: T, ask: impl FnOnce(&Bound<'_, PyAny>) -> T) -> T {
        match state.payload().downcast_ref::<Payload>() {
            Some(payload) => Python::attach(|py| ask(payload.state.bind(py))),
            None => none,
        }
    }
}
