//! Unit tests of the components on small hand-built trees.

use super::enhancements::{Reward, normalise};
use super::formulas::{Formula, INV_SQRT};
use super::node::{ONE, PackedValue};
use super::proven::value_from_children;
use super::search::{Budget, MAX_VISITS, Search, Threads};
use super::simulator::{Simulator, Step};
use super::tree::Tree;
use crate::Side::{self, First, Second};
use crate::evaluate::Evaluators;
use crate::games::tictactoe::{Classic, TicTacToe};
use crate::search::config::Config;
use crate::{Line, Rng};

/// A tree with the given options. Each list of codes becomes the children of a slot.
fn tree(options: &[(&str, &str)], blocks: &[(u32, &[u16])]) -> (Tree, Config) {
    let mut config = Config::default();
    options.iter().for_each(|(name, value)| config.set(name, value).unwrap());
    let tree = Tree::new(0, 64, &config);
    for &(slot, codes) in blocks {
        let block = tree.take_block::<false>(codes.len() as u32, &mut (0..0)).unwrap();
        tree.block(block.clone()).iter().zip(codes).for_each(|(child, &code)| child.set_move_code(code));
        tree.attach(tree.node(slot), &block, 0);
    }
    (tree, config)
}

/// Adds visits with the same reward to a node.
fn visit(tree: &Tree, slot: u32, visits: u32, reward: f64) {
    tree.node(slot).add_visits(visits, &INV_SQRT);
    tree.node(slot).add_reward::<false>(reward * f64::from(visits) * ONE as f64);
}

fn path<'a>(tree: &'a Tree, slots: &[u32], movers: &[Side]) -> Vec<Step<'a>> {
    slots.iter().zip(movers).map(|(&slot, &mover)| Step { node: tree.node(slot), mover }).collect()
}

fn proven(winner: Option<Side>, distance: u8) -> PackedValue {
    PackedValue { winner, distance }
}

#[test]
fn minimax_values_are_the_best_of_the_children_for_the_side_to_move() {
    // The first side moves from the root (slot 0) to 1 or 2; the second side moves from 1 to 3 or 4.
    let (tree, _) = tree(&[("minimax", "0.5")], &[(0, &[1, 2]), (1, &[3, 4])]);
    let minimax = tree.enhancements.minimax.as_ref().unwrap();
    [(1, 0.25), (2, 0.5), (3, 0.125), (4, 0.75)]
        .into_iter()
        .for_each(|(slot, value)| minimax.set(slot, (value * ONE as f64) as u64));
    minimax.back_up(&tree, &path(&tree, &[0, 1, 3], &[Second, First, Second]), First, false);
    assert_eq!(minimax.value(1), 0.25);
    minimax.set(4, ONE);
    minimax.back_up(&tree, &path(&tree, &[0, 1, 4], &[Second, First, Second]), First, false);
    assert_eq!((minimax.value(1), minimax.value(0)), (0.0, 0.5));
    assert_eq!(minimax.mix(2, 1.0), 0.75);
}

#[test]
fn minimax_values_of_proven_nodes_are_exact() {
    let (tree, _) = tree(&[("minimax", "0.5")], &[(0, &[1, 2])]);
    let minimax = tree.enhancements.minimax.as_ref().unwrap();
    minimax.set(1, ONE / 4);
    minimax.set(2, ONE / 8);
    tree.node(1).prove(proven(None, 3));
    minimax.back_up(&tree, &path(&tree, &[0, 1], &[Second, First]), Second, false);
    assert_eq!((minimax.value(1), minimax.value(0)), (0.5, 0.5));
    minimax.set_proven(2, proven(Some(First), 0), First);
    assert_eq!(minimax.value(2), 1.0);
}

#[test]
fn amaf_values_come_from_the_nearest_node_with_the_same_side_to_move_and_enough_visits() {
    let (tree, _) = tree(&[("rave", "0.1"), ("grave", "10")], &[(0, &[1]), (1, &[2]), (2, &[3, 4])]);
    let amaf = tree.enhancements.amaf.as_ref().unwrap();
    let path = path(&tree, &[0, 1, 2], &[Second, First, Second]);
    [(0, 100), (1, 50), (2, 5)].into_iter().for_each(|(slot, visits)| visit(&tree, slot, visits, 0.5));
    // Slot 1 has enough visits, but the second side moves there.
    assert_eq!(amaf.source(&path, First), tree.node(0).children());
    visit(&tree, 2, 5, 0.5);
    assert_eq!(amaf.source(&path, First), tree.node(2).children());
    assert_eq!(amaf.source(&path[..2], Second), tree.node(1).children());
}

#[test]
fn amaf_adds_the_reward_to_moves_played_later() {
    let (tree, _) = tree(&[("rave", "0.1")], &[(0, &[1, 2, 3])]);
    let amaf = tree.enhancements.amaf.as_ref().unwrap();
    [(1, 11), (2, 12), (3, 13)].into_iter().for_each(|(slot, action)| amaf.open(slot, action));
    let actions = [(First, 11), (Second, 12), (First, 13)];
    let path = path(&tree, &[0, 1], &[Second, First]);
    // The root counts as drawn, but its children as won.
    amaf.back_up(&path, &actions, Reward { first: ONE, drawn_nodes: 1 });
    let mixed = [1, 2, 3].map(|slot| amaf.mix(slot, 1..4, 0.0, 0.5));
    assert_eq!(mixed, [1.0, 0.5, 1.0]);
    // beta = m / (m + n + bias * m * n) = 1 / (1 + 2 + 0.2)
    assert!((amaf.mix(3, 1..4, 2.0, 0.0) - 1.0 / 3.2).abs() < 1e-12);
}

#[test]
fn the_variance_uses_the_same_rewards_as_the_mean() {
    let (tree, _) = tree(&[("selection", "ucb1-tuned")], &[(0, &[1])]);
    let variance = tree.enhancements.variance.as_ref().unwrap();
    let path = path(&tree, &[0, 1], &[Second, First]);
    for drawn_nodes in [0, 2, 2] {
        // A win, then two wins that count as draws.
        let reward = Reward { first: ONE, drawn_nodes };
        variance.back_up(&tree, &path, reward);
        visit(&tree, 1, 1, reward.of_step(1, &path[1]) as f64 / ONE as f64);
    }
    let logarithm = 0.01;
    let bound = 1.5 / 3.0 - (2.0_f64 / 3.0).powi(2) + (2.0 * logarithm / 3.0_f64).sqrt();
    let expected = (logarithm / 3.0 * bound).sqrt();
    assert!((variance.exploration(1, 2.0, 3.0, logarithm) - expected).abs() < 1e-6);
}

#[test]
fn priors_are_normalised_and_fade_in_the_bias() {
    assert_eq!(normalise(&[1.0, 3.0]), [0.25, 0.75]);
    assert_eq!(normalise(&[0.0, 0.0]), [0.5, 0.5]);
    let (tree, config) = tree(&[("bias", "2")], &[(0, &[1, 2])]);
    let priors = tree.enhancements.priors.as_ref().unwrap();
    [(1, 0.25), (2, 0.75)].into_iter().for_each(|(slot, prior)| priors.set(slot, prior));
    visit(&tree, 1, 1, 0.5);
    visit(&tree, 2, 3, 0.5);
    let formula = Formula::new(&tree, &config, 4, 0..0);
    assert_eq!([1, 2].map(|slot| formula.score(slot).bias), [0.25, 0.375]);
}

#[test]
fn lost_moves_are_selected_only_if_all_are_lost() {
    let (tree, config) = tree(&[("selection", "puct")], &[(0, &[1, 2])]);
    visit(&tree, 1, 1, 1.0);
    visit(&tree, 2, 1, 0.0);
    let chosen = || Formula::new(&tree, &config, 3, 0..0).select(1..3, First);
    assert_eq!(chosen(), Some(1));
    tree.node(1).prove(proven(Some(Second), 2));
    assert_eq!(chosen(), Some(2));
    tree.node(2).prove(proven(Some(Second), 4));
    assert_eq!(chosen(), Some(1));
}

#[test]
fn a_node_is_proven_by_the_quickest_win_or_when_all_children_are_proven() {
    let (tree, _) = tree(&[], &[(0, &[1, 2, 3])]);
    let value = || value_from_children(tree.children(tree.root()).iter(), First).map(|value| (value.winner, value.distance));
    tree.node(1).prove(proven(Some(Second), 4));
    tree.node(2).prove(proven(Some(Second), 8));
    assert_eq!(value(), None);
    tree.node(3).prove(proven(Some(Second), 6));
    assert_eq!(value(), Some((Some(Second), 9)));
    tree.node(2).prove(proven(None, 3));
    assert_eq!(value(), Some((None, 4)));
    tree.node(3).prove(proven(Some(First), 254));
    assert_eq!(value(), Some((Some(First), 255)));
}

#[test]
fn one_thread_expands_a_node_and_the_others_see_complete_children() {
    let (tree, _) = tree(&[], &[]);
    let root = tree.root();
    assert!(root.claim::<true>());
    assert!(!root.claim::<true>());
    assert!(!root.disclaim::<true>());
    assert!(root.claim::<true>());
    let block = tree.take_block::<true>(3, &mut (0..0)).unwrap();
    assert!(root.children().is_empty());
    tree.attach(root, &block, 0);
    assert!(!root.claim::<true>());
    assert_eq!((root.children(), root.tried_children()), (block, 0));
}

/// A search of tic-tac-toe with the given options.
fn search(options: &[(&str, &str)]) -> Search<TicTacToe<Classic>> {
    let mut config = Config::default();
    options.iter().for_each(|(name, value)| config.set(name, value).unwrap());
    let line = Line::new(TicTacToe::new(Classic));
    Search::new(line, config, Evaluators::default(), Threads::SharedTree(1), 1 << 20).unwrap()
}

fn run(search: &mut Search<TicTacToe<Classic>>, simulations: u64) {
    let hour = std::time::Duration::from_secs(3600);
    search.start(Budget { simulations, time: hour }, 1);
    search.run_until(std::time::Instant::now() + hour, &false.into());
}

#[test]
fn a_search_ends_before_the_visits_of_the_root_overflow() {
    let mut search = search(&[("solver", "false")]);
    run(&mut search, 100);
    let root = search.trees[0].root();
    root.add_visits(MAX_VISITS - root.visits() - 10, &INV_SQRT);
    run(&mut search, 1000);
    assert_eq!((search.stats.simulations, search.trees[0].root().visits()), (10, MAX_VISITS));
    // Such a tree can be saved and restored.
    let bytes = search.dump();
    search.restore(&bytes).unwrap();
    assert_eq!(search.trees[0].root().visits(), MAX_VISITS);
}

#[test]
fn widening_considers_more_moves_as_visits_grow_and_replaces_lost_ones() {
    let mut search = search(&[("widening", "1")]);
    run(&mut search, 1);
    let tree = &search.trees[0];
    let simulator = Simulator::new(&search, 0, Rng::new(1));
    let root = tree.root();
    let width = |visits: u32| {
        root.add_visits(visits - root.visits(), &INV_SQRT);
        simulator.candidates(root, First)
    };
    // The square root of the visits plus 1, rounded up.
    assert_eq!([3, 4, 8, 15, 80, 1000].map(width), [2, 3, 3, 4, 9, 9]);
    let narrow = self::search(&[("widening", "0.01")]);
    narrow.trees[0].attach(narrow.trees[0].root(), &narrow.trees[0].take_block::<false>(3, &mut (0..0)).unwrap(), 0);
    let (tree, simulator) = (&narrow.trees[0], Simulator::new(&narrow, 0, Rng::new(1)));
    assert_eq!(simulator.candidates(tree.root(), First), 1);
    tree.children(tree.root())[0].prove(proven(Some(Second), 2));
    assert_eq!(simulator.candidates(tree.root(), First), 2);
}

#[test]
fn a_proven_draw_is_skipped_for_the_most_visited_unproven_move() {
    let (tree, _) = tree(&[], &[(0, &[1, 2, 3])]);
    let search = search(&[]);
    let mut simulator = Simulator::new(&search, 0, Rng::new(1));
    simulator.path = path(&search.trees[0], &[0], &[Second]);
    [(1, 9), (2, 3), (3, 5)].into_iter().for_each(|(slot, visits)| visit(&tree, slot, visits, 0.4));
    let children = tree.children(tree.root());
    let chosen = |simulator: &mut Simulator<_>| tree.slot(simulator.skip_draw(&children[0], children.iter()));
    assert_eq!((chosen(&mut simulator), simulator.drawn_nodes), (1, 0), "not proven");
    tree.node(1).prove(proven(Some(First), 1));
    assert_eq!((chosen(&mut simulator), simulator.drawn_nodes), (1, 0), "a win");
    tree.node(1).unprove();
    tree.node(1).prove(proven(None, 4));
    assert_eq!((chosen(&mut simulator), simulator.drawn_nodes), (3, 1), "a draw");
    [2, 3].into_iter().for_each(|slot| tree.node(slot).prove(proven(Some(Second), 2)));
    assert_eq!(chosen(&mut simulator), 1, "all other moves are proven");
}

#[test]
fn transpositions_share_children_until_the_last_parent_is_removed() {
    let (tree, _) = tree(&[("transpositions", "true")], &[(0, &[1, 2])]);
    let shared = tree.take_block::<false>(2, &mut (0..0)).unwrap();
    assert_eq!(tree.transpositions.find(77), None);
    tree.attach(tree.node(1), &shared, 0);
    tree.transpositions.insert(77, &shared);
    assert_eq!(tree.transpositions.find(77), Some(shared.clone()));
    assert_eq!(tree.transpositions.find(78), None);
    tree.attach(tree.node(2), &shared, 0);
    assert!(!tree.transpositions.remove_parent(shared.start));
    assert_eq!(tree.transpositions.find(77), Some(shared.clone()));
    assert!(tree.transpositions.remove_parent(shared.start));
    assert_eq!(tree.transpositions.find(77), None);
}
