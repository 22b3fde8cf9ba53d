//! The hook through which positions probe endgame tables, which are implemented in [`crate::exact`].

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use super::{Checkers, Draws};
use crate::ProvenValue;

/// Looks up a position in the active endgame tables.
type Probe = fn(&Checkers) -> Option<ProvenValue>;

static PROBE: OnceLock<Probe> = OnceLock::new();
/// The maximum number of pieces in positions that are probed; 0 if no tables are active.
static MAX_PIECES: AtomicU32 = AtomicU32::new(0);

/// Sets the function that probes endgame tables and the number of pieces they cover. Only the first function is kept.
pub(crate) fn set_endgame_probe(probe: Probe, max_pieces: u32) {
    PROBE.get_or_init(|| probe);
    MAX_PIECES.store(max_pieces, Ordering::Release);
}

impl Checkers {
    /// The value from the active endgame tables; only with the English draw rules, whose move limit leaves enough moves to win.
    #[inline(always)]
    pub(super) fn probe_tables(&self) -> Option<ProvenValue> {
        if (self.black | self.white).count_ones() > MAX_PIECES.load(Ordering::Acquire) || self.draws != Draws::English {
            return None;
        }
        PROBE.get().and_then(|probe| probe(self))
    }
}
