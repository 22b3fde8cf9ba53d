//! Search limits and the state shared by the threads of a search.

use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::time::{Duration, Instant};

use super::negamax::AlphaBeta;
use super::transpositions::TranspositionTable;
use crate::evaluate::IncrementalEvaluator;
use crate::{GameRules, interrupt};

/// The maximum number of nodes between checks of the limits. In fast games, searching them takes a fraction of a millisecond.
const MAX_INTERVAL: u64 = 512;
/// If more time than this passes between checks, as in games with slow rules, the interval is halved.
const MAX_PAUSE: Duration = Duration::from_millis(1);

/// The state shared by the threads of a search.
pub(super) struct Shared<'a> {
    pub(super) table: &'a TranspositionTable,
    pub(super) deadline: Option<Instant>,
    /// The maximum number of nodes.
    pub(super) node_limit: u64,
    /// The number of nodes reported by all threads.
    pub(super) nodes: AtomicU64,
    /// Whether the threads should stop.
    pub(super) stop: AtomicBool,
}

/// Schedules a thread's checks of the limits. Their interval depends on time, but a node limit is always checked at the same node.
pub(super) struct Clock {
    interval: u64,
    /// The node count of this thread at which the limits are checked next.
    next_check: u64,
    /// The number of nodes that this thread has reported.
    reported: u64,
    last_check: Option<Instant>,
    /// The node count of this thread at which it abandons the verification of a distance.
    pub(super) verification_limit: u64,
}

impl Default for Clock {
    fn default() -> Clock {
        Clock { interval: 1, next_check: 0, reported: 0, last_check: None, verification_limit: u64::MAX }
    }
}

impl<P: GameRules, E: IncrementalEvaluator<P>> AlphaBeta<'_, P, E> {
    /// Checks the limits and the observer if a check is due. Returns whether the search has been stopped.
    #[inline]
    pub(super) fn check_stop(&mut self) -> bool {
        if self.nodes >= self.clock.next_check && !self.stopped {
            self.check_limits();
        }
        self.stopped
    }

    fn check_limits(&mut self) {
        let now = Instant::now();
        match self.clock.last_check.replace(now).map(|last| now - last) {
            Some(pause) if pause > MAX_PAUSE => self.clock.interval = (self.clock.interval / 2).max(1),
            Some(pause) if pause < MAX_PAUSE / 4 => self.clock.interval = (self.clock.interval * 2).min(MAX_INTERVAL),
            _ => {}
        }
        let total = self.report_nodes();
        self.stopped = total > self.shared.node_limit
            || self.shared.stop.load(Relaxed)
            || self.shared.deadline.is_some_and(|deadline| now >= deadline)
            || interrupt::must_skip()
            || self.observer.should_stop();
        self.stopped |= self.nodes >= self.clock.verification_limit;
        let limit = self.shared.node_limit.saturating_sub(total).saturating_add(1);
        let remaining = limit.min(self.clock.verification_limit.saturating_sub(self.nodes));
        self.clock.next_check = self.nodes + self.clock.interval.min(remaining);
    }

    /// Adds the unreported nodes of this thread to the shared count and returns the total.
    pub(super) fn report_nodes(&mut self) -> u64 {
        let new = self.nodes - self.clock.reported;
        self.clock.reported = self.nodes;
        self.shared.nodes.fetch_add(new, Relaxed) + new
    }

    /// Makes this thread search decisive windows without selective pruning until it has visited `limit` nodes in total.
    pub(super) fn start_verification(&mut self, limit: u64) {
        self.verifying = true;
        self.clock.verification_limit = limit;
        self.clock.next_check = self.nodes;
    }

    /// Ends the verification. If its node limit has stopped the search, the search may continue.
    pub(super) fn end_verification(&mut self) {
        let is_exhausted = self.nodes >= self.clock.verification_limit;
        self.clock.verification_limit = u64::MAX;
        self.verifying = false;
        self.stopped &= !is_exhausted;
    }
}
