//! Interrupts, which tell a search to stop calling code outside the engine.
//!
//! The rules of a user game are callbacks that may take as long as a whole search of a built-in game. A caller runs a search
//! [`within`] an interrupt, which is checked before each callback. A skipped callback returns a placeholder, so code that uses its
//! result must check [`is_interrupted`] and discard everything that depends on it.

use std::any::Any;
use std::cell::RefCell;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// The error raised by a callback.
pub type Failure = Box<dyn Any + Send>;

thread_local! {
    static CURRENT: RefCell<Option<Arc<Interrupt>>> = const { RefCell::new(None) };
}

/// A signal that fires at a deadline, when a flag is set, when a callback fails, or when the enclosing interrupt fires. Once fired,
/// it stays fired for all threads that run within it.
#[derive(Default)]
pub struct Interrupt {
    deadline: Option<Instant>,
    stop: Option<Arc<AtomicBool>>,
    outer: Option<Arc<Interrupt>>,
    fired: AtomicBool,
    failure: Mutex<Option<Failure>>,
}

impl Interrupt {
    /// Creates an interrupt nested in this thread's current one.
    pub fn new(deadline: Option<Instant>, stop: Option<Arc<AtomicBool>>) -> Arc<Interrupt> {
        Arc::new(Interrupt { deadline, stop, outer: current(), ..Interrupt::default() })
    }

    /// Checks all conditions. Returns whether the interrupt has fired.
    pub fn check(&self) -> bool {
        if !self.has_fired()
            && (self.stop.as_ref().is_some_and(|stop| stop.load(Relaxed))
                || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
                || self.outer.as_ref().is_some_and(|outer| outer.check()))
        {
            self.fire();
        }
        self.has_fired()
    }

    /// Whether the interrupt has fired, without checking its conditions.
    #[inline]
    pub fn has_fired(&self) -> bool {
        self.fired.load(Relaxed)
    }

    /// Fires the interrupt.
    pub fn fire(&self) {
        self.fired.store(true, Relaxed);
    }

    /// Takes the first callback failure, if any.
    pub fn take_failure(&self) -> Option<Failure> {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// This thread's current interrupt.
pub fn current() -> Option<Arc<Interrupt>> {
    CURRENT.with_borrow(Clone::clone)
}

/// Replaces this thread's current interrupt and returns the previous one.
pub fn replace(interrupt: Option<Arc<Interrupt>>) -> Option<Arc<Interrupt>> {
    CURRENT.replace(interrupt)
}

/// Calls a function within an interrupt.
pub fn within<T>(interrupt: Option<Arc<Interrupt>>, function: impl FnOnce() -> T) -> T {
    /// Restores the previous interrupt, even after a panic.
    struct Restore(Option<Arc<Interrupt>>);
    impl Drop for Restore {
        fn drop(&mut self) {
            replace(self.0.take());
        }
    }
    let _restore = Restore(replace(interrupt));
    function()
}

/// Whether a callback must be skipped because the current interrupt has fired. Checks the interrupt's conditions.
pub fn must_skip() -> bool {
    CURRENT.with_borrow(|current| current.as_ref().is_some_and(|interrupt| interrupt.check()))
}

/// Whether the current interrupt has fired, so that results may depend on a skipped or failed callback.
#[inline]
pub fn is_interrupted() -> bool {
    CURRENT.with_borrow(|current| current.as_ref().is_some_and(|interrupt| interrupt.has_fired()))
}

/// Stores a callback failure in the current interrupt, unless it already has one, and fires the interrupt.
pub fn fail(failure: impl FnOnce() -> Failure) {
    let Some(current) = current() else { return };
    let failure = failure();
    current.failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(failure);
    current.fire();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interrupt_fires_when_its_flag_is_set_and_stays_fired() {
        let stop = Arc::new(AtomicBool::new(false));
        let interrupt = Interrupt::new(None, Some(stop.clone()));
        within(Some(interrupt), || {
            assert!(!must_skip());
            stop.store(true, Relaxed);
            assert!(!is_interrupted(), "nothing has been skipped yet");
            assert!(must_skip() && is_interrupted());
            stop.store(false, Relaxed);
            assert!(must_skip());
        });
        assert!(!must_skip() && current().is_none());
    }

    #[test]
    fn an_inner_interrupt_fires_with_the_outer_one_but_not_vice_versa() {
        let outer = Interrupt::new(None, None);
        within(Some(outer.clone()), || {
            let inner = Interrupt::new(None, None);
            within(Some(inner.clone()), || fail(|| Box::new("a failure")));
            assert!(inner.has_fired() && !must_skip());
            assert_eq!(inner.take_failure().and_then(|failure| failure.downcast().ok()), Some(Box::new("a failure")));
            let second = Interrupt::new(None, None);
            outer.fire();
            assert!(second.check());
        });
    }

    #[test]
    fn a_deadline_in_the_past_fires() {
        assert!(Interrupt::new(Some(Instant::now()), None).check());
    }
}
