//! Endgame table probing. There is one file per slice; captures are searched, not stored.

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicPtr, Ordering};

use super::build::slice_path;
use super::conversion::ConversionTable;
use super::file::{NO_DISTANCE, SliceFile};
use super::index::CanonicalPosition;
use super::material::Material;
use super::{MAX_PIECES, Value};
use crate::games::checkers::{Checkers, set_endgame_probe};
use crate::{Error, Position, ProvenValue, Side};

/// Result of probing a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProbeResult {
    /// Value for the side to move.
    pub value: Value,
    /// Plies to the end of the game if the winner minimises and the loser maximises them; `None` for draws and in slices
    /// without distances.
    pub distance: Option<u32>,
}

/// Statistics for a slice with one side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Count {
    /// Material, with the colours swapped if necessary so that Black is to move.
    pub material: Material,
    /// Number of positions won by Black.
    pub wins: u64,
    /// Number of drawn positions.
    pub draws: u64,
    /// Number of positions lost by Black.
    pub losses: u64,
}

/// Open endgame tables.
pub struct Tables {
    folder: PathBuf,
    pieces: u8,
    files: Vec<Option<SliceFile>>,
    /// Distances to conversion for the most recently probed placement of men.
    pub(super) conversion_cache: Mutex<Option<ConversionTable>>,
}

impl Tables {
    /// Opens the tables in a folder, up to the largest number of pieces for which all slices exist. Returns an error
    /// if a file is corrupted.
    pub fn open(folder: &Path) -> Result<Tables, Error> {
        let mut files: Vec<Option<SliceFile>> = (0..Material::ID_COUNT).map(|_| None).collect();
        let mut pieces = 1;
        for count in 2..=MAX_PIECES {
            let mut complete = true;
            for material in Material::stored(count) {
                let file = SliceFile::open(&slice_path(folder, material), material)?;
                complete &= file.is_some();
                files[material.id()] = file;
            }
            if !complete {
                break;
            }
            pieces = count;
        }
        if pieces < 2 {
            return Err(Error::Tables(format!(
                "{}: no endgame tables found; build them with: plyground tables build --pieces 4",
                folder.display()
            )));
        }
        Ok(Tables { folder: folder.to_owned(), pieces, files, conversion_cache: Mutex::new(None) })
    }

    /// Folder of the table files.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Maximum number of pieces.
    pub fn pieces(&self) -> u8 {
        self.pieces
    }

    /// Total size of the files in bytes.
    pub fn size(&self) -> u64 {
        self.files.iter().flatten().map(SliceFile::size).sum()
    }

    /// Returns a slice's file.
    pub(super) fn file(&self, material: Material) -> Option<&SliceFile> {
        self.files[material.id()].as_ref()
    }

    /// Probes a position. Returns `None` if it has too many pieces or if the side that has just moved has none.
    #[inline]
    pub fn probe(&self, position: &Checkers) -> Option<ProbeResult> {
        let (black, white, _) = position.sets();
        if (black | white).count_ones() > self.pieces.into() {
            return None;
        }
        let (own, other) = if position.turn() == Side::First { (black, white) } else { (white, black) };
        match (own, other) {
            (0, _) => Some(ProbeResult { value: Value::Loss, distance: Some(0) }),
            (_, 0) => None,
            _ => Some(self.known(position)),
        }
    }

    #[inline]
    fn known(&self, position: &Checkers) -> ProbeResult {
        let canonical = CanonicalPosition::new(position);
        // `probe` has checked the number of pieces, so the file exists.
        let Some(file) = &self.files[canonical.material.id()] else {
            return ProbeResult { value: Value::Draw, distance: None };
        };
        if let Some(distances) = file.distances(canonical.side) {
            let plies = distances.get(file.index.index_of(&canonical) as usize).copied().unwrap_or(NO_DISTANCE);
            return match (plies, plies % 2) {
                (NO_DISTANCE, _) => ProbeResult { value: Value::Draw, distance: None },
                (_, 0) => ProbeResult { value: Value::Loss, distance: Some(plies.into()) },
                _ => ProbeResult { value: Value::Win, distance: Some(plies.into()) },
            };
        }
        let (mut captures, mut any) = (false, false);
        let mut best: Option<ProbeResult> = None;
        position.legal_moves(|mv| {
            any = true;
            if mv.captured != 0 {
                captures = true;
                let mut after = position.clone();
                after.play(mv);
                let after = self.probe(&after).map_or(ProbeResult { value: Value::Draw, distance: None }, ProbeResult::before);
                best = Some(best.map_or(after, |best| best.better(after)));
            }
        });
        match best {
            Some(best) if captures => best,
            _ if !any => ProbeResult { value: Value::Loss, distance: Some(0) },
            _ => ProbeResult { value: file.value(canonical.side, file.index.index_of(&canonical)), distance: None },
        }
    }

    /// Returns statistics for all slices, in order of increasing number of pieces.
    pub fn counts(&self) -> Vec<Count> {
        let mut counts = Vec::new();
        for material in (2..=self.pieces).flat_map(Material::stored) {
            if let Some(file) = &self.files[material.id()] {
                for side in 0..material.sections() {
                    let [wins, draws, losses] = file.counts(side);
                    let material = if side == 0 { material } else { material.swapped() };
                    counts.push(Count { material, wins, draws, losses });
                }
            }
        }
        counts
    }
}

impl ProbeResult {
    /// Returns the result one ply earlier, from the point of view of the side that made the move.
    pub(super) fn before(self) -> ProbeResult {
        ProbeResult { value: self.value.for_the_other(), distance: self.distance.map(|plies| plies + 1) }
    }

    /// Returns the better of two results for the same side: the higher value, then the faster win or the slower loss. If the
    /// values are equal, the distance is known only if both distances are.
    pub(super) fn better(self, other: ProbeResult) -> ProbeResult {
        if self.value != other.value {
            return if self.value > other.value { self } else { other };
        }
        let distance = self.distance.zip(other.distance).map(|(one, two)| match self.value {
            Value::Win => one.min(two),
            _ => one.max(two),
        });
        ProbeResult { value: self.value, distance }
    }
}

/// The tables probed by checkers positions in this process.
static ACTIVE: AtomicPtr<Tables> = AtomicPtr::new(std::ptr::null_mut());

/// Keeps the tables until the process exits, so that probing needs neither locks nor reference counts.
pub fn leak_tables(tables: Tables) -> &'static Tables {
    Box::leak(Box::new(tables))
}

/// Activates tables: from now on, [`crate::Heuristics::proven_value`] probes them for checkers positions in all threads.
pub fn activate_tables(tables: &'static Tables) {
    ACTIVE.store(std::ptr::from_ref(tables).cast_mut(), Ordering::Release);
    set_endgame_probe(proven_value, tables.pieces().into());
}

/// Returns the active tables, if any.
#[inline(always)]
pub fn active_tables() -> Option<&'static Tables> {
    let tables = ACTIVE.load(Ordering::Acquire);
    // SAFETY: the pointer is null or comes from a `&'static Tables` in `activate_tables`, which is never freed and never written
    // through this pointer; release and acquire ordering make its contents visible before the pointer.
    unsafe { tables.as_ref() }
}

/// Probes the active tables and converts the result.
fn proven_value(position: &Checkers) -> Option<ProvenValue> {
    let known = active_tables()?.probe(position)?;
    let winner = match known.value {
        Value::Win => Some(position.turn()),
        Value::Draw => None,
        Value::Loss => Some(position.turn().other()),
    };
    Some(ProvenValue { winner, distance: known.distance })
}
