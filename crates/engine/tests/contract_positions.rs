//! What every type that is a `Position` promises to the search, which is generic over them, tried by random play.

mod cases;

use std::collections::HashMap;

use cases::{Case, cases};
use plyground_engine::games::{checkers, chess, connect4, tictactoe};
use plyground_engine::search::playout::{Playout, playout};
use plyground_engine::{Line, Position, Reason, Rng};

/// Random games are cut off here.
const LONGEST: usize = 150;

/// A promise, tried from one start.
trait Promise {
    fn hold<P: Position>(&self, case: &Case, start: &P);
}

macro_rules! hold_for_the_type_of {
    ($promise:ident, $case:ident, $line:ident; $($position:ty),* $(,)?) => {
        $(if let Some(line) = $line.as_any().downcast_ref::<Line<$position>>() {
            return $promise.hold($case, line.start());
        })*
        panic!("{} has a type that this test does not know", $case.spec);
    };
}

fn hold_for(promise: &impl Promise, case: &Case, line: &dyn plyground_engine::erased::AnyLine) {
    hold_for_the_type_of! {
        promise, case, line;
        checkers::Checkers,
        connect4::ConnectFour<connect4::Standard>,
        connect4::ConnectFour<connect4::Sized>,
        tictactoe::TicTacToe<tictactoe::Classic>,
        tictactoe::TicTacToe<tictactoe::Family>,
        chess::Chess,
    }
}

fn hold_for_all(promise: &impl Promise) {
    for case in &cases() {
        for line in case.starts() {
            hold_for(promise, case, &*line);
        }
    }
}

fn moves<P: Position>(position: &P) -> Vec<P::Move> {
    let mut moves = Vec::new();
    position.legal_moves(|mv| moves.push(mv));
    moves
}

/// The positions of a random game that the board alone does not end.
fn random_game<P: Position>(start: &P, seed: u64) -> Vec<P> {
    let mut rng = Rng::new(seed);
    let mut positions = vec![start.clone()];
    while positions.len() < LONGEST {
        let mut next = positions[positions.len() - 1].clone();
        if next.decided().is_some() || next.play_random(&mut rng).is_none() {
            break;
        }
        positions.push(next);
    }
    positions
}

/// A playout written out: list the moves, draw one, play it.
fn plain_playout<P: Position>(mut position: P, rng: &mut Rng) -> Playout {
    for plies in 0.. {
        if let Some(outcome) = position.decided() {
            return Playout { outcome: Some(outcome), plies };
        }
        let moves = moves(&position);
        if moves.is_empty() {
            return Playout { outcome: Some(position.stuck()), plies };
        }
        position.play(moves[rng.below(moves.len() as u32) as usize]);
    }
    unreachable!("a game without end")
}

#[test]
fn a_random_move_is_the_one_that_the_draw_chooses_from_the_list() {
    struct Holds;
    impl Promise for Holds {
        fn hold<P: Position>(&self, case: &Case, start: &P) {
            for seed in 0..4 {
                for position in random_game(start, seed) {
                    if position.decided().is_some() {
                        continue;
                    }
                    let mut rng = Rng::new(position.key());
                    let mut same = rng.clone();
                    let (mut chosen, mut expected) = (position.clone(), position.clone());
                    let listed = moves(&position);
                    let mv = chosen.play_random(&mut rng);
                    let wanted = (!listed.is_empty()).then(|| listed[same.below(listed.len() as u32) as usize]);
                    assert_eq!(mv, wanted, "{}: {position}", case.spec);
                    if let Some(mv) = wanted {
                        expected.play(mv);
                    }
                    assert_eq!((&chosen, chosen.to_string()), (&expected, expected.to_string()), "{}", case.spec);
                    assert_eq!(rng, same, "{}: one draw where there is a move, none where there is none", case.spec);
                }
            }
        }
    }
    hold_for_all(&Holds);
}

#[test]
fn a_playout_equals_one_written_out() {
    struct Holds;
    impl Promise for Holds {
        fn hold<P: Position>(&self, case: &Case, start: &P) {
            for seed in 0..10 {
                let (mut rng, mut same) = (Rng::new(seed), Rng::new(seed));
                let fast = playout(start.clone(), &mut rng, u32::MAX);
                assert_eq!(fast, plain_playout(start.clone(), &mut same), "{}: {start}", case.spec);
                assert_eq!(rng, same);
            }
        }
    }
    hold_for_all(&Holds);
}

#[test]
fn positions_are_equal_exactly_when_their_keys_are() {
    struct Holds;
    impl Promise for Holds {
        fn hold<P: Position>(&self, case: &Case, start: &P) {
            let mut seen: HashMap<u64, P> = HashMap::new();
            for position in (0..6).flat_map(|seed| random_game(start, seed)) {
                let first = seen.entry(position.key()).or_insert(position.clone());
                assert_eq!(first, &position, "{}: one key for two positions", case.spec);
            }
            let different: Vec<&P> = seen.values().take(60).collect();
            for (index, a) in different.iter().enumerate() {
                assert!(different[..index].iter().all(|b| a != b), "{}: two keys for {a}", case.spec);
            }
        }
    }
    hold_for_all(&Holds);
}

#[test]
fn counts_texts_and_outcomes_follow_from_the_list_of_moves() {
    struct Holds;
    impl Promise for Holds {
        fn hold<P: Position>(&self, case: &Case, start: &P) {
            for position in (0..2).flat_map(|seed| random_game(start, seed)) {
                let listed = moves(&position);
                assert_eq!(position.count_moves(), listed.len(), "{}: {position}", case.spec);
                assert_eq!(moves(&position), listed, "{}: the order is always the same", case.spec);
                let expected = position.decided().or_else(|| listed.is_empty().then(|| position.stuck()));
                assert_eq!(position.outcome(), expected, "{}: {position}", case.spec);
                for (index, &mv) in listed.iter().enumerate() {
                    assert!(!listed[..index].contains(&mv), "{}: {mv:?} twice in {position}", case.spec);
                    let text = position.move_text(mv);
                    assert_eq!(position.parse_move(&text), Ok(mv), "{}: {text} in {position}", case.spec);
                }
            }
        }
    }
    hold_for_all(&Holds);
}

#[test]
fn a_game_won_has_no_moves_and_its_winner_has_just_moved() {
    struct Holds;
    impl Promise for Holds {
        fn hold<P: Position>(&self, case: &Case, start: &P) {
            for seed in 0..20 {
                let last = random_game(start, seed).pop().expect("the start at least");
                if let Some(outcome) = last.outcome().filter(|outcome| outcome.winner.is_some()) {
                    assert!(moves(&last).is_empty(), "{}: {last}", case.spec);
                    assert_eq!(outcome.winner, Some(last.turn().other()), "{}: {last}", case.spec);
                    assert!(matches!(outcome.reason, Reason::Line | Reason::NoMoves | Reason::Checkmate));
                }
            }
        }
    }
    hold_for_all(&Holds);
}

#[test]
fn a_line_takes_moves_back_one_by_one() {
    struct Holds;
    impl Promise for Holds {
        fn hold<P: Position>(&self, case: &Case, start: &P) {
            let mut rng = Rng::new(5);
            let mut line = Line::new(start.clone());
            let mut passed = Vec::new();
            while passed.len() < 60 {
                let legal = line.legal_moves();
                if legal.is_empty() {
                    break;
                }
                let mv = legal[rng.below(legal.len() as u32) as usize];
                passed.push((line.position().clone(), line.occurrences(), legal, mv));
                line.play(mv);
            }
            while let Some((position, occurrences, legal, mv)) = passed.pop() {
                assert_eq!(line.unplay(), Some(mv), "{}", case.spec);
                assert_eq!((line.position(), line.occurrences()), (&position, occurrences), "{}", case.spec);
                assert_eq!(line.position().to_string(), position.to_string(), "{}", case.spec);
                assert_eq!(line.legal_moves(), legal, "{}", case.spec);
            }
            assert_eq!(line.unplay(), None, "{}: nothing is left to take back", case.spec);
        }
    }
    hold_for_all(&Holds);
}

#[test]
fn repetition_counts_every_earlier_visit() {
    struct Holds;
    impl Promise for Holds {
        fn hold<P: Position>(&self, case: &Case, start: &P) {
            // Kings that wander on a near-empty board come back to where they were.
            for seed in 0..10 {
                let mut rng = Rng::new(seed);
                let mut line = Line::new(start.clone());
                let mut visited = Vec::new();
                while visited.len() < LONGEST {
                    visited.push(line.position().clone());
                    if line.position().repetitions() > 0 {
                        let visits = visited.iter().filter(|&earlier| earlier == line.position()).count();
                        assert_eq!(line.occurrences() as usize, visits, "{}: {}", case.spec, line.position());
                        let repeated = line.position().outcome().is_none() && visits >= line.position().repetitions() as usize;
                        let drawn = line.outcome().is_some_and(|outcome| outcome.reason == Reason::Repetition);
                        assert_eq!(repeated, drawn, "{}: {}", case.spec, line.position());
                    }
                    let legal = line.legal_moves();
                    if legal.is_empty() {
                        break;
                    }
                    line.play(legal[rng.below(legal.len() as u32) as usize]);
                }
            }
        }
    }
    hold_for_all(&Holds);
}

struct Careful;

impl Promise for Careful {
    fn hold<P: Position>(&self, case: &Case, start: &P) {
        let after = |position: &P, mv| {
            let mut next = position.clone();
            next.play(mv);
            next
        };
        let wins = |position: &P, mv| after(position, mv).outcome().is_some_and(|end| end.winner == Some(position.turn()));
        for seed in 0..30 {
            for position in random_game(start, seed).into_iter().filter(|position| position.outcome().is_none()) {
                let (mut played, legal) = (position.clone(), moves(&position));
                let mv = played.play_careful(&mut Rng::new(seed));
                let mv = mv.expect("a game that goes on has a move");
                assert!(legal.contains(&mv), "{}: {mv:?} in {position}", case.spec);
                assert_eq!(played, after(&position, mv), "{}", case.spec);
                // Only games that see decisive moves promise to be decisive.
                if position.winning_move().is_some() {
                    assert!(wins(&position, mv), "{}: {mv:?} in {position}", case.spec);
                } else if let Some(block) = position.blocking_move()
                    && moves(&after(&position, block)).iter().all(|&reply| !wins(&after(&position, block), reply))
                {
                    let next = after(&position, mv);
                    assert!(moves(&next).iter().all(|&reply| !wins(&next, reply)), "{}: {mv:?} in {position}", case.spec);
                }
            }
        }
    }
}

#[test]
fn careful_moves_win_at_once_or_prevent_it() {
    hold_for_all(&Careful);
}

#[test]
fn a_careful_move_in_connect_four_opens_no_win_while_another_does_not() {
    let (_, _, line) = plyground_engine::games::start("connect4", &[]).expect("a listed game");
    let start = line.as_any().downcast_ref::<Line<connect4::ConnectFour<connect4::Standard>>>().expect("its type").start();
    let mut seen = 0;
    for seed in 0..300 {
        for position in random_game(start, seed) {
            if position.winning_move().is_some() || position.blocking_move().is_some() {
                continue;
            }
            let opens = |mv: u8| {
                let mut next = position.clone();
                next.play(mv);
                next.winning_move().is_some()
            };
            let careless = moves(&position).into_iter().filter(|&mv| opens(mv)).count();
            if careless > 0 && careless < moves(&position).len() {
                seen += 1;
                let mv = position.clone().play_careful(&mut Rng::new(seed)).expect("a move");
                assert!(!opens(mv), "{mv} in {position}");
            }
        }
    }
    assert!(seen > 100);
}
