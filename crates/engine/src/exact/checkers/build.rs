//! Building slice after slice.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

use super::material::Material;
use super::memory::{Memory, Slice};
use super::men::advance;
use super::solve::Solver;

/// How a build goes on, and the wish to stop it, for other threads.
#[derive(Default)]
pub struct Control {
    /// Positions done.
    pub done: AtomicU64,
    /// Set to end the build soon.
    pub stop: AtomicBool,
}

/// Solves a slice whose successors are all in memory, and leaves it there.
fn solve(memory: &mut Memory, material: Material, threads: usize, control: &Control) {
    memory.insert(Slice::new(material));
    let Some(slice) = memory.get(material) else { return };
    let mut levels: Vec<Vec<u32>> = Vec::new();
    slice.men.each(|index, black, white| {
        let level = advance(black, white);
        if levels.len() <= level {
            levels.resize(level + 1, Vec::new());
        }
        levels[level].push(index as u32);
    });
    // Men only go forward: placements of one level lead to the next one, and never to each other.
    for level in levels.into_iter().rev() {
        let Some(slice) = memory.get(material) else { return };
        let next = AtomicUsize::new(0);
        let chunk = (level.len() / (threads * 8)).clamp(1, 256);
        let work = || {
            let mut solver = Solver::new(memory, slice);
            let (mut done, mut out) = (Vec::new(), Vec::new());
            loop {
                let first = next.fetch_add(chunk, Ordering::Relaxed);
                if first >= level.len() || control.stop.load(Ordering::Relaxed) {
                    return (done, out);
                }
                for &placement in &level[first..(first + chunk).min(level.len())] {
                    let (black, white) = slice.men.placement(placement as usize);
                    solver.solve(black, white, &mut out);
                    done.push(placement);
                }
            }
        };
        let results: Vec<(Vec<u32>, Vec<u32>)> = if level.len() <= chunk || threads == 1 {
            vec![work()]
        } else {
            std::thread::scope(|scope| {
                let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
                workers.into_iter().filter_map(|worker| worker.join().ok()).collect()
            })
        };
        let Some(slice) = memory.get_mut(material) else { return };
        for (done, out) in results {
            let mut rest = &out[..];
            for placement in done {
                for half in &mut slice.halves {
                    let stride = half.stride();
                    let start = placement as usize * stride;
                    for part in [&mut half.win, &mut half.loss] {
                        let (head, tail) = rest.split_at(stride);
                        part[start..start + stride].copy_from_slice(head);
                        rest = tail;
                    }
                }
            }
        }
    }
}

/// Trial.
pub fn build_all(pieces: u8, threads: usize) {
    let control = Control::default();
    let mut memory = Memory::new();
    for count in 2..=pieces {
        let mut totals = [0u64; 2];
        let began = std::time::Instant::now();
        for material in Material::stored(count) {
            let began = std::time::Instant::now();
            solve(&mut memory, material, threads, &control);
            let slice = memory.get(material).unwrap();
            let ones = |set: &[u32]| set.iter().map(|word| u64::from(word.count_ones())).sum::<u64>();
            for half in &slice.halves[..material.sections()] {
                totals[0] += ones(&half.win);
                totals[1] += ones(&half.loss);
            }
            eprintln!("{} {:.2}s", material.name(), began.elapsed().as_secs_f64());
        }
        eprintln!("{count}: win {} loss {} {:.2}s", totals[0], totals[1], began.elapsed().as_secs_f64());
    }
}
