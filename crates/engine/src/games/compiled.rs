//! Games whose rules are compiled elsewhere to functions of C over a few numbers: as fast as a game of this crate, nearly.
//!
//! A state is `N` words of 64 bits, of which the game uses the first so many; the rest stay 0. A move is a code that the game chooses.

use std::fmt;
use std::mem::MaybeUninit;
use std::ops::RangeInclusive;
use std::sync::Arc;

use super::foreign::{features, find_move};
use crate::rng::mix;
use crate::{Error, Game, Outcome, Position, Reason, Rng, Side};

/// The most moves of a position.
pub const MOST_MOVES: usize = 512;
/// The most words of a state.
pub const MOST_WORDS: usize = 32;

/// Writes the codes of the legal moves to the second place, in a fixed order, and returns how many there are; none when the game
/// is over. This one and the others return [`FAILED`] where they cannot do what they should.
pub type Moves = unsafe extern "C" fn(*const i64, *mut i64) -> i64;
/// Makes a move in place.
pub type Play = unsafe extern "C" fn(*mut i64, i64) -> i64;
/// Plays the legal move that 64 random bits choose as [`crate::rng::scale`] does, and returns it; -1 where there is none. The second
/// place is room for the moves, as for [`Moves`].
pub type PlayRandom = unsafe extern "C" fn(*mut i64, *mut i64, u64) -> i64;
/// A number about a state: who moves (0 or 1), or who won (0, 1, 2 for a draw).
pub type Tell = unsafe extern "C" fn(*const i64) -> i64;

/// What a function returns that failed.
pub const FAILED: i64 = -2;

/// The rules as functions.
#[derive(Clone, Copy)]
pub struct Functions {
    moves: Moves,
    play: Play,
    play_random: PlayRandom,
    turn: Tell,
    outcome: Tell,
}

impl Functions {
    /// Functions that other code compiled.
    ///
    /// # Safety
    /// For as long as a position of the game exists, each must be callable from any thread, must read and write no more of a state
    /// than the words of the game, `moves` must write the numbers it counts, and no function
    /// more than [`MOST_MOVES`] of them.
    pub unsafe fn new(moves: Moves, play: Play, play_random: PlayRandom, turn: Tell, outcome: Tell) -> Functions {
        Functions { moves, play, play_random, turn, outcome }
    }
}

/// What a compiled game is in words.
pub trait Words: Send + Sync + 'static {
    /// The facts of the game.
    fn game(&self) -> &Game;
    /// How often a position may occur before the game is drawn; 0 where no position can come back.
    fn repetitions(&self) -> u32;
    /// The state in writing.
    fn text(&self, state: &[i64]) -> String;
    /// The state that a text describes.
    fn parse(&self, text: &str) -> Result<Vec<i64>, Error>;
    /// The name of a move.
    fn move_text(&self, mv: u16) -> String;
    /// A function failed; whoever asked finds out from here.
    fn failed(&self, function: &'static str);
    /// Cell and letter of each piece.
    fn cells(&self, state: &[i64]) -> Vec<(usize, char)>;
    /// The cells a move touches.
    fn path(&self, state: &[i64], mv: u16) -> Vec<usize>;
}

/// A game: its functions, its words, and how many words of 64 bits a state has.
pub struct Rules {
    /// The rules.
    pub functions: Functions,
    /// Texts and views.
    pub words: Box<dyn Words>,
    /// Words of a state in use.
    pub size: usize,
}

/// A position of a compiled game of up to `N` words.
#[derive(Clone)]
pub struct Compiled<const N: usize> {
    rules: Arc<Rules>,
    state: [i64; N],
}

impl<const N: usize> Compiled<N> {
    /// The position of a state; `None` where the state has not as many words as the game, or more than `N`.
    pub fn new(rules: Arc<Rules>, state: &[i64]) -> Option<Compiled<N>> {
        let mut words = [0; N];
        if state.len() != rules.size {
            return None;
        }
        words.get_mut(..state.len())?.copy_from_slice(state);
        Some(Compiled { rules, state: words })
    }

    fn words(&self) -> &[i64] {
        &self.state[..self.rules.size]
    }

    /// The legal moves, in a place of the caller's.
    #[inline]
    fn list<'a>(&self, place: &'a mut Room) -> &'a [i64] {
        // SAFETY: `Functions::new` was promised that `moves` reads the `size` words of the state, at most `N`, and writes at most
        // MOST_MOVES numbers, which is what `place` has room for.
        let count = unsafe { (self.rules.functions.moves)(self.state.as_ptr(), place.as_mut_ptr().cast()) };
        let count = self.checked(count, 0..=MOST_MOVES as i64, "moves") as usize;
        // SAFETY: `count` is at most MOST_MOVES, and `Functions::new` was promised that so many numbers have been written.
        unsafe { std::slice::from_raw_parts(place.as_ptr().cast(), count) }
    }

    #[inline]
    fn winner(&self) -> Option<Side> {
        // SAFETY: `Functions::new` was promised that `outcome` reads only the `size` words of the state, at most `N`.
        let winner = unsafe { (self.rules.functions.outcome)(self.state.as_ptr()) };
        match self.checked(winner, 0..=2, "outcome") {
            0 => Some(Side::First),
            1 => Some(Side::Second),
            _ => None,
        }
    }

    /// The answer, or the least accepted one and a failure.
    #[inline(always)]
    fn checked(&self, answer: i64, accepted: RangeInclusive<i64>, function: &'static str) -> i64 {
        if accepted.contains(&answer) {
            return answer;
        }
        self.rules.words.failed(function);
        *accepted.start()
    }
}

/// Room for the moves of a position.
type Room = [MaybeUninit<i64>; MOST_MOVES];

impl<const N: usize> PartialEq for Compiled<N> {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.rules, &other.rules) && self.state == other.state
    }
}

impl<const N: usize> Eq for Compiled<N> {}

impl<const N: usize> fmt::Debug for Compiled<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Compiled({:?})", self.words())
    }
}

impl<const N: usize> fmt::Display for Compiled<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.rules.words.text(self.words()))
    }
}

impl<const N: usize> Position for Compiled<N> {
    /// The code of the game.
    type Move = u16;

    #[inline]
    fn turn(&self) -> Side {
        // SAFETY: `Functions::new` was promised that `turn` reads only the `size` words of the state, at most `N`.
        let turn = unsafe { (self.rules.functions.turn)(self.state.as_ptr()) };
        if self.checked(turn, 0..=1, "turn") == 0 { Side::First } else { Side::Second }
    }

    #[inline]
    fn legal_moves(&self, mut visit: impl FnMut(u16)) {
        self.list(&mut [MaybeUninit::uninit(); MOST_MOVES]).iter().for_each(|&mv| visit(mv as u16));
    }

    #[inline]
    fn play(&mut self, mv: u16) {
        // SAFETY: `Functions::new` was promised that `play` reads and writes only the `size` words of the state, at most `N`.
        let done = unsafe { (self.rules.functions.play)(self.state.as_mut_ptr(), mv.into()) };
        self.checked(done, 0..=0, "play");
    }

    #[inline]
    fn decided(&self) -> Option<Outcome> {
        None
    }

    #[inline]
    fn stuck(&self) -> Outcome {
        Outcome { winner: self.winner(), reason: Reason::Rules }
    }

    #[inline]
    fn key(&self) -> u64 {
        self.words().iter().fold(0, |hash, &word| mix(hash ^ mix(word as u64)))
    }

    fn repetitions(&self) -> u32 {
        self.rules.words.repetitions()
    }

    fn quiet_plies(&self) -> u32 {
        if self.repetitions() > 0 { u32::MAX } else { 0 }
    }

    #[inline]
    fn count_moves(&self) -> usize {
        self.list(&mut [MaybeUninit::uninit(); MOST_MOVES]).len()
    }

    #[inline]
    fn play_random(&mut self, rng: &mut Rng) -> Option<u16> {
        let mut drawn = rng.clone();
        let (state, mut room): (_, Room) = (self.state.as_mut_ptr(), [MaybeUninit::uninit(); MOST_MOVES]);
        // SAFETY: `Functions::new` was promised that `play_random` reads and writes only the `size` words of the state, at most `N`,
        // and writes at most MOST_MOVES moves, for which there is room.
        let mv = unsafe { (self.rules.functions.play_random)(state, room.as_mut_ptr().cast(), drawn.next_u64()) };
        if mv < 0 {
            self.checked(mv, -1..=-1, "play_random");
            return None;
        }
        *rng = drawn;
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

    fn parse(&self, text: &str) -> Result<Self, Error> {
        let state = self.rules.words.parse(text)?;
        Compiled::new(self.rules.clone(), &state).ok_or_else(|| {
            Error::parse("text", text, &format!("is a state of {} words; accepted are {}", state.len(), self.rules.size))
        })
    }

    fn move_text(&self, mv: u16) -> String {
        self.rules.words.move_text(mv)
    }

    fn parse_move(&self, text: &str) -> Result<u16, Error> {
        let mut place = [MaybeUninit::uninit(); MOST_MOVES];
        find_move(text, self.list(&mut place).iter().map(|&mv| mv as u16), |mv| self.move_text(mv))
    }

    fn action(&self, mv: u16) -> usize {
        mv.into()
    }

    fn active_features(&self, visit: impl FnMut(usize)) {
        features(self.rules.words.game(), self.turn(), self.rules.words.cells(self.words())).for_each(visit);
    }

    fn game(&self) -> Game {
        self.rules.words.game().clone()
    }

    fn cells(&self, mut visit: impl FnMut(usize, char)) {
        self.rules.words.cells(self.words()).into_iter().for_each(|(cell, letter)| visit(cell, letter));
    }

    fn path(&self, mv: u16) -> Vec<usize> {
        self.rules.words.path(self.words(), mv)
    }
}
