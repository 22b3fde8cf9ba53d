//! The alpha-beta window.

use crate::search::quiescence::{MAX_EVALUATION, WIN};

/// A window of scores for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Window {
    pub(super) alpha: i32,
    pub(super) beta: i32,
}

impl Window {
    /// The window that contains every score.
    pub(super) const FULL: Window = Window { alpha: -WIN - 1, beta: WIN + 1 };

    /// The window from the opponent's point of view.
    pub(super) fn negated(self) -> Window {
        Window { alpha: -self.beta, beta: -self.alpha }
    }

    /// The null window that tests whether a score is greater than `alpha`.
    pub(super) fn null(alpha: i32) -> Window {
        Window { alpha, beta: alpha + 1 }
    }

    /// Whether the window is wider than a null window.
    pub(super) fn is_open(self) -> bool {
        self.beta - self.alpha > 1
    }

    /// Whether the window only tests the distance to a win or loss, which requires a search without selective pruning.
    pub(super) fn is_decisive(self) -> bool {
        self.alpha >= MAX_EVALUATION || self.beta <= -MAX_EVALUATION
    }
}
