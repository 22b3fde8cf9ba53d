//! Builds the endgame tables slice by slice, and writes each slice as soon as it is solved.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize};
use std::time::Duration;

use super::distance::{DistanceSolver, distances_in_file_order};
use super::file::{self, SliceFile};
use super::index::SliceIndex;
use super::material::Material;
use super::men_index::total_advance;
use super::retrograde::PlacementSolver;
use super::section::{Loader, Section};
use super::slice::{LoadedSlices, SideTable, Slice, row_and_bit};
use super::{MAX_PIECES, PIECES_WITH_DISTANCES, Value};
use crate::Error;

/// Age at which temporary files of an interrupted build are deleted; newer ones may belong to a running build.
const STALE_AGE: Duration = Duration::from_secs(3600);

/// Build progress and a stop flag, shared between threads.
#[derive(Default)]
pub struct Control {
    /// Number of positions processed.
    pub done: AtomicU64,
    /// Total number of positions to process.
    pub total: AtomicU64,
    /// Set to stop the build; slices already written are kept.
    pub stop: AtomicBool,
}

/// Options for a table build.
pub struct Plan {
    /// Folder for the table files.
    pub folder: PathBuf,
    /// Maximum number of pieces, from 2 to [`MAX_PIECES`].
    pub pieces: u8,
    /// Number of worker threads.
    pub threads: usize,
    /// Whether to rebuild slices that already have a file.
    pub again: bool,
}

/// Returns the path of a slice file.
pub(super) fn slice_path(folder: &Path, material: Material) -> PathBuf {
    folder.join(format!("{}.table", material.name()))
}

impl Plan {
    /// Builds the missing slices. Returns false if the build was stopped.
    pub fn run(&self, control: &Control) -> Result<bool, Error> {
        if !(2..=MAX_PIECES).contains(&self.pieces) {
            return Err(Error::Tables(format!("pieces must be between 2 and {MAX_PIECES}, got {}", self.pieces)));
        }
        self.prepare_folder()?;
        let materials: Vec<Material> = (2..=self.pieces).flat_map(Material::stored).collect();
        let mut files = Vec::new();
        for &material in &materials {
            let file = if self.again { None } else { SliceFile::open(&slice_path(&self.folder, material), material)? };
            files.push(file);
        }
        let missing: Vec<Material> =
            materials.iter().zip(&files).filter(|(_, file)| file.is_none()).map(|(&material, _)| material).collect();
        let size = |material: Material| SliceIndex::new(material).count() * material.sections() as u64;
        let needed = |&material: &Material| missing.iter().any(|&target| target == material || can_reach(target, material));
        control.total.store(materials.iter().copied().filter(needed).map(size).sum(), Relaxed);
        let mut loaded = LoadedSlices::new();
        for (step, (&material, file)) in materials.iter().zip(&files).enumerate() {
            if needed(&material) {
                match file {
                    Some(file) => self.load_slice(&mut loaded, file, control),
                    None => self.solve_slice(&mut loaded, material, control)?,
                }
                if control.stop.load(Relaxed) {
                    return Ok(false);
                }
            }
            for &done in &materials[..step] {
                if loaded.get(done).is_some() && !materials[step + 1..].iter().any(|&later| can_reach(later, done)) {
                    loaded.remove(done);
                }
            }
        }
        Ok(true)
    }

    fn prepare_folder(&self) -> Result<(), Error> {
        let failed = |error: std::io::Error| {
            Error::Tables(format!("{}: cannot write tables to this folder ({error})", self.folder.display()))
        };
        fs::create_dir_all(&self.folder).map_err(failed)?;
        for entry in fs::read_dir(&self.folder).map_err(failed)?.flatten() {
            let age = entry.metadata().ok().and_then(|data| data.modified().ok()).and_then(|time| time.elapsed().ok());
            if entry.path().extension().is_some_and(|extension| extension == "part") && age.is_some_and(|age| age > STALE_AGE) {
                let _ = fs::remove_file(entry.path());
            }
        }
        Ok(())
    }

    /// Solves a slice by retrograde analysis and writes its file.
    fn solve_slice(&self, loaded: &mut LoadedSlices, material: Material, control: &Control) -> Result<(), Error> {
        let mut levels: Vec<Vec<u32>> = Vec::new();
        let slice = Slice::new(material);
        slice.men.for_each(|placement, black, white| {
            let level = total_advance(black, white);
            levels.resize(levels.len().max(level + 1), Vec::new());
            levels[level].push(placement as u32);
        });
        loaded.insert(slice);
        // Men only move forward, so a placement leads only to placements of the next level, never of its own.
        for level in levels.into_iter().rev() {
            self.run_parallel(loaded, &SolveTask(material), &level, control);
        }
        let Some(slice) = loaded.get(material).filter(|_| !control.stop.load(Relaxed)) else { return Ok(()) };
        let sections: Vec<Section> = std::thread::scope(|scope| {
            let encode = |side| move || Section::new(slice, side);
            let second = (material.sections() == 2 && self.threads > 1).then(|| scope.spawn(encode(1)));
            let mut sections = vec![encode(0)()];
            sections.extend(match second {
                Some(second) => second.join().ok(),
                None => (material.sections() == 2).then(encode(1)),
            });
            sections
        });
        let distances: Vec<Vec<u8>> = match material.pieces() {
            ..=PIECES_WITH_DISTANCES => (0..material.sections()).map(|side| distances_in_file_order(slice, side)).collect(),
            _ => Vec::new(),
        };
        file::write(&slice_path(&self.folder, material), material, &sections, &distances)
    }

    /// Loads a slice from its file.
    fn load_slice(&self, loaded: &mut LoadedSlices, file: &SliceFile, control: &Control) {
        let slice = Slice::new(file.material);
        let all: Vec<u32> = (0..slice.men.count() as u32).collect();
        loaded.insert(slice);
        // Loading in chunks keeps the workers' output buffers small.
        for chunk in all.chunks(1 << 14) {
            self.run_parallel(loaded, &LoadTask(file), chunk, control);
        }
    }

    /// Processes placements on all threads and stores the results in the slice.
    fn run_parallel<T: PlacementTask>(&self, loaded: &mut LoadedSlices, task: &T, placements: &[u32], control: &Control) {
        let Some(slice) = loaded.get(task.material()) else { return };
        let per_placement = task.material().sections() as u64 * SliceIndex::new(task.material()).per_placement(0);
        let next = AtomicUsize::new(0);
        let chunk = (placements.len() / (self.threads * 8)).clamp(1, 256);
        let work = || {
            let mut worker = task.worker(loaded, slice);
            let mut output = WorkerOutput::default();
            loop {
                let first = next.fetch_add(chunk, Relaxed);
                if first >= placements.len() || control.stop.load(Relaxed) {
                    return output;
                }
                for &placement in &placements[first..(first + chunk).min(placements.len())] {
                    let (black, white) = slice.men.placement(placement as usize);
                    T::work(&mut worker, slice, [black, white], &mut output);
                    output.placements.push(placement);
                    control.done.fetch_add(per_placement, Relaxed);
                }
            }
        };
        let outputs: Vec<WorkerOutput> = std::thread::scope(|scope| {
            let spawned = (self.threads - 1).min(placements.len().div_ceil(chunk).saturating_sub(1));
            let workers: Vec<_> = (0..spawned).map(|_| scope.spawn(work)).collect();
            let output = work();
            workers.into_iter().filter_map(|worker| worker.join().ok()).chain([output]).collect()
        });
        if let Some(slice) = loaded.get_mut(task.material()) {
            outputs.iter().for_each(|output| output.store_in(slice));
        }
    }
}

/// A task that worker threads run for each placement of men.
trait PlacementTask: Sync {
    type Worker<'m>
    where
        Self: 'm;
    fn material(&self) -> Material;
    fn worker<'m>(&'m self, loaded: &'m LoadedSlices, slice: &'m Slice) -> Self::Worker<'m>;
    fn work(worker: &mut Self::Worker<'_>, slice: &Slice, men: [u32; 2], output: &mut WorkerOutput);
}

/// Solves a placement.
struct SolveTask(Material);

impl PlacementTask for SolveTask {
    type Worker<'m> = (PlacementSolver<'m>, Option<DistanceSolver<'m>>);

    fn material(&self) -> Material {
        self.0
    }

    fn worker<'m>(&'m self, loaded: &'m LoadedSlices, slice: &'m Slice) -> Self::Worker<'m> {
        let distance_solver = (self.0.pieces() <= PIECES_WITH_DISTANCES).then(|| DistanceSolver::new(loaded, slice));
        (PlacementSolver::new(loaded, slice), distance_solver)
    }

    fn work((solver, distance_solver): &mut Self::Worker<'_>, slice: &Slice, men: [u32; 2], output: &mut WorkerOutput) {
        let start = output.bits.len();
        solver.solve(men[0], men[1], &mut output.bits);
        if let Some(distance_solver) = distance_solver {
            let bits = &output.bits[start..];
            distance_solver.solve(men, &mut output.distances, |side, own, other| value(&slice.sides, bits, side, own, other));
        }
    }
}

/// Loads a placement from a file.
struct LoadTask<'f>(&'f SliceFile);

impl PlacementTask for LoadTask<'_> {
    type Worker<'m>
        = Loader<'m>
    where
        Self: 'm;

    fn material(&self) -> Material {
        self.0.material
    }

    fn worker<'m>(&'m self, loaded: &'m LoadedSlices, _: &'m Slice) -> Loader<'m> {
        Loader::new(loaded, self.0)
    }

    fn work(worker: &mut Loader<'_>, _: &Slice, men: [u32; 2], output: &mut WorkerOutput) {
        worker.load(men, &mut output.bits, &mut output.distances);
    }
}

/// Results of one worker thread, in the order of `placements`.
#[derive(Default)]
struct WorkerOutput {
    placements: Vec<u32>,
    bits: Vec<u32>,
    distances: Vec<u8>,
}

impl WorkerOutput {
    fn store_in(&self, slice: &mut Slice) {
        let (mut bits, mut distances) = (&self.bits[..], &self.distances[..]);
        for &placement in &self.placements {
            (bits, distances) = slice.store_placement(placement as usize, bits, distances);
        }
    }
}

/// Returns the value of a position whose placement has just been solved.
fn value(sides: &[SideTable; 2], bits: &[u32], side: usize, own: u32, other: u32) -> Value {
    let table = &sides[side];
    let start = if side == 0 { 0 } else { 2 * sides[0].stride() };
    let (row, bit) = row_and_bit(own, other);
    let is_set = |set: usize| bits[start + set * table.stride() + row * table.words + bit / 32] >> (bit % 32) & 1 != 0;
    if is_set(0) {
        Value::Win
    } else if is_set(1) {
        Value::Loss
    } else {
        Value::Draw
    }
}

/// Whether the slice `to` may be needed to solve the slice `from`.
fn can_reach(from: Material, to: Material) -> bool {
    let men = |material: Material| material.black.men + material.white.men;
    to.pieces() < from.pieces() || (to.pieces() == from.pieces() && men(to) + 1 == men(from))
}
