//! The class `Game`.

use std::sync::Arc;

use plyground_engine::erased::AnyLine;
use plyground_engine::{Side, games};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::errors::raise;
use crate::own::Failures;
use crate::position::Position;
use crate::text::Text;

/// What pickle wants: a callable and its arguments.
pub(crate) type Reduced<'py, Arguments> = PyResult<(Bound<'py, PyAny>, Arguments)>;

/// What all positions of a game share.
pub(crate) struct Shared {
    pub(crate) entry: &'static games::Entry,
    pub(crate) spec: String,
    pub(crate) facts: plyground_engine::Game,
    start: Box<dyn AnyLine>,
    /// What went wrong in the rules, where they are the user's own.
    failures: Option<Arc<Failures>>,
}

impl Shared {
    pub(crate) fn new(
        entry: &'static games::Entry,
        spec: String,
        start: Box<dyn AnyLine>,
        failures: Option<Arc<Failures>>,
    ) -> Shared {
        Shared { entry, spec, facts: start.game(), start, failures }
    }

    /// The answer to a question, or the exception that the user's own rules raised meanwhile.
    pub(crate) fn ask<T>(&self, question: impl FnOnce() -> T) -> PyResult<T> {
        let Some(failures) = &self.failures else {
            return Ok(question());
        };
        let before = failures.count();
        let answer = question();
        failures.since(before)?;
        Ok(answer)
    }

    pub(crate) fn side(&self, side: Side) -> &'static str {
        self.facts.sides[side as usize]
    }

    /// The name of a cell on which something stands or moves.
    pub(crate) fn square(&self, cell: usize) -> &str {
        self.facts.squares[cell].as_deref().unwrap_or("")
    }
}

/// The fixed facts of a game with its options chosen. Made by `plyground.game`.
#[pyclass(frozen, module = "plyground._engine")]
pub(crate) struct Game {
    pub(crate) shared: Arc<Shared>,
}

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
    fn features(&self) -> usize {
        self.shared.facts.features
    }

    #[getter]
    fn options<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        for option in self.shared.entry.options {
            dict.set_item(option.name, (option.default(), option.about))?;
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

    fn start(&self) -> Position {
        Position::new(self.shared.clone(), self.shared.start.replay(0))
    }

    #[pyo3(signature = (text=None, moves=Vec::new()), text_signature = "($self, text=None, moves=())")]
    fn position(&self, text: Option<Text>, moves: Vec<Text>) -> PyResult<Position> {
        let mut line = match text {
            None => self.shared.start.replay(0),
            Some(text) => self.shared.ask(|| self.shared.start.at(&text.0))?.map_err(raise)?,
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

/// The same in every process, unlike Python's hash of strings.
pub(crate) fn hash(text: &str) -> u64 {
    text.bytes().fold(0, |hash, byte| plyground_engine::rng::split(hash, byte.into()))
}

/// The game of this id, with options as texts.
#[pyfunction]
pub(crate) fn game(name: Text, options: Vec<(Text, Text)>) -> PyResult<Game> {
    let options: Vec<_> = options.into_iter().map(|(key, value)| (key.0, value.0)).collect();
    let (entry, spec, start) = games::start(&name.0, &options).map_err(raise)?;
    Ok(Game { shared: Arc::new(Shared::new(entry, spec, start, None)) })
}

/// The ids of all games, in the order in which people meet them.
#[pyfunction]
pub(crate) fn game_ids() -> Vec<&'static str> {
    games::GAMES.iter().map(|entry| entry.id).collect()
}
