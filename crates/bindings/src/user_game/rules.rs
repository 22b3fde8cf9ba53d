//! Rules that call back into a Python game. The GIL is held only during each call.

use std::sync::Arc;

use plyground_engine::error::quote;
use plyground_engine::games::callback::{Rules, State};
use plyground_engine::{Error, Game, PlaneLayout, Side, interrupt};
use pyo3::call::PyCallArgs;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString};

use crate::user_game::GameAdapter;
use crate::user_game::states::States;

/// The payload of a [`State`]: the Python state and its moves.
struct Payload {
    state: Py<PyAny>,
    /// Not a Python tuple, because the garbage collector would traverse thousands of them.
    moves: Box<[Py<PyAny>]>,
}

/// Rules implemented by the methods of a Python game, with a cache of states.
pub(crate) struct PythonRules {
    game_adapter: GameAdapter,
    repetitions: u32,
    cheap_lookahead: bool,
    start: Py<PyAny>,
    turn: Py<PyAny>,
    moves: Py<PyAny>,
    play: Py<PyAny>,
    outcome: Py<PyAny>,
    heuristic: Option<Py<PyAny>>,
    states: Arc<States>,
}

const HASH: &str = "the hash of a state (states must be hashable)";

impl PythonRules {
    pub(crate) fn new(adapter: &Bound<'_, PyAny>, game_adapter: GameAdapter, states: Arc<States>) -> PyResult<PythonRules> {
        let game = adapter.getattr("game")?;
        let method = |name: &str| Ok::<_, PyErr>(game.getattr(name)?.unbind());
        Ok(PythonRules {
            game_adapter,
            repetitions: adapter.getattr("repetition_limit")?.extract()?,
            cheap_lookahead: adapter.getattr("cheap_lookahead")?.extract()?,
            start: method("start")?,
            turn: method("turn")?,
            moves: method("moves")?,
            play: method("play")?,
            outcome: method("outcome")?,
            heuristic: game.getattr_opt("heuristic")?.map(Bound::unbind),
            states,
        })
    }

    /// The initial state; `None` after a failure.
    pub(crate) fn start(&self, py: Python<'_>) -> Option<Arc<State>> {
        self.cached(self.call(py, &self.start, (), || "start()".into())?)
    }

    /// Calls a method of the game; `None` if it is skipped or raises an exception, which is recorded.
    fn call<'py>(
        &self,
        py: Python<'py>,
        method: &Py<PyAny>,
        arguments: impl PyCallArgs<'py>,
        what: impl FnOnce() -> String,
    ) -> Option<Bound<'py, PyAny>> {
        if interrupt::must_skip() {
            return None;
        }
        self.or_fail(py, method.bind(py).call1(arguments), what)
    }

    /// Records an exception raised by a method of the game.
    fn or_fail<T>(&self, py: Python<'_>, answer: PyResult<T>, what: impl FnOnce() -> String) -> Option<T> {
        answer.map_err(|error| self.game_adapter.fail(py, error, &what())).ok()
    }

    /// The engine state for a Python state. If it is not cached, calls `moves` and, if there are no moves, `outcome`.
    fn cached(&self, state: Bound<'_, PyAny>) -> Option<Arc<State>> {
        let py = state.py();
        if let Some(known) = self.or_fail(py, self.states.get(&state), || HASH.into())? {
            return Some(known);
        }
        let moves = self.call(py, &self.moves, (&state,), || "moves(state)".into())?;
        let moves = move_list(moves).and_then(|moves| self.states.share_texts(&moves));
        let (moves, bytes) = self.or_fail(py, moves, || "moves(state)".into())?;
        let count = moves.len();
        let payload = Box::new(Payload { state: state.clone().unbind(), moves });
        let made = Arc::new(if count == 0 {
            let answer = self.call(py, &self.outcome, (&state,), || "outcome(state)".into())?;
            State::finished(payload, self.or_fail(py, winner(&answer), || "outcome(state)".into())?)
        } else {
            State::unfinished(payload, count as u16)
        });
        self.or_fail(py, self.states.insert(&state, &made, bytes), || HASH.into())?;
        Some(made)
    }
}

/// Converts moves to a list of strings with at most 65535 entries.
fn move_list(moves: Bound<'_, PyAny>) -> PyResult<Bound<'_, PyList>> {
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
        return Err(PyValueError::new_err(format!("moves(state) must return at most 65535 moves, got {}", list.len())));
    }
    match list.iter().find(|mv| !mv.is_instance_of::<PyString>()) {
        None => Ok(list),
        Some(mv) => Err(PyTypeError::new_err(format!("moves(state) must return strings, got {mv:?}"))),
    }
}

/// The winner from the return value of `outcome`.
fn winner(answer: &Bound<'_, PyAny>) -> PyResult<Option<Side>> {
    match answer.extract::<i64>() {
        Ok(0) => Ok(Some(Side::First)),
        Ok(1) => Ok(Some(Side::Second)),
        _ if answer.extract::<String>().is_ok_and(|text| text == "draw") => Ok(None),
        _ => Err(PyValueError::new_err(format!(
            "outcome(state) must return 0, 1 or 'draw' for a state without moves, got {answer:?}"
        ))),
    }
}

impl Rules for PythonRules {
    fn game(&self) -> &Game {
        &self.game_adapter.facts
    }

    fn repetition_limit(&self) -> u32 {
        self.repetitions
    }

    fn has_cheap_lookahead(&self) -> bool {
        self.cheap_lookahead
    }

    fn next(&self, state: &State, mv: u16) -> Option<Arc<State>> {
        self.with(state, |py, Payload { state, moves }| {
            let text = moves.get(usize::from(mv))?;
            let what = || format!("play(state, {})", quote(&text.to_string()));
            self.cached(self.call(py, &self.play, (state, text), what)?)
        })
    }

    fn turn(&self, state: &State) -> Option<Side> {
        self.with(state, |py, payload| {
            let turn = self.call(py, &self.turn, (&payload.state,), || "turn(state)".into())?;
            let side = match turn.extract::<i64>() {
                Ok(0) => Ok(Side::First),
                Ok(1) => Ok(Side::Second),
                _ => Err(PyValueError::new_err(format!("turn(state) must return 0 or 1, got {turn:?}"))),
            };
            self.or_fail(py, side, || "turn(state)".into())
        })
    }

    fn is_same(&self, one: &State, other: &State) -> bool {
        let same = self.with(one, |py, one| {
            let other = other.payload().downcast_ref::<Payload>()?;
            self.or_fail(py, one.state.bind(py).eq(&other.state), || "__eq__(state, other)".into())
        });
        same.unwrap_or(false)
    }

    fn heuristic(&self, state: &State) -> i32 {
        let value = self.heuristic.as_ref().and_then(|heuristic| {
            self.with(state, |py, payload| {
                let answer = self.call(py, heuristic, (&payload.state,), || "heuristic(state)".into())?;
                self.or_fail(py, answer.extract::<f64>(), || "heuristic(state)".into())
            })
        });
        value.unwrap_or(0.0).clamp(-1e5, 1e5) as i32
    }

    fn text(&self, state: &State) -> Option<String> {
        self.with(state, |py, payload| self.game_adapter.text(payload.state.bind(py)))
    }

    fn parse(&self, text: &str) -> Result<Arc<State>, Error> {
        Python::attach(|py| self.cached(self.game_adapter.parse(py, text)?))
            .ok_or_else(|| Error::parse("position", text, "is not valid in this game"))
    }

    fn move_text(&self, state: &State, mv: u16) -> String {
        let text = state.payload().downcast_ref::<Payload>().and_then(|payload| {
            let text = payload.moves.get(usize::from(mv))?;
            Python::attach(|py| text.extract(py).ok())
        });
        text.unwrap_or_default()
    }

    fn cells(&self, state: &State) -> Vec<(usize, char)> {
        self.with(state, |py, payload| self.game_adapter.cells(payload.state.bind(py))).unwrap_or_default()
    }

    fn path(&self, state: &State, mv: u16) -> Vec<usize> {
        let name = self.move_text(state, mv);
        self.with(state, |py, payload| self.game_adapter.path(payload.state.bind(py), &name)).unwrap_or_default()
    }

    fn plane_layout(&self) -> Option<&PlaneLayout> {
        self.game_adapter.plane_layout.as_ref()
    }

    fn planes(&self, state: &State) -> Vec<f32> {
        self.with(state, |py, payload| self.game_adapter.planes(payload.state.bind(py))).unwrap_or_default()
    }
}

impl PythonRules {
    /// Calls a function with the GIL and the payload of a state; `None` if callbacks must be skipped. Waiting for the GIL may take
    /// a long time, so this is checked before and after.
    fn with<T>(&self, state: &State, function: impl FnOnce(Python<'_>, &Payload) -> Option<T>) -> Option<T> {
        let payload = state.payload().downcast_ref::<Payload>()?;
        if interrupt::must_skip() {
            return None;
        }
        Python::attach(|py| if interrupt::must_skip() { None } else { function(py, payload) })
    }
}
