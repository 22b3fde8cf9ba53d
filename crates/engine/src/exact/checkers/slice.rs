//! In-memory slices, used while tables are built: bit sets of positions in rows indexed by the kings.
//!
//! Each placement of men and side to move has two bit sets, won and lost; positions in neither are drawn. Rows are indexed by
//! the kings of the side that has just moved and bits by the kings of the side to move, so that the side that has just moved
//! can read the results of its king moves as whole rows. (If the side to move has no kings, there is a single row, with bits
//! indexed by the opponent's kings.) Kings are ranked on all 32 squares, so that the rows of different placements of men match
//! bit by bit; impossible positions are in neither set.

use super::combinations::{combinations, rank};
use super::file::NO_DISTANCE;
use super::material::Material;
use super::men_index::MenIndex;
use super::{PIECES_WITH_DISTANCES, Tables, Value};
use crate::games::checkers::Checkers;
use crate::{Position, Side};

/// Rotates a set of squares by 180 degrees, to the opponent's point of view.
#[inline(always)]
pub(super) fn rotated(set: u32) -> u32 {
    set.reverse_bits().rotate_left(12)
}

/// Positions with one side to move, for all placements of men.
pub(super) struct SideTable {
    pub(super) rows: usize,
    pub(super) words: usize,
    pub(super) win: Vec<u32>,
    pub(super) loss: Vec<u32>,
    /// Plies to the end of the game, one byte per position, ordered by the opponent's kings and then by own kings.
    /// Empty if the slice has no distances.
    pub(super) distances: Vec<u8>,
    own_sets: usize,
    distances_stride: usize,
}

impl SideTable {
    fn new(placements: usize, own: u8, opponent: u8, with_distances: bool) -> SideTable {
        let (rows, words) = row_shape(own, opponent);
        let size = placements * rows * words;
        let [own_sets, opponent_sets] = [own, opponent].map(|kings| combinations(kings.into()).sets.len());
        let distances_stride = if with_distances { own_sets * opponent_sets } else { 0 };
        let distances = vec![NO_DISTANCE; placements * distances_stride];
        SideTable { rows, words, win: vec![0; size], loss: vec![0; size], distances, own_sets, distances_stride }
    }

    /// Bytes of `distances` per placement of men.
    pub(super) fn distances_stride(&self) -> usize {
        self.distances_stride
    }

    /// Words per placement of men in each of the two bit sets.
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

    /// Returns one row of each bit set: won and lost.
    #[inline(always)]
    pub(super) fn row(&self, placement: usize, row: usize) -> (&[u32], &[u32]) {
        let start = (placement * self.rows + row) * self.words;
        (&self.win[start..start + self.words], &self.loss[start..start + self.words])
    }
}

/// Returns the number of rows per placement and the number of words per row, given the numbers of own and opposing kings.
pub(super) fn row_shape(own: u8, opponent: u8) -> (usize, usize) {
    match own {
        0 => (1, combinations(opponent.into()).words),
        _ => (combinations(opponent.into()).sets.len(), combinations(own.into()).words),
    }
}

/// Returns the row and bit of a position, given the kings of the side to move and of its opponent.
#[inline(always)]
pub(super) fn row_and_bit(own: u32, opponent: u32) -> (usize, usize) {
    if own == 0 { (0, rank(opponent)) } else { (rank(opponent), rank(own)) }
}

/// A slice: one table with Black to move and one with White to move.
pub(super) struct Slice {
    pub(super) material: Material,
    pub(super) men: MenIndex,
    pub(super) sides: [SideTable; 2],
}

impl Slice {
    /// Returns a slice in which all positions are draws.
    pub(super) fn new(material: Material) -> Slice {
        let men = MenIndex::new(material.black.men, material.white.men);
        let [black, white] = [material.black.kings, material.white.kings];
        let with_distances = material.pieces() <= PIECES_WITH_DISTANCES;
        let table = |own, opponent| SideTable::new(men.count(), own, opponent, with_distances);
        let sides = [table(black, white), table(white, black)];
        Slice { material, men, sides }
    }

    /// Stores a placement from the start of `bits` and `distances`, in the layouts of [`super::retrograde::PlacementSolver`]
    /// and [`super::distance::DistanceSolver`], and returns the rest of each.
    pub(super) fn store_placement<'a>(
        &mut self,
        placement: usize,
        bits: &'a [u32],
        distances: &'a [u8],
    ) -> (&'a [u32], &'a [u8]) {
        let (mut bits, mut distances) = (bits, distances);
        for table in &mut self.sides {
            let (stride, distances_stride) = (table.stride(), table.distances_stride());
            for part in [&mut table.win, &mut table.loss] {
                let (head, tail) = bits.split_at(stride);
                part[placement * stride..][..stride].copy_from_slice(head);
                bits = tail;
            }
            let (head, tail) = distances.split_at(distances_stride);
            table.distances[placement * distances_stride..][..distances_stride].copy_from_slice(head);
            distances = tail;
        }
        (bits, distances)
    }
}

/// The slices currently in memory.
pub(super) struct LoadedSlices {
    slices: Vec<Option<Box<Slice>>>,
    /// Tables probed for positions whose slice is not loaded.
    fallback: Option<&'static Tables>,
}

impl LoadedSlices {
    pub(super) fn new() -> LoadedSlices {
        LoadedSlices { slices: (0..Material::ID_COUNT).map(|_| None).collect(), fallback: None }
    }

    /// Returns an empty set of slices that probes `tables` for positions it does not contain.
    pub(super) fn backed_by(tables: &'static Tables) -> LoadedSlices {
        LoadedSlices { fallback: Some(tables), ..LoadedSlices::new() }
    }

    pub(super) fn insert(&mut self, slice: Slice) {
        let id = slice.material.id();
        self.slices[id] = Some(Box::new(slice));
    }

    pub(super) fn remove(&mut self, material: Material) {
        self.slices[material.id()] = None;
    }

    #[inline(always)]
    pub(super) fn get(&self, material: Material) -> Option<&Slice> {
        self.slices[material.id()].as_deref()
    }

    pub(super) fn get_mut(&mut self, material: Material) -> Option<&mut Slice> {
        self.slices[material.id()].as_deref_mut()
    }

    /// Locates a position: returns its table, its placement of men, the kings of the side to move and the opponent's kings.
    #[inline(always)]
    fn locate(&self, position: &Checkers) -> Option<(&SideTable, usize, u32, u32)> {
        let (mut black, mut white, mut kings) = position.sets();
        let mut side = position.turn() as usize;
        let mut material = Material::of(black, white, kings);
        if !material.is_stored() {
            material = material.swapped();
            (black, white, kings, side) = (rotated(white), rotated(black), rotated(kings), 1 - side);
        }
        let slice = self.get(material)?;
        let placement = slice.men.index(black & !kings, white & !kings);
        let kings_by_side = [black & kings, white & kings];
        Some((&slice.sides[side], placement, kings_by_side[side], kings_by_side[1 - side]))
    }

    /// Returns the value for the side to move, which must have pieces; a draw if the value is unknown.
    #[inline]
    pub(super) fn value(&self, position: &Checkers) -> Value {
        let Some((table, placement, own, opponent)) = self.locate(position) else {
            return self.fallback.and_then(|tables| tables.probe(position)).map_or(Value::Draw, |known| known.value);
        };
        let (row, bit) = row_and_bit(own, opponent);
        table.get(placement, row, bit)
    }

    /// Returns the number of plies to the end of the game from a position whose slice has distances; [`NO_DISTANCE`] for a draw.
    #[inline]
    pub(super) fn distance(&self, position: &Checkers) -> u8 {
        let Some((table, placement, own, opponent)) = self.locate(position) else { return NO_DISTANCE };
        table.distances[placement * table.distances_stride + rank(opponent) * table.own_sets + rank(own)]
    }

    /// Returns the value of the best move in a position, or a loss if there is no move. `lookup` takes precedence over the slices.
    #[inline]
    pub(super) fn best(&self, position: &Checkers, lookup: impl Fn(&Checkers) -> Option<Value>) -> Value {
        let mut best = Value::Loss;
        position.legal_moves(|mv| {
            if best == Value::Win {
                return;
            }
            let mut after = position.clone();
            after.play(mv);
            let (black, white, _) = after.sets();
            let remaining = if after.turn() == Side::First { black } else { white };
            let value = match remaining {
                0 => Value::Loss,
                _ => lookup(&after).unwrap_or_else(|| self.value(&after)),
            };
            best = best.max(value.for_the_other());
        });
        best
    }
}
