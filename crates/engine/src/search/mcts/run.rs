//! Runs simulations on all threads of a search until a limit is reached.

use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::time::{Duration, Instant};

use super::search::Search;
use super::simulator::Simulator;
use super::tree::Tree;
use crate::search::analysis::SearchStats;
use crate::search::config::Leaf;
use crate::{GameRules, Rng, interrupt};

/// The maximum number of simulations between checks of the clock.
const MAX_CHUNK: u64 = 16;
/// The maximum time between checks of the clock. In slow games, fewer simulations are run between checks.
const MAX_CHUNK_TIME: Duration = Duration::from_millis(1);
/// The maximum number of reclaiming steps while the threads of a shared tree wait. The steps take a few milliseconds.
const MAX_RECLAIM_STEPS: usize = 4;

/// The reason why [`Search::run_until`] returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunStatus {
    /// The time passed to `run_until` was reached.
    Paused,
    /// The budget is spent, the root is proven, or there is only one legal move.
    Finished,
    /// The stop flag was set.
    Stopped,
}

impl<P: GameRules> Search<P> {
    /// Runs simulations until the time `until` is reached, the budget is spent, the root is proven or `stop` is set.
    pub fn run_until(&mut self, until: Instant, stop: &AtomicBool) -> RunStatus {
        if self.root.legal_moves().len() == 1 {
            return RunStatus::Finished;
        }
        let until = until.min(self.deadline);
        loop {
            self.run_threads(until, stop);
            if stop.load(Relaxed) || interrupt::is_interrupted() {
                return RunStatus::Stopped;
            }
            let proven = self.config.solver && self.trees.iter().any(|tree| tree.root().is_proven());
            let spent = self.quotas.iter().all(|quota| quota.load(Relaxed) == 0);
            if proven || spent || Instant::now() >= self.deadline {
                return RunStatus::Finished;
            }
            if let [tree] = &self.trees[..]
                && tree.is_full()
            {
                // With more threads, the reclaimed slots are used up sooner.
                (0..self.rngs.len().min(MAX_RECLAIM_STEPS)).for_each(|_| tree.reclaim());
            }
            if Instant::now() >= until {
                return RunStatus::Paused;
            }
        }
    }

    /// Runs all threads until a stop condition is reached.
    fn run_threads(&mut self, until: Instant, stop: &AtomicBool) {
        let mut rngs = std::mem::take(&mut self.rngs);
        let is_shared = self.trees.len() == 1 && rngs.len() > 1;
        let mut thread_stats = vec![SearchStats::default(); rngs.len()];
        let this = &*self;
        let run_thread = |index: usize, rng: &mut Rng, stats: &mut SearchStats| {
            let tree = index.min(this.trees.len() - 1);
            let mut simulator = Simulator::new(this, tree, rng.clone());
            let (quota, tree) = (&this.quotas[tree], &this.trees[tree]);
            let conditions = StopConditions { quota, tree, solver: this.config.solver, until, stop };
            if is_shared {
                this.simulate::<true>(&conditions, &mut simulator);
                simulator.finish_batch();
                tree.release(simulator.reserve.clone());
            } else {
                this.simulate::<false>(&conditions, &mut simulator);
                // This thread is the only user of the tree, so it can reclaim memory itself.
                while tree.is_full() && !conditions.must_return() {
                    tree.reclaim();
                    this.simulate::<false>(&conditions, &mut simulator);
                }
            }
            *rng = simulator.rng;
            *stats = simulator.stats;
        };
        if let ([rng], [stats]) = (&mut rngs[..], &mut thread_stats[..]) {
            run_thread(0, rng, stats);
        } else {
            let (run_thread, interrupt): (&(dyn Fn(_, &mut _, &mut _) + Sync), _) = (&run_thread, interrupt::current());
            std::thread::scope(|scope| {
                let mut threads = rngs.iter_mut().zip(&mut thread_stats).enumerate();
                let first = threads.next();
                for (index, (rng, stats)) in threads {
                    let interrupt = interrupt.clone();
                    scope.spawn(move || interrupt::within(interrupt, || run_thread(index, rng, stats)));
                }
                // The calling thread searches too, so that the scheduler places the new threads on other processors.
                if let Some((index, (rng, stats))) = first {
                    run_thread(index, rng, stats);
                }
            });
        }
        thread_stats.iter().for_each(|stats| self.stats.add(stats));
        self.rngs = rngs;
    }

    fn simulate<const SHARED: bool>(&self, conditions: &StopConditions, simulator: &mut Simulator<P>) {
        match self.evaluators.batch.as_deref().filter(|_| self.config.leaf == Leaf::Evaluator) {
            Some(evaluator) => {
                let batch = self.config.batch.into();
                conditions.run(batch, batch, |limit| simulator.simulate_batch::<SHARED>(evaluator, limit));
            }
            None => conditions.run(1, MAX_CHUNK, |limit| {
                let mut made = 0;
                while made < limit && !conditions.reached() && simulator.simulate::<SHARED>() {
                    made += 1;
                }
                made
            }),
        }
    }
}

/// The conditions under which a thread stops simulating.
struct StopConditions<'a> {
    quota: &'a AtomicU64,
    tree: &'a Tree,
    solver: bool,
    until: Instant,
    stop: &'a AtomicBool,
}

impl StopConditions<'_> {
    /// Whether a condition other than the clock and the quota has been reached. Checked before every simulation.
    #[inline(always)]
    fn reached(&self) -> bool {
        self.stop.load(Relaxed) || self.tree.is_full() || (self.solver && self.tree.root().is_proven())
    }

    /// Whether the time is up, the stop flag is set or the enclosing interrupt has fired.
    fn must_return(&self) -> bool {
        self.stop.load(Relaxed) || Instant::now() >= self.until || interrupt::must_skip()
    }

    /// Simulates in chunks of `min` to `max` simulations until a condition is reached. Each chunk is taken from the quota in advance,
    /// so that all threads together run exactly as many simulations as allowed. `simulate` returns the number of simulations run,
    /// which is 0 if it was interrupted.
    #[inline(always)]
    fn run(&self, min: u64, max: u64, mut simulate: impl FnMut(u64) -> u64) {
        let (mut chunk, mut last_check) = (min, Instant::now());
        loop {
            let quota = self.quota.fetch_update(Relaxed, Relaxed, |left| (left > 0).then(|| left.saturating_sub(chunk)));
            let taken = quota.map_or(0, |left| left.min(chunk));
            if taken == 0 || self.reached() {
                self.quota.fetch_add(taken, Relaxed);
                return;
            }
            let made = simulate(taken);
            if made < taken {
                self.quota.fetch_add(taken - made, Relaxed);
            }
            let now = Instant::now();
            if made == 0 || now >= self.until || interrupt::must_skip() {
                return;
            }
            chunk = if now - last_check > MAX_CHUNK_TIME / 2 { (chunk / 2).max(min) } else { (chunk * 2).min(max) };
            last_check = now;
        }
    }
}
