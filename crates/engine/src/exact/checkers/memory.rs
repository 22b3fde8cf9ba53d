//! Slices in memory while tables are built: every position of a placement of men is a bit in rows over the kings.
//!
//! For each placement of the men and each side to move there are two sets of bits, won and lost; a position in neither is
//! drawn. Their rows are the sets of kings of the side that has just moved, their bits the sets of kings of the side to move:
//! whoever made the last move can then read what all its moves lead to as whole rows. (A side to move without kings has one
//! row instead, of bits over the other's kings.) Kings are ranked on all 32 squares, so that rows of different placements of
//! men fit each other bit by bit; sets that overlap are in neither set.

use super::file::NO_DISTANCE;
use super::material::Material;
use super::men::Men;
use super::subsets::{rank, subsets};
use super::{PIECES_WITH_DISTANCES, Tables, Value};
use crate::games::checkers::Checkers;
use crate::{Position, Side};

/// The squares as the other side sees them: the board turned round.
#[inline(always)]
pub(super) fn turned(set: u32) -> u32 {
    set.reverse_bits().rotate_left(12)
}

/// One side to move in all placements of men.
pub(super) struct Half {
    pub(super) rows: usize,
    pub(super) words: usize,
    pub(super) win: Vec<u32>,
    pub(super) loss: Vec<u32>,
    /// Plies to the end, a byte for each set of the other's kings and, within, each set of the mover's; empty if not wanted.
    pub(super) plies: Vec<u8>,
    movers: usize,
    plies_stride: usize,
}

impl Half {
    fn new(placements: usize, mover: u8, other: u8, with_plies: bool) -> Half {
        let (rows, words) = shape(mover, other);
        let size = placements * rows * words;
        let [movers, others] = [mover, other].map(|kings| subsets(kings.into()).sets.len());
        let plies_stride = if with_plies { movers * others } else { 0 };
        let plies = vec![NO_DISTANCE; placements * plies_stride];
        Half { rows, words, win: vec![0; size], loss: vec![0; size], plies, movers, plies_stride }
    }

    /// Bytes of distances of one placement of men.
    pub(super) fn plies_stride(&self) -> usize {
        self.plies_stride
    }

    /// Words of one placement of men in each of the two sets.
    pub(super) fn stride(&self) -> usize {
        self.rows * self.words
    }

    #[inline(always)]
    fn get(&self, placement: usize, row: usize, bit: usize) -> Value {
        let word = (placement * self.rows + row) * self.words + bit / 32;
        if self.win[word] >> (bit % 32) & 1 != 0 {
            Value::Win
        } else if self.loss[word] >> (bit % 32) & 1 != 0 {
            Value::Loss
        } else {
            Value::Draw
        }
    }

    /// A row of both sets: won, lost.
    #[inline(always)]
    pub(super) fn row(&self, placement: usize, row: usize) -> (&[u32], &[u32]) {
        let start = (placement * self.rows + row) * self.words;
        (&self.win[start..start + self.words], &self.loss[start..start + self.words])
    }
}

/// Rows and words a row of one placement of men, by the number of kings of the side to move and of the other.
pub(super) fn shape(mover: u8, other: u8) -> (usize, usize) {
    match mover {
        0 => (1, subsets(other.into()).words),
        _ => (subsets(other.into()).sets.len(), subsets(mover.into()).words),
    }
}

/// The row and the bit of two sets of kings.
#[inline(always)]
pub(super) fn spot(mover: u32, other: u32) -> (usize, usize) {
    if mover == 0 { (0, rank(other)) } else { (rank(other), rank(mover)) }
}

/// A slice: black to move, then white to move.
pub(super) struct Slice {
    pub(super) material: Material,
    pub(super) men: Men,
    pub(super) halves: [Half; 2],
}

impl Slice {
    /// A slice in which nothing is won or lost yet.
    pub(super) fn new(material: Material) -> Slice {
        let men = Men::new(material.black.men, material.white.men);
        let [black, white] = [material.black.kings, material.white.kings];
        let with_plies = material.pieces() <= PIECES_WITH_DISTANCES;
        let half = |mover, other| Half::new(men.count(), mover, other, with_plies);
        let halves = [half(black, white), half(white, black)];
        Slice { material, men, halves }
    }
}

impl Slice {
    /// Puts in one placement of men, as [`super::solve::Solver`] and [`super::distance::Settler`] give it; returns what is left.
    pub(super) fn put<'a>(&mut self, placement: usize, bits: &'a [u32], plies: &'a [u8]) -> (&'a [u32], &'a [u8]) {
        let (mut bits, mut plies) = (bits, plies);
        for half in &mut self.halves {
            let (stride, plies_stride) = (half.stride(), half.plies_stride());
            for part in [&mut half.win, &mut half.loss] {
                let (head, tail) = bits.split_at(stride);
                part[placement * stride..][..stride].copy_from_slice(head);
                bits = tail;
            }
            let (head, tail) = plies.split_at(plies_stride);
            half.plies[placement * plies_stride..][..plies_stride].copy_from_slice(head);
            plies = tail;
        }
        (bits, plies)
    }
}

/// All slices in memory.
pub(super) struct Memory {
    slices: Vec<Option<Box<Slice>>>,
    /// Asked where a slice is not here.
    behind: Option<&'static Tables>,
}

impl Memory {
    pub(super) fn new() -> Memory {
        Memory { slices: (0..Material::PLACES).map(|_| None).collect(), behind: None }
    }

    /// An empty memory that asks tables for what it does not hold.
    pub(super) fn before(tables: &'static Tables) -> Memory {
        Memory { behind: Some(tables), ..Memory::new() }
    }

    pub(super) fn insert(&mut self, slice: Slice) {
        let place = slice.material.place();
        self.slices[place] = Some(Box::new(slice));
    }

    pub(super) fn remove(&mut self, material: Material) {
        self.slices[material.place()] = None;
    }

    #[inline(always)]
    pub(super) fn get(&self, material: Material) -> Option<&Slice> {
        self.slices[material.place()].as_deref()
    }

    pub(super) fn get_mut(&mut self, material: Material) -> Option<&mut Slice> {
        self.slices[material.place()].as_deref_mut()
    }

    /// Where a position stands: its slice, side to move, placement of men, and kings of the side to move and of the other.
    #[inline(always)]
    fn find(&self, position: &Checkers) -> Option<(&Half, usize, u32, u32)> {
        let (mut black, mut white, mut kings) = position.sets();
        let mut side = position.turn() as usize;
        let mut material = Material::of(black, white, kings);
        if !material.is_stored() {
            material = material.swapped();
            (black, white, kings, side) = (turned(white), turned(black), turned(kings), 1 - side);
        }
        let slice = self.get(material)?;
        let placement = slice.men.index(black & !kings, white & !kings);
        let both = [black & kings, white & kings];
        Some((&slice.halves[side], placement, both[side], both[1 - side]))
    }

    /// The value for the side to move, which has pieces; what nobody knows counts as drawn.
    #[inline]
    pub(super) fn value(&self, position: &Checkers) -> Value {
        let Some((half, placement, mover, other)) = self.find(position) else {
            return self.behind.and_then(|tables| tables.probe(position)).map_or(Value::Draw, |known| known.value);
        };
        let (row, bit) = spot(mover, other);
        half.get(placement, row, bit)
    }

    /// Plies to the end of a position whose slice has distances; [`NO_DISTANCE`] for a draw.
    #[inline]
    pub(super) fn plies(&self, position: &Checkers) -> u8 {
        let Some((half, placement, mover, other)) = self.find(position) else { return NO_DISTANCE };
        half.plies[placement * half.plies_stride + rank(other) * half.movers + rank(mover)]
    }

    /// The best of what the moves of a position lead to; a loss if there are none. `know` answers before the slices do.
    #[inline]
    pub(super) fn best(&self, position: &Checkers, know: impl Fn(&Checkers) -> Option<Value>) -> Value {
        let mut best = Value::Loss;
        position.legal_moves(|mv| {
            if best == Value::Win {
                return;
            }
            let mut after = position.clone();
            after.play(mv);
            let (black, white, _) = after.sets();
            let left = if after.turn() == Side::First { black } else { white };
            let value = match left {
                0 => Value::Loss,
                _ => know(&after).unwrap_or_else(|| self.value(&after)),
            };
            best = best.max(value.for_the_other());
        });
        best
    }
}
