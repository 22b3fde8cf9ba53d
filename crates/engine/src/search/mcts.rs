//! Monte Carlo tree search.
//!
//! A simulation selects a path down the tree, expands it by one node, evaluates that node and backs up the reward along the path. Each
//! phase has its own file. Rewards are 1 for a win, 0.5 for a draw and 0 for a loss, stored from the point of view of the side that
//! moved to the node.

mod analysis;
mod backup;
mod batch_evaluation;
mod columns;
mod enhancements;
mod evaluation;
mod expansion;
mod formulas;
mod gumbel;
mod node;
mod proven;
mod reclaim;
mod root;
mod run;
mod search;
mod selection;
mod serialization;
mod simulator;
mod subtree_batch;
#[cfg(test)]
mod tests;
mod transpositions;
mod tree;
mod variants;
mod widening;

pub use run::RunStatus;
pub use search::{Budget, Search, Threads};
