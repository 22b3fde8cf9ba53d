//! The tree search: reused roots, proven values, root policies and limits.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use plyground_engine::evaluate::Evaluators;
use plyground_engine::games::checkers::{Checkers, Draws};
use plyground_engine::games::chess::{self, Chess};
use plyground_engine::games::connect4::{ConnectFour, Standard};
use plyground_engine::games::tictactoe::{Classic, TicTacToe};
use plyground_engine::search::analysis::Analysis;
use plyground_engine::search::config::Config;
use plyground_engine::search::mcts::{Budget, Search, Threads};
use plyground_engine::{GameRules, Line, Side};

const FOREVER: Duration = Duration::from_secs(3600);

fn search<P: GameRules>(line: Line<P>, options: &[(&str, &str)], bytes: usize) -> Search<P> {
    let mut config = Config::default();
    for (name, value) in P::TUNING.iter().chain(options) {
        config.set(name, value).expect("a valid option");
    }
    Search::new(line, config, Evaluators::default(), Threads::SharedTree(1), bytes).expect("an unfinished game")
}

fn run<P: GameRules>(search: &mut Search<P>, simulations: u64, seed: u64) -> Analysis {
    search.start(Budget { simulations, time: FOREVER }, seed);
    search.run_until(Instant::now() + FOREVER, &AtomicBool::new(false));
    search.analysis()
}

fn connect4(moves: &str) -> Line<ConnectFour<Standard>> {
    let start = Line::new(ConnectFour::new(Standard));
    moves.chars().fold(start, |line, column| line.after(&column.to_string()).expect("a legal move"))
}

fn chess(fen: &str) -> Line<Chess> {
    Line::new(Chess::start(chess::Draws::Claimed)).restart_at(fen).expect("a FEN")
}

fn play<P: GameRules>(line: Line<P>, moves: &str) -> Line<P> {
    moves.split(' ').fold(line, |line, text| line.after(text).expect("a legal move"))
}

/// White is lost, except that Kg1 repeats the position for the third time.
fn draw_by_repetition() -> Line<Chess> {
    play(chess("8/8/8/8/8/6k1/1r6/7K b - - 0 1"), "b2c2 h1g1 c2b2 g1h1 b2c2 h1g1 c2b2")
}

/// Black's reply 5-1 repeats the position for the third time.
fn checkers_repetition() -> Line<Checkers> {
    let kings = Line::new(Checkers::start(Draws::English)).restart_at("W:WK32:BK1").expect("a FEN");
    play(kings, "32-28 1-5 28-32 5-1 32-28 1-5 28-32")
}

const ITALIAN: &str = "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4";

#[test]
fn a_reused_root_without_children_is_searched_again() {
    let mut search = search(connect4("11223"), &[], 1 << 20);
    run(&mut search, 200, 1);
    // Lookahead has proven that the reply 7 loses, so it has no children.
    search.move_to(connect4("112237")).expect("an unfinished game");
    let analysis = run(&mut search, 200, 1);
    assert_eq!(analysis.moves[analysis.best].text, "4");
    assert_eq!(analysis.proven.and_then(|proven| proven.winner), Some(Side::First));
}

#[test]
fn lookahead_works_at_a_reused_root() {
    let mut search = search(connect4("1122"), &[("playout_decisive", "false")], 1 << 20);
    run(&mut search, 100, 1);
    search.move_to(connect4("11223")).expect("an unfinished game");
    // All moves except 4 let red complete a line, so they are proven losses before the first simulation.
    let analysis = run(&mut search, 0, 1);
    let lost: Vec<&str> = analysis.moves.iter().filter(|mv| mv.proven.is_some()).map(|mv| &*mv.text).collect();
    assert_eq!(lost, ["1", "2", "3", "5", "6", "7"]);
}

/// Checks that the minimax value of every proven node is its proven value, and returns the number of proven nodes.
fn check_minimax_of_proven_nodes<P: GameRules>(line: Line<P>, options: &[(&str, &str)]) -> usize {
    let mut search = search(line, options, 16 << 20);
    run(&mut search, 4000, 1);
    let nodes = search.top_nodes(100_000);
    let mut checked = 0;
    for node in &nodes {
        if let (Some(proven), Some(minimax), Some(parent)) = (node.proven, node.minimax, node.parent) {
            assert_eq!(minimax, proven.value(nodes[parent].turn), "{}", node.text);
            checked += 1;
        }
    }
    checked
}

#[test]
fn proven_values_replace_minimax_values() {
    for solver in ["true", "false"] {
        let options = [("minimax", "0.9"), ("solver", solver), ("playout_plies", "2")];
        assert!(check_minimax_of_proven_nodes(Line::new(TicTacToe::new(Classic)), &options) > 100);
        assert!(check_minimax_of_proven_nodes(chess("7k/8/5K2/8/8/8/P7/6R1 w - - 90 80"), &options) > 0);
        assert!(check_minimax_of_proven_nodes(checkers_repetition(), &options) > 0);
    }
}

#[test]
fn lookahead_knows_that_a_repetition_ends_the_game() {
    for transpositions in ["false", "true"] {
        let mut search = search(draw_by_repetition(), &[("transpositions", transpositions)], 1 << 20);
        let analysis = run(&mut search, 2000, 1);
        assert_eq!(analysis.moves[analysis.best].text, "g1h1", "transpositions={transpositions}");
        assert!(analysis.proven.is_none_or(|proven| proven.winner.is_none()), "{:?}", analysis.proven);
    }
    let analysis = run(&mut search(checkers_repetition(), &[], 1 << 20), 0, 1);
    let draw = analysis.moves.iter().find(|mv| mv.text == "5-1").expect("a legal move");
    assert!(draw.is_proven_draw());
}

#[test]
fn the_value_of_a_position_is_at_least_that_of_a_proven_draw() {
    let options = [("decisive", "false")];
    let analysis = run(&mut search(draw_by_repetition(), &options, 1 << 20), 2000, 1);
    assert!(analysis.moves[analysis.best].is_proven_draw());
    assert_eq!(analysis.value, 0.5);
}

#[test]
fn simulations_skip_a_proven_draw_even_with_a_root_policy() {
    let chosen = |line: &Line<Chess>| ["g1f1", "g1h1"].map(|text| line.parse_move(text).expect("a legal move"));
    for options in [&[("decisive", "false")][..], &[("decisive", "false"), ("lines", "2")]] {
        let line = draw_by_repetition();
        let mut search = search(line.clone(), options, 1 << 20);
        search.set_root_moves(&chosen(&line));
        let analysis = run(&mut search, 2000, 1);
        let visits = |text: &str| analysis.moves.iter().find(|mv| mv.text == text).map(|mv| mv.visits);
        assert!(visits("g1h1") < Some(200), "{:?} visits", visits("g1h1"));
        assert!(visits("g1f1") > Some(1800) || analysis.proven.is_some());
    }
}

#[test]
fn a_tree_is_not_reused_with_another_clock_or_another_draw_rule() {
    let (young, old) = (chess("7k/8/5K2/8/8/8/8/6R1 w - - 0 80"), chess("7k/8/5K2/8/8/8/8/6R1 w - - 99 80"));
    let mut search = search(young.clone(), &[], 1 << 20);
    assert!(run(&mut search, 500, 1).proven.is_some_and(|proven| proven.winner == Some(Side::First)));
    search.move_to(old).expect("an unfinished game");
    let analysis = run(&mut search, 500, 1);
    assert!(analysis.proven.is_none_or(|proven| proven.winner.is_none()), "{:?}", analysis.proven);

    search.move_to(young).expect("an unfinished game");
    run(&mut search, 0, 1);
    let visits = |search: &Search<Chess>| search.analysis().moves.iter().map(|mv| mv.visits).sum::<u64>();
    run(&mut search, 100, 1);
    assert!(visits(&search) > 0 || search.analysis().proven.is_some());
    let forced = Line::new(Chess::start(chess::Draws::Forced)).restart_at("7k/8/5K2/8/8/8/8/6R1 w - - 0 80").expect("a FEN");
    search.move_to(forced).expect("an unfinished game");
    assert_eq!(visits(&search), 0);
}

#[test]
fn the_reported_score_equals_the_selection_score() {
    // Unless the tree is full, each simulation follows the highest score.
    for options in [
        &[("transpositions", "true")][..],
        &[("rave", "0.01")],
        &[("bias", "3"), ("edge_weight", "0.2")],
        &[("minimax", "0.5")],
    ] {
        let plain = [("solver", "false"), ("decisive", "false"), ("c", "0.7")];
        let options: Vec<_> = plain.iter().chain(options).copied().collect();
        let mut search = search(Line::new(TicTacToe::new(Classic)), &options, 4 << 20);
        let (mut followed, mut total) = (0, 0);
        run(&mut search, 300, 1);
        for seed in 2..102 {
            let nodes = search.top_nodes(20);
            let best = nodes[1..].iter().filter(|node| node.parent == Some(0)).max_by(|a, b| a.score.total_cmp(&b.score));
            let (text, visits) = best.map(|node| (node.text.clone(), node.visits)).expect("a visited move");
            run(&mut search, 1, seed);
            let next = search.top_nodes(20).into_iter().find(|node| node.parent == Some(0) && node.text == text);
            total += 1;
            followed += u32::from(next.is_some_and(|node| node.visits == visits + 1));
        }
        // The reported score counts only completed simulations, but selection also counts the current one.
        assert!(followed * 100 >= total * 95, "{followed} of {total} with {options:?}");
    }
}

#[test]
fn ucb1_tuned_reports_its_own_exploration_term() {
    let mut search = search(Line::new(TicTacToe::new(Classic)), &[("selection", "ucb1-tuned"), ("c", "1")], 1 << 20);
    run(&mut search, 2000, 1);
    let nodes = search.top_nodes(5000);
    for node in nodes.iter().filter(|node| node.parent.is_some()) {
        let parent = &nodes[node.parent.unwrap_or(0)];
        let maximum = (f64::from(parent.visits).ln() / f64::from(node.visits) * 0.25).sqrt();
        assert!((0.0..=maximum + 1e-9).contains(&node.exploration), "{} exceeds {maximum}", node.exploration);
    }
    assert!(nodes.len() > 500);
}

#[test]
fn only_chosen_root_moves_are_searched_even_in_a_reused_tree() {
    let mut search = search(connect4("44"), &[], 1 << 20);
    run(&mut search, 500, 1);
    let line = connect4("4433");
    search.move_to(line.clone()).expect("an unfinished game");
    let chosen: Vec<_> = ["1", "7"].iter().map(|text| line.parse_move(text).expect("a legal move")).collect();
    let before = run(&mut search, 0, 1);
    search.set_root_moves(&chosen);
    let after = run(&mut search, 500, 1);
    for (old, new) in before.moves.iter().zip(&after.moves) {
        assert_eq!(new.visits > old.visits, ["1", "7"].contains(&&*new.text), "{}", new.text);
        // The visits of other moves count neither in the shares nor in the value.
        assert!(new.visits == 0 || ["1", "7"].contains(&&*new.text), "{}", new.text);
    }
    let visits: u64 = after.moves.iter().map(|mv| mv.visits).sum();
    let mean = after.moves.iter().map(|mv| mv.value * mv.visits as f64).sum::<f64>() / visits as f64;
    assert!((after.value - mean).abs() < 1e-9);
    assert!(["1", "7"].contains(&&*after.moves[after.best].text));
    search.set_root_moves(&[]);
    let free = run(&mut search, 2000, 1);
    let searched =
        |text: &str| free.moves.iter().zip(&before.moves).any(|(new, old)| new.text == text && new.visits > old.visits);
    assert!(["2", "4", "5"].into_iter().any(searched));
}

#[test]
fn several_lines_share_the_simulations() {
    let visits = |lines: &str| {
        let mut search = search(connect4(""), &[("lines", lines)], 16 << 20);
        let mut visits: Vec<u64> = run(&mut search, 20_000, 1).moves.iter().map(|mv| mv.visits).collect();
        visits.sort_unstable_by(|one, other| other.cmp(one));
        visits
    };
    assert!(visits("1")[2] < 1000);
    assert!(visits("3")[2] > 3000);
}

#[test]
fn dirichlet_noise_changes_the_priors_of_a_reused_root_too() {
    let options = [("selection", "puct"), ("noise", "0.25"), ("solver", "false")];
    let mut search = search(connect4(""), &options, 16 << 20);
    let mut priors = |line: Line<_>, seed| {
        search.move_to(line).expect("an unfinished game");
        let analysis = run(&mut search, 200, seed);
        analysis.moves.iter().map(|mv| mv.prior.unwrap_or_default()).collect::<Vec<f64>>()
    };
    let uniform = 1.0 / 7.0;
    for (line, seed) in [(connect4(""), 1), (connect4("4"), 2), (connect4("44"), 3), (connect4("44"), 4)] {
        let priors = priors(line, seed);
        assert!((priors.iter().sum::<f64>() - 1.0).abs() < 1e-5);
        assert!(priors.iter().any(|prior| (prior - uniform).abs() > 0.01), "{priors:?}");
        // Noise is a quarter of every prior: it does not accumulate over runs.
        assert!(
            priors.iter().all(|prior| (0.75 * uniform - 1e-6..=0.75 * uniform + 0.25 + 1e-6).contains(prior)),
            "{priors:?}"
        );
    }
}

#[test]
fn a_saved_tree_contains_the_priors_without_noise() {
    let options = [("selection", "puct"), ("noise", "0.25"), ("solver", "false")];
    let mut noisy = search(connect4(""), &options, 1 << 20);
    run(&mut noisy, 200, 1);
    let saved = noisy.dump();
    let mut restored = search(connect4(""), &options, 1 << 20);
    restored.restore(&saved).expect("a saved tree");
    let priors: Vec<f64> = restored.analysis().moves.iter().filter_map(|mv| mv.prior).collect();
    assert_eq!(priors.len(), 7);
    assert!(priors.iter().all(|prior| (prior - 1.0 / 7.0).abs() < 1e-5), "{priors:?}");
}

#[test]
fn noise_requires_a_search_that_uses_priors() {
    let mut config = Config::default();
    config.set("noise", "0.25").expect("a valid option");
    let search = Search::new(connect4(""), config, Evaluators::default(), Threads::SharedTree(1), 1 << 20);
    assert!(search.is_err_and(|error| error.to_string().contains("noise requires selection=puct")));
}

#[test]
fn sequential_halving_halves_the_candidates() {
    let options = [("root", "gumbel"), ("gumbel_moves", "4"), ("solver", "false"), ("decisive", "false")];
    let mut search = search(connect4("11223"), &options, 1 << 20);
    for line in [connect4("11223"), connect4("1122344")] {
        search.move_to(line).expect("an unfinished game");
        let before = run(&mut search, 0, 7);
        let after = run(&mut search, 256, 7);
        let mut visits: Vec<u64> = after.moves.iter().zip(&before.moves).map(|(new, old)| new.visits - old.visits).collect();
        visits.sort_unstable();
        assert_eq!(visits, [0, 0, 0, 32, 32, 96, 96]);
    }
}

#[test]
fn sequential_halving_finds_the_mate() {
    for seed in 0..8 {
        let options = [("root", "gumbel"), ("gumbel_moves", "64"), ("solver", "false"), ("decisive", "false")];
        let analysis = run(&mut search(chess(ITALIAN), &options, 16 << 20), 1500, seed);
        assert_eq!(analysis.moves[analysis.best].text, "h5f7");
    }
}

#[test]
fn a_full_tree_with_more_than_64_moves_per_node_keeps_searching() {
    let queens = chess("R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1");
    let options = [("solver", "false"), ("decisive", "false"), ("playout_plies", "1"), ("leaf", "playout")];
    let mut search = search(queens, &options, 256 << 10);
    let analysis = run(&mut search, 30_000, 1);
    assert_eq!(analysis.stats.simulations, 30_000);
    assert!(analysis.bytes <= 256 << 10);
}

#[test]
fn an_analysis_before_the_next_run_ignores_the_policy_of_the_previous_root() {
    let mut search = search(connect4("44"), &[("root", "gumbel"), ("solver", "false")], 1 << 20);
    run(&mut search, 300, 1);
    search.move_to(connect4("4433")).expect("an unfinished game");
    let analysis = search.analysis();
    let most_visits = analysis.moves.iter().map(|mv| mv.visits).max();
    assert_eq!(Some(analysis.moves[analysis.best].visits), most_visits);
    search.clear();
    assert_eq!(search.analysis().best, 0);
}
