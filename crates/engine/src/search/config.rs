//! The tunables of the tree search with their defaults, bounds and descriptions. The options of the `mcts` agent, their validation and
//! their help are generated from this table.

use super::tunables::{Tunable, Value, named_values, tunables};
use crate::Error;

named_values! {
    /// The formula that selects a child.
    Selection {
        /// UCT: mean + `c * sqrt(ln N / n)` (Kocsis and Szepesvári 2006).
        Uct = "uct",
        /// UCB1-Tuned: UCT with the sample variance (Auer et al. 2002).
        Ucb1Tuned = "ucb1-tuned",
        /// PUCT: mean + `c * prior * sqrt(N) / (1 + n)` (Silver et al. 2017).
        Puct = "puct",
    }

    /// How new leaves are evaluated.
    Leaf {
        /// By a playout.
        Playout = "playout",
        /// By the game's heuristic after pending captures.
        Heuristic = "heuristic",
        /// By the batch evaluator.
        Evaluator = "evaluator",
    }

    /// The reward of a playout that is cut off before the end of the game.
    Cutoff {
        /// The reward of a draw.
        Draw = "draw",
        /// Estimated from the difference in piece counts.
        Pieces = "pieces",
        /// Estimated from the material balance in centipawns.
        Material = "material",
        /// Estimated by the game's heuristic after pending captures.
        Heuristic = "heuristic",
    }

    /// How root moves are selected.
    RootSelection {
        /// By the selection formula, as at any other node.
        Formula = "formula",
        /// By Gumbel sequential halving (Danihelka et al. 2022).
        Gumbel = "gumbel",
    }

    /// How the best move is chosen.
    MoveChoice {
        /// The most visited move.
        Visits = "visits",
        /// The move with the highest mean.
        Value = "value",
        /// The move with the highest lower confidence bound.
        LowerBound = "lower-bound",
    }
}

tunables! {
    "tree search";
    /// Formula that selects a child: UCT, UCB1-Tuned or PUCT.
    selection: Selection = Selection::Uct, ();
    /// Exploration constant of the selection formula.
    c: f64 = 0.5, 0.0..=100.0;
    /// First-play urgency: the value assumed for unvisited moves; below 0, every move is visited once before any is visited twice.
    first_play: f64 = -1.0, -1.0..=2.0;
    /// RAVE bias: the smaller it is, the more slowly the weight of AMAF values decreases as visits grow; 0 disables RAVE.
    rave: f64 = 0.0, 0.0..=1.0;
    /// GRAVE: minimum visits for a node to use its own AMAF values instead of an ancestor's; 0 is plain RAVE.
    grave: u32 = 0, 0..=1_000_000;
    /// Progressive bias: weight of the move priors, whose influence decreases as visits grow; 0 disables it.
    bias: f64 = 0.0, 0.0..=100.0;
    /// Progressive widening: a node considers at most this constant times sqrt(visits) children; 0 disables it.
    widening: f64 = 0.0, 0.0..=1000.0;
    /// Implicit minimax backups: weight of the minimax value in a child's value; 0 disables it.
    minimax: f64 = 0.0, 0.0..=1.0;
    /// MCTS-Solver: propagates proven wins, losses and draws, and stops when the root is proven.
    solver: bool = true, ();
    /// Treats values from endgame tables as proven.
    tables: bool = false, ();
    /// Shares nodes between transpositions, so that the tree becomes a graph.
    transpositions: bool = false, ();
    /// Tries an immediately winning move first when a node is expanded.
    decisive: bool = true, ();
    /// How new leaves are evaluated.
    leaf: Leaf = Leaf::Playout, ();
    /// Number of leaves per evaluator call.
    batch: u32 = 16, 1..=4096;
    /// Maximum length of a playout in plies.
    playout_plies: u32 = 10_000, 1..=1_000_000;
    /// Result of a playout cut off after `playout_plies`: a draw, or estimated from piece counts, material or the game's heuristic.
    cutoff: Cutoff = Cutoff::Draw, ();
    /// Playouts play immediate wins and block immediate losses, in games where these can be found quickly.
    playout_decisive: bool = true, ();
    /// Relative probability of captures in playouts.
    capture_weight: f64 = 1.0, 0.0..=1000.0;
    /// Relative probability of moves to the edge of the board in playouts.
    edge_weight: f64 = 1.0, 0.0..=1000.0;
    /// Fraction of playout moves chosen by the evaluator, or by the game's heuristic if there is none; the others are random.
    guide: f64 = 0.0, 0.0..=1.0;
    /// Plies added to `playout_plies` each time the visits of a leaf's parent double.
    deepening: f64 = 0.0, 0.0..=1000.0;
    /// How root moves are selected: by the selection formula or by Gumbel sequential halving.
    root: RootSelection = RootSelection::Formula, ();
    /// Maximum number of moves considered by Gumbel sequential halving.
    gumbel_moves: u32 = 16, 2..=1024;
    /// Number of moves whose principal variations are searched in turn (MultiPV).
    lines: u32 = 1, 1..=256;
    /// How the best move is chosen: most visits, highest value or highest lower confidence bound.
    choice: MoveChoice = MoveChoice::Visits, ();
    /// Temperature of the move priors of a network: higher values make them more uniform.
    prior_temperature: f64 = 1.0, 0.01..=100.0;
    /// Fraction of Dirichlet noise in the root priors, for self-play; 0 disables it.
    noise: f64 = 0.0, 0.0..=1.0;
    /// Concentration parameter of the Dirichlet noise.
    noise_alpha: f64 = 0.3, 0.01..=100.0;
}

impl Config {
    /// Whether several simulations in a subtree can share one update of the nodes above it.
    pub(super) fn allows_subtree_batches(&self) -> bool {
        let updates_every_node = self.rave > 0.0 || self.selection == Selection::Ucb1Tuned || self.transpositions;
        !updates_every_node && self.leaf != Leaf::Evaluator
    }

    /// Whether the search uses move priors.
    pub(super) fn needs_priors(&self) -> bool {
        self.selection == Selection::Puct || self.bias > 0.0 || self.noise > 0.0 || self.leaf == Leaf::Evaluator
    }
}
