//! The alpha-beta engine: reused tables, limits, threads, incremental evaluators and exact distances.

use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

use plyground_engine::evaluate::{IncrementalEvaluator, StaticEvaluator};
use plyground_engine::games::checkers::{Checkers, Draws};
use plyground_engine::games::chess::{self, Chess};
use plyground_engine::games::connect4::{ConnectFour, Standard};
use plyground_engine::games::tictactoe::{Classic, TicTacToe};
use plyground_engine::search::alphabeta::{Config, Engine, Limits, NoObserver, Observer, analyse};
use plyground_engine::search::analysis::Analysis;
use plyground_engine::{GameRules, Line, Notation, Rng};

fn chess(text: &str) -> Line<Chess> {
    Line::new(Chess::start(chess::Draws::Claimed).parse(text).unwrap_or_else(|error| panic!("{error}")))
}

fn checkers(text: &str) -> Line<Checkers> {
    Line::new(Checkers::start(Draws::English).parse(text).unwrap_or_else(|error| panic!("{error}")))
}

fn run<P: GameRules>(engine: &mut Engine, line: &Line<P>, limits: &Limits) -> Analysis {
    let analysis = engine.analyse(line, None, limits, &mut NoObserver).unwrap_or_else(|error| panic!("{error}"));
    Analysis { seconds: 0.0, ..analysis }
}

fn engine() -> Engine {
    Engine::new(Config::default(), 1)
}

/// Evaluates with the heuristic and keeps its own copy of the line. Panics if the search gets out of sync with it.
#[derive(Clone)]
struct Follower<P> {
    line: Vec<P>,
    moves: Arc<AtomicU64>,
    null_moves: Arc<AtomicU64>,
}

impl<P: GameRules> IncrementalEvaluator<P> for Follower<P> {
    fn reset(&mut self, position: &P) {
        self.line = vec![position.clone()];
    }

    fn push(&mut self, before: &P, mv: P::Move, after: &P) {
        assert_eq!(self.line.last(), Some(before));
        let mut next = before.clone();
        next.play(mv);
        assert_eq!(&next, after);
        self.line.push(next);
        self.moves.fetch_add(1, Relaxed);
    }

    fn push_null(&mut self, before: &P, after: &P) {
        assert_eq!(self.line.last(), Some(before));
        assert_ne!(before.turn(), after.turn());
        self.line.push(after.clone());
        self.null_moves.fetch_add(1, Relaxed);
    }

    fn pop(&mut self) {
        self.line.pop();
        assert!(!self.line.is_empty());
    }

    fn evaluate(&mut self, position: &P) -> i32 {
        assert_eq!(self.line.last(), Some(position));
        position.heuristic()
    }
}

#[test]
fn an_incremental_evaluator_follows_every_move_of_the_search() {
    fn check<P: GameRules>(line: &Line<P>, depth: u32, config: &Config) -> u64 {
        let follower = Follower { line: Vec::new(), moves: Arc::default(), null_moves: Arc::default() };
        let limits = Limits::depth(depth);
        let mut one = Engine::new(config.clone(), 1);
        let followed = one.analyse_with(line, &follower, &limits, &mut NoObserver).expect("an unfinished game");
        let mut other = Engine::new(config.clone(), 1);
        let expected = other.analyse_with(line, &StaticEvaluator::Heuristic, &limits, &mut NoObserver);
        let expected = expected.expect("an unfinished game");
        assert_eq!((followed.score, followed.nodes), (expected.score, expected.nodes));
        assert!(follower.moves.load(Relaxed) > 0);
        follower.null_moves.load(Relaxed)
    }
    let middlegame = chess("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1");
    assert!(check(&middlegame, 7, &Config::default()) > 0, "null moves");
    let mating = chess("5r1k/6pp/7N/8/8/1Q6/8/6K1 w - - 0 1");
    let jumps = checkers("W:W17,22,25,30:B9,11,3");
    for config in [Config::default(), Config::fixed_depth(), Config::plain(), Config::minimax()] {
        check(&middlegame, 3, &config);
        check(&mating, 4, &config);
        check(&jumps, 6, &config);
        check(&Line::new(ConnectFour::new(Standard)), 5, &config);
    }
}

#[test]
fn known_mates_have_exact_distances() {
    for (text, distance) in [
        ("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", 1),
        ("5r1k/6pp/7N/8/8/1Q6/8/6K1 w - - 0 1", 3),
        ("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", 5),
        ("8/8/8/8/4k3/8/8/2KQ4 w - - 0 1", 0),
        ("2k5/8/1K6/8/8/8/8/6Q1 b - - 0 1", 0),
        ("6k1/8/5K2/8/8/8/8/R7 w - - 0 1", 0),
        ("k7/8/2K5/8/8/8/8/4R3 b - - 0 1", 0),
        ("7k/8/5K2/8/8/8/2R5/8 b - - 0 1", 0),
    ] {
        // Alpha-beta to a fixed depth without enhancements proves the distance if there is a win in at most four moves.
        let line = chess(text);
        let reference = (1..=7).find_map(|depth| {
            let analysis = analyse(&line, &Config::plain(), &Limits::depth(depth), &mut NoObserver);
            analysis.expect("an unfinished game").proven
        });
        if distance > 0 {
            assert_eq!(reference.and_then(|proven| proven.distance), Some(distance), "{text}");
        }
        if (1..=3).contains(&distance) {
            assert_eq!(run(&mut engine(), &line, &Limits::depth(distance + 1)).proven, reference, "{text}");
        }
        for depth in [8, 10, 12] {
            let proven = run(&mut engine(), &line, &Limits::depth(depth)).proven;
            if reference.is_some() {
                assert_eq!(proven, reference, "{text} depth {depth}");
            }
        }
    }
}

/// Compares proven values in random positions with those of alpha-beta without enhancements.
fn check_proofs<P: GameRules>(start: P, plies: u32, depth: u32, games: u64) {
    let mut proofs = 0;
    for seed in 0..games {
        let mut rng = Rng::new(seed);
        let mut line = Line::new(start.clone());
        for _ in 0..rng.below(plies) {
            let moves = line.legal_moves();
            if moves.is_empty() {
                break;
            }
            line.play(moves[rng.below(moves.len() as u32) as usize]);
        }
        if line.legal_moves().len() < 2 {
            continue;
        }
        let analysis = run(&mut engine(), &line, &Limits::depth(depth));
        let Some(proven) = analysis.proven else {
            continue;
        };
        let Some(distance) = proven.distance.filter(|&distance| distance <= depth && proven.winner.is_some()) else {
            continue;
        };
        proofs += 1;
        let plain = analyse(&line, &Config::plain(), &Limits::depth(distance), &mut NoObserver).expect("an unfinished game");
        assert_eq!(plain.proven, Some(proven), "{}", line.position());
    }
    assert!(proofs > 0);
}

#[test]
fn proven_values_equal_those_of_plain_alpha_beta() {
    check_proofs(ConnectFour::new(Standard), 30, 6, 60);
    check_proofs(TicTacToe::new(Classic), 6, 7, 40);
    check_proofs(checkers("B:WK10,22,17:BK1,5,9").position().clone(), 20, 6, 60);
    check_proofs(chess("3rk3/8/8/8/8/8/3Q2R1/4K3 w - - 0 1").position().clone(), 12, 4, 60);
}

#[test]
fn a_node_limit_is_respected_and_deterministic() {
    let line = Line::new(Chess::start(chess::Draws::Claimed));
    for nodes in [1, 2, 1000, 20_000] {
        let limits = Limits { nodes, ..Limits::depth(100) };
        let analysis = run(&mut engine(), &line, &limits);
        // The quiescence search of the last leaf may exceed the limit.
        assert!((nodes..nodes + 500).contains(&analysis.nodes), "{} of {nodes}", analysis.nodes);
        assert_eq!(analysis, run(&mut engine(), &line, &limits));
    }
}

#[test]
fn a_reused_table_saves_nodes_and_a_cleared_one_behaves_like_a_new_one() {
    fn check<P: GameRules>(line: &Line<P>, depth: u32) {
        let limits = Limits::depth(depth);
        let mut engine = Engine::new(Config { deepening: false, ..Config::fixed_depth() }, 1);
        let (first, second) = (run(&mut engine, line, &limits), run(&mut engine, line, &limits));
        assert!(second.nodes < first.nodes / 2, "{} then {}", first.nodes, second.nodes);
        let mut engine = Engine::new(Config::default(), 1);
        let first = run(&mut engine, line, &limits);
        run(&mut engine, line, &limits);
        engine.clear();
        assert_eq!(run(&mut engine, line, &limits), first);
    }
    check(&Line::new(Chess::start(chess::Draws::Claimed)), 5);
    check(&Line::new(Checkers::start(Draws::English)), 9);
    check(&Line::new(ConnectFour::new(Standard)), 9);
}

#[test]
fn the_table_stays_within_its_limit() {
    let line = Line::new(Chess::start(chess::Draws::Claimed));
    let mut engine = engine();
    for bytes in [1 << 16, 1 << 20, 1 << 14] {
        let limits = Limits { bytes, nodes: 30_000, ..Limits::depth(100) };
        let analysis = run(&mut engine, &line, &limits);
        assert!(analysis.bytes <= bytes, "{}", analysis.bytes);
    }
}

#[test]
fn several_threads_search_the_same_position() {
    let mut engine = Engine::new(Config::default(), 3);
    let line = Line::new(Chess::start(chess::Draws::Claimed));
    let limits = Limits { nodes: 100_000, ..Limits::depth(100) };
    let analysis = run(&mut engine, &line, &limits);
    assert!(analysis.nodes >= 100_000 && analysis.nodes < 110_000, "{}", analysis.nodes);
    assert!(analysis.stats.depth > 1 && analysis.score.is_some());
    let proven = run(&mut engine, &chess("5r1k/6pp/7N/8/8/1Q6/8/6K1 w - - 0 1"), &Limits::depth(6)).proven;
    assert_eq!(proven.and_then(|proven| proven.distance), Some(3));
    let line = checkers("W:W17,22,25:B9,11");
    assert_eq!(run(&mut engine, &line, &Limits::depth(8)).proven.and_then(|proven| proven.distance), Some(3));
}

/// Stops the search immediately.
struct Stop;

impl Observer for Stop {
    fn should_stop(&mut self) -> bool {
        true
    }
}

#[test]
fn all_threads_stop_together() {
    let mut engine = Engine::new(Config::default(), 3);
    let line = Line::new(Chess::start(chess::Draws::Claimed));
    let analysis = engine.analyse(&line, None, &Limits::depth(100), &mut Stop).expect("an unfinished game");
    assert_eq!((analysis.score, analysis.moves.len()), (None, 20));
}

#[test]
fn a_search_restricted_at_the_root_considers_only_the_allowed_moves() {
    let line = chess("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1");
    let mate = run(&mut engine(), &line, &Limits::depth(4));
    assert_eq!(mate.moves[mate.best].text, "d1d8");
    for threads in [1, 2] {
        let mut engine = Engine::new(Config { lines: 2, ..Config::default() }, threads);
        let allowed: Vec<usize> = (0..mate.moves.len()).filter(|&index| index != mate.best).take(3).collect();
        engine.set_root_moves(allowed.clone());
        let restricted = run(&mut engine, &line, &Limits::depth(4));
        assert!(allowed.contains(&restricted.best) && restricted.proven.is_none());
        let searched: Vec<usize> = (0..mate.moves.len()).filter(|&index| restricted.moves[index].score.is_some()).collect();
        assert_eq!(searched, allowed);
        assert_eq!(restricted.moves.len(), mate.moves.len());
        engine.set_root_moves(Vec::new());
        assert_eq!(run(&mut engine, &line, &Limits::depth(4)).best, mate.best);
    }
}

#[test]
fn the_used_fraction_of_the_table_grows_with_the_search_and_starts_again_at_the_next_one() {
    let line = Line::new(Chess::start(chess::Draws::Claimed));
    let mut engine = engine();
    let mut used = |nodes| run(&mut engine, &line, &Limits { nodes, bytes: 1 << 20, ..Limits::depth(100) }).stats.table_used;
    let (most, least) = (used(200_000), used(2_000));
    assert!(0.0 < least && least < most && most <= 1.0, "{least} {most}");
}
