//! The result of a search.

use super::playout::Playout;
use crate::{ProvenValue, Side};

/// The relation of an alpha-beta score to the minimax value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// The value is at most the score.
    Upper,
    /// The value is at least the score.
    Lower,
    /// The value equals the score.
    Exact,
}

/// The analysis of a position by a tree search or an alpha-beta search, from the point of view of the side to move.
#[derive(Clone, Debug, PartialEq)]
pub struct Analysis {
    /// Every legal move, in the order of [`crate::Line::legal_moves`].
    pub moves: Vec<MoveAnalysis>,
    /// The index of the best move.
    pub best: usize,
    /// The expected score, from 0 (loss) to 1 (win).
    pub value: f64,
    /// The alpha-beta score in centipawns, where a win in `n` plies is [`WIN`](super::quiescence::WIN)` - n`. `None` before the first
    /// depth is searched and in tree searches.
    pub score: Option<i32>,
    /// The proven value, if any.
    pub proven: Option<ProvenValue>,
    /// Search statistics.
    pub stats: SearchStats,
    /// The number of nodes in the trees, or of positions visited by alpha-beta.
    pub nodes: u64,
    /// The memory used by the trees, or the maximum size of the transposition table, in bytes.
    pub bytes: usize,
    /// The time since the start of the search.
    pub seconds: f64,
}

/// The analysis of a legal move, from the point of view of the side that makes it.
#[derive(Clone, Debug, PartialEq)]
pub struct MoveAnalysis {
    /// The text of the move.
    pub text: String,
    /// The number of simulations that started with the move; 0 in alpha-beta.
    pub visits: u64,
    /// The expected score, from 0 (loss) to 1 (win); 0.5 if the move was not searched.
    pub value: f64,
    /// The prior probability of the move, if the tree search uses priors.
    pub prior: Option<f64>,
    /// The alpha-beta score in centipawns, if the move was searched.
    pub score: Option<(i32, Bound)>,
    /// The proven value, if any. The distance is counted from the position before the move.
    pub proven: Option<ProvenValue>,
    /// The principal variation, starting with the move itself.
    pub pv: Vec<String>,
}

impl MoveAnalysis {
    /// Whether the move is a proven draw.
    pub fn is_proven_draw(&self) -> bool {
        self.proven.is_some_and(|proven| proven.winner.is_none())
    }
}

/// Search statistics. Tree searches set the fields about simulations and playouts, alpha-beta sets `depth`, `cutoffs` and
/// `table_used`, and both set `max_depth`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SearchStats {
    /// The number of simulations.
    pub simulations: u64,
    /// The sum of the path lengths of all simulations, in plies from the root.
    pub total_depth: u64,
    /// The length of the longest path in plies, not counting quiescence search.
    pub max_depth: u32,
    /// The numbers of playouts won by the first side, won by the second side, drawn, and cut off before the end of the game.
    pub playout_results: [u64; 4],
    /// A histogram of playout lengths, in 16 bins of ten plies; the last bin includes all longer playouts.
    pub playout_lengths: [u64; 16],
    /// The total length of all playouts in plies.
    pub playout_plies: u64,
    /// The sum of the first side's rewards in all playouts, each from 0 to 1.
    pub playout_score: f64,
    /// The last completed depth of alpha-beta in plies.
    pub depth: u32,
    /// The number of beta cutoffs.
    pub cutoffs: u64,
    /// The fraction of the transposition table filled by the search, from 0 to 1.
    pub table_used: f64,
}

impl SearchStats {
    /// Adds a playout and the first side's reward in it, from 0 to 1.
    #[inline]
    pub fn add_playout(&mut self, playout: Playout, score: f64) {
        let result = playout.outcome.map_or(3, |outcome| outcome.winner.map_or(2, |side| side as usize));
        self.playout_results[result] += 1;
        self.playout_lengths[(playout.plies as usize / 10).min(15)] += 1;
        self.playout_plies += u64::from(playout.plies);
        self.playout_score += score;
    }

    /// Adds the statistics of another thread.
    pub fn add(&mut self, other: &SearchStats) {
        self.simulations += other.simulations;
        self.total_depth += other.total_depth;
        self.max_depth = self.max_depth.max(other.max_depth);
        for (sum, count) in self.playout_results.iter_mut().zip(other.playout_results) {
            *sum += count;
        }
        for (sum, count) in self.playout_lengths.iter_mut().zip(other.playout_lengths) {
            *sum += count;
        }
        self.playout_plies += other.playout_plies;
        self.playout_score += other.playout_score;
    }

    /// The number of playouts.
    pub fn playouts(&self) -> u64 {
        self.playout_results.iter().sum()
    }

    /// The mean length of the playouts in plies; 0 without playouts.
    pub fn mean_playout_length(&self) -> f64 {
        self.playout_plies as f64 / self.playouts().max(1) as f64
    }

    /// The first side's mean reward in the playouts, from 0 to 1; `None` without playouts.
    pub fn mean_playout_score(&self) -> Option<f64> {
        (self.playouts() > 0).then(|| self.playout_score / self.playouts() as f64)
    }

    /// The mean path length of the simulations in plies.
    pub fn mean_depth(&self) -> f64 {
        self.total_depth as f64 / self.simulations.max(1) as f64
    }
}

/// A node of a search tree, for display. Values are from the point of view of the side that moved to it.
#[derive(Clone, Debug, PartialEq)]
pub struct TreeNode {
    /// The index of the parent in the list of nodes; `None` for the root, which is first.
    pub parent: Option<usize>,
    /// The text of the move to this node; empty for the root.
    pub text: String,
    /// The side to move.
    pub turn: Side,
    /// The number of simulations through the node.
    pub visits: u32,
    /// The mean reward, from 0 to 1.
    pub value: f64,
    /// The sum of rewards.
    pub total: f64,
    /// The minimax value of the evaluations below the node, if selection uses it.
    pub minimax: Option<f64>,
    /// The exploration term of the selection formula: `c * sqrt(ln N / n)` in UCT.
    pub exploration: f64,
    /// The score by which selection ranks the node among its siblings, with all enhancements; 0 for the root.
    pub score: f64,
    /// The proven value, if any.
    pub proven: Option<ProvenValue>,
    /// The number of legal moves.
    pub children: usize,
}
