//! Conversion between slices in memory and the sections of their files.

use super::Value;
use super::combinations::{combinations, rank};
use super::compression::{EncodedRuns, RunLengthEncoder};
use super::distance::expand_distances;
use super::file::SliceFile;
use super::material::Material;
use super::rows::Rows;
use super::slice::{LoadedSlices, Slice, rotated, row_shape};
use crate::Side;
use crate::bits::{each_bit, gather, scatter};
use crate::games::checkers::Checkers;

/// The encoded positions of a slice with one side to move.
pub(super) struct Section {
    /// Numbers of positions won and lost by the side to move.
    pub(super) wins: u64,
    pub(super) losses: u64,
    pub(super) encoded: EncodedRuns,
}

impl Section {
    /// Encodes the positions with the given side to move.
    pub(super) fn new(slice: &Slice, side: usize) -> Section {
        let table = &slice.sides[side];
        let count_ones = |set: &[u32]| set.iter().map(|word| u64::from(word.count_ones())).sum();
        let (wins, losses) = (count_ones(&table.win), count_ones(&table.loss));
        let mut encoder = RunLengthEncoder::default();
        let mut rows = Rows::new(slice.material, side);
        slice.men.for_each(|placement, black, white| {
            rows.for_each([black, white], |row| {
                let (win, loss) = table.row(placement, row.index);
                for (word, &valid) in row.valid.iter().enumerate().filter(|(_, valid)| **valid != 0) {
                    let [win, loss, dont_care] = [win[word], loss[word], row.captures[word]].map(|bits| gather(bits, valid));
                    encoder.push(win, loss, dont_care, valid.count_ones());
                }
            });
        });
        Section { wins, losses, encoded: encoder.finish() }
    }
}

/// Loads placements of a slice from its file. Values of positions with captures are not stored but recomputed.
pub(super) struct Loader<'a> {
    loaded: &'a LoadedSlices,
    file: &'a SliceFile,
    rows: [Rows; 2],
    /// For slices with equal forces, the rank of each set of kings after rotating the board.
    rotated_ranks: Vec<usize>,
}

impl<'a> Loader<'a> {
    /// Returns a loader for a file. All smaller slices must be loaded.
    pub(super) fn new(loaded: &'a LoadedSlices, file: &'a SliceFile) -> Loader<'a> {
        let sets = &combinations(file.material.black.kings.into()).sets;
        let rotated_ranks = sets.iter().map(|&set| rank(rotated(set))).collect();
        Loader { loaded, file, rows: [0, 1].map(|side| Rows::new(file.material, side)), rotated_ranks }
    }

    /// Appends one placement in the layout of [`super::retrograde::PlacementSolver::solve`].
    pub(super) fn load(&mut self, men: [u32; 2], out: &mut Vec<u32>, distances: &mut Vec<u8>) {
        let material = self.file.material;
        let kings = [material.black.kings, material.white.kings];
        for side in 0..2 {
            self.load_distances(side, men, distances);
            let (rows, words) = row_shape(kings[side], kings[1 - side]);
            let start = out.len();
            out.resize(start + 2 * rows * words, 0);
            let (win, loss) = out[start..].split_at_mut(rows * words);
            if side < material.sections() {
                self.load_side(side, men, win, loss);
            } else {
                // Equal forces: White to move is Black to move with the colours swapped.
                let mut swapped = [vec![0; rows * words], vec![0; rows * words]];
                let [swapped_win, swapped_loss] = &mut swapped;
                self.load_side(0, [rotated(men[1]), rotated(men[0])], swapped_win, swapped_loss);
                for (to, from) in [win, loss].into_iter().zip(&swapped) {
                    for row in 0..rows {
                        for bit in 0..self.rotated_ranks.len() {
                            let (from_row, from_bit) = (self.rotated_ranks[row], self.rotated_ranks[bit]);
                            let value = from[from_row * words + from_bit / 32] >> (from_bit % 32) & 1;
                            to[row * words + bit / 32] |= value << (bit % 32);
                        }
                    }
                }
            }
        }
    }

    /// Appends the distances with the given side to move, if the file has them.
    fn load_distances(&self, side: usize, men: [u32; 2], distances: &mut Vec<u8>) {
        let Material { black, white } = self.file.material;
        let stored = side < self.file.material.sections();
        let kings = if side == 0 { [black.kings, white.kings] } else { [white.kings, black.kings] };
        let (side, men) = if stored { (side, men) } else { (0, [rotated(men[1]), rotated(men[0])]) };
        let Some(list) = self.file.distances(side) else { return };
        let size = self.file.index.per_placement(side) as usize;
        let list = &list[self.file.index.men.index(men[0], men[1]) * size..][..size];
        let start = distances.len();
        expand_distances(kings, men[0] | men[1], list, distances);
        if !stored {
            let ranks = &self.rotated_ranks;
            let swapped = distances.split_off(start);
            distances.extend(
                ranks
                    .iter()
                    .flat_map(|&other| ranks.iter().map(move |&own| (other, own)))
                    .map(|(other, own)| swapped[other * ranks.len() + own]),
            );
        }
    }

    fn load_side(&mut self, side: usize, men: [u32; 2], win: &mut [u32], loss: &mut [u32]) {
        let index = &self.file.index;
        let placement = index.men.index(men[0], men[1]) as u64;
        let mut reader = ValueReader::new(self.file, side, placement * index.per_placement(side));
        let (loaded, bits_are_own_kings, bits) = (self.loaded, self.rows[side].bits_are_own_kings(), self.rows[side].bits());
        self.rows[side].for_each(men, |row| {
            let first = row.index * bits.words;
            for (word, &valid) in row.valid.iter().enumerate().filter(|(_, valid)| **valid != 0) {
                let (won, lost) = reader.take(valid.count_ones());
                let quiet = valid & !row.captures[word];
                let (mut won, mut lost) = (scatter(won, valid) & quiet, scatter(lost, valid) & quiet);
                each_bit((valid & row.captures[word]).into(), |bit| {
                    let kings = bits.sets[word * 32 + bit as usize];
                    let (own, other) = if bits_are_own_kings { (kings, row.kings) } else { (0, kings) };
                    let position = match side {
                        0 => Checkers::from_sets(men[0] | own, men[1] | other, own | other, Side::First),
                        _ => Checkers::from_sets(men[0] | other, men[1] | own, own | other, Side::Second),
                    };
                    match loaded.best(&position, |_| None) {
                        Value::Win => won |= 1 << bit,
                        Value::Loss => lost |= 1 << bit,
                        Value::Draw => {}
                    }
                });
                (win[first + word], loss[first + word]) = (won, lost);
            }
        });
    }
}

/// Reads consecutive values from a file.
struct ValueReader<'a> {
    file: &'a SliceFile,
    side: usize,
    block: u64,
    /// Runs of the current block; those from index `next` on have not been consumed yet.
    runs: Vec<(Value, u32)>,
    next: usize,
}

impl<'a> ValueReader<'a> {
    fn new(file: &'a SliceFile, side: usize, index: u64) -> ValueReader<'a> {
        let (block, mut skip) = file.block_of(side, index);
        let mut reader = ValueReader { file, side, block, runs: Vec::new(), next: 0 };
        reader.read_block();
        while let Some((_, length)) = reader.runs.get_mut(reader.next)
            && skip > 0
        {
            let skipped = skip.min(*length);
            *length -= skipped;
            skip -= skipped;
            if *length == 0 {
                reader.next += 1;
            }
        }
        reader
    }

    fn read_block(&mut self) {
        self.runs.clear();
        self.next = 0;
        self.file.read_block(self.side, self.block, &mut self.runs);
        self.block += 1;
    }

    /// Returns the next `count` values (up to 32) as bit sets of won and lost positions.
    fn take(&mut self, count: u32) -> (u32, u32) {
        let (mut won, mut lost, mut filled) = (0, 0, 0);
        while filled < count {
            if self.next == self.runs.len() {
                self.read_block();
            }
            let Some((value, length)) = self.runs.get_mut(self.next) else { return (won, lost) };
            let taken = (*length).min(count - filled);
            let bits = (((1u64 << taken) - 1) << filled) as u32;
            match value {
                Value::Win => won |= bits,
                Value::Loss => lost |= bits,
                Value::Draw => {}
            }
            *length -= taken;
            filled += taken;
            if *length == 0 {
                self.next += 1;
            }
        }
        (won, lost)
    }
}
