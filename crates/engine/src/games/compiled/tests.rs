//! Tests with functions that return invalid values.

use std::sync::Mutex;

use super::*;

/// A presentation that records failures.
struct Recorder(Mutex<Vec<&'static str>>, Game);

impl Presentation for Arc<Recorder> {
    fn game(&self) -> &Game {
        &self.1
    }
    fn repetition_limit(&self) -> u32 {
        0
    }
    fn text(&self, _: &[i64]) -> String {
        String::new()
    }
    fn parse(&self, _: &str) -> Result<Vec<i64>, Error> {
        Ok(vec![0])
    }
    fn move_text(&self, mv: u16) -> String {
        mv.to_string()
    }
    fn failed(&self, function: &'static str) {
        self.0.lock().expect("no panic").push(function);
    }
    fn cells(&self, _: &[i64]) -> Vec<(usize, char)> {
        Vec::new()
    }
    fn path(&self, _: &[i64], _: u16) -> Vec<usize> {
        Vec::new()
    }
}

unsafe extern "C" fn moves(state: *const i64, out: *mut i64) -> i64 {
    // SAFETY: the state has one integer and the buffer has MAX_MOVES.
    unsafe { *out = *state };
    1
}

unsafe extern "C" fn play(_: *mut i64, _: i64) -> i64 {
    0
}

unsafe extern "C" fn play_random(state: *mut i64, _: *mut i64, _: u64) -> i64 {
    // SAFETY: the state has one integer.
    unsafe { *state }
}

unsafe extern "C" fn query(_: *const i64) -> i64 {
    0
}

/// A position whose only move has the given code.
fn position(code: i64) -> (Compiled<1>, Arc<Recorder>) {
    let game = Game {
        rows: 0,
        columns: 0,
        squares: Vec::new(),
        column_labels: Vec::new(),
        row_labels: Vec::new(),
        bottom: Side::First,
        sides: ["one", "two"],
        pieces: Vec::new(),
        actions: 1,
        features: 0,
    };
    let recorder = Arc::new(Recorder(Mutex::default(), game));
    // SAFETY: the functions access one integer of the state and write one move.
    let functions = unsafe { Functions::new(moves, play, play_random, query, query) };
    let rules = Arc::new(Rules { functions, presentation: Box::new(recorder.clone()), size: 1 });
    (Compiled::new(rules, &[code]).expect("a state of one integer"), recorder)
}

#[test]
fn codes_that_do_not_fit_in_16_bits_are_recorded_as_failures() {
    for code in [65_536, 65_536 + 7, -3, i64::MAX, i64::MIN] {
        let (mut position, recorder) = position(code);
        assert_eq!(position.count_moves(), 0, "{code}");
        assert_eq!(position.play_random(&mut Rng::new(1)), None);
        assert_eq!(*recorder.0.lock().expect("no panic"), ["moves", "play_random"]);
    }
}

#[test]
fn the_largest_code_is_valid() {
    let (mut position, recorder) = position(65_535);
    let mut moves = Vec::new();
    position.legal_moves(|mv| moves.push(mv));
    assert_eq!((moves, position.play_random(&mut Rng::new(1))), (vec![65_535], Some(65_535)));
    assert!(recorder.0.lock().expect("no panic").is_empty());
}
