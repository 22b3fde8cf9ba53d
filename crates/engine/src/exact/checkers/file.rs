//! Slice file format. Files are memory-mapped, and checked when they are opened.
//!
//! All integers are little-endian.
//!
//! 1. Header of 32 bytes: [`MAGIC`], version, kings and men of both sides, number of sections, whether distances are stored,
//!    number of positions per section.
//! 2. For each section, as 64-bit integers: wins, losses, base-2 logarithm of the positions in a block, number of blocks, size of
//!    the encoded data in bytes. Then the code lengths, the offset of each block in bits (32 bits each), the encoded data,
//!    and, if distances are stored, one byte per position.
//! 3. A 64-bit checksum of everything before it.

use std::fs::{self, File};
use std::io::Write;
use std::ops::Range;
use std::path::Path;

use memmap2::Mmap;

use super::Value;
use super::compression::{CODE_LENGTHS_SIZE, Decoder};
use super::index::SliceIndex;
use super::material::Material;
use super::section::Section;
use crate::Error;

const MAGIC: &[u8; 8] = b"plycheck";
const VERSION: u32 = 1;
const HEADER_SIZE: usize = 32;
/// Stored in place of a distance for draws.
pub(super) const NO_DISTANCE: u8 = u8::MAX;

/// A memory-mapped slice file.
pub(super) struct SliceFile {
    pub(super) material: Material,
    pub(super) index: SliceIndex,
    bytes: Mmap,
    sections: Vec<SectionLayout>,
}

/// Contents of a section: its byte ranges in the file and its decoder.
struct SectionLayout {
    wins: u64,
    losses: u64,
    block_offsets: Range<usize>,
    data: Range<usize>,
    distances: Option<Range<usize>>,
    /// Base-2 logarithm of the number of positions in a block.
    block_bits: u32,
    decoder: Decoder,
}

/// Returns a checksum that detects any change to a single word, because every mixing step is invertible.
fn checksum(bytes: &[u8]) -> u64 {
    let mut sum = bytes.len() as u64;
    let mut mix = |word: u64| sum = (sum ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
    let (words, rest) = bytes.as_chunks::<8>();
    words.iter().for_each(|word| mix(u64::from_le_bytes(*word)));
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    mix(u64::from_le_bytes(last));
    sum
}

fn header(material: Material, distances: bool, positions: u64) -> [u8; HEADER_SIZE] {
    let mut header = [0; HEADER_SIZE];
    let Material { black, white } = material;
    header[..8].copy_from_slice(MAGIC);
    header[8..12].copy_from_slice(&VERSION.to_le_bytes());
    header[12..16].copy_from_slice(&[black.kings, black.men, white.kings, white.men]);
    header[16] = material.sections() as u8;
    header[17] = u8::from(distances);
    header[24..32].copy_from_slice(&positions.to_le_bytes());
    header
}

/// Writes a slice file atomically via a temporary file. `distances` is empty or has one list per section.
pub(super) fn write(path: &Path, material: Material, sections: &[Section], distances: &[Vec<u8>]) -> Result<(), Error> {
    let mut bytes = header(material, !distances.is_empty(), SliceIndex::new(material).count()).to_vec();
    for (side, section) in sections.iter().enumerate() {
        let encoded = &section.encoded;
        let sizes = [encoded.block_bits.into(), encoded.block_offsets.len() as u64, encoded.data.len() as u64];
        for number in [section.wins, section.losses].into_iter().chain(sizes) {
            bytes.extend(number.to_le_bytes());
        }
        bytes.extend(encoded.lengths.as_flattened());
        encoded.block_offsets.iter().for_each(|offset| bytes.extend(offset.to_le_bytes()));
        bytes.extend(&encoded.data);
        bytes.extend(distances.get(side).into_iter().flatten());
    }
    bytes.extend(checksum(&bytes).to_le_bytes());
    let temporary = path.with_extension(format!("{}.part", std::process::id()));
    let written = File::create(&temporary).and_then(|mut file| {
        file.write_all(&bytes)?;
        file.sync_all()
    });
    written.and_then(|()| fs::rename(&temporary, path)).map_err(|error| {
        let _ = fs::remove_file(&temporary);
        Error::Tables(format!("{}: cannot be written ({error})", path.display()))
    })
}

/// Splits a file into consecutive ranges.
struct Reader {
    at: usize,
    end: usize,
}

impl Reader {
    fn take(&mut self, length: u64) -> Result<Range<usize>, &'static str> {
        let length = usize::try_from(length).ok().filter(|&length| length <= self.end - self.at);
        let start = self.at;
        self.at += length.ok_or("the file is truncated")?;
        Ok(start..self.at)
    }

    fn read_u64(&mut self, bytes: &[u8]) -> Result<u64, &'static str> {
        let range = self.take(8)?;
        bytes[range].try_into().map(u64::from_le_bytes).map_err(|_| "the file is truncated")
    }
}

impl SliceFile {
    /// Opens a slice file. Returns `None` if it does not exist, and an error if it is not an endgame table, has an
    /// unsupported version or is corrupted.
    pub(super) fn open(path: &Path, material: Material) -> Result<Option<SliceFile>, Error> {
        let invalid = |reason: &str| {
            Error::Tables(format!("{}: {reason}; rebuild it with: plyground tables build --rebuild", path.display()))
        };
        let file = match File::open(path) {
            Ok(file) => file,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(invalid(&format!("cannot be read ({error})"))),
        };
        // SAFETY: table files are never modified in place: a new one is written under a temporary name and renamed, which leaves
        // the mapped file unchanged. The contents are only read as bytes, for which any bit pattern is valid.
        let bytes = unsafe { Mmap::map(&file) }.map_err(|error| invalid(&format!("cannot be read ({error})")))?;
        Self::parse(bytes, material).map(Some).map_err(invalid)
    }

    fn parse(bytes: Mmap, material: Material) -> Result<SliceFile, &'static str> {
        if bytes.len() < HEADER_SIZE + 8 || &bytes[..8] != MAGIC {
            return Err("not an endgame table file");
        }
        if bytes[8..12] != VERSION.to_le_bytes() {
            return Err("unsupported file version");
        }
        let (body, sum) = bytes.split_at(bytes.len() - 8);
        if checksum(body).to_le_bytes() != sum {
            return Err("the file is corrupted (checksum mismatch)");
        }
        let index = SliceIndex::new(material);
        let with_distances = bytes[17] == 1;
        if bytes[..HEADER_SIZE] != header(material, with_distances, index.count()) {
            return Err("the material in the header does not match the file name");
        }
        let mut reader = Reader { at: HEADER_SIZE, end: bytes.len() - 8 };
        let mut sections = Vec::new();
        for _ in 0..material.sections() {
            let mut numbers = [0; 5];
            for number in &mut numbers {
                *number = reader.read_u64(&bytes)?;
            }
            let [wins, losses, block_bits, blocks, size] = numbers;
            let mut lengths = [[0; CODE_LENGTHS_SIZE / 3]; 3];
            lengths.as_flattened_mut().copy_from_slice(&bytes[reader.take(CODE_LENGTHS_SIZE as u64)?]);
            let (block_offsets, data) = (reader.take(blocks.saturating_mul(4))?, reader.take(size)?);
            let distances = if with_distances { Some(reader.take(index.count())?) } else { None };
            if block_bits > 31
                || blocks != index.count().div_ceil(1 << block_bits)
                || wins.saturating_add(losses) > index.count()
            {
                return Err("the section header is inconsistent");
            }
            let decoder = Decoder::new(&lengths);
            sections.push(SectionLayout {
                wins,
                losses,
                block_offsets,
                data,
                distances,
                block_bits: block_bits as u32,
                decoder,
            });
        }
        Ok(SliceFile { material, index, bytes, sections })
    }

    /// Returns the numbers of wins, draws and losses for the side to move.
    pub(super) fn counts(&self, side: usize) -> [u64; 3] {
        let SectionLayout { wins, losses, .. } = self.sections[side];
        [wins, self.index.count() - wins - losses, losses]
    }

    /// Size of the file in bytes.
    pub(super) fn size(&self) -> u64 {
        self.bytes.len() as u64
    }

    #[inline(always)]
    fn block_offset(section: &SectionLayout, bytes: &[u8], block: u64) -> u32 {
        let block_offsets = &bytes[section.block_offsets.clone()];
        let offset = block_offsets.get(block as usize * 4..).and_then(|rest| rest.first_chunk::<4>());
        offset.map_or(0, |offset| u32::from_le_bytes(*offset))
    }

    /// Returns the value of the position with a given index. The position must have no capture.
    #[inline]
    pub(super) fn value(&self, side: usize, index: u64) -> Value {
        let section = &self.sections[side];
        let offset = Self::block_offset(section, &self.bytes, index >> section.block_bits);
        section.decoder.value(&self.bytes[section.data.clone()], offset, index as u32 & ((1 << section.block_bits) - 1))
    }

    /// Returns the block of the position with a given index, and its offset in that block.
    pub(super) fn block_of(&self, side: usize, index: u64) -> (u64, u32) {
        let block_bits = self.sections[side].block_bits;
        (index >> block_bits, index as u32 & ((1 << block_bits) - 1))
    }

    /// Plies to the end of the game with best play for every position in index order, [`NO_DISTANCE`] for draws; `None` if
    /// the file has no distances.
    #[inline(always)]
    pub(super) fn distances(&self, side: usize) -> Option<&[u8]> {
        Some(&self.bytes[self.sections[side].distances.clone()?])
    }

    /// Appends the runs of a block, or nothing if `block` is past the last one.
    pub(super) fn read_block(&self, side: usize, block: u64, runs: &mut Vec<(Value, u32)>) {
        let section = &self.sections[side];
        let mut remaining = self.index.count().saturating_sub(block << section.block_bits).min(1 << section.block_bits) as u32;
        if remaining == 0 {
            return;
        }
        let offset = Self::block_offset(section, &self.bytes, block);
        section.decoder.runs(&self.bytes[section.data.clone()], offset, |value, length| {
            runs.push((value, length.min(remaining)));
            remaining = remaining.saturating_sub(length);
            remaining > 0
        });
    }
}
