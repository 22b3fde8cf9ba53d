//! The clever search equals a plain one, and finds what there is to find.

use std::time::Duration;

use plyground_engine::erased::AnyLine;
use plyground_engine::games;
use plyground_engine::games::checkers::Checkers;
use plyground_engine::games::chess::Chess;
use plyground_engine::games::connect4::{ConnectFour, Standard};
use plyground_engine::games::tictactoe::{Classic, TicTacToe};
use plyground_engine::search::alphabeta::config::Evaluation;
use plyground_engine::search::alphabeta::{Bound, Config, Limits, Outlook, Unwatched, WIN, Watch, analyse};
use plyground_engine::search::quiesce::{Quiescence, final_value};
use plyground_engine::{Line, Position, Rng, Side};

/// Every move to a depth: what all variants without reductions and extensions must agree with.
fn plain<P: Position>(line: &Line<P>, depth: u32, ply: i32, config: &Config) -> i32 {
    let position = line.position();
    if let Some(outcome) = line.outcome() {
        return final_value(outcome, position.turn(), ply);
    }
    if depth == 0 {
        let judge = if config.evaluation == Evaluation::Material { P::material } else { P::estimate };
        return match config.quiescence {
            true => Quiescence { judge, visited: 0 }.value(position, -WIN, WIN, 32, ply),
            false => judge(position),
        };
    }
    let value = |mv| {
        let mut next = line.clone();
        Line::play(&mut next, mv);
        let value = plain(&next, depth - 1, ply + 1, config);
        if next.position().turn() == position.turn() { value } else { -value }
    };
    line.legal_moves().into_iter().map(value).max().expect("a legal move")
}

/// Without what makes a search deeper or shallower than asked.
fn exact() -> Config {
    Config { reductions: false, extensions: false, deeper: false, ..Config::default() }
}

fn variants() -> Vec<Config> {
    let mut variants = vec![exact(), Config::minimax(), Config::plain()];
    let switches: [fn(&mut Config); 8] = [
        |config| config.deepening = false,
        |config| config.scout = false,
        |config| config.aspiration = false,
        |config| config.table = false,
        |config| config.killers = false,
        |config| config.history = false,
        |config| config.evaluation = Evaluation::Material,
        |config| *config = Config { scout: true, killers: true, ..Config::plain() },
    ];
    for switch in switches {
        let mut config = exact();
        switch(&mut config);
        variants.push(config);
    }
    let loud = variants.clone().into_iter().map(|config| Config { quiescence: true, ..config });
    let still = variants.clone().into_iter().map(|config| Config { quiescence: false, ..config });
    loud.chain(still).collect()
}

/// Compares on positions of random games. A table knows nothing of the way to a position, so variants with one start afresh.
fn compare<P: Position>(start: P, depth: u32, games: u64, plies: u32) {
    for seed in 0..games {
        let mut rng = Rng::new(seed);
        let mut line = Line::new(start.clone());
        for _ in 0..rng.below(plies) {
            let moves = line.legal_moves();
            if moves.is_empty() {
                break;
            }
            Line::play(&mut line, moves[rng.below(moves.len() as u32) as usize]);
        }
        if line.legal_moves().len() < 2 {
            continue;
        }
        let mut answers: Vec<((bool, bool, Evaluation, u32), i32)> = Vec::new();
        for config in variants() {
            let line = if config.table { Line::new(line.position().clone()) } else { line.clone() };
            let limits = Limits { bytes: 1 << 20, ..Limits::depth(depth) };
            let outlook = analyse(&line, &config, &limits, &mut Unwatched).expect("an unfinished game");
            let question = (config.table, config.quiescence, config.evaluation, outlook.depth);
            let known = answers.iter().find(|(asked, _)| *asked == question).map(|&(_, answer)| answer);
            let wanted = known.unwrap_or_else(|| plain(&line, outlook.depth, 0, &config));
            answers.push((question, wanted));
            assert_eq!(outlook.score, Some(wanted), "{} {config:?}", line.position());
            let best = &outlook.moves[outlook.best];
            assert_eq!(best.score, Some((wanted, Bound::Exact)));
            for other in outlook.moves {
                let (score, bound) = other.score.expect("a searched move");
                assert!(score <= wanted || bound == Bound::Upper, "{other:?}");
            }
        }
    }
}

/// A position with its type.
fn typed<P: Position>(game: &str, text: &str) -> P {
    at(game, text).as_any().downcast_ref::<Line<P>>().expect("a position of this type").position().clone()
}

#[test]
fn every_exact_variant_equals_plain_negamax_in_checkers() {
    compare::<Checkers>(typed("checkers", ""), 4, 25, 80);
    compare::<Checkers>(typed("checkers", "B:WK10,K15,K22,17,18,25:BK1,K32,5,9"), 3, 10, 6);
}

#[test]
fn every_exact_variant_equals_plain_negamax_in_chess() {
    compare::<Chess>(typed("chess", ""), 2, 12, 80);
    compare::<Chess>(typed("chess", "8/5k2/8/8/8/2K5/6R1/8 w - - 97 60"), 4, 4, 2);
}

#[test]
fn every_exact_variant_equals_plain_negamax_in_the_games_of_lines() {
    compare::<ConnectFour<Standard>>(typed("connect4", ""), 4, 20, 36);
    compare::<TicTacToe<Classic>>(typed("tictactoe", ""), 6, 20, 6);
}

fn at(game: &str, text: &str) -> Box<dyn AnyLine> {
    let (_, _, start) = games::start(game, &[]).expect("a listed game");
    if text.is_empty() { start } else { start.at(text).unwrap_or_else(|error| panic!("{error}")) }
}

fn search(line: &dyn AnyLine, depth: u32) -> Outlook {
    line.alphabeta(&Config::default(), &Limits::depth(depth), &mut Unwatched).expect("an unfinished game")
}

fn best(outlook: &Outlook) -> &str {
    &outlook.moves[outlook.best].text
}

#[test]
fn a_win_in_one_is_taken_and_a_loss_in_one_blocked() {
    for (game, text, wanted, shallowest) in [
        ("tictactoe", "oo./xx./...", "c2", 1),
        ("tictactoe", "o../xx./...", "c2", 2),
        ("connect4", "112233", "4", 1),
        ("connect4", "11223", "4", 2),
        ("checkers", "W:WK22,23:B18,11", "22x8", 1),
        ("checkers", "B:WK10:BK1", "1-5", 2),
        ("chess", "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "a1a8", 1),
    ] {
        for depth in shallowest..=6 {
            let outlook = search(&*at(game, text), depth);
            assert!(wanted.is_empty() || best(&outlook) == wanted, "{game} {text} depth {depth}: {}", best(&outlook));
        }
    }
}

#[test]
fn a_mate_in_one_is_seen_coming() {
    let line = at("chess", "6k1/5ppp/8/8/8/8/8/R3K3 b - - 0 1");
    let outlook = line.alphabeta(&Config::minimax(), &Limits::depth(2), &mut Unwatched).expect("an unfinished game");
    assert_eq!(outlook.proof, None);
    let lost = outlook.moves.iter().filter(|mv| mv.score.is_some_and(|(score, _)| score <= 2 - WIN)).count();
    assert_eq!(lost, 1, "only the king's step into the corner loses at once: {outlook:?}");
}

#[test]
fn forced_ends_are_found_with_their_distance() {
    for (game, text, wanted, distance) in [
        // Two rooks, a knight, a queen given away for a smothered mate, a double threat.
        ("chess", "7k/8/8/8/8/8/R7/1R2K3 w - - 0 1", "", 3),
        ("chess", "6rk/6pp/7N/8/8/1Q6/8/6K1 w - - 0 1", "h6f7", 1),
        ("chess", "5r1k/6pp/7N/8/8/1Q6/8/6K1 w - - 0 1", "b3g8", 3),
        ("connect4", "3344", "", 3),
        // A man given away so that the other jumps two.
        ("checkers", "W:W17,22,25:B9,11", "17-14", 3),
    ] {
        let line = at(game, text);
        let outlook = search(&*line, 8);
        let proof = outlook.proof.unwrap_or_else(|| panic!("{game} {text}: {outlook:?}"));
        assert_eq!((proof.winner, i32::from(proof.distance)), (Some(line.turn()), distance), "{text}");
        assert_eq!(outlook.score, Some(WIN - distance));
        assert!(wanted.is_empty() || best(&outlook) == wanted, "{outlook:?}");
        assert_eq!(outlook.moves[outlook.best].line.len(), distance as usize, "{outlook:?}");
    }
}

#[test]
fn tic_tac_toe_is_a_proven_draw() {
    let outlook = search(&*at("tictactoe", ""), 20);
    let proof = outlook.proof.expect("a proof");
    assert_eq!((proof.winner, proof.distance, outlook.score), (None, 9, Some(0)));
}

#[test]
fn the_same_search_gives_the_same_outlook() {
    for game in ["checkers", "chess", "connect4"] {
        let one = search(&*at(game, ""), 6);
        let two = search(&*at(game, ""), 6);
        assert_eq!(Outlook { seconds: 0.0, ..one }, Outlook { seconds: 0.0, ..two });
    }
}

#[test]
fn pruning_looks_at_less_and_says_so() {
    let line = at("checkers", "");
    let run = |config| line.alphabeta(&config, &Limits::depth(5), &mut Unwatched).expect("an unfinished game");
    let (all, pruned, clever) = (run(Config::minimax()), run(Config::plain()), run(Config::default()));
    assert_eq!(all.cutoffs, 0);
    // 7 + 49 + 302 + 1469 + 7361 positions: perft of depths 1 to 5.
    assert_eq!(all.nodes, 9188);
    assert!(pruned.cutoffs > 0 && pruned.nodes < all.nodes / 3, "{}", pruned.nodes);
    assert_eq!(pruned.score, all.score);
    assert!(clever.depth == 5);
}

#[test]
fn a_repetition_on_the_way_is_a_draw() {
    // White is a king up; going back would make the position stand for the third time.
    let (_, _, start) = games::start("checkers", &[]).expect("a listed game");
    let mut line = start.at("B:WK10,K6:BK29").expect("a position");
    for mv in ["29-25", "10-15", "25-29", "15-10", "29-25", "10-15", "25-29"] {
        line = line.play(mv).unwrap_or_else(|error| panic!("{error}"));
    }
    let outlook = search(&*line, 1);
    let back = outlook.moves.iter().find(|mv| mv.text == "15-10").expect("the move back");
    assert_eq!(back.score.map(|(score, _)| score <= 0), Some(true));
    assert_ne!(best(&outlook), "15-10");
}

struct AfterLooks(u32);

impl Watch for AfterLooks {
    fn wants_stop(&mut self) -> bool {
        self.0 = self.0.saturating_sub(1);
        self.0 == 0
    }
}

#[test]
fn a_stop_returns_the_best_so_far() {
    for looks in [1, 2, 20, 200] {
        let line = at("chess", "");
        let limits = Limits { depth: 100, time: Duration::MAX, bytes: 1 << 20 };
        let outlook = line.alphabeta(&Config::default(), &limits, &mut AfterLooks(looks)).expect("an unfinished game");
        assert!(outlook.nodes <= u64::from(looks) * 2000);
        assert_eq!(outlook.moves.len(), 20);
        assert_eq!(outlook.score.is_none(), looks == 1);
    }
}

#[test]
fn a_single_move_is_answered_at_once_and_a_finished_game_not_at_all() {
    let outlook = search(&*at("checkers", "W:W21:B17"), 30);
    assert_eq!((outlook.nodes, outlook.moves.len()), (0, 1));
    let over = at("connect4", "1212121");
    assert!(over.alphabeta(&Config::default(), &Limits::depth(3), &mut Unwatched).is_err());
    assert_eq!(over.turn(), Side::Second);
}
