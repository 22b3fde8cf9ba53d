//! The state of a thread that runs simulations.

use std::ops::Range;

use super::enhancements::Reward;
use super::formulas::{INV_SQRT, LookupTable, SQRT_LN};
use super::node::Node;
use super::root::RootPolicy;
use super::search::Search;
use super::subtree_batch::SubtreeBatch;
use super::tree::Tree;
use super::variants::{General, PlainUct, UctWithMinimax, UctWithSolver, Variant, VariantName};
use crate::evaluate::Evaluators;
use crate::search::analysis::SearchStats;
use crate::search::config::{Config, Leaf};
use crate::search::playout::Policy;
use crate::{GameRules, Line, Rng, Side};

/// A node on the path and the side that moved to it.
#[derive(Clone, Copy)]
pub(super) struct Step<'a> {
    pub(super) node: &'a Node,
    pub(super) mover: Side,
}

/// Runs simulations on a tree. Each thread has its own simulator and random number generator.
pub(super) struct Simulator<'a, P: GameRules> {
    pub(super) root: &'a Line<P>,
    pub(super) tree: &'a Tree,
    pub(super) config: &'a Config,
    pub(super) evaluators: &'a Evaluators<P>,
    /// Selection at the root, where it differs from other nodes.
    pub(super) root_policy: Option<&'a RootPolicy>,
    pub(super) policy: Policy,
    pub(super) sqrt_ln: &'static LookupTable,
    pub(super) inv_sqrt: &'static LookupTable,
    /// Whether the threads of a shared tree may run batches of simulations in a subtree.
    pub(super) uses_subtree_batches: bool,
    pub(super) variant: VariantName,
    pub(super) has_enhancements: bool,
    pub(super) rng: Rng,
    pub(super) position: P,
    pub(super) path: Vec<Step<'a>>,
    /// The number of nodes from the start of the path for which this simulation counts as a draw.
    pub(super) drawn_nodes: usize,
    /// Whether the path ended at a repetition; used only with transpositions.
    pub(super) repeated: bool,
    /// The keys of the positions on the path before the current one.
    pub(super) keys: Vec<u64>,
    pub(super) batch: SubtreeBatch<P>,
    /// The move codes of a node that is being expanded.
    pub(super) codes: Vec<u16>,
    /// Reserved slots for new nodes.
    pub(super) reserve: Range<u32>,
    /// The side and action of every move of the simulation; used only with RAVE.
    pub(super) actions: Vec<(Side, usize)>,
    pub(super) stats: SearchStats,
}

impl<'a, P: GameRules> Simulator<'a, P> {
    pub(super) fn new(search: &'a Search<P>, tree: usize, rng: Rng) -> Self {
        let (root, config, tree, root_policy) = (&search.root, &search.config, &search.trees[tree], search.root_policy(tree));
        Simulator {
            root,
            tree,
            config,
            evaluators: &search.evaluators,
            root_policy,
            policy: Policy::new(config),
            sqrt_ln: &SQRT_LN,
            inv_sqrt: &INV_SQRT,
            uses_subtree_batches: config.allows_subtree_batches() && root_policy.is_none(),
            variant: VariantName::of(config, tree),
            has_enhancements: !tree.enhancements.is_empty(),
            rng,
            position: root.position().clone(),
            path: Vec::with_capacity(64),
            drawn_nodes: 0,
            repeated: false,
            keys: Vec::new(),
            batch: SubtreeBatch::none(root.position().clone()),
            codes: Vec::new(),
            reserve: 0..0,
            actions: Vec::new(),
            stats: SearchStats::default(),
        }
    }

    /// Creates the children of the root if it has none. Returns the number of simulations run: 1 if an evaluator had to evaluate the
    /// root first, otherwise 0.
    pub(super) fn expand_root(&mut self) -> u64 {
        let root = self.tree.root();
        if !root.children().is_empty() {
            return 0;
        }
        // A proven value without children, for example from a table, does not say which move achieves it.
        root.unprove();
        if let Some(evaluator) = self.evaluators.batch.as_deref().filter(|_| self.config.leaf == Leaf::Evaluator) {
            return self.simulate_batch::<false>(evaluator, 1);
        }
        self.path = vec![Step { node: root, mover: self.position.turn().other() }];
        self.create_children::<false>(root, &[]);
        0
    }

    /// Runs one simulation. Returns `false` if it was interrupted, in which case it leaves no statistics. `SHARED` is whether other
    /// threads use the same tree.
    #[inline]
    pub(super) fn simulate<const SHARED: bool>(&mut self) -> bool {
        self.descend::<SHARED>();
        let reward = self.evaluate();
        if self.position.is_interrupted() {
            self.discard::<SHARED>();
            return false;
        }
        self.back_up::<SHARED>(reward);
        true
    }

    /// Removes the visits of an interrupted simulation and makes a child without other visits untried again.
    #[cold]
    pub(super) fn discard<const SHARED: bool>(&mut self) {
        let batched = if SHARED { self.batch.path_len() } else { 0 };
        for step in &self.path[batched.min(self.path.len())..] {
            step.node.remove_visits(1, self.inv_sqrt);
        }
        if let [.., parent, leaf] = self.path[..]
            && leaf.node.visits() == 0
            && let Some(index) = self.tree.children(parent.node).iter().position(|child| std::ptr::eq(child, leaf.node))
        {
            parent.node.untry_child(index as u16);
        }
    }

    /// Selection and expansion: from the root to the node to be evaluated.
    #[inline(always)]
    pub(super) fn descend<const SHARED: bool>(&mut self) {
        match self.variant {
            VariantName::PlainUct => self.descend_as::<SHARED, PlainUct>(),
            VariantName::UctWithSolver => self.descend_as::<SHARED, UctWithSolver>(),
            VariantName::UctWithMinimax => self.descend_as::<SHARED, UctWithMinimax>(),
            VariantName::General => self.descend_as::<SHARED, General>(),
        }
    }

    #[inline(always)]
    fn descend_as<const SHARED: bool, V: Variant>(&mut self) {
        self.select::<SHARED, V>();
        self.expand::<SHARED, V>();
    }

    /// The last node of the path.
    #[inline(always)]
    pub(super) fn last(&self) -> &'a Node {
        self.path[self.path.len() - 1].node
    }

    /// The number of moves from the start of the game to the last node of the path.
    pub(super) fn ply(&self) -> usize {
        self.root.moves().len() + self.path.len() - 1
    }

    /// The reward of a simulation for the nodes on the path, given the first side's reward.
    pub(super) fn reward(&self, first: u64) -> Reward {
        Reward { first, drawn_nodes: self.drawn_nodes }
    }

    /// Plays the move to a child of the last node and appends the child to the path.
    #[inline(always)]
    pub(super) fn play_to<const SHARED: bool, V: Variant>(&mut self, position: &mut P, mover: Side, child: &'a Node) {
        let mv = position.decode(child.move_code());
        if position.repetition_limit() > 0 {
            self.keys.push(position.key());
        }
        if V::GENERAL && self.config.rave > 0.0 {
            self.actions.push((mover, position.action(mv)));
        }
        position.play(mv);
        child.add_visit::<SHARED>(self.inv_sqrt);
        self.path.push(Step { node: child, mover });
    }

    /// Whether the current position is drawn by repetition.
    pub(super) fn is_repetition(&self) -> bool {
        let limit = self.position.repetition_limit();
        let reversible = self.position.reversible_plies() as usize;
        if limit == 0 || reversible < 4 || self.path.len() == 1 {
            return false;
        }
        let key = self.position.key();
        let on_path = self.keys.iter().rev().take(reversible).filter(|&&earlier| earlier == key).count();
        let before_root = self.root.keys().iter().rev().take(reversible.saturating_sub(self.keys.len()));
        (1 + on_path + before_root.filter(|&&earlier| earlier == key).count()) as u32 >= limit
    }
}
