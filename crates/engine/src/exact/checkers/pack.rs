//! Slices from memory to the sections of a file, and back.

use super::Value;
use super::code::{Coded, Runs};
use super::distance::spread;
use super::file::SliceFile;
use super::material::Material;
use super::memory::{Memory, Slice, shape, turned};
use super::rows::Rows;
use super::subsets::{rank, subsets};
use crate::Side;
use crate::bits::{each_bit, gather, scatter};
use crate::games::checkers::Checkers;

/// One side to move of a slice, ready for its file.
pub(super) struct Section {
    /// Positions won and lost for the side to move.
    pub(super) wins: u64,
    pub(super) losses: u64,
    pub(super) coded: Coded,
}

impl Section {
    /// The section of one side to move.
    pub(super) fn new(slice: &Slice, side: usize) -> Section {
        let half = &slice.halves[side];
        let ones = |set: &[u32]| set.iter().map(|word| u64::from(word.count_ones())).sum();
        let (wins, losses) = (ones(&half.win), ones(&half.loss));
        let mut runs = Runs::default();
        let mut rows = Rows::new(slice.material, side);
        slice.men.each(|placement, black, white| {
            rows.each([black, white], |row| {
                let (win, loss) = half.row(placement, row.place);
                for (word, &valid) in row.valid.iter().enumerate().filter(|(_, valid)| **valid != 0) {
                    let [win, loss, free] = [win[word], loss[word], row.captures[word]].map(|bits| gather(bits, valid));
                    runs.add(win, loss, free, valid.count_ones());
                }
            });
        });
        Section { wins, losses, coded: runs.encode() }
    }
}

/// Brings placements of a slice from its file back into memory; captures are valued anew.
pub(super) struct Loader<'a> {
    memory: &'a Memory,
    file: &'a SliceFile,
    rows: [Rows; 2],
    /// Where the sets of kings of a side of equal forces go when the board is turned round.
    turned_ranks: Vec<usize>,
}

impl<'a> Loader<'a> {
    /// A loader of the slice of a file; all smaller slices must be in memory.
    pub(super) fn new(memory: &'a Memory, file: &'a SliceFile) -> Loader<'a> {
        let sets = &subsets(file.material.black.kings.into()).sets;
        let turned_ranks = sets.iter().map(|&set| rank(turned(set))).collect();
        Loader { memory, file, rows: [0, 1].map(|side| Rows::new(file.material, side)), turned_ranks }
    }

    /// Appends one placement as [`super::solve::Solver::solve`] would.
    pub(super) fn load(&mut self, men: [u32; 2], out: &mut Vec<u32>, plies: &mut Vec<u8>) {
        let material = self.file.material;
        let kings = [material.black.kings, material.white.kings];
        for side in 0..2 {
            self.load_plies(side, men, plies);
            let (rows, words) = shape(kings[side], kings[1 - side]);
            let start = out.len();
            out.resize(start + 2 * rows * words, 0);
            let (win, loss) = out[start..].split_at_mut(rows * words);
            if side < material.sections() {
                self.load_side(side, men, win, loss);
            } else {
                // Equal forces: white to move is black to move with colours exchanged.
                let mut twins = [vec![0; rows * words], vec![0; rows * words]];
                let [twin_win, twin_loss] = &mut twins;
                self.load_side(0, [turned(men[1]), turned(men[0])], twin_win, twin_loss);
                for (to, from) in [win, loss].into_iter().zip(&twins) {
                    for row in 0..rows {
                        for bit in 0..self.turned_ranks.len() {
                            let (from_row, from_bit) = (self.turned_ranks[row], self.turned_ranks[bit]);
                            let value = from[from_row * words + from_bit / 32] >> (from_bit % 32) & 1;
                            to[row * words + bit / 32] |= value << (bit % 32);
                        }
                    }
                }
            }
        }
    }

    /// Appends the distances of one side to move, where the file has them.
    fn load_plies(&self, side: usize, men: [u32; 2], plies: &mut Vec<u8>) {
        let Material { black, white } = self.file.material;
        let stored = side < self.file.material.sections();
        let kings = if side == 0 { [black.kings, white.kings] } else { [white.kings, black.kings] };
        let (side, men) = if stored { (side, men) } else { (0, [turned(men[1]), turned(men[0])]) };
        let Some(list) = self.file.distances(side) else { return };
        let size = self.file.index.per_placement(side) as usize;
        let list = &list[self.file.index.men.index(men[0], men[1]) * size..][..size];
        let start = plies.len();
        spread(kings, men[0] | men[1], list, plies);
        if !stored {
            let ranks = &self.turned_ranks;
            let twin = plies.split_off(start);
            plies.extend(
                ranks
                    .iter()
                    .flat_map(|&other| ranks.iter().map(move |&own| (other, own)))
                    .map(|(other, own)| twin[other * ranks.len() + own]),
            );
        }
    }

    fn load_side(&mut self, side: usize, men: [u32; 2], win: &mut [u32], loss: &mut [u32]) {
        let index = &self.file.index;
        let placement = index.men.index(men[0], men[1]) as u64;
        let mut stream = Stream::new(self.file, side, placement * index.per_placement(side));
        let (memory, movers, bits) = (self.memory, self.rows[side].bits_are_movers(), self.rows[side].bits());
        self.rows[side].each(men, |row| {
            let first = row.place * bits.words;
            for (word, &valid) in row.valid.iter().enumerate().filter(|(_, valid)| **valid != 0) {
                let (won, lost) = stream.take(valid.count_ones());
                let quiet = valid & !row.captures[word];
                let (mut won, mut lost) = (scatter(won, valid) & quiet, scatter(lost, valid) & quiet);
                each_bit((valid & row.captures[word]).into(), |bit| {
                    let kings = bits.sets[word * 32 + bit as usize];
                    let (own, other) = if movers { (kings, row.kings) } else { (0, kings) };
                    let position = match side {
                        0 => Checkers::of(men[0] | own, men[1] | other, own | other, Side::First),
                        _ => Checkers::of(men[0] | other, men[1] | own, own | other, Side::Second),
                    };
                    match memory.best(&position, |_| None) {
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

/// Values of a file one after another.
struct Stream<'a> {
    file: &'a SliceFile,
    side: usize,
    block: u64,
    /// What is left of the block.
    runs: Vec<(Value, u32)>,
    next: usize,
}

impl<'a> Stream<'a> {
    fn new(file: &'a SliceFile, side: usize, number: u64) -> Stream<'a> {
        let (block, mut skip) = file.block_of(side, number);
        let mut stream = Stream { file, side, block, runs: Vec::new(), next: 0 };
        stream.read_block();
        while let Some((_, length)) = stream.runs.get_mut(stream.next)
            && skip > 0
        {
            let some = skip.min(*length);
            *length -= some;
            skip -= some;
            if *length == 0 {
                stream.next += 1;
            }
        }
        stream
    }

    fn read_block(&mut self) {
        self.runs.clear();
        self.next = 0;
        self.file.read_block(self.side, self.block, &mut self.runs);
        self.block += 1;
    }

    /// The next so many values (up to 32) as bits: won, lost.
    fn take(&mut self, count: u32) -> (u32, u32) {
        let (mut won, mut lost, mut place) = (0, 0, 0);
        while place < count {
            if self.next == self.runs.len() {
                self.read_block();
            }
            let Some((value, length)) = self.runs.get_mut(self.next) else { return (won, lost) };
            let some = (*length).min(count - place);
            let bits = (((1u64 << some) - 1) << place) as u32;
            match value {
                Value::Win => won |= bits,
                Value::Loss => lost |= bits,
                Value::Draw => {}
            }
            *length -= some;
            place += some;
            if *length == 0 {
                self.next += 1;
            }
        }
        (won, lost)
    }
}
