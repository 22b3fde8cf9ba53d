//! Action indices, input features and evaluation features for learning.

use super::{Position, Side};

/// The maximum number of evaluation features of a game.
pub const MAX_FEATURES: usize = 16;
/// The value of [`Learning::phase`] at the start of a game; it is 0 at the end.
pub const MAX_PHASE: i32 = 24;
/// The number of input features of a position with which each later one forms a pair in [`Learning::visit_tuples`].
const MAX_PAIRED: usize = 32;

/// A named evaluation feature, such as those of Samuel (1959) for checkers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Feature {
    /// The name in weights files.
    pub name: &'static str,
    /// A description of what the feature measures.
    pub description: &'static str,
    /// The initial weight.
    pub initial_weight: f64,
}

/// The values of a position's features from the first side's point of view; unused entries are 0.
pub type FeatureValues = [f32; MAX_FEATURES];

/// A symmetry of a board as permutations of input features and actions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symmetry {
    /// The feature that each feature becomes.
    pub features: Vec<u32>,
    /// The action that each action becomes.
    pub actions: Vec<u32>,
}

impl Symmetry {
    /// A symmetry that moves each cell to another one, for features that are numbered by kind of piece and then by cell.
    pub fn new(cells: usize, kinds: usize, cell: impl Fn(usize) -> usize, actions: Vec<u32>) -> Symmetry {
        let features = (0..kinds).flat_map(|kind| (0..cells).map(move |from| (kind, from)));
        Symmetry { features: features.map(|(kind, from)| (kind * cells + cell(from)) as u32).collect(), actions }
    }
}

/// The encodings of positions and moves used for learning. Games without evaluation features or patterns keep the defaults.
pub trait Learning: Position {
    /// The index of a legal move, below [`super::Game::actions`], from the mover's point of view.
    fn action(&self, mv: Self::Move) -> usize;

    /// Calls `visit` with the input feature of each piece on its square, an index below [`super::Game::features`], from the point of
    /// view of `viewer`, normally the side to move.
    fn active_features(&self, viewer: Side, visit: impl FnMut(usize));

    /// Writes the active features as a set of bits to zeroed words.
    #[inline]
    fn feature_words(&self, viewer: Side, words: &mut [u64]) {
        self.active_features(viewer, |feature| words[feature / 64] |= 1 << (feature % 64));
    }

    /// The symmetries of the game other than the identity. They keep the point of view: exchanging the sides is not one of them.
    fn symmetries(&self) -> Vec<Symmetry> {
        Vec::new()
    }

    /// Whether the symmetries of the game keep the value and the moves of this position.
    fn is_symmetric(&self) -> bool {
        true
    }

    /// The game's evaluation features, at most [`MAX_FEATURES`].
    fn features(&self) -> &'static [Feature] {
        &[]
    }

    /// Writes the feature values, each roughly between -1 and 1.
    fn evaluate_features(&self, _values: &mut FeatureValues) {}

    /// The number of patterns in the game.
    fn pattern_count(&self) -> usize {
        0
    }

    /// Calls `visit` with the index of each pattern on the board and its count: the first side's count minus the second side's.
    fn visit_patterns(&self, _visit: impl FnMut(usize, i32)) {}

    /// Calls `visit` with the number of each active tuple: a small configuration of the position, seen by the side to move, for the
    /// tables of Q-learning. Equal configurations have equal numbers in every position, and a position with the sides exchanged has the
    /// same tuples. By default, these are the input features and their pairs; the side to move is part of the number, because the rules
    /// of a user game need not be symmetric.
    fn visit_tuples(&self, mut visit: impl FnMut(u64)) {
        let side = self.turn() as u64;
        let mut features = smallvec::SmallVec::<[u64; 64]>::new();
        self.active_features(self.turn(), |feature| features.push(feature as u64));
        visit(side);
        for (index, feature) in features.iter().enumerate() {
            visit((feature + 1) << 1 | side);
            for other in features[..index.min(MAX_PAIRED)].iter() {
                visit(((feature + 1) << 24 | (other + 1)) << 1 | side);
            }
        }
    }

    /// The game phase, from [`MAX_PHASE`] at the start to 0 at the end.
    fn phase(&self) -> i32 {
        0
    }
}
