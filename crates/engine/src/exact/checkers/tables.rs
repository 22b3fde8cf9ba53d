//! Answers from tables: a file a slice, captures resolved by playing them.

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicPtr, Ordering};

use super::build::path;
use super::conversion::Counted;
use super::file::{NO_DISTANCE, SliceFile};
use super::index::Seen;
use super::material::Material;
use super::{MOST_PIECES, Value};
use crate::games::checkers::Checkers;
use crate::position::Exact;
use crate::{Error, Position, Side};

/// What the tables know of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Known {
    /// What the side to move gets.
    pub value: Value,
    /// Plies to the end if the winner hurries and the loser resists; `None` for draws, and where files have no distances.
    pub distance: Option<u32>,
}

/// One side to move of a slice, in numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Count {
    /// What stands on the board; black moves.
    pub material: Material,
    /// Positions that black wins.
    pub wins: u64,
    /// Positions that are drawn.
    pub draws: u64,
    /// Positions that black loses.
    pub losses: u64,
}

/// Open tables.
pub struct Tables {
    folder: PathBuf,
    pieces: u8,
    files: Vec<Option<SliceFile>>,
    /// The placement of men whose conversions were counted last.
    pub(super) counted: Mutex<Option<Counted>>,
}

impl Tables {
    /// Opens the tables in a folder, for as many pieces as are complete there; damaged files are an error.
    pub fn open(folder: &Path) -> Result<Tables, Error> {
        let mut files: Vec<Option<SliceFile>> = (0..Material::PLACES).map(|_| None).collect();
        let mut pieces = 1;
        for count in 2..=MOST_PIECES {
            let mut complete = true;
            for material in Material::stored(count) {
                let file = SliceFile::open(&path(folder, material), material)?;
                complete &= file.is_some();
                files[material.place()] = file;
            }
            if !complete {
                break;
            }
            pieces = count;
        }
        if pieces < 2 {
            return Err(Error::Tables(format!(
                "{}: there are no tables; build them with: plyground tables build --pieces 4",
                folder.display()
            )));
        }
        Ok(Tables { folder: folder.to_owned(), pieces, files, counted: Mutex::new(None) })
    }

    /// Where the files are.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Every position with so many pieces is known.
    pub fn pieces(&self) -> u8 {
        self.pieces
    }

    /// Bytes of all files.
    pub fn size(&self) -> u64 {
        self.files.iter().flatten().map(SliceFile::size).sum()
    }

    /// The file of a slice.
    pub(super) fn file(&self, material: Material) -> Option<&SliceFile> {
        self.files[material.place()].as_ref()
    }

    /// What is known of a position; `None` with too many pieces, or when the side that has just moved has none.
    #[inline]
    pub fn probe(&self, position: &Checkers) -> Option<Known> {
        let (black, white, _) = position.sets();
        if (black | white).count_ones() > self.pieces.into() {
            return None;
        }
        let (own, other) = if position.turn() == Side::First { (black, white) } else { (white, black) };
        match (own, other) {
            (0, _) => Some(Known { value: Value::Loss, distance: Some(0) }),
            (_, 0) => None,
            _ => Some(self.known(position)),
        }
    }

    #[inline]
    fn known(&self, position: &Checkers) -> Known {
        let seen = Seen::new(position);
        // All slices with so few pieces are there.
        let Some(file) = &self.files[seen.material.place()] else { return Known { value: Value::Draw, distance: None } };
        if let Some(distances) = file.distances(seen.side) {
            let plies = distances.get(file.index.number(&seen) as usize).copied().unwrap_or(NO_DISTANCE);
            return match (plies, plies % 2) {
                (NO_DISTANCE, _) => Known { value: Value::Draw, distance: None },
                (_, 0) => Known { value: Value::Loss, distance: Some(plies.into()) },
                _ => Known { value: Value::Win, distance: Some(plies.into()) },
            };
        }
        let (mut captures, mut any) = (false, false);
        let mut best: Option<Known> = None;
        position.legal_moves(|mv| {
            any = true;
            if mv.captured != 0 {
                captures = true;
                let mut after = position.clone();
                after.play(mv);
                let after = self.probe(&after).map_or(Known { value: Value::Draw, distance: None }, Known::before);
                best = Some(best.map_or(after, |best| best.better(after)));
            }
        });
        match best {
            Some(best) if captures => best,
            _ if !any => Known { value: Value::Loss, distance: Some(0) },
            _ => Known { value: file.value(seen.side, file.index.number(&seen)), distance: None },
        }
    }

    /// Every slice in numbers, fewer pieces first: both colourings, black to move.
    pub fn counts(&self) -> Vec<Count> {
        let mut counts = Vec::new();
        for material in (2..=self.pieces).flat_map(Material::stored) {
            if let Some(file) = &self.files[material.place()] {
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

impl Known {
    /// The same from the side of whoever moved there, one ply earlier.
    pub(super) fn before(self) -> Known {
        Known { value: self.value.for_the_other(), distance: self.distance.map(|plies| plies + 1) }
    }

    /// The better of two moves: a win before a draw before a loss, then the quicker win or the longer resistance. A distance is
    /// known only if those of all moves as good are.
    pub(super) fn better(self, other: Known) -> Known {
        if self.value != other.value {
            return if self.value > other.value { self } else { other };
        }
        let distance = self.distance.zip(other.distance).map(|(one, two)| match self.value {
            Value::Win => one.min(two),
            _ => one.max(two),
        });
        Known { value: self.value, distance }
    }
}

/// The tables that positions of this process ask.
static IN_USE: AtomicPtr<Tables> = AtomicPtr::new(std::ptr::null_mut());

/// Keeps tables until the process ends: whoever asks them needs no lock and no count of users.
pub fn keep(tables: Tables) -> &'static Tables {
    Box::leak(Box::new(tables))
}

/// Makes tables the ones that [`Position::exact`] of checkers asks, in all threads, from now on.
pub fn use_tables(tables: &'static Tables) {
    IN_USE.store(std::ptr::from_ref(tables).cast_mut(), Ordering::Release);
}

/// The tables in use, if any.
#[inline(always)]
pub fn tables_in_use() -> Option<&'static Tables> {
    let tables = IN_USE.load(Ordering::Acquire);
    // SAFETY: the pointer is null or comes from a `&'static Tables` in `use_tables`, which is never freed, and never written
    // through this pointer; the release and acquire orders make its contents visible before the pointer is.
    unsafe { tables.as_ref() }
}

/// What the tables in use know of a position, by winner.
#[inline(always)]
pub(crate) fn exact(position: &Checkers) -> Option<Exact> {
    let known = tables_in_use()?.probe(position)?;
    let winner = match known.value {
        Value::Win => Some(position.turn()),
        Value::Draw => None,
        Value::Loss => Some(position.turn().other()),
    };
    Some(Exact { winner, distance: known.distance })
}
