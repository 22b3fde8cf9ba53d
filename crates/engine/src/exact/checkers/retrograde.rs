//! Retrograde analysis of one placement of men.
//!
//! Captures, man moves and crownings lead to other placements, which are solved first; only king moves stay within the
//! placement. King moves are processed a row of bits at a time. With Black to move and kings on `b`, the won positions, as a row
//! indexed by White's kings, are the union of the rows lost for White over all king moves `b -> b'`; the lost positions are
//! the intersection of the rows that are won for White or in which a white king blocks the move. The opponent reads the same
//! table with rows and columns exchanged, so each sweep ends by transposing the rows that changed. The analysis ends when a
//! sweep changes nothing.

use super::Value;
use super::captures::FixedMen;
use super::combinations::{Combinations, combinations, rank};
use super::slice::{LoadedSlices, Slice, rotated};
use crate::Side;
use crate::bits::each_bit;
use crate::games::checkers::Checkers;
use crate::games::checkers::board::{BLACK_CROWN, CAN_STEP, WHITE_CROWN, step};

/// Positions with one side to move. Rows are indexed by its own kings and bits by the opponent's; the opponent reads the
/// transposed tables.
#[derive(Default)]
struct WorkingTable {
    /// Positions without a capture.
    quiet: Vec<u32>,
    /// Quiet positions in which every man move loses.
    men_moves_lose: Vec<u32>,
    win: Vec<u32>,
    loss: Vec<u32>,
    /// Rows that differ from `transposed_win` and `transposed_loss`.
    stale: Vec<bool>,
    transposed_win: Vec<u32>,
    transposed_loss: Vec<u32>,
    /// Transposed rows that have changed since they were last read.
    updated: Vec<bool>,
}

/// Solves placements one by one.
pub(super) struct PlacementSolver<'a> {
    loaded: &'a LoadedSlices,
    slice: &'a Slice,
    kings: [&'static Combinations; 2],
    tables: [WorkingTable; 2],
    scratch: [Vec<u32>; 3],
}

impl<'a> PlacementSolver<'a> {
    /// Returns a solver for a slice. All positions reachable from it must be loaded.
    pub(super) fn new(loaded: &'a LoadedSlices, slice: &'a Slice) -> PlacementSolver<'a> {
        let kings = [slice.material.black.kings, slice.material.white.kings].map(|count| combinations(count.into()));
        PlacementSolver { loaded, slice, kings, tables: Default::default(), scratch: Default::default() }
    }

    /// Appends the won and lost positions with Black to move, then those with White to move, in the layout of [`Slice`].
    pub(super) fn solve(&mut self, black_men: u32, white_men: u32, out: &mut Vec<u32>) {
        if self.slice.material.white.kings == 0 {
            self.solve_without_white_kings(black_men, white_men, out);
            return;
        }
        for side in 0..2 {
            self.initialize(side, [black_men, white_men]);
            self.transpose_stale_rows(side);
        }
        let men = black_men | white_men;
        while (0..2).fold(false, |any_change, side| {
            any_change | (self.sweep(side, men, &mut |_, _, _| {}) && self.transpose_stale_rows(side))
        }) {}
        for table in &self.tables {
            out.extend_from_slice(&table.transposed_win);
            out.extend_from_slice(&table.transposed_loss);
        }
    }

    /// Solves a placement in which both sides have kings, and computes the distance to conversion in plies if the winner
    /// minimises and the loser maximises it. Calls `on_new` for each won or lost position with the distance, the side to move,
    /// the rank of that side's kings and the rank of the opponent's kings.
    pub(super) fn conversion_distances(&mut self, men: [u32; 2], mut on_new: impl FnMut(u32, usize, usize, usize)) {
        for side in 0..2 {
            self.initialize(side, men);
            self.transpose_stale_rows(side);
            let words = self.kings[1 - side].words;
            for (word, (win, loss)) in self.tables[side].win.iter().zip(&self.tables[side].loss).enumerate() {
                each_bit((win | loss).into(), |bit| on_new(1, side, word / words, word % words * 32 + bit as usize));
            }
        }
        for plies in 2.. {
            let mut any_change = false;
            for side in 0..2 {
                any_change |= self.sweep(side, men[0] | men[1], &mut |row, word, new_bits: u32| {
                    each_bit(new_bits.into(), |bit| on_new(plies, side, row, word * 32 + bit as usize));
                });
            }
            if !any_change {
                return;
            }
            (0..2).for_each(|side| _ = self.transpose_stale_rows(side));
        }
    }

    /// Solves a placement in which White has no kings. All of White's moves leave the placement, so one pass for each side is
    /// enough.
    fn solve_without_white_kings(&mut self, black_men: u32, white_men: u32, out: &mut Vec<u32>) {
        let men = black_men | white_men;
        let kings = self.kings[0];
        let words = kings.words;
        let first = out.len();
        out.resize(first + 4 * words, 0);
        let out = &mut out[first..];
        for (index, &black_kings) in kings.sets.iter().enumerate() {
            if black_kings & men == 0 {
                let position = Checkers::from_sets(black_men | black_kings, white_men, black_kings, Side::Second);
                let value = self.loaded.best(&position, |_| None);
                set(&mut out[2 * words..], words, index, value);
            }
        }
        for (index, &black_kings) in kings.sets.iter().enumerate() {
            if black_kings & men == 0 {
                let position = Checkers::from_sets(black_men | black_kings, white_men, black_kings, Side::First);
                let value = self.loaded.best(&position, |after| {
                    let (black, white, after_kings) = after.sets();
                    let same = (black & !after_kings, white) == (black_men, white_men);
                    same.then(|| get(&out[2 * words..], words, rank(after_kings)))
                });
                set(out, words, index, value);
            }
        }
    }

    /// Initialises a table with the positions decided by captures and man moves.
    fn initialize(&mut self, side: usize, men: [u32; 2]) {
        let (own_kings, other_kings) = (self.kings[side], self.kings[1 - side]);
        let words = other_kings.words;
        let size = own_kings.sets.len() * words;
        let table = &mut self.tables[side];
        for row in [&mut table.quiet, &mut table.men_moves_lose, &mut table.win, &mut table.loss] {
            row.clear();
            row.resize(size, 0);
        }
        for transposed in [&mut table.transposed_win, &mut table.transposed_loss] {
            transposed.clear();
            transposed.resize(other_kings.sets.len() * own_kings.words, 0);
        }
        table.stale.clear();
        table.stale.resize(own_kings.sets.len(), true);
        table.updated.clear();
        table.updated.resize(other_kings.sets.len(), true);
        self.scratch.iter_mut().for_each(|row| row.resize(words, 0));
        let fixed = FixedMen { own_men: men[side], other_men: men[1 - side], white: side == 1 };
        let all_men = men[0] | men[1];
        let [valid, captures, _] = &mut self.scratch;
        for (row, &own) in own_kings.sets.iter().enumerate().filter(|(_, own)| **own & all_men == 0) {
            let here = row * words..(row + 1) * words;
            let [win, loss] = [&mut table.win[here.clone()], &mut table.loss[here.clone()]];
            let [quiet, men_moves_lose] = [&mut table.quiet[here.clone()], &mut table.men_moves_lose[here]];
            other_kings.fill_disjoint(all_men | own, valid);
            fixed.captures_over_opponent_kings(own, other_kings, captures);
            for word in 0..words {
                quiet[word] = valid[word] & !captures[word];
                each_bit((valid[word] & captures[word]).into(), |bit| {
                    let other = other_kings.sets[word * 32 + bit as usize];
                    let pieces = [men[side] | own, men[1 - side] | other];
                    let turn = if side == 0 { Side::First } else { Side::Second };
                    let position = Checkers::from_sets(pieces[side], pieces[1 - side], own | other, turn);
                    match self.loaded.best(&position, |_| None) {
                        Value::Win => win[word] |= 1 << bit,
                        Value::Loss => loss[word] |= 1 << bit,
                        Value::Draw => {}
                    }
                });
            }
            men_moves_lose.copy_from_slice(quiet);
            let man_moves = ManMoves { loaded: self.loaded, slice: self.slice, side, men, own, row };
            man_moves.for_each(|to, won, lost| {
                let blocked = other_kings.containing(to);
                for word in 0..words {
                    win[word] |= quiet[word] & lost[word];
                    men_moves_lose[word] &= won[word] | blocked[word];
                }
            });
        }
    }

    /// Updates the rows from which a king move leads to an updated row of the opponent. Returns whether anything changed. Calls
    /// `on_new` with row, word and newly decided bits.
    #[inline(always)]
    fn sweep(&mut self, side: usize, men: u32, on_new: &mut impl FnMut(usize, usize, u32)) -> bool {
        let (own_kings, other_kings) = (self.kings[side], self.kings[1 - side]);
        let words = other_kings.words;
        let [first, second] = &mut self.tables;
        let (table, other) = if side == 0 { (first, second) } else { (second, first) };
        let [won, lost, _] = &mut self.scratch;
        let (won, lost) = (&mut won[..words], &mut lost[..words]);
        let mut any_change = false;
        for (row, _) in own_kings.sets.iter().enumerate().filter(|(_, own)| **own & men == 0) {
            let king_moves = own_kings.king_moves(row);
            if !king_moves.iter().any(|&(to_row, _)| other.updated[to_row as usize]) && !king_moves.is_empty() {
                continue;
            }
            let here = row * words..(row + 1) * words;
            won.fill(0);
            lost.copy_from_slice(&table.men_moves_lose[here.clone()]);
            for &(to_row, to) in king_moves.iter().filter(|&&(_, to)| men >> to & 1 == 0) {
                let there = to_row as usize * words..(to_row as usize + 1) * words;
                let (other_win, other_loss) = (&other.transposed_win[there.clone()], &other.transposed_loss[there]);
                let blocked = other_kings.containing(to);
                for word in 0..words {
                    won[word] |= other_loss[word];
                    lost[word] &= other_win[word] | blocked[word];
                }
            }
            let [win, loss] = [&mut table.win[here.clone()], &mut table.loss[here.clone()]];
            let quiet = &table.quiet[here];
            let mut new_bits = 0;
            for word in 0..words {
                let won = won[word] & quiet[word];
                let new = (won & !win[word]) | (lost[word] & !loss[word]);
                on_new(row, word, new);
                new_bits |= new;
                win[word] |= won;
                loss[word] |= lost[word];
            }
            if new_bits != 0 {
                table.stale[row] = true;
                any_change = true;
            }
        }
        other.updated.fill(false);
        any_change
    }

    /// Updates the transposed copies of a table's stale rows. Returns whether there were any.
    fn transpose_stale_rows(&mut self, side: usize) -> bool {
        let (own_kings, other_kings) = (self.kings[side], self.kings[1 - side]);
        let (words, transposed_words) = (other_kings.words, own_kings.words);
        let table = &mut self.tables[side];
        let mut any_change = false;
        for column in 0..transposed_words {
            let rows = column * 32..(column * 32 + 32).min(own_kings.sets.len());
            if !table.stale[rows.clone()].contains(&true) {
                continue;
            }
            any_change = true;
            table.stale[rows.clone()].fill(false);
            for (from, to) in [(&table.win, &mut table.transposed_win), (&table.loss, &mut table.transposed_loss)] {
                for word in 0..words {
                    let mut block = [0; 32];
                    for (bits, row) in block.iter_mut().zip(rows.clone()) {
                        *bits = from[row * words + word];
                    }
                    transpose_32x32(&mut block);
                    let transposed_rows = word * 32..(word * 32 + 32).min(other_kings.sets.len());
                    for (bits, row) in block.into_iter().zip(transposed_rows) {
                        let old = &mut to[row * transposed_words + column];
                        if *old != bits {
                            *old = bits;
                            table.updated[row] = true;
                        }
                    }
                }
            }
        }
        any_change
    }
}

/// Man moves of one side in all positions of a row.
struct ManMoves<'a> {
    loaded: &'a LoadedSlices,
    slice: &'a Slice,
    side: usize,
    men: [u32; 2],
    own: u32,
    row: usize,
}

impl ManMoves<'_> {
    /// Calls `visit` for each man move that is not blocked by a man or a king of the same side, with the target square and
    /// the rows won and lost for the opponent, who moves next.
    fn for_each(&self, mut visit: impl FnMut(u32, &[u32], &[u32])) {
        let ManMoves { side, men, own, .. } = *self;
        let (crown, directions) = if side == 0 { (BLACK_CROWN, [2, 3]) } else { (WHITE_CROWN, [0, 1]) };
        each_bit(men[side].into(), |square| {
            let from = 1u32 << square;
            for direction in directions {
                let to = step(from & CAN_STEP[direction], direction) & !(men[0] | men[1] | own);
                if to == 0 {
                    continue;
                }
                let mut after = men;
                after[side] ^= from;
                if to & crown != 0 {
                    self.visit_crowning(after, to, &mut visit);
                } else {
                    after[side] |= to;
                    let placement = self.slice.men.index(after[0], after[1]);
                    let (won, lost) = self.slice.sides[1 - side].row(placement, self.row);
                    visit(to.trailing_zeros(), won, lost);
                }
            }
        });
    }

    fn visit_crowning(&self, men: [u32; 2], to: u32, visit: &mut impl FnMut(u32, &[u32], &[u32])) {
        let ManMoves { side, own, .. } = *self;
        let mut material = self.slice.material;
        let force = if side == 0 { &mut material.black } else { &mut material.white };
        *force = force.crowned();
        if material.is_stored() {
            let Some(slice) = self.loaded.get(material) else { return };
            let (won, lost) = slice.sides[1 - side].row(slice.men.index(men[0], men[1]), rank(own | to));
            visit(to.trailing_zeros(), won, lost);
        } else if let Some(slice) = self.loaded.get(material.swapped()) {
            // Only the slice with the colours swapped is stored, so its bits have to be permuted.
            let placement = slice.men.index(rotated(men[1]), rotated(men[0]));
            let (won, lost) = slice.sides[side].row(placement, rank(rotated(own | to)));
            let others = if side == 0 { self.slice.material.white } else { self.slice.material.black };
            let others = combinations(others.kings.into());
            let mut rows = [vec![0; others.words], vec![0; others.words]];
            for (bit, &other) in others.sets.iter().enumerate() {
                let from = rank(rotated(other));
                for (to, from_row) in rows.iter_mut().zip([won, lost]) {
                    to[bit / 32] |= (from_row[from / 32] >> (from % 32) & 1) << (bit % 32);
                }
            }
            visit(to.trailing_zeros(), &rows[0], &rows[1]);
        }
    }
}

fn set(bits: &mut [u32], words: usize, bit: usize, value: Value) {
    match value {
        Value::Win => bits[bit / 32] |= 1 << (bit % 32),
        Value::Loss => bits[words + bit / 32] |= 1 << (bit % 32),
        Value::Draw => {}
    }
}

fn get(bits: &[u32], words: usize, bit: usize) -> Value {
    if bits[bit / 32] >> (bit % 32) & 1 != 0 {
        Value::Win
    } else if bits[words + bit / 32] >> (bit % 32) & 1 != 0 {
        Value::Loss
    } else {
        Value::Draw
    }
}

/// Transposes a 32x32 bit matrix (Warren, Hacker's Delight, section 7-3).
#[inline]
fn transpose_32x32(block: &mut [u32; 32]) {
    let (mut width, mut mask) = (16, 0x0000_ffffu32);
    while width != 0 {
        let mut row = 0;
        while row < 32 {
            let swap = ((block[row] >> width) ^ block[row + width]) & mask;
            block[row] ^= swap << width;
            block[row + width] ^= swap;
            row = (row + width + 1) & !width;
        }
        width >>= 1;
        mask ^= mask << width;
    }
}
