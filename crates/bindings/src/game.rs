//! The class `Game`.

use std::sync::Arc;

use plyground_documented::documented;
use plyground_engine::error::quote;
use plyground_engine::interrupt::Interrupt;
use plyground_engine::{Side, games};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::erased::{AnyLine, StartLine};
use crate::errors::{ParseError, raise};
use crate::position::Position;
use crate::text::{MoveText, Text};
use crate::user_game::interrupts::interrupted;
use crate::user_game::run_within;
use crate::user_game::states::{Grant, States};

/// The return type of `__reduce__`: a callable and its arguments.
pub(crate) type Reduced<'py, Arguments> = PyResult<(Bound<'py, PyAny>, Arguments)>;

/// Whether a game is built in or defined by the user.
pub(crate) enum Origin {
    BuiltIn,
    /// A user game, with a cache of states if its rules are callbacks.
    User(Option<Arc<States>>),
}

/// Data shared by all positions of a game.
pub(crate) struct Shared {
    pub(crate) entry: &'static games::Entry,
    pub(crate) spec: String,
    pub(crate) facts: plyground_engine::Game,
    pub(crate) start: Box<dyn AnyLine>,
    origin: Origin,
}

impl Shared {
    pub(crate) fn new(entry: &'static games::Entry, spec: String, start: Box<dyn AnyLine>, origin: Origin) -> Shared {
        Shared { entry, spec, facts: start.game(), start, origin }
    }

    /// Whether the rules are built into the engine.
    pub(crate) fn is_built_in(&self) -> bool {
        matches!(self.origin, Origin::BuiltIn)
    }

    /// Calls the engine. Returns its result, the exception that a user game raised during the call, or `Interrupted`.
    pub(crate) fn ask<T>(&self, question: impl FnOnce() -> T) -> PyResult<T> {
        if self.is_built_in() {
            return Ok(question());
        }
        let interrupt = Interrupt::new(None, None);
        let answer = run_within(&interrupt, question)?;
        if interrupt.has_fired() { Err(interrupted()) } else { Ok(answer) }
    }

    /// The cached states of a game whose rules are callbacks.
    pub(crate) fn states(&self) -> Option<&States> {
        match &self.origin {
            Origin::User(Some(states)) => Some(states),
            _ => None,
        }
    }

    /// The share of a search's memory limit for its tree or table. The cached states of a user game get the rest.
    pub(crate) fn search_bytes(&self, bytes: usize) -> usize {
        if self.states().is_some() { bytes / 2 } else { bytes }
    }

    /// Grants the rest of a search's memory limit to the cached states while the search runs.
    pub(crate) fn grant_state_bytes(&self, bytes: usize) -> Option<Grant<'_>> {
        self.states().map(|states| states.grant(bytes - self.search_bytes(bytes)))
    }

    /// The estimated memory of the cached states in bytes.
    pub(crate) fn state_bytes(&self) -> usize {
        self.states().map_or(0, States::bytes)
    }

    pub(crate) fn side(&self, side: Side) -> &'static str {
        self.facts.sides[side as usize]
    }

    /// The side with the given name.
    pub(crate) fn parse_side(&self, name: &str) -> PyResult<Side> {
        let [first, second] = self.facts.sides;
        match name {
            _ if name == first => Ok(Side::First),
            _ if name == second => Ok(Side::Second),
            _ => Err(ParseError::new_err(format!("side must be {first} or {second}, got {}", quote(name)))),
        }
    }

    /// The name of a playable cell.
    pub(crate) fn square(&self, cell: usize) -> &str {
        self.facts.squares[cell].as_deref().unwrap_or("")
    }
}

/// The properties of a game with its options. Created by `plyground.game`.
#[documented]
#[pyclass(frozen, module = "plyground._engine")]
pub(crate) struct Game {
    pub(crate) shared: Arc<Shared>,
}

#[documented]
#[pymethods]
impl Game {
    #[getter]
    fn id(&self) -> &'static str {
        self.shared.entry.id
    }

    #[getter]
    fn title(&self) -> &'static str {
        self.shared.entry.title
    }

    #[getter]
    fn rules(&self) -> &'static str {
        self.shared.entry.rules
    }

    #[getter]
    fn spec(&self) -> &str {
        &self.shared.spec
    }

    #[getter]
    fn rows(&self) -> usize {
        self.shared.facts.rows
    }

    #[getter]
    fn columns(&self) -> usize {
        self.shared.facts.columns
    }

    #[getter]
    fn squares<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let facts = &self.shared.facts;
        let rows: Vec<_> =
            facts.squares.chunks(facts.columns.max(1)).map(|row| PyTuple::new(py, row)).collect::<PyResult<_>>()?;
        PyTuple::new(py, rows)
    }

    #[getter]
    fn sides(&self) -> (&'static str, &'static str) {
        self.shared.facts.sides.into()
    }

    #[getter]
    fn pieces<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        for piece in &self.shared.facts.pieces {
            dict.set_item(piece.letter, (self.shared.side(piece.side), piece.name))?;
        }
        Ok(dict)
    }

    #[getter]
    fn column_labels<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, &self.shared.facts.column_labels)
    }

    #[getter]
    fn row_labels<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, &self.shared.facts.row_labels)
    }

    #[getter]
    fn bottom(&self) -> &'static str {
        self.shared.side(self.shared.facts.bottom)
    }

    #[getter]
    fn actions(&self) -> usize {
        self.shared.facts.actions
    }

    #[getter]
    fn plane_names<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.shared.start.plane_layout().names)
    }

    #[getter]
    fn features(&self) -> usize {
        self.shared.facts.features
    }

    #[getter]
    fn options<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        for option in self.shared.entry.options {
            dict.set_item(option.name, (option.default(), option.description))?;
        }
        Ok(dict)
    }

    #[getter]
    fn tuning<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        for (name, value) in self.shared.start.tuning() {
            dict.set_item(name, value)?;
        }
        Ok(dict)
    }

    pub(crate) fn start(&self) -> Position {
        Position::new(self.shared.clone(), self.shared.start.replay(0))
    }

    #[pyo3(signature = (text=None, moves=Vec::new()), text_signature = "($self, text=None, moves=())")]
    fn position(&self, text: Option<Text>, moves: Vec<MoveText>) -> PyResult<Position> {
        let mut line = match text {
            None => self.shared.start.replay(0),
            Some(text) => self.shared.ask(|| self.shared.start.restart_at(&text.0))?.map_err(raise)?,
        };
        for mv in &moves {
            line = self.shared.ask(|| line.play(&mv.0))?.map_err(raise)?;
        }
        Ok(Position::new(self.shared.clone(), line))
    }

    fn __repr__(&self) -> String {
        format!("plyground.game({:?})", self.shared.spec)
    }

    fn __eq__(&self, other: &Game) -> bool {
        self.shared.spec == other.shared.spec
    }

    fn __hash__(&self) -> u64 {
        hash(&self.shared.spec)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> Reduced<'py, (String,)> {
        Ok((py.import("plyground.games")?.getattr("game")?, (self.shared.spec.clone(),)))
    }
}

/// A hash that is the same in every process, unlike Python's hash of strings.
pub(crate) fn hash(text: &str) -> u64 {
    text.bytes().fold(0, |hash, byte| plyground_engine::rng::split(hash, byte.into()))
}

/// Creates a game from its ID and options.
#[documented]
#[pyfunction]
pub(crate) fn game(name: Text, options: Vec<(Text, Text)>) -> PyResult<Game> {
    let options: Vec<_> = options.into_iter().map(|(key, value)| (key.0, value.0)).collect();
    let (entry, spec, start) = games::start(&name.0, &options, StartLine).map_err(raise)?;
    Ok(Game { shared: Arc::new(Shared::new(entry, spec, start, Origin::BuiltIn)) })
}

/// The IDs of all games in display order.
#[documented]
#[pyfunction]
pub(crate) fn game_ids() -> Vec<&'static str> {
    games::GAMES.iter().map(|entry| entry.id).collect()
}
