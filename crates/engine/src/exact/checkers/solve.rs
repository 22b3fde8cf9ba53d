//! The positions of one placement of men, all at once.
//!
//! Steps of men, crownings and captures leave the placement for one that is solved already. What is left are the steps of
//! kings, and those are solved by whole rows. With black to move and kings on `b`, the won positions, as a row of bits over
//! white's kings, are the union of the rows of positions lost for white after each step `b -> b'`; the lost ones are the
//! intersection of the rows of positions won for white, or in which a white king stands in the way. The next turn needs the
//! same table with rows and bits exchanged, so each pass ends by transposing what has changed; the passes end when nothing
//! changes any more.

use super::Value;
use super::memory::{Memory, Slice, turned};
use super::subsets::{Subsets, rank, subsets};
use super::threats::Still;
use crate::Side;
use crate::bits::each_bit;
use crate::games::checkers::Checkers;
use crate::games::checkers::board::{BLACK_CROWN, CAN_STEP, WHITE_CROWN, step};

/// One side to move, rows over its kings and bits over the other's, and the same the other way round for the other to read.
#[derive(Default)]
struct Table {
    /// Without a capture.
    quiet: Vec<u32>,
    /// Quiet, and every man's step loses.
    doomed: Vec<u32>,
    win: Vec<u32>,
    loss: Vec<u32>,
    /// Rows that differ from what `turned_win` and `turned_loss` hold.
    changed: Vec<bool>,
    turned_win: Vec<u32>,
    turned_loss: Vec<u32>,
    /// Rows of these that have changed since they were read.
    fresh: Vec<bool>,
}

/// Works on one placement after another.
pub(super) struct Solver<'a> {
    memory: &'a Memory,
    slice: &'a Slice,
    kings: [&'static Subsets; 2],
    tables: [Table; 2],
    scratch: [Vec<u32>; 3],
}

impl<'a> Solver<'a> {
    /// A solver of a slice; everything its placements lead to must be in memory.
    pub(super) fn new(memory: &'a Memory, slice: &'a Slice) -> Solver<'a> {
        let kings = [slice.material.black.kings, slice.material.white.kings].map(|count| subsets(count.into()));
        Solver { memory, slice, kings, tables: Default::default(), scratch: Default::default() }
    }

    /// Appends to `out` what is won and lost for black to move, and won and lost for white to move, as [`Slice`] holds it.
    pub(super) fn solve(&mut self, black_men: u32, white_men: u32, out: &mut Vec<u32>) {
        if self.slice.material.white.kings == 0 {
            self.solve_directly(black_men, white_men, out);
            return;
        }
        for side in 0..2 {
            self.begin(side, [black_men, white_men]);
            self.turn(side);
        }
        let men = black_men | white_men;
        while (0..2).fold(false, |any, side| any | (self.pass(side, men, &mut |_, _, _| {}) && self.turn(side))) {}
        for table in &self.tables {
            out.extend_from_slice(&table.turned_win);
            out.extend_from_slice(&table.turned_loss);
        }
    }

    /// Solves a placement in which both sides have kings and counts the plies to the next capture or step of a man, if the
    /// winner hurries and the loser resists. `note` is called with each decided position: the count, the side to move, and the
    /// ranks of its kings and of the other's.
    pub(super) fn count(&mut self, men: [u32; 2], mut note: impl FnMut(u32, usize, usize, usize)) {
        for side in 0..2 {
            self.begin(side, men);
            self.turn(side);
            let words = self.kings[1 - side].words;
            for (place, (win, loss)) in self.tables[side].win.iter().zip(&self.tables[side].loss).enumerate() {
                each_bit((win | loss).into(), |bit| note(1, side, place / words, place % words * 32 + bit as usize));
            }
        }
        for plies in 2.. {
            let mut any = false;
            for side in 0..2 {
                any |= self.pass(side, men[0] | men[1], &mut |row, place, news: u32| {
                    each_bit(news.into(), |bit| note(plies, side, row, place * 32 + bit as usize));
                });
            }
            if !any {
                return;
            }
            (0..2).for_each(|side| _ = self.turn(side));
        }
    }

    /// Where one side has no kings, nothing comes back: its positions follow from other placements, the other side's from them.
    fn solve_directly(&mut self, black_men: u32, white_men: u32, out: &mut Vec<u32>) {
        let men = black_men | white_men;
        let kings = self.kings[0];
        let words = kings.words;
        let first = out.len();
        out.resize(first + 4 * words, 0);
        let out = &mut out[first..];
        for (rank_here, &black_kings) in kings.sets.iter().enumerate() {
            if black_kings & men == 0 {
                let position = Checkers::of(black_men | black_kings, white_men, black_kings, Side::Second);
                let value = self.memory.best(&position, |_| None);
                set(&mut out[2 * words..], words, rank_here, value);
            }
        }
        for (rank_here, &black_kings) in kings.sets.iter().enumerate() {
            if black_kings & men == 0 {
                let position = Checkers::of(black_men | black_kings, white_men, black_kings, Side::First);
                let value = self.memory.best(&position, |after| {
                    let (black, white, after_kings) = after.sets();
                    let same = (black & !after_kings, white) == (black_men, white_men);
                    same.then(|| get(&out[2 * words..], words, rank(after_kings)))
                });
                set(out, words, rank_here, value);
            }
        }
    }

    /// Fills a table with what captures and men's steps decide.
    fn begin(&mut self, side: usize, men: [u32; 2]) {
        let (own_kings, other_kings) = (self.kings[side], self.kings[1 - side]);
        let words = other_kings.words;
        let size = own_kings.sets.len() * words;
        let table = &mut self.tables[side];
        for row in [&mut table.quiet, &mut table.doomed, &mut table.win, &mut table.loss] {
            row.clear();
            row.resize(size, 0);
        }
        for turned in [&mut table.turned_win, &mut table.turned_loss] {
            turned.clear();
            turned.resize(other_kings.sets.len() * own_kings.words, 0);
        }
        table.changed.clear();
        table.changed.resize(own_kings.sets.len(), true);
        table.fresh.clear();
        table.fresh.resize(other_kings.sets.len(), true);
        self.scratch.iter_mut().for_each(|row| row.resize(words, 0));
        let still = Still { own_men: men[side], other_men: men[1 - side], white: side == 1 };
        let all_men = men[0] | men[1];
        let [valid, captures, _] = &mut self.scratch;
        for (row, &own) in own_kings.sets.iter().enumerate().filter(|(_, own)| **own & all_men == 0) {
            let here = row * words..(row + 1) * words;
            let [win, loss] = [&mut table.win[here.clone()], &mut table.loss[here.clone()]];
            let [quiet, doomed] = [&mut table.quiet[here.clone()], &mut table.doomed[here]];
            other_kings.fill_without(all_men | own, valid);
            still.captures_by(own, other_kings, captures);
            for place in 0..words {
                quiet[place] = valid[place] & !captures[place];
                each_bit((valid[place] & captures[place]).into(), |bit| {
                    let other = other_kings.sets[place * 32 + bit as usize];
                    let pieces = [men[side] | own, men[1 - side] | other];
                    let turn = if side == 0 { Side::First } else { Side::Second };
                    let position = Checkers::of(pieces[side], pieces[1 - side], own | other, turn);
                    match self.memory.best(&position, |_| None) {
                        Value::Win => win[place] |= 1 << bit,
                        Value::Loss => loss[place] |= 1 << bit,
                        Value::Draw => {}
                    }
                });
            }
            doomed.copy_from_slice(quiet);
            let mover = Mover { memory: self.memory, slice: self.slice, side, men, own, row };
            mover.each_man_step(|to, won, lost| {
                let blocked = other_kings.with(to);
                for place in 0..words {
                    win[place] |= quiet[place] & lost[place];
                    doomed[place] &= won[place] | blocked[place];
                }
            });
        }
    }

    /// Adds what follows from the other side's table for the rows whose steps lead to fresh rows; whether anything did. `note` is
    /// called with row, word and bits of what is new.
    #[inline(always)]
    fn pass(&mut self, side: usize, men: u32, note: &mut impl FnMut(usize, usize, u32)) -> bool {
        let (own_kings, other_kings) = (self.kings[side], self.kings[1 - side]);
        let words = other_kings.words;
        let [first, second] = &mut self.tables;
        let (table, other) = if side == 0 { (first, second) } else { (second, first) };
        let [won, lost, _] = &mut self.scratch;
        let (won, lost) = (&mut won[..words], &mut lost[..words]);
        let mut any = false;
        for (row, _) in own_kings.sets.iter().enumerate().filter(|(_, own)| **own & men == 0) {
            let steps = own_kings.steps(row);
            if !steps.iter().any(|&(to_row, _)| other.fresh[to_row as usize]) && !steps.is_empty() {
                continue;
            }
            let here = row * words..(row + 1) * words;
            won.fill(0);
            lost.copy_from_slice(&table.doomed[here.clone()]);
            for &(to_row, to) in steps.iter().filter(|&&(_, to)| men >> to & 1 == 0) {
                let there = to_row as usize * words..(to_row as usize + 1) * words;
                let (other_win, other_loss) = (&other.turned_win[there.clone()], &other.turned_loss[there]);
                let blocked = other_kings.with(to);
                for place in 0..words {
                    won[place] |= other_loss[place];
                    lost[place] &= other_win[place] | blocked[place];
                }
            }
            let [win, loss] = [&mut table.win[here.clone()], &mut table.loss[here.clone()]];
            let quiet = &table.quiet[here];
            let mut news = 0;
            for place in 0..words {
                let won = won[place] & quiet[place];
                let new = (won & !win[place]) | (lost[place] & !loss[place]);
                note(row, place, new);
                news |= new;
                win[place] |= won;
                loss[place] |= lost[place];
            }
            if news != 0 {
                table.changed[row] = true;
                any = true;
            }
        }
        other.fresh.fill(false);
        any
    }

    /// Brings the changed rows of a table into the form the other side reads; whether there were any.
    fn turn(&mut self, side: usize) -> bool {
        let (own_kings, other_kings) = (self.kings[side], self.kings[1 - side]);
        let (words, turned_words) = (other_kings.words, own_kings.words);
        let table = &mut self.tables[side];
        let mut any = false;
        for strip in 0..turned_words {
            let rows = strip * 32..(strip * 32 + 32).min(own_kings.sets.len());
            if !table.changed[rows.clone()].contains(&true) {
                continue;
            }
            any = true;
            table.changed[rows.clone()].fill(false);
            for (from, to) in [(&table.win, &mut table.turned_win), (&table.loss, &mut table.turned_loss)] {
                for place in 0..words {
                    let mut block = [0; 32];
                    for (word, row) in block.iter_mut().zip(rows.clone()) {
                        *word = from[row * words + place];
                    }
                    transpose(&mut block);
                    let turned_rows = place * 32..(place * 32 + 32).min(other_kings.sets.len());
                    for (word, row) in block.into_iter().zip(turned_rows) {
                        let old = &mut to[row * turned_words + strip];
                        if *old != word {
                            *old = word;
                            table.fresh[row] = true;
                        }
                    }
                }
            }
        }
        any
    }
}

/// One side's men with its kings in one row.
struct Mover<'a> {
    memory: &'a Memory,
    slice: &'a Slice,
    side: usize,
    men: [u32; 2],
    own: u32,
    row: usize,
}

impl Mover<'_> {
    /// Calls `visit` for each man's step that no man and no own king blocks: the square, and the rows of what the other side,
    /// then to move, has won and lost.
    fn each_man_step(&self, mut visit: impl FnMut(u32, &[u32], &[u32])) {
        let Mover { side, men, own, .. } = *self;
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
                    let (won, lost) = self.slice.halves[1 - side].row(placement, self.row);
                    visit(to.trailing_zeros(), won, lost);
                }
            }
        });
    }

    fn visit_crowning(&self, men: [u32; 2], to: u32, visit: &mut impl FnMut(u32, &[u32], &[u32])) {
        let Mover { side, own, .. } = *self;
        let mut material = self.slice.material;
        let force = if side == 0 { &mut material.black } else { &mut material.white };
        *force = force.crowned();
        if material.is_stored() {
            let Some(slice) = self.memory.get(material) else { return };
            let (won, lost) = slice.halves[1 - side].row(slice.men.index(men[0], men[1]), rank(own | to));
            visit(to.trailing_zeros(), won, lost);
        } else if let Some(slice) = self.memory.get(material.swapped()) {
            // The same slice with colours exchanged: its bits stand in another order.
            let placement = slice.men.index(turned(men[1]), turned(men[0]));
            let (won, lost) = slice.halves[side].row(placement, rank(turned(own | to)));
            let others = if side == 0 { self.slice.material.white } else { self.slice.material.black };
            let others = subsets(others.kings.into());
            let mut rows = [vec![0; others.words], vec![0; others.words]];
            for (bit, &other) in others.sets.iter().enumerate() {
                let from = rank(turned(other));
                for (to, from_row) in rows.iter_mut().zip([won, lost]) {
                    to[bit / 32] |= (from_row[from / 32] >> (from % 32) & 1) << (bit % 32);
                }
            }
            visit(to.trailing_zeros(), &rows[0], &rows[1]);
        }
    }
}

fn set(halves: &mut [u32], words: usize, bit: usize, value: Value) {
    match value {
        Value::Win => halves[bit / 32] |= 1 << (bit % 32),
        Value::Loss => halves[words + bit / 32] |= 1 << (bit % 32),
        Value::Draw => {}
    }
}

fn get(halves: &[u32], words: usize, bit: usize) -> Value {
    if halves[bit / 32] >> (bit % 32) & 1 != 0 {
        Value::Win
    } else if halves[words + bit / 32] >> (bit % 32) & 1 != 0 {
        Value::Loss
    } else {
        Value::Draw
    }
}

/// Exchanges rows and columns of a square of bits (Warren, Hacker's Delight, 7-3).
#[inline]
fn transpose(block: &mut [u32; 32]) {
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
