//! Tables of Q-values: the value of a move is the value of the position after it (its afterstate).
//!
//! A table stores values of positions for their side to move, between -1 (loss) and 1 (win). For small games, it has one entry for each
//! position. For other games, the value is `tanh` of the sum of the weights of the position's tuples ([`crate::Learning::visit_tuples`]),
//! which are hashed into a table of fixed size, as in n-tuple networks (Lucas 2008, "Learning to play Othello with n-tuple systems").

use smallvec::SmallVec;

use crate::rng::mix;
use crate::{Error, GameRules, Line, Outcome, Side};

/// The minimum and maximum of the binary logarithm of the number of entries.
pub const TABLE_BITS: std::ops::RangeInclusive<u32> = 4..=22;

/// The multiplier of Fibonacci hashing: 2^64 divided by the golden ratio.
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// A table of values of positions for the side to move.
#[derive(Clone, Debug)]
pub enum QTable {
    /// One entry for each position, up to a maximum number of positions.
    Positions(PositionTable),
    /// One weight for each hashed tuple.
    Tuples(TupleTable),
}

impl QTable {
    /// An empty table with 2^`bits` entries, in which every position is worth 0.
    pub fn new(is_tabular: bool, bits: u32) -> QTable {
        if is_tabular { QTable::Positions(PositionTable::new(bits)) } else { QTable::Tuples(TupleTable::new(bits)) }
    }

    /// The value of a position for the side to move, between -1 and 1.
    #[inline]
    pub fn value<P: GameRules>(&self, position: &P) -> f32 {
        match self {
            QTable::Positions(table) => table.get(position.key()),
            QTable::Tuples(table) => table.sum(position).tanh(),
        }
    }

    /// Moves the value of a position towards a target by a fraction `rate` of the difference; for tuples, the rate is relative to the
    /// gradient of the cross-entropy, which for `tanh` is the difference itself. Returns the difference.
    #[inline]
    pub fn update<P: GameRules>(&mut self, position: &P, target: f32, rate: f32) -> f32 {
        match self {
            QTable::Positions(table) => table.update(position.key(), target, rate),
            QTable::Tuples(table) => table.update(position, target, rate),
        }
    }

    /// The Q-value of a move for the side that makes it, between -1 and 1, without the discount for that move.
    ///
    /// The rules decide the value of a move that ends the game. A move that repeats an earlier position of the game is a draw, because
    /// otherwise a winning side could repeat moves until a draw rule applies.
    #[inline]
    fn q_value<P: GameRules>(&self, line: &Line<P>, mv: P::Move) -> f32 {
        let mover = line.position().turn();
        let mut after = line.position().clone();
        after.play(mv);
        if let Some(outcome) = after.outcome() {
            return result_for(outcome, mover);
        }
        if repeats(line, &after) {
            return 0.0;
        }
        let value = self.value(&after);
        // The sides need not alternate.
        if after.turn() == mover { value } else { -value }
    }

    /// The legal moves of an unfinished game and their Q-values.
    pub fn q_values<P: GameRules>(&self, line: &Line<P>) -> SmallVec<[(P::Move, f32); 64]> {
        let mut moves = SmallVec::new();
        line.position().legal_moves(|mv| moves.push((mv, self.q_value(line, mv))));
        moves
    }
}

/// The contents of a table with 16-bit values, as in files: a value is an integer times `scale`.
#[derive(Clone, Debug, PartialEq)]
pub struct QuantizedTable {
    /// The key of each position in ascending order; `None` for a table of tuples.
    pub keys: Option<Vec<u64>>,
    /// The values of the positions or the weights of the tuples.
    pub values: Vec<i16>,
    /// The unit of the values.
    pub scale: f32,
}

impl QuantizedTable {
    /// Rounds the values of a table.
    pub fn new(table: &QTable) -> QuantizedTable {
        let (keys, values) = match table {
            QTable::Positions(table) => {
                let (keys, values) = table.entries().into_iter().unzip();
                (Some(keys), values)
            }
            QTable::Tuples(table) => (None, table.weights.clone()),
        };
        let largest = values.iter().fold(0f32, |largest, value| largest.max(value.abs()));
        let scale = if largest > 0.0 { largest / f32::from(i16::MAX) } else { 1.0 };
        QuantizedTable { keys, values: values.iter().map(|value| (value / scale).round() as i16).collect(), scale }
    }

    /// Restores a table, which may come from a file. Returns an error if it is malformed.
    pub fn restore(&self) -> Result<QTable, Error> {
        if !(self.scale.is_finite() && self.scale > 0.0) {
            return Err(Error::option("the scale", "a positive number", &self.scale.to_string()));
        }
        let values: Vec<f32> = self.values.iter().map(|&value| f32::from(value) * self.scale).collect();
        let Some(keys) = &self.keys else {
            return TupleTable::from_weights(values).map(QTable::Tuples);
        };
        if keys.len() != values.len() {
            return Err(Error::option("the number of values", &keys.len().to_string(), &values.len().to_string()));
        }
        // Rounding may lead beyond 1.
        let entries: Vec<(u64, f32)> = keys.iter().zip(values).map(|(&key, value)| (key, value.clamp(-1.0, 1.0))).collect();
        PositionTable::from_entries(table_bits(entries.len()), &entries).map(QTable::Positions)
    }
}

/// The smallest table size that has room for a number of positions, as a binary logarithm.
fn table_bits(positions: usize) -> u32 {
    TABLE_BITS.clone().find(|&bits| positions < (1 << bits) / 4 * 3).unwrap_or(*TABLE_BITS.end())
}

/// The result for a side: 1, 0 or -1.
pub fn result_for(outcome: Outcome, side: Side) -> f32 {
    outcome.winner.map_or(0.0, |winner| if winner == side { 1.0 } else { -1.0 })
}

/// Whether a position has already occurred in the game.
fn repeats<P: GameRules>(line: &Line<P>, next: &P) -> bool {
    let reversible = next.reversible_plies() as usize;
    if next.repetition_limit() == 0 || reversible < 4 {
        return false;
    }
    let key = next.key();
    line.keys().iter().rev().take(reversible).any(|&earlier| earlier == key)
}

/// A hash table of values by position, with open addressing and linear probing. Values of absent positions are 0.
#[derive(Clone, Debug)]
pub struct PositionTable {
    /// The key of each entry; 0 if it is empty.
    keys: Vec<u64>,
    values: Vec<f32>,
    len: usize,
}

impl PositionTable {
    fn new(bits: u32) -> PositionTable {
        PositionTable { keys: vec![0; 1 << bits], values: vec![0.0; 1 << bits], len: 0 }
    }

    /// A table of 2^`bits` entries with the given contents; returns an error if they do not fit.
    pub fn from_entries(bits: u32, entries: &[(u64, f32)]) -> Result<PositionTable, Error> {
        let mut table = PositionTable::new(bits);
        for &(key, value) in entries {
            let slot = table.slot(key);
            if key == 0 || table.keys[slot] != 0 || table.is_full() || !(-1.0..=1.0).contains(&value) {
                return Err(Error::Parse(format!(
                    "entries must have distinct keys other than 0 and values between -1 and 1, and be at most {}",
                    table.capacity()
                )));
            }
            table.insert(slot, key, value);
        }
        Ok(table)
    }

    /// The entries in ascending order of keys.
    pub fn entries(&self) -> Vec<(u64, f32)> {
        let used = self.keys.iter().zip(&self.values).filter(|(key, _)| **key != 0);
        let mut entries: Vec<(u64, f32)> = used.map(|(&key, &value)| (key, value)).collect();
        entries.sort_unstable_by_key(|&(key, _)| key);
        entries
    }

    /// The maximum number of positions: three quarters of the entries.
    fn capacity(&self) -> usize {
        self.keys.len() / 4 * 3
    }

    fn is_full(&self) -> bool {
        self.len >= self.capacity()
    }

    /// The entry of a key, or the empty entry where it belongs.
    #[inline(always)]
    fn slot(&self, key: u64) -> usize {
        let mask = self.keys.len() - 1;
        let mut slot = mix(key) as usize & mask;
        while self.keys[slot] != key && self.keys[slot] != 0 {
            slot = (slot + 1) & mask;
        }
        slot
    }

    #[inline(always)]
    fn get(&self, key: u64) -> f32 {
        self.values[self.slot(key.max(1))]
    }

    fn insert(&mut self, slot: usize, key: u64, value: f32) {
        self.keys[slot] = key;
        self.values[slot] = value;
        self.len += 1;
    }

    fn update(&mut self, key: u64, target: f32, rate: f32) -> f32 {
        let slot = self.slot(key.max(1));
        let error = target - self.values[slot];
        if self.keys[slot] != 0 {
            self.values[slot] += rate * error;
        } else if !self.is_full() {
            self.insert(slot, key.max(1), rate * error);
        }
        error
    }
}

/// A table of tuple weights.
#[derive(Clone, Debug)]
pub struct TupleTable {
    weights: Vec<f32>,
    /// 64 minus the binary logarithm of the number of weights.
    shift: u32,
}

impl TupleTable {
    fn new(bits: u32) -> TupleTable {
        TupleTable { weights: vec![0.0; 1 << bits], shift: 64 - bits }
    }

    /// A table with the given weights. Returns an error unless they are finite and their number is a power of two within [`TABLE_BITS`].
    pub fn from_weights(weights: Vec<f32>) -> Result<TupleTable, Error> {
        let bits = weights.len().trailing_zeros();
        if !weights.len().is_power_of_two() || !TABLE_BITS.contains(&bits) {
            let allowed = format!("a power of two between {} and {}", 1 << TABLE_BITS.start(), 1 << TABLE_BITS.end());
            return Err(Error::option("the number of weights", &allowed, &weights.len().to_string()));
        }
        if let Some(weight) = weights.iter().find(|weight| !weight.is_finite()) {
            return Err(Error::option("a weight", "a finite number", &weight.to_string()));
        }
        Ok(TupleTable { weights, shift: 64 - bits })
    }

    /// The weights.
    pub fn weights(&self) -> &[f32] {
        &self.weights
    }

    #[inline(always)]
    fn index(&self, tuple: u64) -> usize {
        ((tuple ^ tuple >> 32).wrapping_mul(GOLDEN) >> self.shift) as usize
    }

    #[inline]
    fn sum<P: GameRules>(&self, position: &P) -> f32 {
        let mut sum = 0.0;
        position.visit_tuples(|tuple| sum += self.weights[self.index(tuple)]);
        sum
    }

    fn update<P: GameRules>(&mut self, position: &P, target: f32, rate: f32) -> f32 {
        let mut active = SmallVec::<[u32; 256]>::new();
        position.visit_tuples(|tuple| active.push(self.index(tuple) as u32));
        let sum: f32 = active.iter().map(|&index| self.weights[index as usize]).sum();
        let error = target - sum.tanh();
        let step = rate * error / active.len().max(1) as f32;
        for &index in &active {
            self.weights[index as usize] += step;
        }
        error
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::connect4::{ConnectFour, Standard};
    use crate::games::tictactoe::{self, TicTacToe};
    use crate::{Notation, Position};

    fn positions(entries: &[(u64, f32)]) -> PositionTable {
        PositionTable::from_entries(4, entries).unwrap()
    }

    #[test]
    fn a_full_table_of_positions_updates_old_entries_and_ignores_new_ones() {
        let mut table = PositionTable::new(4);
        for key in 1..=20 {
            table.update(key, 1.0, 0.5);
        }
        assert_eq!(table.entries().len(), 12);
        table.update(1, 1.0, 0.5);
        assert_eq!((table.get(1), table.get(12), table.get(13)), (0.75, 0.5, 0.0));
    }

    #[test]
    fn the_entries_of_a_table_restore_it() {
        let entries = [(3, 0.5), (u64::MAX, -1.0)];
        assert_eq!(positions(&entries).entries(), entries);
        assert_eq!(positions(&entries).get(u64::MAX), -1.0);
    }

    #[test]
    fn malformed_tables_are_rejected() {
        for entries in [
            vec![(0, 0.0)],
            vec![(1, 0.0), (1, 0.0)],
            vec![(1, f32::NAN)],
            vec![(1, 1.5)],
            (1..14).map(|key| (key, 0.0)).collect(),
        ] {
            assert!(PositionTable::from_entries(4, &entries).is_err(), "{entries:?}");
        }
        assert!(TupleTable::from_weights(vec![0.0; 17]).is_err());
        assert!(TupleTable::from_weights(vec![0.0; 8]).is_err());
        assert!(TupleTable::from_weights([vec![0.0; 15], vec![f32::INFINITY]].concat()).is_err());
        let tuples = QuantizedTable { keys: None, values: vec![1; 16], scale: 1.0 };
        assert!(tuples.restore().is_ok());
        for scale in [0.0, -1.0, f32::NAN, f32::INFINITY] {
            assert!(QuantizedTable { scale, ..tuples.clone() }.restore().is_err());
        }
        assert!(QuantizedTable { scale: f32::MAX, values: vec![i16::MAX; 16], ..tuples.clone() }.restore().is_err());
        assert!(QuantizedTable { keys: Some(vec![1]), ..tuples }.restore().is_err());
    }

    #[test]
    fn rounding_changes_values_by_at_most_half_a_unit() {
        let table = QTable::Positions(positions(&[(1, 0.3), (2, -0.7)]));
        let rounded = QuantizedTable::new(&table);
        assert_eq!((rounded.keys.clone(), rounded.values[1]), (Some(vec![1, 2]), -i16::MAX));
        let QTable::Positions(restored) = rounded.restore().unwrap() else { panic!() };
        assert!((restored.get(1) - 0.3).abs() <= 0.51 * rounded.scale);
    }

    #[test]
    fn the_rules_decide_the_value_of_a_move_that_ends_the_game() {
        let table = QTable::new(true, 8);
        let line = Line::new(TicTacToe::new(tictactoe::Classic).parse("xx./oo./...").unwrap());
        let values: Vec<f32> = table.q_values(&line).into_iter().map(|(_, value)| value).collect();
        assert_eq!(values.iter().filter(|&&value| value == 1.0).count(), 1);
        assert_eq!(values.iter().filter(|&&value| value == 0.0).count(), values.len() - 1);
    }

    #[test]
    fn the_value_of_a_move_is_the_negated_value_of_the_opponents_position() {
        for is_tabular in [true, false] {
            let mut table = QTable::new(is_tabular, 12);
            let line = Line::new(ConnectFour::new(Standard));
            let mut after = line.position().clone();
            after.play(3);
            table.update(&after, 1.0, 0.5);
            let (_, value) = table.q_values(&line)[3];
            assert!(value < -0.4 && value == -table.value(&after));
        }
    }

    #[test]
    fn updates_reach_their_target() {
        let mut table = QTable::new(false, 12);
        let position = ConnectFour::new(Standard);
        for _ in 0..200 {
            table.update(&position, 0.5, 0.2);
        }
        assert!((table.value(&position) - 0.5).abs() < 1e-3);
    }

    #[test]
    fn a_move_that_repeats_a_position_is_a_draw() {
        let table = QTable::new(false, 12);
        let mut line = Line::new(crate::games::checkers::Checkers::start(crate::games::checkers::Draws::English));
        line = line.restart_at("B:WK32:BK1,K2").unwrap();
        let mut position = line.position().clone();
        for text in ["1-6", "32-28", "6-1"] {
            line = line.after(text).unwrap();
            position = line.position().clone();
        }
        let mv = position.parse_move("28-32").unwrap();
        let mut after = position.clone();
        after.play(mv);
        assert!(repeats(&line, &after) && !line.is_repetition(&after));
        assert_eq!(table.q_value(&line, mv), 0.0);
    }
}
