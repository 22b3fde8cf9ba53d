//! Properties of positions on which the generic searches rely, tested in every game by random play.

mod cases;

use std::collections::HashMap;

use cases::contract;
use plyground_engine::games::connect4::{ConnectFour, Standard};
use plyground_engine::search::playout::{Playout, playout};
use plyground_engine::{Heuristics, Line, Position, Reason, Rng};

/// Random games are truncated after this many plies.
const MAX_PLIES: usize = 150;

fn moves<P: Position>(position: &P) -> Vec<P::Move> {
    let mut moves = Vec::new();
    position.legal_moves(|mv| moves.push(mv));
    moves
}

/// The positions of a random game, ignoring repetition.
fn random_game<P: Position>(start: &P, seed: u64) -> Vec<P> {
    let mut rng = Rng::new(seed);
    let mut positions = vec![start.clone()];
    while positions.len() < MAX_PLIES {
        let mut next = positions[positions.len() - 1].clone();
        if next.early_outcome().is_some() || next.play_random(&mut rng).is_none() {
            break;
        }
        positions.push(next);
    }
    positions
}

/// A reference playout: lists the moves, draws one and plays it.
fn plain_playout<P: Position>(mut position: P, rng: &mut Rng) -> Playout {
    for plies in 0.. {
        if let Some(outcome) = position.early_outcome() {
            return Playout { outcome: Some(outcome), plies };
        }
        let moves = moves(&position);
        if moves.is_empty() {
            return Playout { outcome: Some(position.no_move_outcome()), plies };
        }
        position.play(moves[rng.below(moves.len() as u32) as usize]);
    }
    unreachable!("an endless game")
}

contract! {
    fn play_random_plays_the_drawn_legal_move<P>(spec, starts) {
        for start in starts {
            let start = start.position();
            for seed in 0..4 {
                for position in random_game(start, seed) {
                    if position.early_outcome().is_some() {
                        continue;
                    }
                    let mut rng = Rng::new(position.key());
                    let mut expected_rng = rng.clone();
                    let (mut chosen, mut expected) = (position.clone(), position.clone());
                    let listed = moves(&position);
                    let mv = chosen.play_random(&mut rng);
                    let expected_move = (!listed.is_empty()).then(|| listed[expected_rng.below(listed.len() as u32) as usize]);
                    assert_eq!(mv, expected_move, "{}: {position}", spec);
                    if let Some(mv) = expected_move {
                        expected.play(mv);
                    }
                    assert_eq!((&chosen, chosen.to_string()), (&expected, expected.to_string()), "{}", spec);
                    assert_eq!(rng, expected_rng, "{}: one draw if there is a move, otherwise none", spec);
                }
            }
        }
    }
}

contract! {
    fn playouts_equal_plain_playouts<P>(spec, starts) {
        for start in starts {
            let start = start.position();
            for seed in 0..10 {
                let (mut rng, mut expected_rng) = (Rng::new(seed), Rng::new(seed));
                let fast = playout(start.clone(), &mut rng, u32::MAX);
                assert_eq!(fast, plain_playout(start.clone(), &mut expected_rng), "{}: {start}", spec);
                assert_eq!(rng, expected_rng);
            }
        }
    }
}

contract! {
    fn the_piece_difference_counts_the_displayed_pieces_or_is_always_zero<P>(spec, starts) {
        for start in starts {
            let start = start.position();
            let pieces = start.game().pieces;
            let counts_pieces = spec.starts_with("checkers") || spec.starts_with("chess");
            for position in (0..3).flat_map(|seed| random_game(start, seed)) {
                let mut letters = Vec::new();
                position.cells(|_, letter| letters.push(letter));
                let sides = letters.iter().filter_map(|&letter| pieces.iter().find(|piece| piece.letter == letter));
                let difference = sides.map(|piece| if piece.side == position.turn() { 1 } else { -1 }).sum::<i32>();
                let expected = if counts_pieces { difference } else { 0 };
                assert_eq!(position.piece_difference(), expected, "{}: {position}", spec);
            }
        }
    }
}

contract! {
    fn positions_are_equal_if_and_only_if_their_keys_are<P>(spec, starts) {
        for start in starts {
            let start = start.position();
            let mut seen: HashMap<u64, P> = HashMap::new();
            for position in (0..6).flat_map(|seed| random_game(start, seed)) {
                let first = seen.entry(position.key()).or_insert(position.clone());
                assert_eq!(first, &position, "{}: one key for two positions", spec);
            }
            let different: Vec<&P> = seen.values().take(60).collect();
            for (index, a) in different.iter().enumerate() {
                assert!(different[..index].iter().all(|b| a != b), "{}: two keys for {a}", spec);
            }
        }
    }
}

contract! {
    fn counts_texts_and_outcomes_agree_with_the_legal_moves<P>(spec, starts) {
        for start in starts {
            let start = start.position();
            for position in (0..2).flat_map(|seed| random_game(start, seed)) {
                let listed = moves(&position);
                assert_eq!(position.count_moves(), listed.len(), "{}: {position}", spec);
                assert_eq!(moves(&position), listed, "{}: the order is fixed", spec);
                let expected = position.early_outcome().or_else(|| listed.is_empty().then(|| position.no_move_outcome()));
                assert_eq!(position.outcome(), expected, "{}: {position}", spec);
                for (index, &mv) in listed.iter().enumerate() {
                    assert!(!listed[..index].contains(&mv), "{}: {mv:?} twice in {position}", spec);
                    let text = position.move_text(mv);
                    assert_eq!(position.parse_move(&text), Ok(mv), "{}: {text} in {position}", spec);
                }
            }
        }
    }
}

contract! {
    fn a_won_game_has_no_legal_moves_and_the_winner_moved_last<P>(spec, starts) {
        for start in starts {
            let start = start.position();
            for seed in 0..20 {
                let last = random_game(start, seed).pop().expect("at least the start");
                if let Some(outcome) = last.outcome().filter(|outcome| outcome.winner.is_some()) {
                    assert!(moves(&last).is_empty(), "{}: {last}", spec);
                    assert_eq!(outcome.winner, Some(last.turn().other()), "{}: {last}", spec);
                    assert!(matches!(outcome.reason, Reason::Line | Reason::NoMoves | Reason::Checkmate));
                }
            }
        }
    }
}

contract! {
    fn undo_takes_back_moves_one_by_one<P>(spec, starts) {
        for start in starts {
            let start = start.position();
            let mut rng = Rng::new(5);
            let mut line = Line::new(start.clone());
            let mut played = Vec::new();
            while played.len() < 60 {
                let legal = line.legal_moves();
                if legal.is_empty() {
                    break;
                }
                let mv = legal[rng.below(legal.len() as u32) as usize];
                played.push((line.position().clone(), line.occurrences(), legal, mv));
                line.play(mv);
            }
            while let Some((position, occurrences, legal, mv)) = played.pop() {
                assert_eq!(line.undo(), Some(mv), "{}", spec);
                assert_eq!((line.position(), line.occurrences()), (&position, occurrences), "{}", spec);
                assert_eq!(line.position().to_string(), position.to_string(), "{}", spec);
                assert_eq!(line.legal_moves(), legal, "{}", spec);
            }
            assert_eq!(line.undo(), None, "{}: undo at the start", spec);
        }
    }
}

contract! {
    fn occurrences_count_every_earlier_visit<P>(spec, starts) {
        for start in starts {
            let start = start.position();
            for seed in 0..10 {
                let mut rng = Rng::new(seed);
                let mut line = Line::new(start.clone());
                let mut visited = Vec::new();
                while visited.len() < MAX_PLIES {
                    visited.push(line.position().clone());
                    if line.position().repetition_limit() > 0 {
                        let visits = visited.iter().filter(|&earlier| earlier == line.position()).count();
                        assert_eq!(line.occurrences() as usize, visits, "{}: {}", spec, line.position());
                        let repeated = line.position().outcome().is_none() && visits >= line.position().repetition_limit() as usize;
                        let drawn = line.outcome().is_some_and(|outcome| outcome.reason == Reason::Repetition);
                        assert_eq!(repeated, drawn, "{}: {}", spec, line.position());
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
}

contract! {
    fn decisive_moves_win_or_prevent_a_loss<P>(spec, starts) {
        for start in starts {
            let start = start.position();
            let after = |position: &P, mv| {
                let mut next = position.clone();
                next.play(mv);
                next
            };
            let wins = |position: &P, mv| after(position, mv).outcome().is_some_and(|end| end.winner == Some(position.turn()));
            for seed in 0..30 {
                for position in random_game(start, seed).into_iter().filter(|position| position.outcome().is_none()) {
                    let (mut played, legal) = (position.clone(), moves(&position));
                    let mv = played.play_decisive(&mut Rng::new(seed));
                    let mv = mv.expect("an unfinished game has a legal move");
                    assert!(legal.contains(&mv), "{}: {mv:?} in {position}", spec);
                    assert_eq!(played, after(&position, mv), "{}", spec);
                    // Only games that can find a winning move must play it.
                    if position.winning_move().is_some() {
                        assert!(wins(&position, mv), "{}: {mv:?} in {position}", spec);
                    } else if let Some(block) = position.blocking_move()
                        && moves(&after(&position, block)).iter().all(|&reply| !wins(&after(&position, block), reply))
                    {
                        let next = after(&position, mv);
                        assert!(moves(&next).iter().all(|&reply| !wins(&next, reply)), "{}: {mv:?} in {position}", spec);
                    }
                }
            }
        }
    }
}

#[test]
fn decisive_play_in_connect_four_avoids_moves_that_allow_a_win() {
    let start = &ConnectFour::new(Standard);
    let mut seen = 0;
    for seed in 0..300 {
        for position in random_game(start, seed) {
            if position.winning_move().is_some() || position.blocking_move().is_some() {
                continue;
            }
            let allows_win = |mv: u8| {
                let mut next = position.clone();
                next.play(mv);
                next.winning_move().is_some()
            };
            let blunders = moves(&position).into_iter().filter(|&mv| allows_win(mv)).count();
            if blunders > 0 && blunders < moves(&position).len() {
                seen += 1;
                let mv = position.clone().play_decisive(&mut Rng::new(seed)).expect("a move");
                assert!(!allows_win(mv), "{mv} in {position}");
            }
        }
    }
    assert!(seen > 100);
}
