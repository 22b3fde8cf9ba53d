//! Value compression: run-length encoding followed by Huffman coding, in blocks that can be decoded independently.
//!
//! A block stores a two-bit initial value and then its runs. The symbol of a run encodes its value (one of the two that
//! differ from the preceding value) and its length class; extra bits follow for long runs. Each preceding value has
//! its own Huffman code, because the runs after draws and after wins are distributed differently.

use super::Value;

/// Bounds on the number of positions in a block, as base-2 logarithms.
const MAX_BLOCK_BITS: u32 = 12;
const MIN_BLOCK_BITS: u32 = 8;
/// Average number of runs in a block: few enough for a fast probe, enough to amortise the overhead of a block.
const TARGET_RUNS_PER_BLOCK: u64 = 100;
/// Each run length below this has its own class; longer runs have four classes per power of two.
const MIN_BUCKETED_LENGTH: u32 = 32;
const LENGTH_CLASSES: usize = MIN_BUCKETED_LENGTH as usize - 1 + 4 * 8;
/// Number of symbols in a code.
const SYMBOLS: usize = 2 * LENGTH_CLASSES;
/// Maximum length of a code word, in bits.
const MAX_CODE_LENGTH: u32 = 10;

/// Lengths of the code words of a section in bits, by preceding value and symbol.
pub(super) type CodeLengths = [[u8; SYMBOLS]; 3];
/// Size of [`CodeLengths`] in bytes.
pub(super) const CODE_LENGTHS_SIZE: usize = 3 * SYMBOLS;

const VALUES: [Value; 3] = [Value::Loss, Value::Draw, Value::Win];

/// Returns the class of a run length and its number of extra bits.
#[inline(always)]
fn length_class(length: u32) -> (usize, u32) {
    if length < MIN_BUCKETED_LENGTH {
        return (length as usize - 1, 0);
    }
    let extra = length.ilog2() - 2;
    (MIN_BUCKETED_LENGTH as usize - 1 + 4 * (extra as usize - 3) + (length >> extra & 3) as usize, extra)
}

/// Returns the shortest run length of a class and its number of extra bits.
const fn class_base(class: usize) -> (u32, u32) {
    if class < MIN_BUCKETED_LENGTH as usize - 1 {
        return (class as u32 + 1, 0);
    }
    let bucket = class as u32 - (MIN_BUCKETED_LENGTH - 1);
    let extra = bucket / 4 + 3;
    ((4 + bucket % 4) << extra, extra)
}

/// Collects values into runs.
#[derive(Default)]
pub(super) struct RunLengthEncoder {
    runs: Vec<(Value, u32)>,
    value: Option<Value>,
    length: u32,
}

/// The encoded runs of a section.
pub(super) struct EncodedRuns {
    pub(super) lengths: CodeLengths,
    /// Base-2 logarithm of the number of positions in a block.
    pub(super) block_bits: u32,
    /// Offset of each block in `data`, in bits.
    pub(super) block_offsets: Vec<u32>,
    /// The code words, padded with eight bytes so that a decoder can always read 64 bits.
    pub(super) data: Vec<u8>,
}

impl RunLengthEncoder {
    /// Appends up to 32 positions, given as bit sets of won, lost and don't-care positions.
    #[inline]
    pub(super) fn push(&mut self, win: u32, loss: u32, dont_care: u32, count: u32) {
        let mut done = 0;
        while done < count {
            let left = u32::MAX >> (32 - (count - done)) << done;
            let other = left
                & match self.value {
                    None => !dont_care,
                    Some(Value::Win) => !(win | dont_care),
                    Some(Value::Loss) => !(loss | dont_care),
                    Some(Value::Draw) => (win | loss) & !dont_care,
                };
            let same = if other == 0 { count - done } else { other.trailing_zeros() - done };
            self.length += same;
            done += same;
            if other != 0 {
                if let Some(value) = self.value {
                    self.runs.push((value, std::mem::take(&mut self.length)));
                }
                let is_set = |set: u32| set >> done & 1 != 0;
                self.value = Some(if is_set(win) {
                    Value::Win
                } else if is_set(loss) {
                    Value::Loss
                } else {
                    Value::Draw
                });
            }
        }
    }

    /// Encodes the runs in blocks.
    pub(super) fn finish(mut self) -> EncodedRuns {
        self.runs.push((self.value.unwrap_or(Value::Draw), self.length));
        let positions: u64 = self.runs.iter().map(|(_, length)| u64::from(*length)).sum();
        let target = positions * TARGET_RUNS_PER_BLOCK / self.runs.len() as u64;
        let block_bits = target.max(1).ilog2().clamp(MIN_BLOCK_BITS, MAX_BLOCK_BITS);
        let mut counts = [[0u64; SYMBOLS]; 3];
        self.for_each_symbol(block_bits, |_, previous, symbol, _, _| counts[previous][symbol] += 1);
        let lengths = counts.map(code_lengths);
        let codes = lengths.each_ref().map(canonical_codes);
        let mut bits = BitWriter::default();
        let mut block_offsets = Vec::new();
        self.for_each_symbol(block_bits, |starts_block, previous, symbol, extra, rest| {
            if starts_block {
                block_offsets.push(bits.count as u32);
                bits.push(previous as u32, 2);
            }
            bits.push(codes[previous][symbol], lengths[previous][symbol].into());
            bits.push(rest, extra);
        });
        EncodedRuns { lengths, block_bits, block_offsets, data: bits.finish() }
    }

    /// Calls `visit` for each run, passing whether it starts a block, the preceding value, its symbol, the number of extra
    /// bits and their contents.
    fn for_each_symbol(&self, block_bits: u32, mut visit: impl FnMut(bool, usize, usize, u32, u32)) {
        let mut remaining = 0;
        let mut previous = 0;
        for &(value, length) in &self.runs {
            let (value, mut left) = (value as usize, length);
            while left > 0 {
                let starts_block = remaining == 0;
                if starts_block {
                    // The initial value of a block is the cyclic predecessor of its first value.
                    (remaining, previous) = (1 << block_bits, (value + 2) % 3);
                }
                let length = left.min(remaining);
                let (class, extra) = length_class(length);
                let choice = usize::from(NEXT_VALUES[previous][1] == value);
                visit(starts_block, previous, choice * LENGTH_CLASSES + class, extra, length & ((1 << extra) - 1));
                previous = value;
                remaining -= length;
                left -= length;
            }
        }
    }
}

/// Writes bits, least significant first.
#[derive(Default)]
struct BitWriter {
    bytes: Vec<u8>,
    pending: u64,
    count: u64,
}

impl BitWriter {
    fn push(&mut self, bits: u32, count: u32) {
        self.pending |= u64::from(bits) << (self.count % 8);
        let offset = self.count % 8;
        self.count += u64::from(count);
        for _ in 0..(offset + u64::from(count)) / 8 {
            self.bytes.push(self.pending as u8);
            self.pending >>= 8;
        }
    }

    fn finish(mut self) -> Vec<u8> {
        self.bytes.push(self.pending as u8);
        self.bytes.extend([0; 8]);
        self.bytes
    }
}

/// Returns Huffman code lengths for the given symbol frequencies; 0 for symbols that do not occur.
fn code_lengths(mut counts: [u64; SYMBOLS]) -> [u8; SYMBOLS] {
    loop {
        let mut subtrees: Vec<(u64, Vec<usize>)> =
            counts.iter().enumerate().filter(|(_, count)| **count > 0).map(|(symbol, &count)| (count, vec![symbol])).collect();
        let mut lengths = [0u8; SYMBOLS];
        if let [(_, only)] = &subtrees[..] {
            lengths[only[0]] = 1;
        }
        while subtrees.len() > 1 {
            subtrees.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
            if let (Some(last), Some(other)) = (subtrees.pop(), subtrees.pop()) {
                let symbols = [last.1, other.1].concat();
                symbols.iter().for_each(|&symbol| lengths[symbol] += 1);
                subtrees.push((last.0 + other.0, symbols));
            }
        }
        if lengths.iter().all(|&length| u32::from(length) <= MAX_CODE_LENGTH) {
            return lengths;
        }
        // Flattening the distribution shortens the longest code words.
        counts.iter_mut().filter(|count| **count > 0).for_each(|count| *count = *count / 2 + 1);
    }
}

/// Returns the canonical Huffman code with the given lengths; the first bit of each code word is the least significant.
fn canonical_codes(lengths: &[u8; SYMBOLS]) -> [u32; SYMBOLS] {
    let mut codes = [0; SYMBOLS];
    let mut next = 0u32;
    for length in 1..=MAX_CODE_LENGTH {
        for (symbol, _) in lengths.iter().enumerate().filter(|(_, own)| u32::from(**own) == length) {
            codes[symbol] = (next & ((1 << length) - 1)).reverse_bits() >> (32 - length);
            next += 1;
        }
        next <<= 1;
    }
    codes
}

/// Table-driven decoder, indexed by the next [`MAX_CODE_LENGTH`] bits.
pub(super) struct Decoder {
    /// One lookup table per preceding value, concatenated.
    entries: Vec<Entry>,
}

#[derive(Clone, Copy, Default)]
struct Entry {
    base: u16,
    extra: u8,
    /// Length of the code word in the low bits; the value in the bits from [`VALUE_SHIFT`] up.
    bits: u8,
}

/// Number of bits below the value in [`Entry::bits`].
const VALUE_SHIFT: u8 = 4;

impl Decoder {
    /// Returns the decoder for a code. If the lengths do not form a prefix code, decoding gives arbitrary values.
    pub(super) fn new(lengths: &CodeLengths) -> Decoder {
        let mut entries = vec![Entry { base: 1, ..Entry::default() }; 3 << MAX_CODE_LENGTH];
        for ((lengths, next), table) in lengths.iter().zip(NEXT_VALUES).zip(entries.chunks_mut(1 << MAX_CODE_LENGTH)) {
            let codes = canonical_codes(lengths);
            for (symbol, &length) in
                lengths.iter().enumerate().filter(|(_, length)| (1..=MAX_CODE_LENGTH as u8).contains(*length))
            {
                let (base, extra) = class_base(symbol % LENGTH_CLASSES);
                let value = next[symbol / LENGTH_CLASSES] as u8;
                let entry = Entry { base: base as u16, extra: extra as u8, bits: length | value << VALUE_SHIFT };
                for index in (codes[symbol] as usize..1 << MAX_CODE_LENGTH).step_by(1 << length) {
                    table[index] = entry;
                }
            }
        }
        Decoder { entries }
    }

    /// Calls `visit` with the runs of the block at bit offset `start` until `visit` returns false.
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
            // A word read at an arbitrary bit offset has at least 57 valid bits, and a run takes at most 20.
            let (mut bits, mut read) = (word(at), 0);
            while read <= 57 - 20 {
                let entry = self.entries[value << MAX_CODE_LENGTH | (bits & ((1 << MAX_CODE_LENGTH) - 1)) as usize];
                let used = u32::from(entry.bits & ((1 << VALUE_SHIFT) - 1));
                let rest = bits >> used;
                let length = u32::from(entry.base) + rest as u32 % (1 << entry.extra);
                value = usize::from(entry.bits >> VALUE_SHIFT);
                if !visit(VALUES[value], length) {
                    return;
                }
                bits = rest >> entry.extra;
                // Invalid code words have length 0; advance anyway, or decoding a corrupted block would never end.
                read += (used + u32::from(entry.extra)).max(1);
            }
            at += u64::from(read);
        }
    }

    /// Returns the value at index `offset` within the block at bit offset `start`.
    #[inline]
    pub(super) fn value(&self, data: &[u8], start: u32, offset: u32) -> Value {
        let (mut left, mut found) = (offset, Value::Draw);
        self.runs(data, start, |value, length| {
            found = value;
            let keep_going = left >= length;
            left = left.wrapping_sub(length);
            keep_going
        });
        found
    }
}

/// The two values that can follow each value.
const NEXT_VALUES: [[usize; 2]; 3] = [[1, 2], [2, 0], [0, 1]];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rng;

    #[test]
    fn decoding_restores_the_encoded_values() {
        let mut rng = Rng::new(5);
        let (mut encoder, mut expected) = (RunLengthEncoder::default(), Vec::new());
        let mut value = 0;
        while expected.len() < 100_000 {
            let (count, change) = (rng.below(32) + 1, rng.below(20) == 0);
            if change {
                value = rng.below(3);
            }
            let all = if count == 32 { u32::MAX } else { (1 << count) - 1 };
            let dont_care = rng.next_u64() as u32 & rng.next_u64() as u32 & all;
            encoder.push(if value == 2 { all } else { 0 }, if value == 0 { all } else { 0 }, dont_care, count);
            expected.extend((0..count).map(|bit| (dont_care >> bit & 1 == 0).then_some(VALUES[value as usize])));
        }
        let EncodedRuns { lengths, block_bits, block_offsets, data } = encoder.finish();
        let decoder = Decoder::new(&lengths);
        for (index, expected) in expected.into_iter().enumerate() {
            let found = decoder.value(&data, block_offsets[index >> block_bits], index as u32 % (1 << block_bits));
            assert!(expected.is_none_or(|expected| expected == found), "{index}");
        }
    }

    #[test]
    fn every_length_lies_in_its_class() {
        for length in 1..=1 << MAX_BLOCK_BITS {
            let (class, extra) = length_class(length);
            let (base, same_extra) = class_base(class);
            assert_eq!(extra, same_extra);
            assert!(base <= length && length < base + (1 << extra));
        }
    }
}
