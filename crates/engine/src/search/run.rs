//! A search under way: its trees, its budget, its threads.

use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::time::{Duration, Instant};

use super::analysis::Work;
use super::config::{Config, Leaf};
use super::evaluator::Judges;
use super::mcts::Walker;
use super::tree::Tree;
use crate::rng::split;
use crate::{Error, Line, Position, Rng};

/// Simulations between two looks at the clock: a fraction of a millisecond in every game.
const AT_ONCE: u64 = 16;

/// Portions of a shared tree looked through for room while its threads wait: some milliseconds at most.
const AT_MOST: usize = 4;

/// When to stop; the first that is reached holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Budget {
    /// Simulations, exactly.
    pub simulations: u64,
    /// Time from [`Search::begin`].
    pub time: Duration,
}

/// Why [`Search::work`] came back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pause {
    /// It is time to report.
    Report,
    /// The budget is spent, the root is proven, or there is only one move.
    Done,
    /// Somebody asked to stop.
    Stopped,
}

/// How the work is shared out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Threads {
    /// So many threads grow one tree together.
    Together(usize),
    /// So many trees grow apart, a thread each, and are added up in the end: the same seed gives the same sums.
    Apart(usize),
}

/// A search of one position. Its trees outlive a run, so that the next can go on from them.
pub struct Search<P: Position> {
    pub(super) root: Line<P>,
    pub(super) config: Config,
    pub(super) trees: Vec<Tree>,
    /// What was done in this run.
    pub(super) work: Work,
    pub(super) judges: Judges,
    threads: Threads,
    /// One for each thread.
    rngs: Vec<Rng>,
    began: Instant,
    /// Simulations left to each tree, or to all threads of one.
    quotas: Vec<AtomicU64>,
    deadline: Instant,
}

impl<P: Position> Search<P> {
    /// A search that never takes more than `bytes` of memory for its trees together.
    pub fn new(root: Line<P>, config: Config, judges: Judges, threads: Threads, bytes: usize) -> Result<Search<P>, Error> {
        root.check_undecided()?;
        if config.leaf == Leaf::Evaluator && judges.evaluator.is_none() {
            return Err(Error::Parse("leaf=evaluator: the search was given no evaluator".into()));
        }
        let trees = match threads {
            Threads::Together(_) => 1,
            Threads::Apart(count) => count.max(1),
        };
        let now = Instant::now();
        Ok(Search {
            root,
            trees: (0..trees).map(|_| Tree::new(bytes / trees, &config)).collect(),
            config,
            work: Work::default(),
            judges,
            threads,
            rngs: Vec::new(),
            began: now,
            quotas: Vec::new(),
            deadline: now,
        })
    }

    /// Starts a run: [`Search::work`] then goes on until the budget is spent.
    pub fn begin(&mut self, budget: Budget, seed: u64) {
        let (threads, trees) = match self.threads {
            Threads::Together(count) => (count.max(1), 1),
            Threads::Apart(_) => (self.trees.len(), self.trees.len() as u64),
        };
        self.rngs = (0..threads as u64).map(|thread| Rng::new(split(seed, thread))).collect();
        let quota = |tree| budget.simulations / trees + u64::from(tree < budget.simulations % trees);
        self.quotas = (0..trees).map(|tree| AtomicU64::new(quota(tree))).collect();
        self.work = Work::default();
        self.began = Instant::now();
        self.deadline = self.began + budget.time.min(Duration::from_secs(1 << 30));
    }

    /// Turns to another position of the game. Where it follows from the old one by the moves since, what the trees know of it is
    /// kept and the rest freed; otherwise everything is forgotten.
    pub fn move_to(&mut self, line: Line<P>) -> Result<(), Error> {
        line.check_undecided()?;
        let (known, played) = (self.root.moves().len(), line.moves());
        let follows = self.root.start() == line.start() && played.get(..known) == Some(self.root.moves());
        let since = if follows { &played[known..] } else { &[] };
        for &mv in since {
            let code = self.root.position().encode(mv);
            for tree in &mut self.trees {
                match tree.node(0).children().find(|&slot| tree.node(slot).code() == code) {
                    Some(child) => tree.advance(child),
                    None => tree.clear(),
                }
            }
            self.root.play(mv);
        }
        if !follows {
            self.clear();
        }
        self.root = line;
        Ok(())
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.trees.iter_mut().for_each(Tree::clear);
    }

    /// Time since the run began.
    pub fn elapsed(&self) -> Duration {
        self.began.elapsed()
    }

    /// Searches on until `until`, the end of the budget, or somebody sets `stop`.
    pub fn work(&mut self, until: Instant, stop: &AtomicBool) -> Pause {
        if self.root.legal_moves().len() == 1 {
            return Pause::Done;
        }
        let until = until.min(self.deadline);
        loop {
            self.drive(until, stop);
            if stop.load(Relaxed) {
                return Pause::Stopped;
            }
            let proven = self.config.solver && self.trees.iter().any(|tree| tree.node(0).proof().is_some());
            let spent = self.quotas.iter().all(|quota| quota.load(Relaxed) == 0);
            if proven || spent || Instant::now() >= self.deadline {
                return Pause::Done;
            }
            if let [tree] = &self.trees[..]
                && tree.is_full()
            {
                // The more threads, the sooner what is found is spent.
                (0..self.rngs.len().min(AT_MOST)).for_each(|_| tree.recycle());
            }
            if Instant::now() >= until {
                return Pause::Report;
            }
        }
    }

    /// Lets every thread work until one of the reasons to look up.
    fn drive(&mut self, until: Instant, stop: &AtomicBool) {
        let mut rngs = std::mem::take(&mut self.rngs);
        let together = self.trees.len() == 1 && rngs.len() > 1;
        let mut done = vec![Work::default(); rngs.len()];
        let this = &*self;
        let job = |index: usize, rng: &mut Rng, work: &mut Work| {
            let tree = index.min(this.trees.len() - 1);
            let (quota, tree) = (&this.quotas[tree], &this.trees[tree]);
            let mut walker = Walker::new(this, tree, rng.clone());
            let halt = Halt { quota, tree, solver: this.config.solver, until, stop };
            if together {
                this.simulate::<true>(&halt, &mut walker);
                walker.leave();
                tree.give_back(walker.supply.clone());
            } else {
                this.simulate::<false>(&halt, &mut walker);
                // Nobody else is in the tree.
                while tree.is_full() && !halt.is_over() {
                    tree.recycle();
                    this.simulate::<false>(&halt, &mut walker);
                }
            }
            *rng = walker.rng;
            *work = walker.work;
        };
        if let ([rng], [work]) = (&mut rngs[..], &mut done[..]) {
            job(0, rng, work);
        } else {
            let job = &job;
            std::thread::scope(|scope| {
                for (index, (rng, work)) in rngs.iter_mut().zip(&mut done).enumerate() {
                    scope.spawn(move || job(index, rng, work));
                }
            });
        }
        done.iter().for_each(|work| self.work.add(work));
        self.rngs = rngs;
    }

    fn simulate<const SHARED: bool>(&self, halt: &Halt, walker: &mut Walker<P>) {
        match self.judges.evaluator.as_deref().filter(|_| self.config.leaf == Leaf::Evaluator) {
            Some(evaluator) => halt.run(self.config.batch.into(), |most| walker.simulate_batch::<SHARED>(evaluator, most)),
            None => halt.run(AT_ONCE, |most| {
                let mut made = 0;
                while made < most && !halt.holds() {
                    walker.simulate::<SHARED>();
                    made += 1;
                }
                made
            }),
        }
    }
}

/// The reasons for a thread to look up from its work.
struct Halt<'a> {
    quota: &'a AtomicU64,
    tree: &'a Tree,
    solver: bool,
    until: Instant,
    stop: &'a AtomicBool,
}

impl Halt<'_> {
    /// Whether there is a reason that cannot wait for the clock.
    #[inline(always)]
    fn holds(&self) -> bool {
        self.stop.load(Relaxed) || self.tree.is_full() || (self.solver && self.tree.node(0).proof().is_some())
    }

    /// Whether it is time to stop, or to report.
    fn is_over(&self) -> bool {
        self.stop.load(Relaxed) || Instant::now() >= self.until
    }

    /// Simulates until a reason holds, looking at the clock after every portion of `at_once`. A portion is taken from the quota before
    /// it is made, so that threads together make exactly as many as it allows; `simulate` says how many of it were made.
    #[inline(always)]
    fn run(&self, at_once: u64, mut simulate: impl FnMut(u64) -> u64) {
        loop {
            let taken = self.quota.fetch_update(Relaxed, Relaxed, |left| (left > 0).then(|| left.saturating_sub(at_once)));
            let some = taken.map_or(0, |left| left.min(at_once));
            if some == 0 || self.holds() {
                self.quota.fetch_add(some, Relaxed);
                return;
            }
            let made = simulate(some);
            if made < some {
                self.quota.fetch_add(some - made, Relaxed);
            }
            if Instant::now() >= self.until {
                return;
            }
        }
    }
}
