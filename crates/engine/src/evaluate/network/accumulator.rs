//! The accumulators of a position, updated by the features that differ from those of another position.

use super::{MAX_WIDTH, Network};
use crate::bits::each_bit;
use crate::{GameRules, Side};

/// The input features of a position and the accumulators that result from them, from the points of view of both sides.
#[derive(Clone, Debug)]
pub struct Accumulators {
    /// The active features from the first and from the second side's point of view, as sets of bits.
    words: [Box<[u64]>; 2],
    values: [Box<[i16]>; 2],
}

impl Accumulators {
    /// The accumulators of an empty board.
    pub fn new(network: &Network) -> Accumulators {
        let words = || vec![0; network.sizes.features.div_ceil(64)].into();
        let biases = || network.feature_biases.as_slice().into();
        Accumulators { words: [words(), words()], values: [biases(), biases()] }
    }

    /// Updates the accumulators to another position. Costs time in proportion to the number of pieces that differ.
    pub fn update<P: GameRules>(&mut self, network: &Network, position: &P) {
        for (index, viewer) in [Side::First, Side::Second].into_iter().enumerate() {
            let words = &mut self.words[index];
            let mut now = smallvec::SmallVec::<[u64; 16]>::from_elem(0, words.len());
            position.feature_words(viewer, &mut now);
            let mut added = smallvec::SmallVec::<[usize; 32]>::new();
            let mut removed = smallvec::SmallVec::<[usize; 32]>::new();
            for (word, (before, &after)) in words.iter_mut().zip(&now).enumerate() {
                each_bit(after & !*before, |bit| added.push(word * 64 + bit as usize));
                each_bit(*before & !after, |bit| removed.push(word * 64 + bit as usize));
                *before = after;
            }
            network.apply(&mut self.values[index], &added, &removed);
        }
    }

    /// Copies another position's accumulators.
    pub fn copy_from(&mut self, other: &Accumulators) {
        for index in 0..2 {
            self.words[index].copy_from_slice(&other.words[index]);
            self.values[index].copy_from_slice(&other.values[index]);
        }
    }

    /// The number of active features, which is that of the pieces on the board.
    pub(super) fn count(&self) -> usize {
        self.words[0].iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Writes the activations for the side to move: its own accumulator first, then its opponent's. Returns the slice written to.
    #[inline]
    pub(super) fn activate<'a>(&self, turn: Side, buffer: &'a mut [i16; 2 * MAX_WIDTH]) -> &'a [i16] {
        let [first, second] = &self.values;
        let (own, other) = if turn == Side::First { (first, second) } else { (second, first) };
        let activations = &mut buffer[..2 * own.len()];
        let (front, back) = activations.split_at_mut(own.len());
        for (target, source) in [(front, own), (back, other)] {
            for (activation, &value) in target.iter_mut().zip(source.iter()) {
                let clipped = value.clamp(0, 255) as u16;
                // At most 255 * 255 + 4, which fits.
                *activation = ((clipped * clipped + 4) >> 3) as i16;
            }
        }
        activations
    }
}

impl Network {
    /// Adds the rows of some features to an accumulator and subtracts those of others.
    #[inline]
    fn apply(&self, values: &mut [i16], added: &[usize], removed: &[usize]) {
        let width = self.sizes.width;
        let row = |feature: usize| &self.feature_weights[feature * width..(feature + 1) * width];
        let pairs = added.len().min(removed.len());
        for (&added, &removed) in added.iter().zip(removed) {
            for (value, (add, remove)) in values.iter_mut().zip(row(added).iter().zip(row(removed))) {
                *value = value.wrapping_add(*add).wrapping_sub(*remove);
            }
        }
        for &feature in &added[pairs..] {
            values.iter_mut().zip(row(feature)).for_each(|(value, add)| *value = value.wrapping_add(*add));
        }
        for &feature in &removed[pairs..] {
            values.iter_mut().zip(row(feature)).for_each(|(value, remove)| *value = value.wrapping_sub(*remove));
        }
    }
}
