//! Games whose rules are callbacks: a [`Position`] that calls [`Rules`].
//!
//! A callback may be a thousand times slower than a lookup, so each [`State`] caches its moves, outcome, side to move and successors,
//! and a known state needs no further callbacks. The implementation of [`Rules`] owns the states and may evict them at any time, so
//! states hold only weak pointers to their successors.

use std::any::Any;
use std::fmt;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, OnceLock, PoisonError, RwLock, Weak};

use super::piece_planes;
use crate::error::quote;
use crate::interrupt::is_interrupted;
use crate::rng::split;
use crate::{Error, Game, Heuristics, Learning, Notation, Outcome, Piece, PlaneLayout, Planes, Position, Reason, Side, View};

/// The number of action indices. The action of a move is a hash of its text because the game does not list all possible moves.
pub const ACTIONS: usize = 4096;

/// The rules of a game. A callback that fails or is skipped ([`crate::interrupt`]) returns `None` or any value of the right type.
pub trait Rules: Send + Sync + 'static {
    /// The properties of the game.
    fn game(&self) -> &Game;
    /// The number of occurrences of a position at which the game is drawn; 0 if positions cannot repeat.
    fn repetition_limit(&self) -> u32;
    /// Whether playing every reply to every move is cheap compared with a simulation.
    fn has_cheap_lookahead(&self) -> bool;
    /// The state after a move: the existing one if it has been created before.
    fn next(&self, state: &State, mv: u16) -> Option<Arc<State>>;
    /// The side to move.
    fn turn(&self, state: &State) -> Option<Side>;
    /// Whether two states are equal.
    fn is_same(&self, one: &State, other: &State) -> bool;
    /// The evaluation in centipawns for the side to move.
    fn heuristic(&self, state: &State) -> i32;
    /// Formats a state.
    fn text(&self, state: &State) -> Option<String>;
    /// Parses a state.
    fn parse(&self, text: &str) -> Result<Arc<State>, Error>;
    /// The text of a move.
    fn move_text(&self, state: &State, mv: u16) -> String;
    /// The cell and letter of each piece.
    fn cells(&self, state: &State) -> Vec<(usize, char)>;
    /// The cells to click, in order, to enter a move.
    fn path(&self, state: &State, mv: u16) -> Vec<usize>;
    /// The plane layout if the game encodes states itself; `None` if the engine encodes the cells.
    fn plane_layout(&self) -> Option<&PlaneLayout> {
        None
    }
    /// The planes of a state of a game with a [`plane_layout`](Rules::plane_layout).
    fn planes(&self, _state: &State) -> Vec<f32> {
        Vec::new()
    }
}

/// A state of a game with cached properties.
pub struct State {
    /// The state as the rules represent it.
    payload: Box<dyn Any + Send + Sync>,
    /// The number of legal moves.
    moves: u16,
    /// Present if and only if there is no legal move.
    outcome: Option<Outcome>,
    turn: OnceLock<Side>,
    key: OnceLock<u64>,
    actions: OnceLock<Arc<[u16]>>,
    /// The cached successors, sorted by move.
    next: RwLock<Vec<(u16, Weak<State>)>>,
    /// Whether the state was found among the cached successors of another state since the last call to [`State::take_used`].
    used: AtomicBool,
}

impl State {
    /// A state with `moves` legal moves.
    pub fn unfinished(payload: Box<dyn Any + Send + Sync>, moves: u16) -> State {
        State {
            payload,
            moves,
            outcome: None,
            turn: OnceLock::new(),
            key: OnceLock::new(),
            actions: OnceLock::new(),
            next: RwLock::new(Vec::new()),
            used: AtomicBool::new(false),
        }
    }

    /// A state in which the game is over.
    pub fn finished(payload: Box<dyn Any + Send + Sync>, winner: Option<Side>) -> State {
        State { outcome: Some(Outcome { winner, reason: Reason::Rules }), ..State::unfinished(payload, 0) }
    }

    /// A placeholder for a state that was not computed because a callback failed or was skipped.
    pub fn invalid() -> State {
        State { turn: OnceLock::from(Side::First), ..State::finished(Box::new(()), None) }
    }

    /// The state as the rules represent it.
    pub fn payload(&self) -> &dyn Any {
        &*self.payload
    }

    /// Whether the state was found among the cached successors of another state since the last call. Resets the flag.
    pub fn take_used(&self) -> bool {
        self.used.swap(false, Relaxed)
    }

    /// The state after a move, if it is cached.
    fn cached(&self, mv: u16) -> Option<Arc<State>> {
        let states = self.next.read().unwrap_or_else(PoisonError::into_inner);
        let index = states.binary_search_by_key(&mv, |&(mv, _)| mv).ok()?;
        let next = states[index].1.upgrade()?;
        next.used.store(true, Relaxed);
        Some(next)
    }

    fn cache(&self, mv: u16, next: &Arc<State>) {
        let mut states = self.next.write().unwrap_or_else(PoisonError::into_inner);
        let next = Arc::downgrade(next);
        match states.binary_search_by_key(&mv, |&(mv, _)| mv) {
            Ok(index) => states[index].1 = next,
            Err(index) => states.insert(index, (mv, next)),
        }
    }
}

/// A position in a game whose rules are callbacks. A move is an index into the list of legal moves.
#[derive(Clone)]
pub struct CallbackPosition {
    rules: Arc<dyn Rules>,
    state: Arc<State>,
}

impl CallbackPosition {
    /// A position with the given rules and state.
    pub fn new(rules: Arc<dyn Rules>, state: Arc<State>) -> CallbackPosition {
        CallbackPosition { rules, state }
    }
}

impl PartialEq for CallbackPosition {
    fn eq(&self, other: &CallbackPosition) -> bool {
        Arc::ptr_eq(&self.rules, &other.rules)
            && (Arc::ptr_eq(&self.state, &other.state) || self.rules.is_same(&self.state, &other.state))
    }
}

impl Eq for CallbackPosition {}

impl fmt::Debug for CallbackPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "CallbackPosition({self})")
    }
}

impl fmt::Display for CallbackPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.rules.text(&self.state).unwrap_or_default())
    }
}

impl Position for CallbackPosition {
    type Move = u16;

    #[inline]
    fn turn(&self) -> Side {
        cached(&self.state.turn, || self.rules.turn(&self.state)).unwrap_or(Side::First)
    }

    #[inline]
    fn legal_moves(&self, visit: impl FnMut(u16)) {
        (0..self.state.moves).for_each(visit);
    }

    fn play(&mut self, mv: u16) {
        if mv >= self.state.moves {
            return;
        }
        self.state = self.state.cached(mv).unwrap_or_else(|| match self.rules.next(&self.state, mv) {
            Some(next) => {
                self.state.cache(mv, &next);
                next
            }
            None => Arc::new(State::invalid()),
        });
    }

    #[inline]
    fn early_outcome(&self) -> Option<Outcome> {
        self.state.outcome
    }

    fn no_move_outcome(&self) -> Outcome {
        self.state.outcome.unwrap_or(Outcome::draw(Reason::Rules))
    }

    fn key(&self) -> u64 {
        cached(&self.state.key, || self.rules.text(&self.state).map(|text| hash(&text))).unwrap_or(0)
    }

    fn repetition_limit(&self) -> u32 {
        self.rules.repetition_limit()
    }

    fn reversible_plies(&self) -> u32 {
        if self.rules.repetition_limit() > 0 { u32::MAX } else { 0 }
    }

    #[inline]
    fn count_moves(&self) -> usize {
        self.state.moves.into()
    }

    #[inline]
    fn play_random(&mut self, rng: &mut crate::Rng) -> Option<u16> {
        let mv = (self.state.moves > 0).then(|| rng.below(self.state.moves.into()) as u16)?;
        self.play(mv);
        Some(mv)
    }

    #[inline]
    fn is_interrupted(&self) -> bool {
        is_interrupted()
    }

    #[inline]
    fn encode(&self, mv: u16) -> u16 {
        mv
    }

    #[inline]
    fn decode(&self, code: u16) -> u16 {
        code
    }
}

impl Heuristics for CallbackPosition {
    fn has_cheap_lookahead(&self) -> bool {
        self.rules.has_cheap_lookahead()
    }

    fn heuristic(&self) -> i32 {
        self.rules.heuristic(&self.state)
    }
}

impl Notation for CallbackPosition {
    fn parse(&self, text: &str) -> Result<Self, Error> {
        Ok(CallbackPosition { rules: self.rules.clone(), state: self.rules.parse(text)? })
    }

    fn move_text(&self, mv: u16) -> String {
        self.rules.move_text(&self.state, mv)
    }

    fn parse_move(&self, text: &str) -> Result<u16, Error> {
        find_move(text, 0..self.state.moves, |mv| self.move_text(mv))
    }
}

impl Learning for CallbackPosition {
    fn action(&self, mv: u16) -> usize {
        let all = || Some((0..self.state.moves).map(|mv| action(&self.move_text(mv))).collect());
        cached(&self.state.actions, all)
            .map_or(0, |actions: Arc<[u16]>| actions.get(usize::from(mv)).map_or(0, |&action| action.into()))
    }

    fn active_features(&self, viewer: Side, visit: impl FnMut(usize)) {
        piece_features(self.rules.game(), viewer, self.rules.cells(&self.state)).for_each(visit);
    }
}

impl Planes for CallbackPosition {
    fn plane_layout(&self) -> PlaneLayout {
        self.rules.plane_layout().cloned().unwrap_or_else(|| piece_planes::layout(self.rules.game()))
    }

    fn write_planes(&self, viewer: Side, values: &mut [f32]) {
        match self.rules.plane_layout() {
            Some(_) => piece_planes::copy(&self.rules.planes(&self.state), values),
            None => piece_planes::write(self.rules.game(), self.turn(), viewer, self.rules.cells(&self.state), values),
        }
    }
}

impl View for CallbackPosition {
    fn game(&self) -> Game {
        self.rules.game().clone()
    }

    fn cells(&self, mut visit: impl FnMut(usize, char)) {
        self.rules.cells(&self.state).into_iter().for_each(|(cell, letter)| visit(cell, letter));
    }

    fn path(&self, mv: u16) -> Vec<usize> {
        self.rules.path(&self.state, mv)
    }
}

/// Returns the cached value, or computes and caches it. Unlike `OnceLock::get_or_init`, it holds no lock while computing, because a
/// callback may wait for another thread that computes the same value.
#[inline(always)]
fn cached<T: Clone>(cell: &OnceLock<T>, compute: impl FnOnce() -> Option<T>) -> Option<T> {
    cell.get().cloned().or_else(|| {
        let value = compute()?;
        // If another thread has already set the value, it is equal to this one.
        let _ = cell.set(value.clone());
        Some(value)
    })
}

fn hash(text: &str) -> u64 {
    text.bytes().fold(0, |hash, byte| split(hash, byte.into()))
}

/// A hash of the text of a move, below [`ACTIONS`].
fn action(text: &str) -> u16 {
    (hash(text) % ACTIONS as u64) as u16
}

/// Finds the move with the given text, ignoring surrounding whitespace.
pub(super) fn find_move(
    text: &str,
    moves: impl Iterator<Item = u16> + Clone,
    move_text: impl Fn(u16) -> String,
) -> Result<u16, Error> {
    const SHOWN: usize = 12;
    moves.clone().find(|&mv| move_text(mv) == text.trim()).ok_or_else(|| {
        let mut texts: Vec<String> = moves.clone().take(SHOWN).map(&move_text).collect();
        if moves.count() > SHOWN {
            texts.push("...".into());
        }
        Error::IllegalMove(format!("move {} is illegal; legal moves: {}", quote(text), texts.join(", ")))
    })
}

/// The input feature of each piece: `kind * squares + cell`, where the piece kinds of the viewer are numbered first.
pub(super) fn piece_features(game: &Game, viewer: Side, cells: Vec<(usize, char)>) -> impl Iterator<Item = usize> {
    let (own, others): (Vec<&Piece>, Vec<&Piece>) = game.pieces.iter().partition(|piece| piece.side == viewer);
    let order: Vec<char> = own.into_iter().chain(others).map(|piece| piece.letter).collect();
    let squares = game.squares.len();
    cells.into_iter().filter_map(move |(cell, letter)| {
        let index = order.iter().position(|&other| other == letter)?;
        Some(index * squares + cell)
    })
}

#[cfg(test)]
mod tests;
