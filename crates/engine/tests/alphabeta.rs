//! The alpha-beta search agrees with plain negamax and finds forced wins.

use plyground_engine::evaluate::{IncrementalEvaluator, StaticEvaluator};
use plyground_engine::games::checkers::{Checkers, Draws};
use plyground_engine::games::chess::{self, Chess};
use plyground_engine::games::connect4::{ConnectFour, Standard};
use plyground_engine::games::tictactoe::{Classic, TicTacToe};
use plyground_engine::search::alphabeta::config::LeafEvaluation;
use plyground_engine::search::alphabeta::{Config, Limits, NoObserver, Observer, analyse};
use plyground_engine::search::analysis::{Analysis, Bound};
use plyground_engine::search::quiescence::{Quiescence, WIN, outcome_score};
use plyground_engine::{GameRules, Line, Notation, Position, Rng, Side};

/// Plain negamax, the reference for all variants without reductions and extensions.
fn negamax<P: GameRules>(line: &Line<P>, depth: u32, ply: i32, config: &Config) -> i32 {
    let position = line.position();
    if let Some(outcome) = line.outcome() {
        return outcome_score(outcome, position.turn(), ply);
    }
    if depth == 0 {
        let mut evaluator = match config.evaluation {
            LeafEvaluation::Material => StaticEvaluator::Material,
            LeafEvaluation::Features => StaticEvaluator::Heuristic,
        };
        return match config.quiescence {
            true => Quiescence::new(&mut evaluator).search(position, -WIN, WIN, 32, ply),
            false => evaluator.evaluate(position),
        };
    }
    let score = |mv| {
        let mut next = line.clone();
        next.play(mv);
        let score = negamax(&next, depth - 1, ply + 1, config);
        if next.position().turn() == position.turn() { score } else { -score }
    };
    line.legal_moves().into_iter().map(score).max().expect("a legal move")
}

fn variants() -> Vec<Config> {
    let mut variants = vec![Config::fixed_depth(), Config::minimax(), Config::plain()];
    let switches: [fn(&mut Config); 10] = [
        |config| config.deepening = false,
        |config| config.scout = false,
        |config| config.aspiration = false,
        |config| config.table = false,
        |config| config.killers = false,
        |config| config.history = false,
        |config| config.continuation = false,
        |config| config.mate_distance = false,
        |config| config.evaluation = LeafEvaluation::Material,
        |config| *config = Config { scout: true, killers: true, ..Config::plain() },
    ];
    for switch in switches {
        let mut config = Config::fixed_depth();
        switch(&mut config);
        variants.push(config);
    }
    let with_quiescence = variants.clone().into_iter().map(|config| Config { quiescence: true, ..config });
    let without_quiescence = variants.clone().into_iter().map(|config| Config { quiescence: false, ..config });
    with_quiescence.chain(without_quiescence).collect()
}

/// Compares the variants with negamax on positions from random games. A transposition table ignores the history of a position, so
/// variants with a table start without history.
fn compare<P: GameRules>(start: P, depth: u32, games: u64, plies: u32) {
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
        let mut cached: Vec<((bool, bool, LeafEvaluation, u32), i32)> = Vec::new();
        for config in variants() {
            let line = if config.table { Line::new(line.position().clone()) } else { line.clone() };
            let limits = Limits { bytes: 1 << 20, ..Limits::depth(depth) };
            let analysis = analyse(&line, &config, &limits, &mut NoObserver).expect("an unfinished game");
            let depth = analysis.stats.depth;
            let key = (config.table, config.quiescence, config.evaluation, depth);
            let known = cached.iter().find(|(other, _)| *other == key).map(|&(_, score)| score);
            let expected = known.unwrap_or_else(|| negamax(&line, depth, 0, &config));
            cached.push((key, expected));
            assert_eq!(analysis.score, Some(expected), "{} {config:?}", line.position());
            let best = &analysis.moves[analysis.best];
            assert_eq!(best.score, Some((expected, Bound::Exact)));
            for other in analysis.moves {
                let (score, bound) = other.score.expect("a searched move");
                assert!(score <= expected || bound == Bound::Upper, "{other:?}");
            }
        }
    }
}

fn checkers(text: &str) -> Line<Checkers> {
    Line::new(Checkers::start(Draws::English).parse(text).unwrap_or_else(|error| panic!("{error}")))
}

fn chess(text: &str) -> Line<Chess> {
    Line::new(Chess::start(chess::Draws::Claimed).parse(text).unwrap_or_else(|error| panic!("{error}")))
}

fn connect4(text: &str) -> Line<ConnectFour<Standard>> {
    Line::new(ConnectFour::new(Standard).parse(text).unwrap_or_else(|error| panic!("{error}")))
}

fn tictactoe(text: &str) -> Line<TicTacToe<Classic>> {
    Line::new(TicTacToe::new(Classic).parse(text).unwrap_or_else(|error| panic!("{error}")))
}

#[test]
fn variants_equal_negamax_in_checkers() {
    compare(Checkers::start(Draws::English), 4, 25, 80);
    compare(checkers("B:WK10,K15,K22,17,18,25:BK1,K32,5,9").position().clone(), 3, 10, 6);
}

#[test]
fn variants_equal_negamax_in_chess() {
    compare(Chess::start(chess::Draws::Claimed), 2, 12, 80);
    compare(chess("8/5k2/8/8/8/2K5/6R1/8 w - - 97 60").position().clone(), 4, 4, 2);
}

#[test]
fn variants_equal_negamax_in_connect_four_and_tic_tac_toe() {
    compare(ConnectFour::new(Standard), 4, 20, 36);
    compare(TicTacToe::new(Classic), 6, 20, 6);
}

/// Checks that the best `lines` moves have the scores of plain negamax, and that the scores of the others are upper bounds.
fn check_lines<P: GameRules>(start: P, depth: u32, games: u64, plies: u32) {
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
        let moves = line.legal_moves();
        if line.outcome().is_some() || moves.len() < 2 {
            continue;
        }
        for lines in [2, 4, 256] {
            let config = Config { lines, table: false, ..Config::fixed_depth() };
            let expected: Vec<i32> = moves
                .iter()
                .map(|&mv| {
                    let mut next = line.clone();
                    next.play(mv);
                    -negamax(&next, depth - 1, 1, &config)
                })
                .collect();
            let analysis = search_with(&line, &config, depth);
            if analysis.stats.depth < depth {
                continue; // A forced win or loss ends the search early.
            }
            let mut sorted = expected.clone();
            sorted.sort_unstable_by(|one, other| other.cmp(one));
            let worst = sorted[(lines as usize).min(moves.len()) - 1];
            for (mv, &expected) in analysis.moves.iter().zip(&expected) {
                let (score, bound) = mv.score.expect("a searched move");
                let is_line = expected > worst || (expected == worst && bound == Bound::Exact);
                assert!(
                    if is_line { (score, bound) == (expected, Bound::Exact) } else { expected <= score },
                    "{mv:?} {expected}"
                );
                assert_eq!(mv.pv.first(), Some(&mv.text));
            }
            let exact = analysis.moves.iter().filter(|mv| mv.score.is_some_and(|(_, bound)| bound == Bound::Exact)).count();
            assert!(exact >= (lines as usize).min(moves.len()));
            assert_eq!(analysis.moves[analysis.best].score, Some((sorted[0], Bound::Exact)));
        }
    }
}

#[test]
fn several_lines_have_exact_values() {
    check_lines(Checkers::start(Draws::English), 4, 20, 60);
    check_lines(Chess::start(chess::Draws::Claimed), 2, 6, 60);
    check_lines(ConnectFour::new(Standard), 4, 10, 30);
}

/// Stops the search at the given check.
struct StopAfterChecks(u32);

impl Observer for StopAfterChecks {
    fn should_stop(&mut self) -> bool {
        self.0 = self.0.saturating_sub(1);
        self.0 == 0
    }
}

#[test]
fn a_stopped_search_of_several_lines_returns_the_last_complete_depth() {
    let line = checkers("B:W17,20,21,22,23,24,28,30,31,32:B1,2,3,4,6,8,9,10,11,12");
    let config = Config { lines: 3, ..Config::default() };
    let scores = |analysis: &Analysis| analysis.moves.iter().map(|mv| (mv.score, mv.pv.clone())).collect::<Vec<_>>();
    for checks in [30, 60, 100, 150, 250, 400] {
        let stopped = analyse(&line, &config, &Limits::depth(40), &mut StopAfterChecks(checks)).expect("an unfinished game");
        let complete = search_with(&line, &config, stopped.stats.depth);
        assert_eq!(scores(&stopped), scores(&complete), "{checks}");
    }
}

#[test]
fn several_lines_keep_their_values_when_the_distance_of_a_win_is_verified() {
    // Qb8 mates at once; other moves win as well, or keep the advantage.
    let line = chess("6k1/5ppp/8/8/8/8/1Q3PPP/6K1 w - - 0 1");
    let analysis = search_with(&line, &Config { lines: 4, ..Config::default() }, 5);
    assert_eq!(best(&analysis), "b2b8");
    assert_eq!(analysis.proven.and_then(|proven| proven.distance), Some(1));
    let exact = analysis.moves.iter().filter(|mv| mv.score.is_some_and(|(score, bound)| bound == Bound::Exact && score > 300));
    assert!(exact.count() >= 4);
}

fn search<P: GameRules>(line: &Line<P>, depth: u32) -> Analysis {
    search_with(line, &Config::default(), depth)
}

fn search_with<P: GameRules>(line: &Line<P>, config: &Config, depth: u32) -> Analysis {
    analyse(line, config, &Limits::depth(depth), &mut NoObserver).expect("an unfinished game")
}

fn best(analysis: &Analysis) -> &str {
    &analysis.moves[analysis.best].text
}

#[test]
fn immediate_wins_are_played_and_immediate_losses_prevented() {
    fn check<P: GameRules>(line: &Line<P>, expected: &str, min_depth: u32) {
        for depth in min_depth..=6 {
            assert_eq!(best(&search(line, depth)), expected, "{} depth {depth}", line.position());
        }
    }
    check(&tictactoe("oo./xx./..."), "c2", 1);
    check(&tictactoe("o../xx./..."), "c2", 2);
    check(&connect4("112233"), "4", 1);
    check(&connect4("11223"), "4", 2);
    check(&checkers("W:WK22,23:B18,11"), "22x8", 1);
    check(&checkers("B:WK10:BK1"), "1-5", 2);
    check(&chess("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1"), "a1a8", 1);
}

#[test]
fn moves_that_allow_mate_in_one_are_scored_as_losses() {
    let analysis = search_with(&chess("6k1/5ppp/8/8/8/8/8/R3K3 b - - 0 1"), &Config::minimax(), 2);
    assert_eq!(analysis.proven, None);
    let lost = analysis.moves.iter().filter(|mv| mv.score.is_some_and(|(score, _)| score <= 2 - WIN)).count();
    assert_eq!(lost, 1, "only the king move into the corner loses immediately: {analysis:?}");
}

#[test]
fn forced_wins_are_found_with_their_distance() {
    fn check<P: GameRules>(line: &Line<P>, expected: &str, distance: u32) {
        let analysis = search(line, 8);
        let proven = analysis.proven.unwrap_or_else(|| panic!("{}: {analysis:?}", line.position()));
        assert_eq!((proven.winner, proven.distance), (Some(line.position().turn()), Some(distance)), "{}", line.position());
        assert_eq!(analysis.score, Some(WIN - distance as i32));
        assert!(expected.is_empty() || best(&analysis) == expected, "{analysis:?}");
        assert_eq!(analysis.moves[analysis.best].pv.len(), distance as usize, "{analysis:?}");
    }
    // Mate with two rooks, mate with a knight, a queen sacrifice for a smothered mate, a double threat.
    check(&chess("7k/8/8/8/8/8/R7/1R2K3 w - - 0 1"), "", 3);
    check(&chess("6rk/6pp/7N/8/8/1Q6/8/6K1 w - - 0 1"), "h6f7", 1);
    check(&chess("5r1k/6pp/7N/8/8/1Q6/8/6K1 w - - 0 1"), "b3g8", 3);
    check(&connect4("3344"), "", 3);
    // Sacrificing a man allows a double jump.
    check(&checkers("W:W17,22,25:B9,11"), "17-14", 3);
}

#[test]
fn tic_tac_toe_is_a_proven_draw() {
    let analysis = search(&Line::new(TicTacToe::new(Classic)), 20);
    let proven = analysis.proven.expect("a proven value");
    assert_eq!((proven.winner, proven.distance, analysis.score), (None, Some(9), Some(0)));
}

#[test]
fn the_search_is_deterministic() {
    fn check<P: GameRules>(start: P) {
        let line = Line::new(start);
        let (one, two) = (search(&line, 6), search(&line, 6));
        assert_eq!(Analysis { seconds: 0.0, ..one }, Analysis { seconds: 0.0, ..two });
    }
    check(Checkers::start(Draws::English));
    check(Chess::start(chess::Draws::Claimed));
    check(ConnectFour::new(Standard));
}

#[test]
fn pruning_visits_fewer_nodes_and_counts_cutoffs() {
    let line = Line::new(Checkers::start(Draws::English));
    let run = |config| search_with(&line, &config, 5);
    let (minimax, plain, enhanced) = (run(Config::minimax()), run(Config::plain()), run(Config::default()));
    assert_eq!(minimax.stats.cutoffs, 0);
    // 7 + 49 + 302 + 1469 + 7361 positions: perft at depths 1 to 5.
    assert_eq!(minimax.nodes, 9188);
    assert!(plain.stats.cutoffs > 0 && plain.nodes < minimax.nodes / 3, "{}", plain.nodes);
    assert_eq!(plain.score, minimax.score);
    assert_eq!(enhanced.stats.depth, 5);
}

#[test]
fn a_repetition_is_a_draw() {
    // White is a king up; moving back would repeat the position for the third time.
    let mut line = checkers("B:WK10,K6:BK29");
    for mv in ["29-25", "10-15", "25-29", "15-10", "29-25", "10-15", "25-29"] {
        line = line.after(mv).unwrap_or_else(|error| panic!("{error}"));
    }
    let analysis = search(&line, 1);
    let back = analysis.moves.iter().find(|mv| mv.text == "15-10").expect("the move back");
    assert_eq!(back.score.map(|(score, _)| score <= 0), Some(true));
    assert_ne!(best(&analysis), "15-10");
}

/// Stops the search at the given call of `should_stop`.
struct StopAfter(u32);

impl Observer for StopAfter {
    fn should_stop(&mut self) -> bool {
        self.0 = self.0.saturating_sub(1);
        self.0 == 0
    }
}

#[test]
fn a_stopped_search_returns_the_best_move_so_far() {
    for calls in [1, 2, 20, 200] {
        let line = Line::new(Chess::start(chess::Draws::Claimed));
        let limits = Limits { bytes: 1 << 20, ..Limits::depth(100) };
        let analysis = analyse(&line, &Config::default(), &limits, &mut StopAfter(calls)).expect("an unfinished game");
        assert!(analysis.nodes <= u64::from(calls) * 2000);
        assert_eq!(analysis.moves.len(), 20);
        assert_eq!(analysis.score.is_none(), calls == 1);
    }
}

#[test]
fn a_single_move_needs_no_search_and_a_finished_game_is_an_error() {
    let analysis = search(&checkers("W:W21:B17"), 30);
    assert_eq!((analysis.nodes, analysis.moves.len()), (0, 1));
    let over = connect4("1212121");
    assert!(analyse(&over, &Config::default(), &Limits::depth(3), &mut NoObserver).is_err());
    assert_eq!(over.position().turn(), Side::Second);
}
