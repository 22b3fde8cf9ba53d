//! The accumulators of a position, computed from those of another position and the features that differ.

use smallvec::SmallVec;

use super::{MAX_WIDTH, Network, WIDTH_STEP};
use crate::bits::each_bit;
use crate::{GameRules, Side};

/// Values that are updated together, in one vector register.
pub(super) type Block = [i16; WIDTH_STEP];
/// The activations of both accumulators, the mover's first, in the order of the weights of the heads.
pub(super) type Activations = [i16; 2 * MAX_WIDTH];

/// The input features of a position and the accumulators that result from them, from the points of view of both sides.
#[derive(Clone, Debug)]
pub struct Accumulators {
    /// The active features from the first and from the second side's point of view, as sets of bits.
    words: [Box<[u64]>; 2],
    values: [Box<[Block]>; 2],
}

impl Accumulators {
    /// The accumulators of an empty board.
    pub fn new(network: &Network) -> Accumulators {
        let words = || vec![0; network.sizes.features.div_ceil(64)].into();
        let biases = || network.feature_biases.as_slice().into();
        Accumulators { words: [words(), words()], values: [biases(), biases()] }
    }

    /// Sets the accumulators to those of a position, given those of another one of the same network. Costs time in proportion to the
    /// number of pieces that differ.
    #[inline]
    pub fn update<P: GameRules>(&mut self, source: &Accumulators, network: &Network, position: &P) {
        for (index, viewer) in [Side::First, Side::Second].into_iter().enumerate() {
            let words = &mut self.words[index];
            words.fill(0);
            position.feature_words(viewer, words);
            let (mut added, mut removed) = (SmallVec::<[usize; 32]>::new(), SmallVec::<[usize; 32]>::new());
            for (word, (&before, &after)) in source.words[index].iter().zip(words.iter()).enumerate() {
                if before != after {
                    each_bit(after & !before, |bit| added.push(word * 64 + bit as usize));
                    each_bit(before & !after, |bit| removed.push(word * 64 + bit as usize));
                }
            }
            network.add_rows(&mut self.values[index], &source.values[index], &added, &removed);
        }
    }

    /// The number of active features, which is that of the pieces on the board.
    #[inline]
    pub(super) fn count(&self) -> usize {
        self.words[0].iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Writes the activations for the side to move and returns the part of the buffer written to.
    #[inline]
    pub(super) fn activate<'a>(&self, turn: Side, buffer: &'a mut Activations) -> &'a [i16] {
        let [first, second] = &self.values;
        let (own, other) = if turn == Side::First { (first, second) } else { (second, first) };
        let activations = &mut buffer[..2 * own.len() * WIDTH_STEP];
        for (target, source) in activations.as_chunks_mut::<WIDTH_STEP>().0.iter_mut().zip(own.iter().chain(other.iter())) {
            for (activation, &value) in target.iter_mut().zip(source) {
                let clipped = value.clamp(0, 255) as u16;
                // At most 255 * 255 + 4, which fits.
                *activation = ((clipped * clipped + 4) >> 3) as i16;
            }
        }
        activations
    }
}

impl Network {
    #[inline]
    fn row(&self, feature: usize) -> &[Block] {
        let blocks = self.sizes.width / WIDTH_STEP;
        &self.feature_weights[feature * blocks..(feature + 1) * blocks]
    }

    /// Sets an accumulator to another one plus the rows of some features and minus those of others. The usual changes, one or two
    /// pieces that disappear and one that appears, take one pass.
    #[inline]
    fn add_rows(&self, target: &mut [Block], source: &[Block], added: &[usize], removed: &[usize]) {
        match (added, removed) {
            (&[added], &[removed]) => {
                for ((target, source), (add, remove)) in
                    target.iter_mut().zip(source).zip(self.row(added).iter().zip(self.row(removed)))
                {
                    for lane in 0..WIDTH_STEP {
                        target[lane] = source[lane].wrapping_add(add[lane]).wrapping_sub(remove[lane]);
                    }
                }
            }
            (&[added], &[first, second]) => {
                let rows = self.row(added).iter().zip(self.row(first).iter().zip(self.row(second)));
                for ((target, source), (add, (first, second))) in target.iter_mut().zip(source).zip(rows) {
                    for lane in 0..WIDTH_STEP {
                        let value = source[lane].wrapping_add(add[lane]);
                        target[lane] = value.wrapping_sub(first[lane]).wrapping_sub(second[lane]);
                    }
                }
            }
            _ => {
                target.copy_from_slice(source);
                for &feature in added {
                    for (target, row) in target.iter_mut().zip(self.row(feature)) {
                        target.iter_mut().zip(row).for_each(|(value, &add)| *value = value.wrapping_add(add));
                    }
                }
                for &feature in removed {
                    for (target, row) in target.iter_mut().zip(self.row(feature)) {
                        target.iter_mut().zip(row).for_each(|(value, &remove)| *value = value.wrapping_sub(remove));
                    }
                }
            }
        }
    }
}
