//! Values as runs, runs as Huffman codes, in blocks that can be read alone.
//!
//! A block is the values of some positions in a row: two bits for a value before the first, then the runs. A run's symbol
//! says which of the two other values comes next and how long it stays; long lengths are a class and extra bits. There is a
//! code for each value before: draws are left otherwise than wins.

use super::Value;

/// The most positions of a block, as a power of two, and the least.
const LARGEST: u32 = 12;
const SMALLEST: u32 = 8;
/// Runs of a block: few enough to be read quickly, so many that what a block costs is little beside them.
const RUNS_OF_A_BLOCK: u64 = 100;
/// Lengths below this have a class of their own, longer ones four classes for each power of two.
const SHORT: u32 = 32;
const CLASSES: usize = SHORT as usize - 1 + 4 * 8;
/// Symbols of a code.
const SYMBOLS: usize = 2 * CLASSES;
/// The longest code word.
const LONGEST: u32 = 10;

/// The lengths of the words of a section's codes, by value before and symbol.
pub(super) type Lengths = [[u8; SYMBOLS]; 3];
/// Bytes of these.
pub(super) const LENGTHS_SIZE: usize = 3 * SYMBOLS;

const VALUES: [Value; 3] = [Value::Loss, Value::Draw, Value::Win];

/// The class of a length, and how many extra bits it has.
#[inline(always)]
fn class(length: u32) -> (usize, u32) {
    if length < SHORT {
        return (length as usize - 1, 0);
    }
    let extra = length.ilog2() - 2;
    (SHORT as usize - 1 + 4 * (extra as usize - 3) + (length >> extra & 3) as usize, extra)
}

/// The least length of a class, and how many extra bits it has.
const fn least(class: usize) -> (u32, u32) {
    if class < SHORT as usize - 1 {
        return (class as u32 + 1, 0);
    }
    let place = class - (SHORT as usize - 1);
    let extra = place as u32 / 4 + 3;
    ((4 + place as u32 % 4) << extra, extra)
}

/// Runs of values.
#[derive(Default)]
pub(super) struct Runs {
    runs: Vec<(Value, u32)>,
    value: Option<Value>,
    length: u32,
}

/// A section in codes.
pub(super) struct Coded {
    pub(super) lengths: Lengths,
    /// Positions of a block, as a power of two.
    pub(super) block: u32,
    /// Where each block begins, in bits.
    pub(super) starts: Vec<u32>,
    /// The bits, and eight bytes more for reading.
    pub(super) data: Vec<u8>,
}

impl Runs {
    /// Adds up to 32 positions: bits of those won, lost, and those whose value nobody asks for.
    #[inline]
    pub(super) fn add(&mut self, win: u32, loss: u32, free: u32, count: u32) {
        let mut done = 0;
        while done < count {
            let left = u32::MAX >> (32 - (count - done)) << done;
            let other = left
                & match self.value {
                    None => !free,
                    Some(Value::Win) => !(win | free),
                    Some(Value::Loss) => !(loss | free),
                    Some(Value::Draw) => (win | loss) & !free,
                };
            let same = if other == 0 { count - done } else { other.trailing_zeros() - done };
            self.length += same;
            done += same;
            if other != 0 {
                if let Some(value) = self.value {
                    self.runs.push((value, std::mem::take(&mut self.length)));
                }
                let is = |set: u32| set >> done & 1 != 0;
                self.value = Some(if is(win) {
                    Value::Win
                } else if is(loss) {
                    Value::Loss
                } else {
                    Value::Draw
                });
            }
        }
    }

    /// The runs in blocks of codes.
    pub(super) fn encode(mut self) -> Coded {
        self.runs.push((self.value.unwrap_or(Value::Draw), self.length));
        let positions: u64 = self.runs.iter().map(|(_, length)| u64::from(*length)).sum();
        let wished = positions * RUNS_OF_A_BLOCK / self.runs.len() as u64;
        let block = wished.max(1).ilog2().clamp(SMALLEST, LARGEST);
        let mut counts = [[0u64; SYMBOLS]; 3];
        self.each_symbol(block, |_, before, symbol, _, _| counts[before][symbol] += 1);
        let lengths = counts.map(code_lengths);
        let words = lengths.each_ref().map(code_words);
        let mut bits = Bits::default();
        let mut starts = Vec::new();
        self.each_symbol(block, |first, before, symbol, extra, rest| {
            if first {
                starts.push(bits.count as u32);
                bits.push(before as u32, 2);
            }
            bits.push(words[before][symbol], lengths[before][symbol].into());
            bits.push(rest, extra);
        });
        Coded { lengths, block, starts, data: bits.finish() }
    }

    /// Calls `visit` for each run: whether a block begins, the value before, the symbol, the number of extra bits, and these.
    fn each_symbol(&self, block: u32, mut visit: impl FnMut(bool, usize, usize, u32, u32)) {
        let mut room = 0;
        let mut before = 0;
        for &(value, length) in &self.runs {
            let (value, mut left) = (value as usize, length);
            while left > 0 {
                let first = room == 0;
                if first {
                    // A block begins as if the value before in turn had been there.
                    (room, before) = (1 << block, (value + 2) % 3);
                }
                let length = left.min(room);
                let (class, extra) = class(length);
                let choice = usize::from(NEXT[before][1] == value);
                visit(first, before, choice * CLASSES + class, extra, length & ((1 << extra) - 1));
                before = value;
                room -= length;
                left -= length;
            }
        }
    }
}

/// Bits in a row, lowest first.
#[derive(Default)]
struct Bits {
    bytes: Vec<u8>,
    held: u64,
    count: u64,
}

impl Bits {
    fn push(&mut self, bits: u32, count: u32) {
        self.held |= u64::from(bits) << (self.count % 8);
        let before = self.count % 8;
        self.count += u64::from(count);
        for _ in 0..(before + u64::from(count)) / 8 {
            self.bytes.push(self.held as u8);
            self.held >>= 8;
        }
    }

    fn finish(mut self) -> Vec<u8> {
        self.bytes.push(self.held as u8);
        self.bytes.extend([0; 8]);
        self.bytes
    }
}

/// The lengths of a Huffman code for symbols that occur so often; 0 for those that never do.
fn code_lengths(mut counts: [u64; SYMBOLS]) -> [u8; SYMBOLS] {
    loop {
        let mut trees: Vec<(u64, Vec<usize>)> =
            counts.iter().enumerate().filter(|(_, count)| **count > 0).map(|(symbol, &count)| (count, vec![symbol])).collect();
        let mut lengths = [0u8; SYMBOLS];
        if let [(_, only)] = &trees[..] {
            lengths[only[0]] = 1;
        }
        while trees.len() > 1 {
            trees.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
            if let (Some(last), Some(other)) = (trees.pop(), trees.pop()) {
                let symbols = [last.1, other.1].concat();
                symbols.iter().for_each(|&symbol| lengths[symbol] += 1);
                trees.push((last.0 + other.0, symbols));
            }
        }
        if lengths.iter().all(|&length| u32::from(length) <= LONGEST) {
            return lengths;
        }
        // A flatter distribution has shorter codes.
        counts.iter_mut().filter(|count| **count > 0).for_each(|count| *count = *count / 2 + 1);
    }
}

/// The canonical code of these lengths, each word with its first bit lowest.
fn code_words(lengths: &[u8; SYMBOLS]) -> [u32; SYMBOLS] {
    let mut words = [0; SYMBOLS];
    let mut next = 0u32;
    for length in 1..=LONGEST {
        for (symbol, _) in lengths.iter().enumerate().filter(|(_, own)| u32::from(**own) == length) {
            words[symbol] = (next & ((1 << length) - 1)).reverse_bits() >> (32 - length);
            next += 1;
        }
        next <<= 1;
    }
    words
}

/// What reads a code: for the next [`LONGEST`] bits the run they begin with.
pub(super) struct Decoder {
    /// One table after another, by value before.
    entries: Vec<Entry>,
}

#[derive(Clone, Copy, Default)]
struct Entry {
    least: u16,
    extra: u8,
    /// Bits of the word, and above them the value.
    bits: u8,
}

/// Where the value stands in [`Entry::bits`].
const VALUE: u8 = 4;

impl Decoder {
    /// The reader of the code with these lengths; lengths that are no code make one that reads nonsense.
    pub(super) fn new(lengths: &Lengths) -> Decoder {
        let mut entries = vec![Entry { least: 1, ..Entry::default() }; 3 << LONGEST];
        for ((lengths, next), table) in lengths.iter().zip(NEXT).zip(entries.chunks_mut(1 << LONGEST)) {
            let words = code_words(lengths);
            for (symbol, &length) in lengths.iter().enumerate().filter(|(_, length)| (1..=LONGEST as u8).contains(*length)) {
                let (least, extra) = least(symbol % CLASSES);
                let value = next[symbol / CLASSES] as u8;
                let entry = Entry { least: least as u16, extra: extra as u8, bits: length | value << VALUE };
                for place in (words[symbol] as usize..1 << LONGEST).step_by(1 << length) {
                    table[place] = entry;
                }
            }
        }
        Decoder { entries }
    }

    /// Calls `visit` with the runs of the block that begins at a bit, until it says to stop.
    #[inline(always)]
    pub(super) fn runs(&self, data: &[u8], start: u32, mut visit: impl FnMut(Value, u32) -> bool) {
        let word = |at: u64| {
            let bytes = data.get((at / 8) as usize..(at / 8) as usize + 8).and_then(|bytes| bytes.try_into().ok());
            u64::from_le_bytes(bytes.unwrap_or_default()) >> (at % 8)
        };
        let mut at = u64::from(start);
        let mut value = (word(at) & 3).min(2) as usize;
        at += 2;
        loop {
            // Of the bits read at once, 57 are certain; a run takes 20 at most.
            let (mut bits, mut read) = (word(at), 0);
            while read <= 57 - 20 {
                let entry = self.entries[value << LONGEST | (bits & ((1 << LONGEST) - 1)) as usize];
                let used = u32::from(entry.bits & ((1 << VALUE) - 1));
                let rest = bits >> used;
                let length = u32::from(entry.least) + rest as u32 % (1 << entry.extra);
                value = usize::from(entry.bits >> VALUE);
                if !visit(VALUES[value], length) {
                    return;
                }
                bits = rest >> entry.extra;
                // A word of no code has no bits: it must not be read for ever.
                read += (used + u32::from(entry.extra)).max(1);
            }
            at += u64::from(read);
        }
    }

    /// The value at a place of the block that begins at a bit.
    #[inline]
    pub(super) fn value(&self, data: &[u8], start: u32, place: u32) -> Value {
        let (mut left, mut found) = (place, Value::Draw);
        self.runs(data, start, |value, length| {
            found = value;
            let on = left >= length;
            left = left.wrapping_sub(length);
            on
        });
        found
    }
}

/// What can come after each value: the next one in turn, or the one after that.
const NEXT: [[usize; 2]; 3] = [[1, 2], [2, 0], [0, 1]];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rng;

    #[test]
    fn what_was_encoded_is_read_back() {
        let mut rng = Rng::new(5);
        let (mut runs, mut expected) = (Runs::default(), Vec::new());
        let mut value = 0;
        while expected.len() < 100_000 {
            let (count, change) = (rng.below(32) + 1, rng.below(20) == 0);
            if change {
                value = rng.below(3);
            }
            let all = if count == 32 { u32::MAX } else { (1 << count) - 1 };
            let free = rng.next_u64() as u32 & rng.next_u64() as u32 & all;
            runs.add(if value == 2 { all } else { 0 }, if value == 0 { all } else { 0 }, free, count);
            expected.extend((0..count).map(|bit| (free >> bit & 1 == 0).then_some(VALUES[value as usize])));
        }
        let Coded { lengths, block, starts, data } = runs.encode();
        let decoder = Decoder::new(&lengths);
        for (place, expected) in expected.into_iter().enumerate() {
            let found = decoder.value(&data, starts[place >> block], place as u32 % (1 << block));
            assert!(expected.is_none_or(|expected| expected == found), "{place}");
        }
    }

    #[test]
    fn classes_and_lengths_agree() {
        for length in 1..=1 << LARGEST {
            let (class, extra) = class(length);
            let (least, same_extra) = least(class);
            assert_eq!(extra, same_extra);
            assert!(least <= length && length < least + (1 << extra));
        }
    }
}
