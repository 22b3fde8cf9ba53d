//! A slice in a file: checked when opened, then read where it lies.
//!
//! All numbers are little-endian. A head of fixed size: [`MAGIC`], version, kings and men of both sides, sections, whether there
//! are distances, and the number of positions of a section. Then for each section: wins, losses, positions of a
//! block as a power of two, the number of blocks, bytes of their codes (64 bits each), the code lengths, where each block begins (32 bits, in bits), the
//! codes, and with distances a byte a position. At the end a check sum over everything before.

use std::fs::{self, File};
use std::io::Write;
use std::ops::Range;
use std::path::Path;

use memmap2::Mmap;

use super::Value;
use super::code::{Decoder, LENGTHS_SIZE};
use super::index::Index;
use super::material::Material;
use super::pack::Section;
use crate::Error;

const MAGIC: &[u8; 8] = b"plycheck";
const VERSION: u32 = 1;
const HEAD: usize = 32;
/// Stands for the distance of a draw.
pub(super) const NO_DISTANCE: u8 = u8::MAX;

/// An open file.
pub(super) struct SliceFile {
    pub(super) material: Material,
    pub(super) index: Index,
    bytes: Mmap,
    parts: Vec<Part>,
}

/// Where a section's parts lie.
struct Part {
    wins: u64,
    losses: u64,
    starts: Range<usize>,
    data: Range<usize>,
    distances: Option<Range<usize>>,
    /// Positions of a block, as a power of two.
    block: u32,
    decoder: Decoder,
}

/// A sum that every changed bit changes: each word is mixed in by steps that can be undone.
fn check_sum(bytes: &[u8]) -> u64 {
    let mut sum = bytes.len() as u64;
    let mut mix = |word: u64| sum = (sum ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
    let (words, rest) = bytes.as_chunks::<8>();
    words.iter().for_each(|word| mix(u64::from_le_bytes(*word)));
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    mix(u64::from_le_bytes(last));
    sum
}

fn head(material: Material, distances: bool, positions: u64) -> [u8; HEAD] {
    let mut head = [0; HEAD];
    let Material { black, white } = material;
    head[..8].copy_from_slice(MAGIC);
    head[8..12].copy_from_slice(&VERSION.to_le_bytes());
    head[12..16].copy_from_slice(&[black.kings, black.men, white.kings, white.men]);
    head[16] = material.sections() as u8;
    head[17] = u8::from(distances);
    head[24..32].copy_from_slice(&positions.to_le_bytes());
    head
}

/// Writes the file of a slice beside its place and renames it; with distances, one list a section.
pub(super) fn write(path: &Path, material: Material, sections: &[Section], distances: &[Vec<u8>]) -> Result<(), Error> {
    let mut bytes = head(material, !distances.is_empty(), Index::new(material).count()).to_vec();
    for (place, section) in sections.iter().enumerate() {
        let coded = &section.coded;
        for number in [section.wins, section.losses, coded.block.into(), coded.starts.len() as u64, coded.data.len() as u64] {
            bytes.extend(number.to_le_bytes());
        }
        bytes.extend(coded.lengths.as_flattened());
        coded.starts.iter().for_each(|start| bytes.extend(start.to_le_bytes()));
        bytes.extend(&coded.data);
        bytes.extend(distances.get(place).into_iter().flatten());
    }
    bytes.extend(check_sum(&bytes).to_le_bytes());
    let beside = path.with_extension(format!("{}.part", std::process::id()));
    let written = File::create(&beside).and_then(|mut file| {
        file.write_all(&bytes)?;
        file.sync_all()
    });
    written.and_then(|()| fs::rename(&beside, path)).map_err(|error| {
        let _ = fs::remove_file(&beside);
        Error::Tables(format!("{}: it cannot be written ({error})", path.display()))
    })
}

/// Cuts known lengths off the front of a file.
struct Cutter {
    at: usize,
    end: usize,
}

impl Cutter {
    fn cut(&mut self, length: u64) -> Result<Range<usize>, &'static str> {
        let length = usize::try_from(length).ok().filter(|&length| length <= self.end - self.at);
        let start = self.at;
        self.at += length.ok_or("it is shorter than it says")?;
        Ok(start..self.at)
    }

    fn number(&mut self, bytes: &[u8]) -> Result<u64, &'static str> {
        let range = self.cut(8)?;
        bytes[range].try_into().map(u64::from_le_bytes).map_err(|_| "it is shorter than it says")
    }
}

impl SliceFile {
    /// Opens the file of a slice; `None` where there is none, an error where it is damaged, foreign or of another version.
    pub(super) fn open(path: &Path, material: Material) -> Result<Option<SliceFile>, Error> {
        let refused =
            |why: &str| Error::Tables(format!("{}: {why}; build it again (plyground tables build --again)", path.display()));
        let file = match File::open(path) {
            Ok(file) => file,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(refused(&format!("it cannot be read ({error})"))),
        };
        // SAFETY: files of tables are never changed in place: a new one is written beside and renamed over the name, which leaves
        // the mapped one as it was. Bytes are only ever read as bytes, so whatever they are, they are valid.
        let bytes = unsafe { Mmap::map(&file) }.map_err(|error| refused(&format!("it cannot be read ({error})")))?;
        Self::parse(bytes, material).map(Some).map_err(refused)
    }

    fn parse(bytes: Mmap, material: Material) -> Result<SliceFile, &'static str> {
        if bytes.len() < HEAD + 8 || &bytes[..8] != MAGIC {
            return Err("it is not a file of endgame tables");
        }
        if bytes[8..12] != VERSION.to_le_bytes() {
            return Err("it is of another version");
        }
        let (body, sum) = bytes.split_at(bytes.len() - 8);
        if check_sum(body).to_le_bytes() != sum {
            return Err("it is damaged: its check sum is wrong");
        }
        let index = Index::new(material);
        let with_distances = bytes[17] == 1;
        if bytes[..HEAD] != head(material, with_distances, index.count()) {
            return Err("it holds other pieces than its name says");
        }
        let mut cutter = Cutter { at: HEAD, end: bytes.len() - 8 };
        let mut parts = Vec::new();
        for _ in 0..material.sections() {
            let mut numbers = [0; 5];
            for number in &mut numbers {
                *number = cutter.number(&bytes)?;
            }
            let [wins, losses, block, blocks, size] = numbers;
            let mut lengths = [[0; LENGTHS_SIZE / 3]; 3];
            lengths.as_flattened_mut().copy_from_slice(&bytes[cutter.cut(LENGTHS_SIZE as u64)?]);
            let (starts, data) = (cutter.cut(blocks.saturating_mul(4))?, cutter.cut(size)?);
            let distances = if with_distances { Some(cutter.cut(index.count())?) } else { None };
            if block > 31 || blocks != index.count().div_ceil(1 << block) || wins.saturating_add(losses) > index.count() {
                return Err("it contradicts itself");
            }
            let decoder = Decoder::new(&lengths);
            parts.push(Part { wins, losses, starts, data, distances, block: block as u32, decoder });
        }
        Ok(SliceFile { material, index, bytes, parts })
    }

    /// Positions won, drawn and lost for the side to move.
    pub(super) fn counts(&self, side: usize) -> [u64; 3] {
        let Part { wins, losses, .. } = self.parts[side];
        [wins, self.index.count() - wins - losses, losses]
    }

    /// Bytes on disk.
    pub(super) fn size(&self) -> u64 {
        self.bytes.len() as u64
    }

    #[inline(always)]
    fn start(part: &Part, bytes: &[u8], block: u64) -> u32 {
        let starts = &bytes[part.starts.clone()];
        let start = starts.get(block as usize * 4..).and_then(|rest| rest.first_chunk::<4>());
        start.map_or(0, |start| u32::from_le_bytes(*start))
    }

    /// The value of the position with a number, which has no capture.
    #[inline]
    pub(super) fn value(&self, side: usize, number: u64) -> Value {
        let part = &self.parts[side];
        let start = Self::start(part, &self.bytes, number >> part.block);
        part.decoder.value(&self.bytes[part.data.clone()], start, number as u32 & ((1 << part.block) - 1))
    }

    /// The block of the position with a number, and its place there.
    pub(super) fn block_of(&self, side: usize, number: u64) -> (u64, u32) {
        let block = self.parts[side].block;
        (number >> block, number as u32 & ((1 << block) - 1))
    }

    /// Plies to the end under best play, with [`NO_DISTANCE`] for a draw, for every position in order, where the file has them.
    #[inline(always)]
    pub(super) fn distances(&self, side: usize) -> Option<&[u8]> {
        Some(&self.bytes[self.parts[side].distances.clone()?])
    }

    /// Appends the runs of a block; nothing beyond the last.
    pub(super) fn read_block(&self, side: usize, block: u64, runs: &mut Vec<(Value, u32)>) {
        let part = &self.parts[side];
        let mut left = self.index.count().saturating_sub(block << part.block).min(1 << part.block) as u32;
        if left == 0 {
            return;
        }
        part.decoder.runs(&self.bytes[part.data.clone()], Self::start(part, &self.bytes, block), |value, length| {
            runs.push((value, length.min(left)));
            left = left.saturating_sub(length);
            left > 0
        });
    }
}
