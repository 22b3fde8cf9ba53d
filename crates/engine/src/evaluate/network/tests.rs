use super::*;
use crate::evaluate::{BatchEvaluator, IncrementalEvaluator};
use crate::games::checkers::{Checkers, Draws};
use crate::games::chess::{self, Chess};
use crate::games::connect4::{ConnectFour, Standard};
use crate::{GameRules, Line, Rng, View};

/// A network with random weights.
fn random_network(game: &Game, width: usize, buckets: usize, hidden: usize, seed: u64) -> Network {
    Network::new(game, random_tensors(game, width, buckets, hidden, seed), 8).expect("a valid network")
}

fn random_tensors(game: &Game, width: usize, buckets: usize, hidden: usize, seed: u64) -> Vec<Tensor> {
    let mut rng = Rng::new(seed);
    let actions = if hidden > 0 { game.actions } else { 0 };
    let sizes = Sizes { features: game.features, width, buckets, hidden, actions };
    let tensors = sizes.tensors().into_iter();
    tensors
        .map(|(name, shape)| {
            let spread = if name.starts_with("features") { 0.5 } else { 0.2 };
            let values = (0..shape.iter().product()).map(|_| (2.0 * rng.unit() as f32 - 1.0) * spread).collect();
            Tensor { name: name.to_string(), shape, values }
        })
        .collect()
}

/// Plays random games and compares the integers with the floating-point numbers, and the incremental evaluation with a new one.
fn check_games<P: GameRules>(start: P, seed: u64) {
    let network = random_network(&start.game(), 64, 4, 16, seed);
    let mut rng = Rng::new(seed);
    let mut followed = NetworkEvaluator::new(&network);
    let batch = NetworkBatch::new(network.clone().into(), 1.0);
    for _ in 0..4 {
        let mut line = Line::new(start.clone());
        followed.reset(line.position());
        while line.outcome().is_none() && line.moves().len() < 100 {
            let moves = line.legal_moves();
            let mv = moves[rng.below(moves.len() as u32) as usize];
            let before = line.position().clone();
            line.play(mv);
            followed.push(&before, mv, line.position());
            if rng.below(3) > 0 {
                continue; // not every position of a line is evaluated
            }
            let position = line.position();
            let mut fresh = NetworkEvaluator::new(&network);
            fresh.reset(position);
            assert_eq!(followed.evaluate(position), fresh.evaluate(position));
            let (rounded, exact) = (network.predict(position), network.predict_with_floats(position));
            for (rounded, exact) in rounded.results.iter().zip(&exact.results) {
                assert!((rounded - exact).abs() < 0.01, "{rounded} and {exact}");
            }
            for (rounded, exact) in rounded.logits.iter().zip(&exact.logits) {
                assert!((rounded - exact).abs() < 0.02, "{rounded} and {exact}");
            }
            if line.outcome().is_none() {
                let evaluation = batch.evaluate_one(position);
                let [win, draw, _] = rounded.results;
                assert!((evaluation.value - f64::from(win + draw / 2.0)).abs() < 1e-6);
                assert_eq!(evaluation.priors.len(), line.legal_moves().len());
            }
        }
    }
}

#[test]
fn integers_agree_with_floats_and_updates_with_new_evaluations() {
    check_games(Checkers::start(Draws::English), 1);
    check_games(Chess::start(chess::Draws::Claimed), 2);
    check_games(ConnectFour::new(Standard), 3);
}

#[test]
fn taking_back_moves_restores_the_evaluation() {
    let start = Chess::start(chess::Draws::Claimed);
    let network = random_network(&start.game(), 32, 1, 0, 5);
    let mut evaluator = NetworkEvaluator::new(&network);
    evaluator.reset(&start);
    let before = evaluator.evaluate(&start);
    let mut line = Line::new(start.clone());
    for text in ["e2e4", "d7d5", "e4d5"] {
        let mv = line.parse_move(text).expect("a legal move");
        let old = line.position().clone();
        line.play(mv);
        evaluator.push(&old, mv, line.position());
    }
    let captured = evaluator.evaluate(line.position());
    for _ in 0..3 {
        IncrementalEvaluator::<Chess>::pop(&mut evaluator);
    }
    assert_eq!(evaluator.evaluate(&start), before);
    assert_ne!(captured, before);
}

#[test]
fn a_position_is_worth_the_same_to_both_sides() {
    let network = random_network(&Chess::start(chess::Draws::Claimed).game(), 32, 2, 8, 7);
    let position =
        |fen: &str| Line::new(Chess::start(chess::Draws::Claimed)).restart_at(fen).expect("a FEN").position().clone();
    let white = position("4k3/8/2n5/8/8/8/1P6/R3K3 w - - 0 1");
    let black = position("r3k3/1p6/8/8/8/2N5/8/4K3 b - - 0 1");
    assert_eq!(network.predict(&white).results, network.predict(&black).results);
}

#[test]
fn invalid_networks_are_rejected() {
    let game = ConnectFour::new(Standard).game();
    let change = |edit: &dyn Fn(&mut Vec<Tensor>)| {
        let mut tensors = random_tensors(&game, 16, 1, 8, 1);
        edit(&mut tensors);
        Network::new(&game, tensors, 8).map(|_| ()).map_err(|error| error.to_string())
    };
    assert_eq!(change(&|_| ()), Ok(()));
    type Edit<'a> = &'a dyn Fn(&mut Vec<Tensor>);
    let cases: [(Edit, &str); 8] = [
        (&|tensors| tensors.clear(), "the width must be between 16 and 1024, got 0"),
        (&|tensors| drop(tensors.remove(0)), "array features.weight is missing"),
        (&|tensors| tensors.push(tensors[0].clone()), "duplicate array features.weight"),
        (&|tensors| tensors[0].name = "other".into(), "unknown array other"),
        (&|tensors| tensors[0].shape = vec![84, 17], "array features.weight must have the shape [84, 16], got [84, 17]"),
        (&|tensors| tensors[2].values.truncate(5), "array value.weight must have the shape"),
        (&|tensors| tensors[1].values[0] = f32::NAN, "array features.bias contains a value that is not finite"),
        (&|tensors| tensors[0].values[0] = 200.0, "the values of features.weight must be between -128.5 and 128.5"),
    ];
    for (edit, expected) in cases {
        let error = change(edit).expect_err(expected);
        assert!(error.contains(expected), "{error}");
    }
    assert!(Network::new(&game, random_tensors(&game, 16, 1, 8, 1), 0).is_err());
    let mut wide = random_tensors(&game, 512, 1, 8, 1);
    wide[2].values.fill(2.0);
    let error = Network::new(&game, wide, 8).expect_err("sums exceed 32 bits").to_string();
    assert!(error.contains("the weights of value.weight are too large"), "{error}");
}
