//! Building tables: slice after slice, each written as soon as it is done.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize};
use std::time::Duration;

use super::distance::{Settler, in_order};
use super::file::{self, SliceFile};
use super::index::Index;
use super::material::Material;
use super::memory::{Half, Memory, Slice, spot};
use super::men::advance;
use super::pack::{Loader, Section};
use super::solve::Solver;
use super::{MOST_PIECES, PIECES_WITH_DISTANCES, Value};
use crate::Error;

/// Leftovers of a killed build are this old before they are taken away: a build of today may still write its own.
const STALE: Duration = Duration::from_secs(3600);

/// How a build goes on, and the wish to stop it; for other threads to look at.
#[derive(Default)]
pub struct Control {
    /// Positions done.
    pub done: AtomicU64,
    /// Positions to do in all.
    pub total: AtomicU64,
    /// Set to end the build soon; slices that are done stay.
    pub stop: AtomicBool,
}

/// What to build.
pub struct Plan {
    /// Where the files go.
    pub folder: PathBuf,
    /// The most pieces, 2 to [`MOST_PIECES`].
    pub pieces: u8,
    /// Threads to work with.
    pub threads: usize,
    /// Whether to build slices that have a file too.
    pub again: bool,
}

/// The file of a slice.
pub(super) fn path(folder: &Path, material: Material) -> PathBuf {
    folder.join(format!("{}.table", material.name()))
}

impl Plan {
    /// Builds the slices that are missing; whether it came to the end, and was not stopped.
    pub fn run(&self, control: &Control) -> Result<bool, Error> {
        if !(2..=MOST_PIECES).contains(&self.pieces) {
            return Err(Error::Tables(format!("tables of {} pieces: accepted is 2 to {MOST_PIECES}", self.pieces)));
        }
        self.prepare_folder()?;
        let slices: Vec<Material> = (2..=self.pieces).flat_map(Material::stored).collect();
        let mut files = Vec::new();
        for &material in &slices {
            let file = if self.again { None } else { SliceFile::open(&path(&self.folder, material), material)? };
            files.push(file);
        }
        let missing: Vec<Material> =
            slices.iter().zip(&files).filter(|(_, file)| file.is_none()).map(|(slice, _)| *slice).collect();
        let size = |material: Material| Index::new(material).count() * material.sections() as u64;
        let wanted = |material: Material| missing.iter().any(|&one| one == material || leads_to(one, material));
        control.total.store(slices.iter().filter(|&&one| wanted(one)).map(|&one| size(one)).sum(), Relaxed);
        let mut memory = Memory::new();
        for (place, (&material, file)) in slices.iter().zip(&files).enumerate() {
            if wanted(material) {
                match file {
                    Some(file) => self.load(&mut memory, file, control),
                    None => self.make(&mut memory, material, control)?,
                }
                if control.stop.load(Relaxed) {
                    return Ok(false);
                }
            }
            for &old in &slices[..place] {
                if memory.get(old).is_some() && !slices[place + 1..].iter().any(|&later| leads_to(later, old)) {
                    memory.remove(old);
                }
            }
        }
        Ok(true)
    }

    fn prepare_folder(&self) -> Result<(), Error> {
        let failed = |error: std::io::Error| {
            Error::Tables(format!("{}: tables cannot be written there ({error})", self.folder.display()))
        };
        fs::create_dir_all(&self.folder).map_err(failed)?;
        for entry in fs::read_dir(&self.folder).map_err(failed)?.flatten() {
            let age = entry.metadata().ok().and_then(|data| data.modified().ok()).and_then(|time| time.elapsed().ok());
            if entry.path().extension().is_some_and(|end| end == "part") && age.is_some_and(|age| age > STALE) {
                let _ = fs::remove_file(entry.path());
            }
        }
        Ok(())
    }

    /// Solves a slice and writes its file.
    fn make(&self, memory: &mut Memory, material: Material, control: &Control) -> Result<(), Error> {
        let mut levels: Vec<Vec<u32>> = Vec::new();
        let slice = Slice::new(material);
        slice.men.each(|placement, black, white| {
            let level = advance(black, white);
            levels.resize(levels.len().max(level + 1), Vec::new());
            levels[level].push(placement as u32);
        });
        memory.insert(slice);
        // Men only go forward: the placements of one level lead to the next one, and never to each other.
        for level in levels.into_iter().rev() {
            self.share(memory, &Make(material), &level, control);
        }
        let Some(slice) = memory.get(material).filter(|_| !control.stop.load(Relaxed)) else { return Ok(()) };
        let sections: Vec<Section> = std::thread::scope(|scope| {
            let one = |side| move || Section::new(slice, side);
            let second = (material.sections() == 2 && self.threads > 1).then(|| scope.spawn(one(1)));
            let mut sections = vec![one(0)()];
            sections.extend(match second {
                Some(second) => second.join().ok(),
                None => (material.sections() == 2).then(one(1)),
            });
            sections
        });
        let distances: Vec<Vec<u8>> = match material.pieces() {
            ..=PIECES_WITH_DISTANCES => (0..material.sections()).map(|side| in_order(slice, side)).collect(),
            _ => Vec::new(),
        };
        file::write(&path(&self.folder, material), material, &sections, &distances)
    }

    /// Brings a slice back from its file.
    fn load(&self, memory: &mut Memory, file: &SliceFile, control: &Control) {
        let slice = Slice::new(file.material);
        let all: Vec<u32> = (0..slice.men.count() as u32).collect();
        memory.insert(slice);
        // In portions, so that the copies that threads hand over stay small.
        for some in all.chunks(1 << 14) {
            self.share(memory, &Load(file), some, control);
        }
    }

    /// Shares placements out to threads, and puts what they find into the slice.
    fn share<J: Job>(&self, memory: &mut Memory, job: &J, placements: &[u32], control: &Control) {
        let Some(slice) = memory.get(job.material()) else { return };
        let per_placement = job.material().sections() as u64 * Index::new(job.material()).per_placement(0);
        let next = AtomicUsize::new(0);
        let chunk = (placements.len() / (self.threads * 8)).clamp(1, 256);
        let work = || {
            let mut worker = job.worker(memory, slice);
            let mut found = Done::default();
            loop {
                let first = next.fetch_add(chunk, Relaxed);
                if first >= placements.len() || control.stop.load(Relaxed) {
                    return found;
                }
                for &placement in &placements[first..(first + chunk).min(placements.len())] {
                    let (black, white) = slice.men.placement(placement as usize);
                    J::work(&mut worker, slice, [black, white], &mut found);
                    found.placements.push(placement);
                    control.done.fetch_add(per_placement, Relaxed);
                }
            }
        };
        let found: Vec<Done> = std::thread::scope(|scope| {
            let helpers = (self.threads - 1).min(placements.len().div_ceil(chunk).saturating_sub(1));
            let helpers: Vec<_> = (0..helpers).map(|_| scope.spawn(work)).collect();
            let own = work();
            helpers.into_iter().filter_map(|helper| helper.join().ok()).chain([own]).collect()
        });
        if let Some(slice) = memory.get_mut(job.material()) {
            found.iter().for_each(|done| done.put_into(slice));
        }
    }
}

/// What threads can do with a placement of men.
trait Job: Sync {
    type Worker<'m>
    where
        Self: 'm;
    fn material(&self) -> Material;
    fn worker<'m>(&'m self, memory: &'m Memory, slice: &'m Slice) -> Self::Worker<'m>;
    fn work(worker: &mut Self::Worker<'_>, slice: &Slice, men: [u32; 2], found: &mut Done);
}

/// Solving it.
struct Make(Material);

impl Job for Make {
    type Worker<'m> = (Solver<'m>, Option<Settler<'m>>);

    fn material(&self) -> Material {
        self.0
    }

    fn worker<'m>(&'m self, memory: &'m Memory, slice: &'m Slice) -> Self::Worker<'m> {
        let settler = (self.0.pieces() <= PIECES_WITH_DISTANCES).then(|| Settler::new(memory, slice));
        (Solver::new(memory, slice), settler)
    }

    fn work((solver, settler): &mut Self::Worker<'_>, slice: &Slice, men: [u32; 2], found: &mut Done) {
        let start = found.bits.len();
        solver.solve(men[0], men[1], &mut found.bits);
        if let Some(settler) = settler {
            let bits = &found.bits[start..];
            settler.settle(men, &mut found.plies, |side, own, other| value(&slice.halves, bits, side, own, other));
        }
    }
}

/// Bringing it back from a file.
struct Load<'f>(&'f SliceFile);

impl Job for Load<'_> {
    type Worker<'m>
        = Loader<'m>
    where
        Self: 'm;

    fn material(&self) -> Material {
        self.0.material
    }

    fn worker<'m>(&'m self, memory: &'m Memory, _: &'m Slice) -> Loader<'m> {
        Loader::new(memory, self.0)
    }

    fn work(worker: &mut Loader<'_>, _: &Slice, men: [u32; 2], found: &mut Done) {
        worker.load(men, &mut found.bits, &mut found.plies);
    }
}

/// What a thread has found.
#[derive(Default)]
struct Done {
    placements: Vec<u32>,
    bits: Vec<u32>,
    plies: Vec<u8>,
}

impl Done {
    fn put_into(&self, slice: &mut Slice) {
        let (mut bits, mut plies) = (&self.bits[..], &self.plies[..]);
        for &placement in &self.placements {
            (bits, plies) = slice.put(placement as usize, bits, plies);
        }
    }
}

/// The value of a position of a placement that was just solved.
fn value(halves: &[Half; 2], bits: &[u32], side: usize, own: u32, other: u32) -> Value {
    let half = &halves[side];
    let start = if side == 0 { 0 } else { 2 * halves[0].stride() };
    let (row, bit) = spot(own, other);
    let is = |set: usize| bits[start + set * half.stride() + row * half.words + bit / 32] >> (bit % 32) & 1 != 0;
    if is(0) {
        Value::Win
    } else if is(1) {
        Value::Loss
    } else {
        Value::Draw
    }
}

/// Whether moves of a slice can lead to another, at once or by way of others.
fn leads_to(from: Material, to: Material) -> bool {
    let men = |material: Material| material.black.men + material.white.men;
    to.pieces() < from.pieces() || (to.pieces() == from.pieces() && men(to) + 1 == men(from))
}
