//! Every text from outside, whatever it says: an error or something that holds together, never a panic.

use plyground_engine::erased::AnyLine;
use plyground_engine::{Error, Rng, games};
use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::test_runner::{RngAlgorithm, TestError, TestRng, TestRunner};

#[path = "cases/spec.rs"]
mod spec;

const SPECS: &[&str] = &[
    "checkers",
    "connect4",
    "connect4(columns=4, rows=5, line=3)",
    "connect4(columns=32, rows=1)",
    "tictactoe",
    "tictactoe(rows=8, columns=8, line=5)",
    "tictactoe(rows=1, columns=64)",
    "chess",
    "chess(draws=forced)",
];

/// The letters that texts of the games are made of, and some that none is.
const LETTERS: &str = "0123456789abcdefghKQRBNPkqrnpxoryWB-/:., +=#O\0\u{7f}é１🂡";

fn start(spec: &str) -> Box<dyn AnyLine> {
    spec::start(spec).expect(spec)
}

/// Runs a property on the same random examples every time.
fn check<S: Strategy>(cases: u32, strategy: S, property: impl Fn(S::Value)) {
    let config = ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    let result = runner.run(&strategy, |value| {
        property(value);
        Ok(())
    });
    if let Err(TestError::Fail(why, value)) = result {
        panic!("{why}\nsmallest example: {value:?}");
    }
}

/// A line somewhere in a random game.
fn lines() -> impl Strategy<Value = (&'static str, u64, usize)> {
    (select(SPECS), any::<u64>(), 0..60usize)
}

fn line((spec, seed, plies): (&'static str, u64, usize)) -> Box<dyn AnyLine> {
    let mut rng = Rng::new(seed);
    let mut line = start(spec);
    for _ in 0..plies {
        match line.play_random(&mut rng) {
            Ok(next) => line = next,
            Err(_) => break,
        }
    }
    line
}

/// Anything: any characters, only letters of the games, or far too many of one.
fn anything() -> impl Strategy<Value = String> {
    let letters: Vec<char> = LETTERS.chars().collect();
    prop_oneof![
        any::<String>(),
        proptest::collection::vec(select(letters.clone()), 0..40).prop_map(|letters| letters.into_iter().collect()),
        (select(letters), 0..5000usize).prop_map(|(letter, count)| letter.to_string().repeat(count)),
    ]
}

#[derive(Clone, Debug)]
enum Edit {
    Insert(Index, char),
    Replace(Index, char),
    Remove(Index),
    Swap(Index, Index),
    Double(Index),
    Cut(Index),
}

fn edits() -> impl Strategy<Value = Vec<Edit>> {
    let letter = || prop_oneof![9 => select(LETTERS.chars().collect::<Vec<_>>()), 1 => any::<char>()];
    let edit = prop_oneof![
        (any::<Index>(), letter()).prop_map(|(at, letter)| Edit::Insert(at, letter)),
        (any::<Index>(), letter()).prop_map(|(at, letter)| Edit::Replace(at, letter)),
        any::<Index>().prop_map(Edit::Remove),
        (any::<Index>(), any::<Index>()).prop_map(|(a, b)| Edit::Swap(a, b)),
        any::<Index>().prop_map(Edit::Double),
        any::<Index>().prop_map(Edit::Cut),
    ];
    proptest::collection::vec(edit, 0..4)
}

fn edited(text: &str, edits: &[Edit]) -> String {
    let mut letters: Vec<char> = text.chars().collect();
    for edit in edits {
        let len = letters.len();
        match *edit {
            Edit::Insert(at, letter) => letters.insert(at.index(len + 1), letter),
            _ if len == 0 => {}
            Edit::Replace(at, letter) => letters[at.index(len)] = letter,
            Edit::Remove(at) => drop(letters.remove(at.index(len))),
            Edit::Swap(a, b) => letters.swap(a.index(len), b.index(len)),
            Edit::Double(at) => letters.insert(at.index(len), letters[at.index(len)]),
            Edit::Cut(at) => letters.truncate(at.index(len)),
        }
    }
    letters.into_iter().collect()
}

fn assert_message(error: &Error) {
    let message = error.to_string();
    assert!(!message.is_empty() && message.chars().count() < 1000, "{message}");
}

/// A position that was accepted can be asked everything and is read again from what it writes.
fn assert_sound(line: &dyn AnyLine) {
    let text = line.text();
    let again = line.at(&text).unwrap_or_else(|error| panic!("wrote {text:?}, then: {error}"));
    assert!(again.same_position(line), "{text}");
    assert_eq!((again.text(), again.key(), again.outcome()), (text.clone(), line.key(), line.outcome()));
    let game = line.game();
    assert!(line.cells().iter().all(|&(cell, _)| game.squares[cell].is_some()));
    assert!(line.features().iter().all(|&feature| feature < game.features));
    line.urgent();
    let moves = line.moves();
    assert_eq!(moves.is_empty(), line.outcome().is_some(), "{text}");
    for mv in &moves {
        assert_eq!(line.name(mv).as_ref(), Ok(mv), "{text}");
        assert!(line.action(mv).expect("a legal move") < game.actions);
        assert!(!line.path(mv).expect("a legal move").is_empty());
        line.notation(mv).expect("a legal move");
        line.play(mv).expect("a legal move").moves();
    }
    line.playouts(1, &mut Rng::new(line.key()));
}

fn read_position(line: &dyn AnyLine, text: &str) {
    match line.at(text) {
        Ok(position) => assert_sound(&*position),
        Err(error) => {
            assert!(matches!(error, Error::Parse(_)), "{error}");
            assert_message(&error);
        }
    }
}

fn read_move(line: &dyn AnyLine, text: &str) {
    match line.name(text) {
        Ok(mv) => {
            assert!(line.moves().contains(&mv), "{text:?} is {mv} in {}", line.text());
            assert_eq!(line.play(text).expect("a legal move").text(), line.play(&mv).expect("a legal move").text());
        }
        Err(error) => {
            assert_eq!(matches!(error, Error::GameOver(_)), line.outcome().is_some(), "{error}");
            assert_message(&error);
        }
    }
}

#[test]
fn any_text_is_a_position_or_an_error() {
    check(10_000, (select(SPECS), anything()), |(spec, text)| read_position(&*start(spec), &text));
}

#[test]
fn almost_a_position_is_a_position_or_an_error() {
    check(25_000, (lines(), edits()), |(from, edits)| {
        let line = line(from);
        read_position(&*line, &edited(&line.text(), &edits));
    });
}

#[test]
fn checkers_pieces_strewn_over_the_board_are_a_position_or_an_error() {
    let pieces = proptest::collection::vec((any::<bool>(), any::<bool>(), 0..34u8), 0..24);
    check(10_000, (select(&["B", "W"][..]), pieces), |(turn, pieces)| {
        let list = |wanted: bool| {
            let words = pieces.iter().filter(|piece| piece.0 == wanted);
            words.map(|&(_, king, square)| format!("{}{square}", if king { "K" } else { "" })).collect::<Vec<_>>().join(",")
        };
        read_position(&*start("checkers"), &format!("{turn}:W{}:B{}", list(false), list(true)));
    });
}

/// A chess board with one king a side; empty squares are written one by one, which FEN allows.
fn chess_board(others: &[char], white: Index, black: Index) -> String {
    let mut board = others.to_vec();
    board.insert(white.index(board.len() + 1), 'K');
    board.insert(black.index(board.len() + 1), 'k');
    let rows: Vec<String> = board.chunks(8).map(|row| row.iter().collect()).collect();
    rows.join("/")
}

#[test]
fn chess_pieces_strewn_over_the_board_are_a_position_or_an_error() {
    let others = "1".repeat(40) + "QRBNPqrbnp";
    let examples = (
        proptest::collection::vec(select(others.chars().collect::<Vec<_>>()), 62),
        any::<[Index; 2]>(),
        select(&["w", "b"][..]),
        select(&["-", "e3", "d6", "a3", "h6"][..]),
        0..160u32,
    );
    check(30_000, examples, |(others, [white, black], turn, en_passant, clock)| {
        let board = chess_board(&others, white, black);
        read_position(&*start("chess"), &format!("{board} {turn} - {en_passant} {clock} 1"));
    });
}

#[test]
fn chess_kings_and_rooks_on_the_back_ranks_are_a_position_or_an_error() {
    let rank = |king, rook| Just(vec!['1', '1', '1', '1', '1', king, rook, rook]).prop_shuffle().prop_map(String::from_iter);
    let rights = select(&["KQkq", "KQ", "kq", "Kk", "Q", "HAha", "-"][..]);
    let examples = (rank('k', 'r'), rank('K', 'R'), select(&["w", "b"][..]), rights);
    check(3000, examples, |(top, bottom, turn, rights)| {
        read_position(&*start("chess"), &format!("{top}/8/8/8/8/8/8/{bottom} {turn} {rights} - 0 1"));
    });
}

#[test]
fn any_text_is_a_move_or_an_error() {
    check(10_000, (lines(), anything()), |(from, text)| read_move(&*line(from), &text));
}

#[test]
fn almost_a_move_is_a_move_or_an_error() {
    check(25_000, (lines(), any::<Index>(), any::<bool>(), edits()), |(from, index, notation, edits)| {
        let line = line(from);
        let moves = line.moves();
        if !moves.is_empty() {
            let mv = index.get(&moves);
            let text = if notation { line.notation(mv).expect("a legal move") } else { mv.clone() };
            read_move(&*line, &edited(&text, &edits));
        }
    });
}

#[test]
fn any_options_are_a_game_or_an_error() {
    let ids: Vec<&str> = games::GAMES.iter().map(|entry| entry.id).collect();
    let names: Vec<&str> = games::GAMES.iter().flat_map(|entry| entry.options).map(|option| option.name).collect();
    let id = prop_oneof![9 => select(ids).prop_map(String::from), 1 => anything()];
    let name = prop_oneof![9 => select(names).prop_map(String::from), 1 => anything()];
    let value = prop_oneof![
        6 => (0..70u32).prop_map(|number| number.to_string()),
        1 => any::<i64>().prop_map(|number| number.to_string()),
        1 => select(&["english", "openspiel", "claimed", "forced", "", "+3", "3.0", "٣"][..]).prop_map(String::from),
        1 => anything(),
    ];
    check(10_000, (id, proptest::collection::vec((name, value), 0..4)), |(id, options)| match games::start(&id, &options) {
        Ok((entry, spec, line)) => {
            assert_eq!(entry.id, id);
            assert_sound(&*line);
            let again = spec::start(&spec).unwrap_or_else(|error| panic!("made {spec}, then: {error}"));
            assert_eq!((again.text(), again.game()), (line.text(), line.game()));
        }
        Err(error) => {
            assert!(matches!(error, Error::Parse(_) | Error::UnknownName(_)), "{error}");
            assert_message(&error);
        }
    });
}
