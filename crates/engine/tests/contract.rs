//! What every game promises to those who hold it as a line of any game, tried by random play.

mod cases;

use std::collections::{HashMap, HashSet};

use cases::{Case, cases};
use plyground_engine::erased::AnyLine;
use plyground_engine::{Error, Rng};

/// Random games are cut off here; those of chess would go on for hundreds of plies more.
const LONGEST: usize = 150;

/// Visits each line of `count` random games from each start of a case, the start and the end included.
fn play_games(case: &Case, count: u64, mut visit: impl FnMut(&dyn AnyLine)) {
    for start in case.starts() {
        for seed in 0..count {
            let mut rng = Rng::new(seed);
            let mut line = start.replay(0);
            visit(&*line);
            while line.ply() < LONGEST && line.outcome().is_none() {
                line = line.play_random(&mut rng).expect("a game that goes on has a move");
                visit(&*line);
            }
        }
    }
}

fn play_all(count: u64, mut visit: impl FnMut(&Case, &dyn AnyLine)) {
    for case in &cases() {
        play_games(case, count, |line| visit(case, line));
    }
}

/// A text without the clocks, which a chess position has after its fourth word.
fn without_clocks(text: &str) -> String {
    text.split(' ').take(4).collect::<Vec<_>>().join(" ")
}

fn assert_same(a: &dyn AnyLine, b: &dyn AnyLine) {
    assert!(a.same_position(b), "{} and {}", a.text(), b.text());
    assert_eq!((a.text(), a.key(), a.turn()), (b.text(), b.key(), b.turn()));
    assert_eq!(a.history(), b.history());
    assert_eq!((a.moves(), a.outcome()), (b.moves(), b.outcome()));
}

#[test]
fn the_facts_of_a_game_fit_together() {
    for case in &cases() {
        let game = cases::spec::start(&case.spec).expect(&case.spec).game();
        assert_eq!(game.squares.len(), game.rows * game.columns, "{}", case.spec);
        let names: Vec<&String> = game.squares.iter().flatten().collect();
        assert_eq!(names.iter().collect::<HashSet<_>>().len(), names.len(), "{}: two squares share a name", case.spec);
        assert!(game.column_labels.is_empty() || game.column_labels.len() == game.columns);
        assert!(game.row_labels.is_empty() || game.row_labels.len() == game.rows);
        assert_ne!(game.sides[0], game.sides[1]);
        let letters: HashSet<char> = game.pieces.iter().map(|piece| piece.letter).collect();
        assert_eq!(letters.len(), game.pieces.len(), "{}: two kinds of piece share a letter", case.spec);
        assert!(letters.iter().all(|letter| letter.is_ascii_graphic()));
        assert!(game.actions > 0 && game.features > 0);
    }
}

#[test]
fn a_position_is_found_again_by_its_text() {
    play_all(4, |case, line| {
        let again = line.at(&line.text()).unwrap_or_else(|error| panic!("{}: {error}", case.spec));
        assert!(again.same_position(line), "{}: {}", case.spec, line.text());
        assert_eq!(again.text(), line.text());
        assert_eq!((again.key(), again.turn(), again.cells()), (line.key(), line.turn(), line.cells()));
    });
}

#[test]
fn each_move_is_listed_once_and_found_again_by_its_text() {
    play_all(2, |case, line| {
        let moves = line.moves();
        let different: HashSet<&String> = moves.iter().collect();
        assert_eq!(different.len(), moves.len(), "{}: {}: {moves:?}", case.spec, line.text());
        for mv in &moves {
            assert_eq!(line.name(mv).as_ref(), Ok(mv), "{}: {}", case.spec, line.text());
            let notation = line.notation(mv).expect("a legal move");
            assert_eq!(line.name(&notation).as_ref(), Ok(mv), "{}: {}: {notation}", case.spec, line.text());
        }
    });
}

#[test]
fn moves_are_empty_exactly_when_the_game_is_over() {
    play_all(4, |case, line| {
        assert_eq!(line.moves().is_empty(), line.outcome().is_some(), "{}: {}", case.spec, line.text());
    });
}

#[test]
fn keys_are_equal_exactly_when_positions_are() {
    for case in &cases() {
        let mut texts: HashMap<u64, String> = HashMap::new();
        let mut keys: HashMap<String, u64> = HashMap::new();
        play_games(case, 8, |line| {
            let text = without_clocks(&line.text());
            assert_eq!(texts.entry(line.key()).or_insert(text.clone()), &text, "{}: one key", case.spec);
            assert_eq!(*keys.entry(text.clone()).or_insert(line.key()), line.key(), "{}: {text}", case.spec);
        });
    }
}

#[test]
fn actions_and_features_stay_in_their_range() {
    for case in &cases() {
        let game = cases::spec::start(&case.spec).expect(&case.spec).game();
        play_games(case, 2, |line| {
            assert_eq!(line.game(), game);
            for mv in line.moves() {
                assert!(line.action(&mv).expect("a legal move") < game.actions, "{}: {mv} in {}", case.spec, line.text());
            }
            let features = line.features();
            assert!(features.windows(2).all(|pair| pair[0] < pair[1]), "{}: {features:?}", case.spec);
            assert!(features.iter().all(|&feature| feature < game.features), "{}: {features:?}", case.spec);
            assert_eq!(features.len(), line.cells().len());
        });
    }
}

#[test]
fn pieces_and_paths_lie_on_squares() {
    for case in &cases() {
        let game = cases::spec::start(&case.spec).expect(&case.spec).game();
        let letters: HashSet<char> = game.pieces.iter().map(|piece| piece.letter).collect();
        let is_square = |cell: usize| game.squares.get(cell).is_some_and(Option::is_some);
        play_games(case, 2, |line| {
            let cells = line.cells();
            assert!(cells.iter().all(|&(cell, letter)| is_square(cell) && letters.contains(&letter)), "{cells:?}");
            assert!(cells.windows(2).all(|pair| pair[0].0 < pair[1].0), "two pieces on a square: {cells:?}");
            assert!(line.urgent().into_iter().all(|cell| cells.iter().any(|&(occupied, _)| occupied == cell)));
            for mv in line.moves() {
                let path = line.path(&mv).expect("a legal move");
                assert!(!path.is_empty() && path.iter().all(|&cell| is_square(cell)), "{}: {mv}: {path:?}", case.spec);
                let last = path[path.len() - 1];
                let after = line.play(&mv).expect("a legal move").cells();
                assert!(after.iter().any(|&(cell, _)| cell == last), "{}: {mv} ends on an empty square", case.spec);
            }
        });
    }
}

#[test]
fn chance_plays_the_move_that_its_draw_chooses() {
    play_all(2, |case, line| {
        let mut rng = Rng::new(line.key());
        let mut same = rng.clone();
        let moves = line.moves();
        match line.play_random(&mut rng) {
            Ok(next) => {
                let mv = &moves[same.below(moves.len() as u32) as usize];
                assert_eq!(next.history().last(), Some(mv), "{}", case.spec);
                assert_same(&*next, &*line.play(mv).expect("a legal move"));
            }
            Err(error) => assert!(matches!(error, Error::GameOver(_)) && moves.is_empty(), "{}: {error}", case.spec),
        }
        assert_eq!(rng, same, "{}: one draw a move", case.spec);
    });
}

#[test]
fn counting_moves_equals_listing_them() {
    play_all(4, |case, line| {
        if line.outcome().is_none() {
            assert_eq!(line.perft(1), line.moves().len() as u64, "{}: {}", case.spec, line.text());
        }
        assert_eq!(line.perft(0), 1);
    });
}

#[test]
fn dividing_lists_the_moves_and_adds_up() {
    play_all(1, |case, line| {
        if line.outcome().is_none() && line.ply() < 20 {
            let parts: Vec<(String, u64)> = (0..).map_while(|index| line.divide(index, 2)).collect();
            let (moves, counts): (Vec<String>, Vec<u64>) = parts.into_iter().unzip();
            assert_eq!(moves, line.moves(), "{}", case.spec);
            assert_eq!(counts.iter().sum::<u64>(), line.perft(2), "{}: {}", case.spec, line.text());
        }
    });
}

#[test]
fn a_line_is_the_same_at_each_of_its_plies_again() {
    for case in &cases() {
        for start in case.starts() {
            let mut rng = Rng::new(11);
            let mut lines = vec![start.replay(0)];
            while let Ok(next) = lines[lines.len() - 1].play_random(&mut rng) {
                lines.push(next);
                if lines.len() > 80 {
                    break;
                }
            }
            let last = &lines[lines.len() - 1];
            for (ply, line) in lines.iter().enumerate() {
                assert_eq!(line.ply(), ply);
                assert_same(&*last.replay(ply), &**line);
            }
            assert_same(&*last.replay(usize::MAX), &**last);
        }
    }
}

#[test]
fn the_history_leads_to_the_same_line() {
    for case in &cases() {
        play_games(case, 1, |line| {
            if line.ply() % 25 == 24 || line.outcome().is_some() {
                for history in [line.history(), line.history_notation()] {
                    let start = line.replay(0);
                    let again = history.iter().fold(start, |line, mv| line.play(mv).unwrap_or_else(|error| panic!("{error}")));
                    assert_same(&*again, line);
                }
            }
        });
    }
}

/// Texts that name a move in no game, in some game, or in some position; the first is empty.
const STRANGE: &str = " 0 1 8 a1 z99 aa1 e2e4 e2e5 e7e8q e1g1 O-O 0-0-0 Nf3 exd6 11-15 11x15 1x1 22x15x8 33-34 - x 1- +1 \
    \0 \t 🂡 １ ß8 e\u{301}2e4 null 9999999999999999999999";

#[test]
fn a_text_is_a_move_for_every_question_or_for_none() {
    for case in &cases() {
        let mut elsewhere: Vec<String> = Vec::new();
        play_games(case, 1, |line| {
            let before = (line.text(), line.history());
            for text in STRANGE.split(' ').map(String::from).chain(elsewhere.iter().cloned()) {
                match line.name(&text) {
                    Ok(mv) => {
                        assert!(line.moves().contains(&mv), "{}: {text:?} is {mv} in {}", case.spec, line.text());
                        assert_same(&*line.play(&text).expect("a move"), &*line.play(&mv).expect("a legal move"));
                    }
                    Err(error) => {
                        let over = line.outcome().is_some();
                        assert_eq!(matches!(error, Error::GameOver(_)), over, "{}: {error}", case.spec);
                        assert!(over || matches!(error, Error::Parse(_) | Error::IllegalMove(_)), "{}: {error}", case.spec);
                        assert_eq!(line.play(&text).err().as_ref(), Some(&error));
                        assert_eq!(line.path(&text).err().as_ref(), Some(&error));
                        assert_eq!(line.action(&text).err().as_ref(), Some(&error));
                        assert_eq!(line.notation(&text).err().as_ref(), Some(&error));
                    }
                }
            }
            assert_eq!((line.text(), line.history()), before);
            if line.ply() % 10 == 0 && elsewhere.len() < 30 {
                elsewhere.extend(line.moves().into_iter().take(3));
            }
        });
    }
}

#[test]
fn after_the_end_every_move_is_refused_because_the_game_is_over() {
    for case in &cases() {
        let mut ends = 0;
        play_games(case, 6, |line| {
            if line.outcome().is_some() {
                ends += 1;
                let moves = if line.ply() > 0 { line.replay(line.ply() - 1).moves() } else { vec!["1".into()] };
                for mv in moves {
                    assert!(matches!(line.play(&mv), Err(Error::GameOver(_))), "{}: {mv} in {}", case.spec, line.text());
                }
                assert!(matches!(line.play_random(&mut Rng::new(1)), Err(Error::GameOver(_))));
            }
        });
        assert!(ends > 0, "{}: no game ended", case.spec);
    }
}
