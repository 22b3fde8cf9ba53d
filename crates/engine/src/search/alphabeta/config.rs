//! The options of the alpha-beta search with their defaults and descriptions.

use crate::Error;
use crate::search::tunables::{Tunable, Value, named_values, tunables};

named_values! {
    /// The evaluation of leaves.
    LeafEvaluation {
        /// The full evaluation: [`crate::Heuristics::heuristic`].
        Features = "features",
        /// Material only: [`crate::Heuristics::material`].
        Material = "material",
    }
}

tunables! {
    "alpha-beta search";
    /// Evaluation of leaves: all heuristic features or material only.
    evaluation: LeafEvaluation = LeafEvaluation::Features, ();
    /// Alpha-beta pruning; without it, the search is plain minimax.
    pruning: bool = true, ();
    /// Iterative deepening: searches depths 1, 2, 3, ... in turn; without it, only the final depth.
    deepening: bool = true, ();
    /// Principal variation search: searches moves after the first with a null window.
    scout: bool = true, ();
    /// Aspiration windows: searches each depth with a narrow window around the previous score first.
    aspiration: bool = true, ();
    /// Transposition table.
    table: bool = true, ();
    /// Uses table entries from deeper searches as well as from searches of the same depth.
    deeper: bool = true, ();
    /// Quiescence search: resolves captures before a leaf is evaluated.
    quiescence: bool = true, ();
    /// Delta pruning in quiescence search: skips captures that gain too little to matter.
    delta: bool = true, ();
    /// Static exchange evaluation: searches losing captures last, and skips them near leaves and in quiescence search.
    exchange: bool = true, ();
    /// Killer moves: prefers moves that caused a cutoff in a sibling position.
    killers: bool = true, ();
    /// History heuristic: prefers moves that often caused cutoffs.
    history: bool = true, ();
    /// Continuation history: prefers moves that often caused cutoffs after the same previous move.
    continuation: bool = false, ();
    /// Mate-distance pruning: skips positions that cannot lead to a shorter win or a longer loss.
    mate_distance: bool = true, ();
    /// Treats the first repetition within the search as a draw.
    early_repetition: bool = false, ();
    /// Late move reductions: searches late quiet moves to a reduced depth and re-searches those that do better than expected.
    reductions: bool = true, ();
    /// Internal iterative reduction: searches a position without a table move to a depth reduced by one ply.
    iterative_reduction: bool = true, ();
    /// Null-move pruning: skips a position if even passing is good enough, in games where passing is rarely best.
    null_move: bool = true, ();
    /// Futility pruning: near leaves, skips positions and quiet moves if the evaluation is far outside the window.
    futility: bool = true, ();
    /// Razoring: near leaves, goes straight to quiescence search if the evaluation is far below the window.
    razoring: bool = true, ();
    /// Late move pruning: near leaves, skips late quiet moves.
    late_moves: bool = true, ();
    /// Extends the search by one ply for a forced move.
    extensions: bool = false, ();
    /// Extends the search by one ply for a check.
    checks: bool = true, ();
    /// Uses values from endgame tables.
    tables: bool = false, ();
    /// Number of best moves with exact values (MultiPV); the values of other moves are upper bounds.
    lines: u32 = 1, 1..=256;
}

impl Config {
    /// Minimax to a fixed depth.
    pub fn minimax() -> Config {
        Config { pruning: false, ..Config::plain() }
    }

    /// Alpha-beta to a fixed depth (Knuth and Moore 1975) without enhancements.
    pub fn plain() -> Config {
        Config {
            evaluation: LeafEvaluation::Features,
            pruning: true,
            deepening: false,
            scout: false,
            aspiration: false,
            table: false,
            deeper: false,
            quiescence: false,
            delta: false,
            exchange: false,
            killers: false,
            history: false,
            continuation: false,
            mate_distance: false,
            early_repetition: false,
            reductions: false,
            iterative_reduction: false,
            null_move: false,
            futility: false,
            razoring: false,
            late_moves: false,
            extensions: false,
            checks: false,
            tables: false,
            lines: 1,
        }
    }

    /// The default configuration without the enhancements that change the result of a search to a fixed depth.
    pub fn fixed_depth() -> Config {
        Config {
            deeper: false,
            delta: false,
            exchange: false,
            early_repetition: false,
            reductions: false,
            iterative_reduction: false,
            null_move: false,
            futility: false,
            razoring: false,
            late_moves: false,
            extensions: false,
            checks: false,
            ..Config::default()
        }
    }

    /// Whether the search is selective, so that it may overlook a move within its depth.
    pub(super) fn is_selective(&self) -> bool {
        let Config { reductions, iterative_reduction, null_move, futility, razoring, late_moves, .. } = *self;
        reductions || iterative_reduction || null_move || futility || razoring || late_moves || self.exchange
    }

    /// Whether the search prunes by the static evaluation of inner nodes, in games that allow it.
    pub(super) fn prunes_by_evaluation(&self) -> bool {
        self.null_move || self.futility || self.razoring || self.late_moves || self.exchange
    }
}
