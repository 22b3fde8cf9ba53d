//! Properties of lines, tested in every game by random play.

mod cases;

use std::collections::{HashMap, HashSet};

use cases::contract;
use plyground_engine::perft::{divide, perft};
use plyground_engine::{Error, GameRules, Line, Rng, Side};

/// Random games are truncated after this many plies, because chess games would last several hundred more.
const MAX_PLIES: usize = 150;

/// Visits every position of `count` random games from each start, including the first and the last.
fn play_games<P: GameRules>(starts: &[Line<P>], count: u64, mut visit: impl FnMut(&Line<P>)) {
    for start in starts {
        for seed in 0..count {
            let mut rng = Rng::new(seed);
            let mut line = start.clone();
            visit(&line);
            while line.moves().len() < MAX_PLIES && line.outcome().is_none() {
                line = line.after_random(&mut rng).expect("an unfinished game has a legal move");
                visit(&line);
            }
        }
    }
}

fn text<P: GameRules>(line: &Line<P>) -> String {
    line.position().to_string()
}

/// The text of a position without the clocks, which are the last two fields of a FEN.
fn text_without_clocks<P: GameRules>(line: &Line<P>) -> String {
    text(line).split(' ').take(4).collect::<Vec<_>>().join(" ")
}

fn cells<P: GameRules>(line: &Line<P>) -> Vec<(usize, char)> {
    let mut cells = Vec::new();
    line.position().cells(|cell, letter| cells.push((cell, letter)));
    cells.sort_unstable();
    cells
}

/// The canonical text of a move.
fn canonical<P: GameRules>(line: &Line<P>, text: &str) -> Result<String, Error> {
    line.parse_move(text).map(|mv| line.position().move_text(mv))
}

fn assert_same<P: GameRules>(a: &Line<P>, b: &Line<P>) {
    assert_eq!(a.position(), b.position());
    assert_eq!((text(a), a.position().key(), a.position().turn()), (text(b), b.position().key(), b.position().turn()));
    assert_eq!(a.history(), b.history());
    assert_eq!((a.legal_move_texts(), a.outcome()), (b.legal_move_texts(), b.outcome()));
}

contract! {
    fn the_properties_of_a_game_are_consistent<P>(spec, starts) {
        let game = starts[0].position().game();
        assert_eq!(game.squares.len(), game.rows * game.columns, "{spec}");
        let names: Vec<&String> = game.squares.iter().flatten().collect();
        assert_eq!(names.iter().collect::<HashSet<_>>().len(), names.len(), "{spec}: two squares have the same name");
        assert!(game.column_labels.is_empty() || game.column_labels.len() == game.columns);
        assert!(game.row_labels.is_empty() || game.row_labels.len() == game.rows);
        assert_ne!(game.sides[0], game.sides[1]);
        let letters: HashSet<char> = game.pieces.iter().map(|piece| piece.letter).collect();
        assert_eq!(letters.len(), game.pieces.len(), "{spec}: two kinds of pieces have the same letter");
        assert!(letters.iter().all(|letter| letter.is_ascii_graphic()));
        assert!(game.actions > 0 && game.features > 0);
    }
}

contract! {
    fn parsing_the_text_of_a_position_restores_it<P>(spec, starts) {
        play_games(starts, 4, |line| {
            let parsed = line.restart_at(&text(line)).unwrap_or_else(|error| panic!("{spec}: {error}"));
            assert_eq!(parsed.position(), line.position(), "{spec}");
            assert_eq!((text(&parsed), cells(&parsed)), (text(line), cells(line)));
            assert_eq!((parsed.position().key(), parsed.position().turn()), (line.position().key(), line.position().turn()));
        });
    }
}

contract! {
    fn move_texts_are_unique_and_parse_to_the_same_move<P>(spec, starts) {
        play_games(starts, 2, |line| {
            let moves = line.legal_moves();
            let texts: HashSet<String> = line.legal_move_texts().into_iter().collect();
            assert_eq!(texts.len(), moves.len(), "{spec}: {}: {texts:?}", text(line));
            for mv in moves {
                let (move_text, notation) = (line.position().move_text(mv), line.position().notation(mv));
                assert_eq!(line.parse_move(&move_text), Ok(mv), "{spec}: {}", text(line));
                assert_eq!(line.parse_move(&notation), Ok(mv), "{spec}: {}: {notation}", text(line));
            }
        });
    }
}

contract! {
    fn there_are_legal_moves_until_the_game_is_over<P>(spec, starts) {
        play_games(starts, 4, |line| {
            assert_eq!(line.legal_moves().is_empty(), line.outcome().is_some(), "{spec}: {}", text(line));
        });
    }
}

contract! {
    fn positions_have_equal_keys_if_and_only_if_their_texts_are_equal<P>(spec, starts) {
        let mut texts: HashMap<u64, String> = HashMap::new();
        let mut keys: HashMap<String, u64> = HashMap::new();
        play_games(starts, 8, |line| {
            let (text, key) = (text_without_clocks(line), line.position().key());
            assert_eq!(texts.entry(key).or_insert(text.clone()), &text, "{spec}");
            assert_eq!(*keys.entry(text).or_insert(key), key, "{spec}");
        });
    }
}

contract! {
    fn actions_and_active_features_are_in_range<P>(spec, starts) {
        let game = starts[0].position().game();
        play_games(starts, 2, |line| {
            assert_eq!(line.position().game(), game);
            for mv in line.legal_moves() {
                assert!(line.position().action(mv) < game.actions, "{spec}: {mv:?} in {}", text(line));
            }
            for viewer in [Side::First, Side::Second] {
                let mut features = Vec::new();
                line.position().active_features(viewer, |feature| features.push(feature));
                features.sort_unstable();
                assert!(features.windows(2).all(|pair| pair[0] < pair[1]), "{spec}: {features:?}");
                assert!(features.iter().all(|&feature| feature < game.features), "{spec}: {features:?}");
                assert_eq!(features.len(), cells(line).len());
                let mut words = vec![0; game.features.div_ceil(64)];
                line.position().feature_words(viewer, &mut words);
                let bits = (0..game.features).filter(|feature| words[feature / 64] >> (feature % 64) & 1 == 1);
                assert!(bits.eq(features), "{spec}");
            }
        });
    }
}

contract! {
    fn planes_are_in_range_and_differ_between_positions<P>(spec, starts) {
        let layout = starts[0].position().plane_layout();
        assert_eq!(layout.values(), layout.names.len() * layout.rows * layout.columns);
        let mut known: HashMap<(Side, Vec<u32>), P> = HashMap::new();
        play_games(starts, 4, |line| {
            let position = line.position();
            assert_eq!(position.plane_layout(), layout, "{spec}");
            let mut values = vec![0.0; layout.values()];
            position.write_planes(position.turn(), &mut values);
            assert!(values.iter().all(|value| (0.0..=1.0).contains(value)), "{spec}: {}", text(line));
            let bits = values.into_iter().map(f32::to_bits).collect();
            assert_eq!(known.entry((position.turn(), bits)).or_insert(position.clone()), position, "{spec}");
        });
    }
}

contract! {
    fn pieces_paths_and_highlights_are_on_squares<P>(spec, starts) {
        let game = starts[0].position().game();
        let letters: HashSet<char> = game.pieces.iter().map(|piece| piece.letter).collect();
        let is_square = |cell: usize| game.squares.get(cell).is_some_and(Option::is_some);
        play_games(starts, 2, |line| {
            let pieces = cells(line);
            assert!(pieces.iter().all(|&(cell, letter)| is_square(cell) && letters.contains(&letter)), "{pieces:?}");
            assert!(pieces.windows(2).all(|pair| pair[0].0 < pair[1].0), "two pieces on the same square: {pieces:?}");
            let highlighted = line.position().highlighted();
            assert!(highlighted.into_iter().all(|cell| pieces.iter().any(|&(occupied, _)| occupied == cell)));
            for mv in line.legal_moves() {
                let path = line.position().path(mv);
                assert!(!path.is_empty() && path.iter().all(|&cell| is_square(cell)), "{spec}: {mv:?}: {path:?}");
                let last = path[path.len() - 1];
                let mut after = line.clone();
                after.play(mv);
                assert!(cells(&after).iter().any(|&(cell, _)| cell == last), "{spec}: {mv:?} ends on an empty square");
            }
        });
    }
}

contract! {
    fn after_random_plays_the_drawn_legal_move<P>(spec, starts) {
        play_games(starts, 2, |line| {
            let mut rng = Rng::new(line.position().key());
            let mut expected = rng.clone();
            let moves = line.legal_move_texts();
            match line.after_random(&mut rng) {
                Ok(next) => {
                    let mv = &moves[expected.below(moves.len() as u32) as usize];
                    assert_eq!(next.history().last(), Some(mv), "{spec}");
                    assert_same(&next, &line.after(mv).expect("a legal move"));
                }
                Err(error) => assert!(matches!(error, Error::GameOver(_)) && moves.is_empty(), "{spec}: {error}"),
            }
            assert_eq!(rng, expected, "{spec}: one draw per move");
        });
    }
}

contract! {
    fn perft_of_depth_one_is_the_number_of_legal_moves<P>(spec, starts) {
        play_games(starts, 4, |line| {
            if line.outcome().is_none() {
                assert_eq!(perft(line.position(), 1), line.legal_moves().len() as u64, "{spec}: {}", text(line));
            }
            assert_eq!(perft(line.position(), 0), 1);
        });
    }
}

contract! {
    fn divide_lists_the_moves_and_adds_up_to_perft<P>(spec, starts) {
        play_games(starts, 1, |line| {
            if line.outcome().is_none() && line.moves().len() < 20 {
                let parts: Vec<(String, u64)> = (0..).map_while(|index| divide(line.position(), index, 2)).collect();
                let (moves, counts): (Vec<String>, Vec<u64>) = parts.into_iter().unzip();
                assert_eq!(moves, line.legal_move_texts(), "{spec}");
                assert_eq!(counts.iter().sum::<u64>(), perft(line.position(), 2), "{spec}: {}", text(line));
            }
        });
    }
}

contract! {
    fn replaying_a_line_restores_every_ply<P>(_spec, starts) {
        for start in starts {
            let mut rng = Rng::new(11);
            let mut lines = vec![start.clone()];
            while let Ok(next) = lines[lines.len() - 1].after_random(&mut rng) {
                lines.push(next);
                if lines.len() > 80 {
                    break;
                }
            }
            let last = &lines[lines.len() - 1];
            for (ply, line) in lines.iter().enumerate() {
                assert_eq!(line.moves().len(), ply);
                assert_same(&last.replay(ply), line);
            }
            assert_same(&last.replay(usize::MAX), last);
        }
    }
}

contract! {
    fn playing_the_history_leads_to_the_same_line<P>(_spec, starts) {
        play_games(starts, 1, |line| {
            if line.moves().len() % 25 == 24 || line.outcome().is_some() {
                for history in [line.history(), line.history_notation()] {
                    let play = |line: Line<P>, mv: &String| line.after(mv).unwrap_or_else(|error| panic!("{error}"));
                    assert_same(&history.iter().fold(line.replay(0), play), line);
                }
            }
        });
    }
}

/// Strings that are moves in no game, only in some games, or only in some positions; the first is empty.
const UNUSUAL_TEXTS: &str = " 0 1 8 a1 z99 aa1 e2e4 e2e5 e7e8q e1g1 O-O 0-0-0 Nf3 exd6 11-15 11x15 1x1 22x15x8 33-34 - x 1- +1 \
    \0 \t 🂡 １ ß8 e\u{301}2e4 null 9999999999999999999999";

contract! {
    fn any_text_is_parsed_as_a_legal_move_or_rejected<P>(spec, starts) {
        let mut other_moves: Vec<String> = Vec::new();
        play_games(starts, 1, |line| {
            for input in UNUSUAL_TEXTS.split(' ').map(String::from).chain(other_moves.iter().cloned()) {
                match canonical(line, &input) {
                    Ok(mv) => {
                        assert!(line.legal_move_texts().contains(&mv), "{spec}: {input:?} is {mv} in {}", text(line));
                        assert_same(&line.after(&input).expect("a move"), &line.after(&mv).expect("a legal move"));
                    }
                    Err(error) => {
                        let over = line.outcome().is_some();
                        assert_eq!(matches!(error, Error::GameOver(_)), over, "{spec}: {error}");
                        assert!(over || matches!(error, Error::Parse(_) | Error::IllegalMove(_)), "{spec}: {error}");
                        assert_eq!(line.after(&input).err().as_ref(), Some(&error));
                    }
                }
            }
            if line.moves().len() % 10 == 0 && other_moves.len() < 30 {
                other_moves.extend(line.legal_move_texts().into_iter().take(3));
            }
        });
    }
}

contract! {
    fn moves_after_the_end_are_rejected<P>(spec, starts) {
        let mut ends = 0;
        play_games(starts, 6, |line| {
            if line.outcome().is_some() {
                ends += 1;
                let plies = line.moves().len();
                let moves = if plies > 0 { line.replay(plies - 1).legal_move_texts() } else { vec!["1".into()] };
                for mv in moves {
                    assert!(matches!(line.after(&mv), Err(Error::GameOver(_))), "{spec}: {mv} in {}", text(line));
                }
                assert!(matches!(line.after_random(&mut Rng::new(1)), Err(Error::GameOver(_))));
            }
        });
        assert!(ends > 0, "{spec}: no game ended");
    }
}
