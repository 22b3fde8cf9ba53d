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
    // Every move but 4 lets red complete the line. All of them are proven losses before the first simulation.
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
        // The position after 5-1 has occurred twice before.
        let kings = Line::new(Checkers::start(Draws::English)).restart_at("W:WK32:BK1").expect("a FEN");
        let moves = ["32-28", "1-5", "28-32", "5-1", "32-28", "1-5", "28-32"];
        let repeated = moves.iter().fold(kings, |line, text| line.after(text).expect("a legal move"));
        assert!(check_minimax_of_proven_nodes(repeated, &options) > 0);
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
    }
    assert!(["1", "7"].contains(&&*after.moves[after.best].text));
    search.set_root_moves(&[]);
    let free = run(&mut search, 2000, 1);
    let searched =
        |text: &str| free.moves.iter().zip(&after.moves).any(|(new, old)| new.text == text && new.visits > old.visits);
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
        // Noise is a quarter of the prior, so it does not accumulate.
        assert!(
            priors.iter().all(|prior| (0.75 * uniform - 1e-6..=0.75 * uniform + 0.25 + 1e-6).contains(prior)),
            "{priors:?}"
        );
    }
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
