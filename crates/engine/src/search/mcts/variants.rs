//! The option combinations for which the simulation loop is compiled separately.

use super::tree::Tree;
use crate::search::config::{Config, Selection};

/// A variant of the simulation loop. The constants let the compiler remove what the variant does not need.
pub(super) trait Variant {
    /// Whether selection needs only the nodes: UCT without enhancements.
    const PLAIN: bool = false;
    /// Whether selection is UCT with implicit minimax and the solver, without other enhancements.
    const MINIMAX: bool = false;
    /// Whether the solver is on; `None` if the configuration decides.
    const SOLVER: Option<bool> = None;
    /// Whether every option is supported.
    const GENERAL: bool = !Self::PLAIN && !Self::MINIMAX;
}

/// UCT without enhancements and without the solver.
pub(super) struct PlainUct;
/// UCT with the solver: the default in Connect Four and tic-tac-toe.
pub(super) struct UctWithSolver;
/// UCT with the solver and implicit minimax: the default in checkers and chess.
pub(super) struct UctWithMinimax;
/// Any configuration.
pub(super) struct General;

impl Variant for PlainUct {
    const PLAIN: bool = true;
    const SOLVER: Option<bool> = Some(false);
}

impl Variant for UctWithSolver {
    const PLAIN: bool = true;
    const SOLVER: Option<bool> = Some(true);
}

impl Variant for UctWithMinimax {
    const MINIMAX: bool = true;
    const SOLVER: Option<bool> = Some(true);
}

impl Variant for General {}

/// The name of a variant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum VariantName {
    PlainUct,
    UctWithSolver,
    UctWithMinimax,
    General,
}

impl VariantName {
    /// The fastest variant that supports a configuration.
    pub(super) fn of(config: &Config, tree: &Tree) -> VariantName {
        let is_uct = config.selection == Selection::Uct
            && config.first_play < 0.0
            && config.widening == 0.0
            && !config.transpositions
            && config.rave == 0.0
            && tree.enhancements.priors.is_none();
        match (is_uct, tree.enhancements.minimax.is_some(), config.solver) {
            (true, false, false) => VariantName::PlainUct,
            (true, false, true) => VariantName::UctWithSolver,
            (true, true, true) => VariantName::UctWithMinimax,
            _ => VariantName::General,
        }
    }
}
