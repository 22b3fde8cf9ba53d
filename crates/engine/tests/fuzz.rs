//! Any input text is either parsed or rejected with an error; it never causes a panic.

use plyground_engine::games::{self, StartVisitor};
use plyground_engine::search::flat::playouts;
use plyground_engine::{Error, Game, GameRules, Line, Rng};
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

/// Characters that occur in valid strings, and some others.
const LETTERS: &str = "0123456789abcdefghKQRBNPkqrnpxoryWB-/:., +=#O\0\u{7f}é１🂡";

/// A property that holds for any line of any game.
trait Property {
    fn check<P: GameRules>(&self, line: &Line<P>);
}

/// Checks a property after a number of random moves.
struct AfterMoves<'a, C> {
    seed: u64,
    plies: usize,
    property: &'a C,
}

impl<C: Property> StartVisitor for AfterMoves<'_, C> {
    type Output = ();

    fn visit<P: GameRules>(self, start: P) {
        let mut rng = Rng::new(self.seed);
        let mut line = Line::new(start);
        for _ in 0..self.plies {
            match line.after_random(&mut rng) {
                Ok(next) => line = next,
                Err(_) => break,
            }
        }
        self.property.check(&line);
    }
}

/// Checks a property at the start of a game.
fn check_start(spec: &str, property: &impl Property) {
    check_line((spec, 0, 0), property);
}

/// Checks a property after `plies` random moves.
fn check_line((spec, seed, plies): (&str, u64, usize), property: &impl Property) {
    spec::start(spec, AfterMoves { seed, plies, property }).expect(spec);
}

/// Checks a property on deterministic pseudorandom examples.
fn check<S: Strategy>(cases: u32, strategy: S, property: impl Fn(S::Value)) {
    let config = ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    let result = runner.run(&strategy, |value| {
        property(value);
        Ok(())
    });
    if let Err(TestError::Fail(why, value)) = result {
        panic!("{why}\nminimal failing input: {value:?}");
    }
}

/// A game, a seed and a number of random moves.
fn lines() -> impl Strategy<Value = (&'static str, u64, usize)> {
    (select(SPECS), any::<u64>(), 0..60usize)
}

/// Arbitrary text: any characters, only characters that occur in valid strings, or one character repeated many times.
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

/// Asserts that a valid position supports all operations and that parsing its text restores it.
fn assert_sound<P: GameRules>(line: &Line<P>) {
    let position = line.position();
    let text = position.to_string();
    let parsed = line.restart_at(&text).unwrap_or_else(|error| panic!("cannot parse back {text:?}: {error}"));
    assert_eq!(parsed.position(), position, "{text}");
    assert_eq!((parsed.position().to_string(), parsed.position().key()), (text.clone(), position.key()));
    assert_eq!(parsed.outcome(), line.outcome());
    let game = position.game();
    position.cells(|cell, _| assert!(game.squares[cell].is_some()));
    position.active_features(position.turn(), |feature| assert!(feature < game.features));
    position.highlighted();
    let moves = line.legal_moves();
    assert_eq!(moves.is_empty(), line.outcome().is_some(), "{text}");
    for mv in moves {
        assert_eq!(line.parse_move(&position.move_text(mv)), Ok(mv), "{text}");
        assert!(position.action(mv) < game.actions);
        assert!(!position.path(mv).is_empty());
        position.notation(mv);
        let mut after = line.clone();
        after.play(mv);
        after.legal_move_texts();
    }
    playouts(position, 1, &mut Rng::new(position.key()));
}

/// Parsing a string gives a valid position or a parse error.
struct ParsePosition<'a>(&'a str);

impl Property for ParsePosition<'_> {
    fn check<P: GameRules>(&self, line: &Line<P>) {
        match line.restart_at(self.0) {
            Ok(line) => assert_sound(&line),
            Err(error) => {
                assert!(matches!(error, Error::Parse(_)), "{error}");
                assert_message(&error);
            }
        }
    }
}

/// Parsing an edited position text gives a valid position or a parse error.
struct ParseEditedPosition<'a>(&'a [Edit]);

impl Property for ParseEditedPosition<'_> {
    fn check<P: GameRules>(&self, line: &Line<P>) {
        ParsePosition(&edited(&line.position().to_string(), self.0)).check(line);
    }
}

/// Parsing a string gives a legal move or an error.
struct ParseMove<'a>(&'a str);

impl Property for ParseMove<'_> {
    fn check<P: GameRules>(&self, line: &Line<P>) {
        match line.parse_move(self.0) {
            Ok(mv) => {
                assert!(line.legal_moves().contains(&mv), "{:?} is {mv:?} in {}", self.0, line.position());
                let text = line.position().move_text(mv);
                let (one, other) = (line.after(self.0).expect("a legal move"), line.after(&text).expect("a legal move"));
                assert_eq!(one.position().to_string(), other.position().to_string());
            }
            Err(error) => {
                assert_eq!(matches!(error, Error::GameOver(_)), line.outcome().is_some(), "{error}");
                assert_message(&error);
            }
        }
    }
}

/// Parsing an edited move text gives a legal move or an error.
struct ParseEditedMove<'a> {
    index: Index,
    uses_notation: bool,
    edits: &'a [Edit],
}

impl Property for ParseEditedMove<'_> {
    fn check<P: GameRules>(&self, line: &Line<P>) {
        let (moves, position) = (line.legal_moves(), line.position());
        if !moves.is_empty() {
            let &mv = self.index.get(&moves);
            let text = if self.uses_notation { position.notation(mv) } else { position.move_text(mv) };
            ParseMove(&edited(&text, self.edits)).check(line);
        }
    }
}

#[test]
fn any_text_is_parsed_as_a_position_or_rejected() {
    check(10_000, (select(SPECS), anything()), |(spec, text)| check_start(spec, &ParsePosition(&text)));
}

#[test]
fn an_edited_position_is_parsed_or_rejected() {
    check(25_000, (lines(), edits()), |(from, edits)| check_line(from, &ParseEditedPosition(&edits)));
}

#[test]
fn random_checkers_pieces_are_parsed_or_rejected() {
    let pieces = proptest::collection::vec((any::<bool>(), any::<bool>(), 0..34u8), 0..24);
    check(10_000, (select(&["B", "W"][..]), pieces), |(turn, pieces)| {
        let list = |is_black: bool| {
            let pieces = pieces.iter().filter(|piece| piece.0 == is_black);
            pieces.map(|&(_, king, square)| format!("{}{square}", if king { "K" } else { "" })).collect::<Vec<_>>().join(",")
        };
        check_start("checkers", &ParsePosition(&format!("{turn}:W{}:B{}", list(false), list(true))));
    });
}

/// A chess board with one king per side. Each empty square is written as `1`, which FEN allows.
fn chess_board(others: &[char], white: Index, black: Index) -> String {
    let mut board = others.to_vec();
    board.insert(white.index(board.len() + 1), 'K');
    board.insert(black.index(board.len() + 1), 'k');
    let rows: Vec<String> = board.chunks(8).map(|row| row.iter().collect()).collect();
    rows.join("/")
}

#[test]
fn random_chess_pieces_are_parsed_or_rejected() {
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
        check_start("chess", &ParsePosition(&format!("{board} {turn} - {en_passant} {clock} 1")));
    });
}

#[test]
fn random_castling_rights_are_parsed_or_rejected() {
    let rank = |king, rook| Just(vec!['1', '1', '1', '1', '1', king, rook, rook]).prop_shuffle().prop_map(String::from_iter);
    let rights = select(&["KQkq", "KQ", "kq", "Kk", "Q", "HAha", "-"][..]);
    let examples = (rank('k', 'r'), rank('K', 'R'), select(&["w", "b"][..]), rights);
    check(3000, examples, |(top, bottom, turn, rights)| {
        check_start("chess", &ParsePosition(&format!("{top}/8/8/8/8/8/8/{bottom} {turn} {rights} - 0 1")));
    });
}

#[test]
fn any_text_is_parsed_as_a_move_or_rejected() {
    check(10_000, (lines(), anything()), |(from, text)| check_line(from, &ParseMove(&text)));
}

#[test]
fn an_edited_move_is_parsed_or_rejected() {
    check(25_000, (lines(), any::<Index>(), any::<bool>(), edits()), |(from, index, uses_notation, edits)| {
        check_line(from, &ParseEditedMove { index, uses_notation, edits: &edits });
    });
}

/// Checks a start position and returns its text and the properties of its game.
struct CheckStart;

impl StartVisitor for CheckStart {
    type Output = (String, Game);

    fn visit<P: GameRules>(self, start: P) -> (String, Game) {
        let line = Line::new(start);
        assert_sound(&line);
        (line.position().to_string(), line.position().game())
    }
}

#[test]
fn any_options_start_a_game_or_are_rejected() {
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
    check(10_000, (id, proptest::collection::vec((name, value), 0..4)), |(id, options)| {
        match games::start(&id, &options, CheckStart) {
            Ok((entry, spec, started)) => {
                assert_eq!(entry.id, id);
                let restarted = spec::start(&spec, CheckStart).unwrap_or_else(|error| panic!("cannot restart {spec}: {error}"));
                assert_eq!(restarted, started);
            }
            Err(error) => {
                assert!(matches!(error, Error::Parse(_) | Error::UnknownName(_)), "{error}");
                assert_message(&error);
            }
        }
    });
}
