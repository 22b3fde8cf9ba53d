//! Games whose rules stand elsewhere and are asked for by calls: a [`Position`] over [`Rules`].
//!
//! A call may cost a thousand times what it costs to look something up, so everything heard of a [`State`] is kept with it: its moves,
//! its outcome, its turn, and the states its moves lead to. A state met again is asked nothing. Who implements [`Rules`] keeps the
//! states themselves, as many as it likes: a state points to the next ones only weakly, so that forgetting is always allowed.

use std::any::Any;
use std::fmt;
use std::sync::{Arc, OnceLock, PoisonError, RwLock, Weak};

use crate::rng::split;
use crate::{Error, Game, Outcome, Piece, Position, Reason, Side};

/// [`Position::action`] of a move is a hash of its text below this: a foreign game has no list of all its moves.
pub const ACTIONS: usize = 4096;

/// The rules of a game that is written elsewhere. A question that goes wrong is answered by anything that has the right type (for a
/// state, [`State::broken`]); who asked finds out from the implementation, which remembers what went wrong.
pub trait Rules: Send + Sync + 'static {
    /// The facts of the game.
    fn game(&self) -> &Game;
    /// How often a position may occur before the game is drawn; 0 where no position can come back.
    fn repetitions(&self) -> u32;
    /// The state after a move; the same state where it is known already.
    fn next(&self, state: &State, mv: u16) -> Arc<State>;
    /// Who moves.
    fn turn(&self, state: &State) -> Side;
    /// Whether two states are the same.
    fn is_same(&self, one: &State, other: &State) -> bool;
    /// How much the side to move stands better, in hundredths.
    fn estimate(&self, state: &State) -> i32;
    /// The state in writing.
    fn text(&self, state: &State) -> String;
    /// The state that a text describes.
    fn parse(&self, text: &str) -> Result<Arc<State>, Error>;
    /// The name of a move.
    fn move_text(&self, state: &State, mv: u16) -> String;
    /// Cell and letter of each piece.
    fn cells(&self, state: &State) -> Vec<(usize, char)>;
    /// The cells a move touches.
    fn path(&self, state: &State, mv: u16) -> Vec<usize>;
}

/// A state of a foreign game and what has been heard of it.
pub struct State {
    /// What the rules know it by.
    payload: Box<dyn Any + Send + Sync>,
    moves: u16,
    /// There exactly where there is no move.
    outcome: Option<Outcome>,
    turn: OnceLock<Side>,
    key: OnceLock<u64>,
    actions: OnceLock<Arc<[u16]>>,
    /// Where each move leads; empty until the first is asked for.
    next: RwLock<Vec<Weak<State>>>,
}

impl State {
    /// A state with so many moves.
    pub fn open(payload: Box<dyn Any + Send + Sync>, moves: u16) -> State {
        State {
            payload,
            moves,
            outcome: None,
            turn: OnceLock::new(),
            key: OnceLock::new(),
            actions: OnceLock::new(),
            next: RwLock::new(Vec::new()),
        }
    }

    /// A state in which the game is over.
    pub fn over(payload: Box<dyn Any + Send + Sync>, winner: Option<Side>) -> State {
        State { outcome: Some(Outcome { winner, reason: Reason::Rules }), ..State::open(payload, 0) }
    }

    /// What stands where a state should be of which the rules could not tell.
    pub fn broken() -> State {
        State { turn: OnceLock::from(Side::First), ..State::over(Box::new(()), None) }
    }

    /// What the rules know it by.
    pub fn payload(&self) -> &dyn Any {
        &*self.payload
    }

    /// The state after a move if it is known and still kept.
    fn known(&self, mv: u16) -> Option<Arc<State>> {
        self.next.read().unwrap_or_else(PoisonError::into_inner).get(usize::from(mv))?.upgrade()
    }

    fn remember(&self, mv: u16, next: &Arc<State>) {
        let mut known = self.next.write().unwrap_or_else(PoisonError::into_inner);
        if known.is_empty() {
            known.resize(usize::from(self.moves), Weak::new());
        }
        known[usize::from(mv)] = Arc::downgrade(next);
    }
}

/// A position of a foreign game. A move is its place in the list of moves.
#[derive(Clone)]
pub struct Foreign {
    rules: Arc<dyn Rules>,
    state: Arc<State>,
}

impl Foreign {
    /// A state of the game with these rules.
    pub fn new(rules: Arc<dyn Rules>, state: Arc<State>) -> Foreign {
        Foreign { rules, state }
    }
}

impl PartialEq for Foreign {
    fn eq(&self, other: &Foreign) -> bool {
        Arc::ptr_eq(&self.rules, &other.rules)
            && (Arc::ptr_eq(&self.state, &other.state) || self.rules.is_same(&self.state, &other.state))
    }
}

impl Eq for Foreign {}

impl fmt::Debug for Foreign {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Foreign({self})")
    }
}

impl fmt::Display for Foreign {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.rules.text(&self.state))
    }
}

impl Position for Foreign {
    type Move = u16;

    #[inline]
    fn turn(&self) -> Side {
        kept(&self.state.turn, || self.rules.turn(&self.state))
    }

    #[inline]
    fn legal_moves(&self, visit: impl FnMut(u16)) {
        (0..self.state.moves).for_each(visit);
    }

    fn play(&mut self, mv: u16) {
        if mv >= self.state.moves {
            return;
        }
        self.state = self.state.known(mv).unwrap_or_else(|| {
            let next = self.rules.next(&self.state, mv);
            self.state.remember(mv, &next);
            next
        });
    }

    #[inline]
    fn decided(&self) -> Option<Outcome> {
        self.state.outcome
    }

    fn stuck(&self) -> Outcome {
        self.state.outcome.unwrap_or(Outcome::draw(Reason::Rules))
    }

    fn key(&self) -> u64 {
        kept(&self.state.key, || hash(&self.rules.text(&self.state)))
    }

    fn repetitions(&self) -> u32 {
        self.rules.repetitions()
    }

    fn quiet_plies(&self) -> u32 {
        if self.rules.repetitions() > 0 { u32::MAX } else { 0 }
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
    fn encode(&self, mv: u16) -> u16 {
        mv
    }

    #[inline]
    fn decode(&self, code: u16) -> u16 {
        code
    }

    fn estimate(&self) -> i32 {
        self.rules.estimate(&self.state)
    }

    fn parse(&self, text: &str) -> Result<Self, Error> {
        Ok(Foreign { rules: self.rules.clone(), state: self.rules.parse(text)? })
    }

    fn move_text(&self, mv: u16) -> String {
        self.rules.move_text(&self.state, mv)
    }

    fn parse_move(&self, text: &str) -> Result<u16, Error> {
        find_move(text, 0..self.state.moves, |mv| self.move_text(mv))
    }

    fn action(&self, mv: u16) -> usize {
        let all = || (0..self.state.moves).map(|mv| action(&self.move_text(mv))).collect();
        kept(&self.state.actions, all).get(usize::from(mv)).map_or(0, |&action| action.into())
    }

    fn active_features(&self, visit: impl FnMut(usize)) {
        features(self.rules.game(), self.turn(), self.rules.cells(&self.state)).for_each(visit);
    }

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

/// What is kept, or else the answer to a question, kept from now on. Nothing is locked while the question is asked: who answers may
/// wait for somebody who asks the same.
#[inline(always)]
fn kept<T: Clone>(cell: &OnceLock<T>, ask: impl FnOnce() -> T) -> T {
    match cell.get() {
        Some(known) => known.clone(),
        None => {
            let answer = ask();
            // Where somebody was quicker, the answers are the same.
            let _ = cell.set(answer.clone());
            answer
        }
    }
}

fn hash(text: &str) -> u64 {
    text.bytes().fold(0, |hash, byte| split(hash, byte.into()))
}

/// A hash of the name of a move, below [`ACTIONS`].
fn action(text: &str) -> u16 {
    (hash(text) % ACTIONS as u64) as u16
}

/// The move with a name, spaces around it aside.
pub(super) fn find_move(
    text: &str,
    moves: impl Iterator<Item = u16> + Clone,
    name: impl Fn(u16) -> String,
) -> Result<u16, Error> {
    const SHOWN: usize = 12;
    moves.clone().find(|&mv| name(mv) == text.trim()).ok_or_else(|| {
        let mut names: Vec<String> = moves.clone().take(SHOWN).map(&name).collect();
        if moves.count() > SHOWN {
            names.push("...".into());
        }
        Error::IllegalMove(format!("move {} is illegal; accepted are: {}", crate::error::quote(text), names.join(", ")))
    })
}

/// The index of each piece-on-square: pieces of the mover come before the others, otherwise in the order of the game.
pub(super) fn features(game: &Game, turn: Side, cells: Vec<(usize, char)>) -> impl Iterator<Item = usize> {
    let (own, others): (Vec<&Piece>, Vec<&Piece>) = game.pieces.iter().partition(|piece| piece.side == turn);
    let order: Vec<char> = own.into_iter().chain(others).map(|piece| piece.letter).collect();
    let squares = game.squares.len();
    cells.into_iter().filter_map(move |(cell, letter)| {
        let place = order.iter().position(|&other| other == letter)?;
        Some(place * squares + cell)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rng;

    /// Take one or two from a heap; who takes the last wins.
    struct Heap {
        game: Game,
        states: Vec<Arc<State>>,
    }

    fn heap(size: u16) -> Foreign {
        let game = Game {
            rows: 0,
            columns: 0,
            squares: Vec::new(),
            column_labels: Vec::new(),
            row_labels: Vec::new(),
            bottom: Side::First,
            sides: ["one", "two"],
            pieces: Vec::new(),
            actions: ACTIONS,
            features: 0,
        };
        let state = |left: u16, turn: u16| match left {
            0 => Arc::new(State::over(Box::new((left, turn)), Some(if turn == 0 { Side::Second } else { Side::First }))),
            _ => Arc::new(State::open(Box::new((left, turn)), left.min(2))),
        };
        let states: Vec<_> = (0..=size).flat_map(|left| [state(left, 0), state(left, 1)]).collect();
        let start = states[usize::from(size) * 2].clone();
        Foreign::new(Arc::new(Heap { game, states }), start)
    }

    fn numbers(state: &State) -> (u16, u16) {
        *state.payload().downcast_ref().expect("the heap makes its own states")
    }

    impl Rules for Heap {
        fn game(&self) -> &Game {
            &self.game
        }
        fn repetitions(&self) -> u32 {
            0
        }
        fn next(&self, state: &State, mv: u16) -> Arc<State> {
            let (left, turn) = numbers(state);
            self.states[usize::from((left - mv - 1) * 2 + 1 - turn)].clone()
        }
        fn turn(&self, state: &State) -> Side {
            if numbers(state).1 == 0 { Side::First } else { Side::Second }
        }
        fn is_same(&self, one: &State, other: &State) -> bool {
            numbers(one) == numbers(other)
        }
        fn estimate(&self, _: &State) -> i32 {
            0
        }
        fn text(&self, state: &State) -> String {
            format!("{:?}", numbers(state))
        }
        fn parse(&self, text: &str) -> Result<Arc<State>, Error> {
            let found = self.states.iter().find(|state| self.text(state) == text);
            found.cloned().ok_or_else(|| Error::parse("text", text, "is no heap"))
        }
        fn move_text(&self, _: &State, mv: u16) -> String {
            (mv + 1).to_string()
        }
        fn cells(&self, _: &State) -> Vec<(usize, char)> {
            Vec::new()
        }
        fn path(&self, _: &State, _: u16) -> Vec<usize> {
            Vec::new()
        }
    }

    #[test]
    fn a_move_is_asked_for_once() {
        let start = heap(9);
        let (mut first, mut second) = (start.clone(), start.clone());
        first.play(1);
        second.play(1);
        assert!(Arc::ptr_eq(&first.state, &second.state));
        assert_eq!(first, start.parse("(7, 1)").expect("a heap of seven"));
        assert_eq!(first.turn(), Side::Second);
    }

    #[test]
    fn random_games_end_with_a_winner() {
        let mut rng = Rng::new(1);
        for _ in 0..100 {
            let mut position = heap(9);
            while position.play_random(&mut rng).is_some() {}
            assert_eq!(position.outcome().and_then(|outcome| outcome.winner), Some(position.turn().other()));
        }
    }

    #[test]
    fn an_unknown_move_is_an_error_that_lists_the_moves() {
        let error = heap(9).parse_move("3").expect_err("three cannot be taken");
        assert_eq!(error.to_string(), "move \"3\" is illegal; accepted are: 1, 2");
    }
}
