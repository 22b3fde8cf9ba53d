//! Games whose rules are C functions compiled at run time, nearly as fast as the games in this crate.
//!
//! A state consists of up to `N` 64-bit integers; unused ones are 0. A move is a 16-bit code chosen by the game.

use std::fmt;
use std::mem::MaybeUninit;
use std::ops::RangeInclusive;
use std::sync::Arc;

use super::callback::{find_move, piece_features};
use super::piece_planes;
use crate::rng::mix;
use crate::{Error, Game, Heuristics, Learning, Notation, Outcome, PlaneLayout, Planes, Position, Reason, Rng, Side, View};

/// The maximum number of legal moves in a position.
pub const MAX_MOVES: usize = 512;
/// The maximum number of integers in a state.
pub const MAX_STATE_SIZE: usize = 32;

/// Writes the codes of the legal moves to the second argument, in a fixed order, and returns their number, which is 0 if the game is
/// over. All functions return [`FAILED`] on failure.
pub type Moves = unsafe extern "C" fn(*const i64, *mut i64) -> i64;
/// Plays a move in place and returns 0.
pub type Play = unsafe extern "C" fn(*mut i64, i64) -> i64;
/// Plays and returns the legal move that [`crate::rng::scale`] selects using 64 random bits, or returns -1 if there is none. The second
/// argument is a buffer for the moves, as in [`Moves`].
pub type PlayRandom = unsafe extern "C" fn(*mut i64, *mut i64, u64) -> i64;
/// Returns a property of a state: the side to move (0 or 1), or the winner (0, 1, or 2 for a draw).
pub type Query = unsafe extern "C" fn(*const i64) -> i64;

/// The range of valid move codes.
const CODES: RangeInclusive<i64> = 0..=u16::MAX as i64;

/// The return value of a function that failed.
pub const FAILED: i64 = -2;

/// The functions that implement the rules.
#[derive(Clone, Copy)]
pub struct Functions {
    moves: Moves,
    play: Play,
    play_random: PlayRandom,
    turn: Query,
    outcome: Query,
}

impl Functions {
    /// Wraps the compiled functions of a game.
    ///
    /// # Safety
    /// As long as a position of the game exists, each function must be callable from any thread, must not access memory beyond the
    /// integers of a state, and must write at most [`MAX_MOVES`] moves. `moves` must write as many moves as it returns.
    pub unsafe fn new(moves: Moves, play: Play, play_random: PlayRandom, turn: Query, outcome: Query) -> Functions {
        Functions { moves, play, play_random, turn, outcome }
    }
}

/// The text and display of a compiled game.
pub trait Presentation: Send + Sync + 'static {
    /// The properties of the game.
    fn game(&self) -> &Game;
    /// The number of occurrences of a position at which the game is drawn; 0 if positions cannot repeat.
    fn repetition_limit(&self) -> u32;
    /// Formats a state.
    fn text(&self, state: &[i64]) -> String;
    /// Parses a state.
    fn parse(&self, text: &str) -> Result<Vec<i64>, Error>;
    /// The text of a move.
    fn move_text(&self, mv: u16) -> String;
    /// Records that a function failed.
    fn failed(&self, function: &'static str);
    /// The cell and letter of each piece.
    fn cells(&self, state: &[i64]) -> Vec<(usize, char)>;
    /// The cells to click, in order, to enter a move.
    fn path(&self, state: &[i64], mv: u16) -> Vec<usize>;
    /// The plane layout if the game encodes states itself; `None` if the engine encodes the cells.
    fn plane_layout(&self) -> Option<&PlaneLayout> {
        None
    }
    /// The planes of a state of a game with a [`plane_layout`](Presentation::plane_layout).
    fn planes(&self, _state: &[i64]) -> Vec<f32> {
        Vec::new()
    }
}

/// A compiled game.
pub struct Rules {
    /// The compiled functions.
    pub functions: Functions,
    /// Text and display.
    pub presentation: Box<dyn Presentation>,
    /// The number of integers in a state.
    pub size: usize,
}

/// A position of a compiled game with states of up to `N` integers.
#[derive(Clone)]
pub struct Compiled<const N: usize> {
    rules: Arc<Rules>,
    state: [i64; N],
}

impl<const N: usize> Compiled<N> {
    /// A position with the given state; `None` if the state has the wrong size for the game or is longer than `N`.
    pub fn new(rules: Arc<Rules>, state: &[i64]) -> Option<Compiled<N>> {
        let mut padded = [0; N];
        if state.len() != rules.size {
            return None;
        }
        padded.get_mut(..state.len())?.copy_from_slice(state);
        Some(Compiled { rules, state: padded })
    }

    fn state(&self) -> &[i64] {
        &self.state[..self.rules.size]
    }

    /// Writes the legal moves to `buffer` and returns them.
    #[inline]
    fn list<'a>(&self, buffer: &'a mut MoveBuffer) -> &'a [i64] {
        // SAFETY: by the contract of `Functions::new`, `moves` reads the `size` integers of the state, at most `N`, and writes at most
        // MAX_MOVES integers, the length of `buffer`.
        let count = unsafe { (self.rules.functions.moves)(self.state.as_ptr(), buffer.as_mut_ptr().cast()) };
        let count = self.checked(count, 0..=MAX_MOVES as i64, "moves") as usize;
        // SAFETY: `count` is at most MAX_MOVES and, by the contract of `Functions::new`, that many integers have been written.
        let moves: &[i64] = unsafe { std::slice::from_raw_parts(buffer.as_ptr().cast(), count) };
        if moves.iter().any(|mv| !CODES.contains(mv)) {
            self.rules.presentation.failed("moves");
            return &[];
        }
        moves
    }

    #[inline]
    fn winner(&self) -> Option<Side> {
        // SAFETY: by the contract of `Functions::new`, `outcome` reads only the `size` integers of the state, at most `N`.
        let winner = unsafe { (self.rules.functions.outcome)(self.state.as_ptr()) };
        match self.checked(winner, 0..=2, "outcome") {
            0 => Some(Side::First),
            1 => Some(Side::Second),
            _ => None,
        }
    }

    /// Returns `result` if it is in range; otherwise records a failure and returns the smallest valid value.
    #[inline(always)]
    fn checked(&self, result: i64, valid: RangeInclusive<i64>, function: &'static str) -> i64 {
        if valid.contains(&result) {
            return result;
        }
        self.rules.presentation.failed(function);
        *valid.start()
    }
}

/// A buffer for the moves of a position.
type MoveBuffer = [MaybeUninit<i64>; MAX_MOVES];

impl<const N: usize> PartialEq for Compiled<N> {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.rules, &other.rules) && self.state == other.state
    }
}

impl<const N: usize> Eq for Compiled<N> {}

impl<const N: usize> fmt::Debug for Compiled<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Compiled({:?})", self.state())
    }
}

impl<const N: usize> fmt::Display for Compiled<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.rules.presentation.text(self.state()))
    }
}

impl<const N: usize> Position for Compiled<N> {
    /// The move code chosen by the game.
    type Move = u16;

    #[inline]
    fn turn(&self) -> Side {
        // SAFETY: by the contract of `Functions::new`, `turn` reads only the `size` integers of the state, at most `N`.
        let turn = unsafe { (self.rules.functions.turn)(self.state.as_ptr()) };
        if self.checked(turn, 0..=1, "turn") == 0 { Side::First } else { Side::Second }
    }

    #[inline]
    fn legal_moves(&self, mut visit: impl FnMut(u16)) {
        self.list(&mut [MaybeUninit::uninit(); MAX_MOVES]).iter().for_each(|&mv| visit(mv as u16));
    }

    #[inline]
    fn play(&mut self, mv: u16) {
        // SAFETY: by the contract of `Functions::new`, `play` accesses only the `size` integers of the state, at most `N`.
        let done = unsafe { (self.rules.functions.play)(self.state.as_mut_ptr(), mv.into()) };
        self.checked(done, 0..=0, "play");
    }

    #[inline]
    fn early_outcome(&self) -> Option<Outcome> {
        None
    }

    #[inline]
    fn no_move_outcome(&self) -> Outcome {
        Outcome { winner: self.winner(), reason: Reason::Rules }
    }

    #[inline]
    fn key(&self) -> u64 {
        self.state().iter().fold(0, |hash, &word| mix(hash ^ mix(word as u64)))
    }

    fn repetition_limit(&self) -> u32 {
        self.rules.presentation.repetition_limit()
    }

    fn reversible_plies(&self) -> u32 {
        if self.repetition_limit() > 0 { u32::MAX } else { 0 }
    }

    #[inline]
    fn count_moves(&self) -> usize {
        self.list(&mut [MaybeUninit::uninit(); MAX_MOVES]).len()
    }

    #[inline]
    fn play_random(&mut self, rng: &mut Rng) -> Option<u16> {
        let mut local = rng.clone();
        let (state, mut buffer): (_, MoveBuffer) = (self.state.as_mut_ptr(), [MaybeUninit::uninit(); MAX_MOVES]);
        // SAFETY: by the contract of `Functions::new`, `play_random` accesses only the `size` integers of the state, at most `N`, and
        // writes at most MAX_MOVES moves, the length of `buffer`.
        let mv = unsafe { (self.rules.functions.play_random)(state, buffer.as_mut_ptr().cast(), local.next_u64()) };
        if !CODES.contains(&mv) {
            self.checked(mv, -1..=-1, "play_random");
            return None;
        }
        *rng = local;
        Some(mv as u16)
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

impl<const N: usize> Heuristics for Compiled<N> {}

impl<const N: usize> Notation for Compiled<N> {
    fn parse(&self, text: &str) -> Result<Self, Error> {
        let state = self.rules.presentation.parse(text)?;
        Compiled::new(self.rules.clone(), &state).ok_or_else(|| {
            let message = format!("must describe a state of {} integers, got {}", self.rules.size, state.len());
            Error::parse("position", text, &message)
        })
    }

    fn move_text(&self, mv: u16) -> String {
        self.rules.presentation.move_text(mv)
    }

    fn parse_move(&self, text: &str) -> Result<u16, Error> {
        let mut buffer = [MaybeUninit::uninit(); MAX_MOVES];
        find_move(text, self.list(&mut buffer).iter().map(|&mv| mv as u16), |mv| self.move_text(mv))
    }
}

impl<const N: usize> Learning for Compiled<N> {
    fn action(&self, mv: u16) -> usize {
        mv.into()
    }

    fn active_features(&self, viewer: Side, visit: impl FnMut(usize)) {
        piece_features(self.rules.presentation.game(), viewer, self.rules.presentation.cells(self.state())).for_each(visit);
    }
}

impl<const N: usize> Planes for Compiled<N> {
    fn plane_layout(&self) -> PlaneLayout {
        let presentation = &self.rules.presentation;
        presentation.plane_layout().cloned().unwrap_or_else(|| piece_planes::layout(presentation.game()))
    }

    fn write_planes(&self, viewer: Side, values: &mut [f32]) {
        let presentation = &self.rules.presentation;
        match presentation.plane_layout() {
            Some(_) => piece_planes::copy(&presentation.planes(self.state()), values),
            None => piece_planes::write(presentation.game(), self.turn(), viewer, presentation.cells(self.state()), values),
        }
    }
}

impl<const N: usize> View for Compiled<N> {
    fn game(&self) -> Game {
        self.rules.presentation.game().clone()
    }

    fn cells(&self, mut visit: impl FnMut(usize, char)) {
        self.rules.presentation.cells(self.state()).into_iter().for_each(|(cell, letter)| visit(cell, letter));
    }

    fn path(&self, mv: u16) -> Vec<usize> {
        self.rules.presentation.path(self.state(), mv)
    }
}

#[cfg(test)]
mod tests;
