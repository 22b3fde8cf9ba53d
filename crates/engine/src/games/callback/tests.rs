//! Tests with a small take-away game.

use super::*;
use crate::Rng;

/// A heap from which the players take one or two objects per move; whoever takes the last one wins.
struct Heap {
    game: Game,
    states: Vec<Arc<State>>,
}

fn heap(size: u16) -> CallbackPosition {
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
        0 => Arc::new(State::finished(Box::new((left, turn)), Some(if turn == 0 { Side::Second } else { Side::First }))),
        _ => Arc::new(State::unfinished(Box::new((left, turn)), left.min(2))),
    };
    let states: Vec<_> = (0..=size).flat_map(|left| [state(left, 0), state(left, 1)]).collect();
    let start = states[usize::from(size) * 2].clone();
    CallbackPosition::new(Arc::new(Heap { game, states }), start)
}

fn numbers(state: &State) -> (u16, u16) {
    *state.payload().downcast_ref().expect("a state of this game")
}

impl Rules for Heap {
    fn game(&self) -> &Game {
        &self.game
    }
    fn repetition_limit(&self) -> u32 {
        0
    }
    fn has_cheap_lookahead(&self) -> bool {
        false
    }
    fn next(&self, state: &State, mv: u16) -> Option<Arc<State>> {
        let (left, turn) = numbers(state);
        (!crate::interrupt::must_skip()).then(|| self.states[usize::from((left - mv - 1) * 2 + 1 - turn)].clone())
    }
    fn turn(&self, state: &State) -> Option<Side> {
        (!crate::interrupt::must_skip()).then(|| if numbers(state).1 == 0 { Side::First } else { Side::Second })
    }
    fn is_same(&self, one: &State, other: &State) -> bool {
        numbers(one) == numbers(other)
    }
    fn heuristic(&self, _: &State) -> i32 {
        0
    }
    fn text(&self, state: &State) -> Option<String> {
        (!crate::interrupt::must_skip()).then(|| format!("{:?}", numbers(state)))
    }
    fn parse(&self, text: &str) -> Result<Arc<State>, Error> {
        let found = self.states.iter().find(|state| self.text(state).as_deref() == Some(text));
        found.cloned().ok_or_else(|| Error::parse("text", text, "is not a heap"))
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
fn successor_states_are_cached() {
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
fn illegal_move_errors_list_the_legal_moves() {
    let error = heap(9).parse_move("3").expect_err("three cannot be taken");
    assert_eq!(error.to_string(), "move \"3\" is illegal; legal moves: 1, 2");
}
