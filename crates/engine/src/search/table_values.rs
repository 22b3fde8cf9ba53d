//! Adapts the values of endgame tables, which ignore the move limit, for use in a search.

use crate::{GameRules, ProvenValue};

/// The value of a position in the active endgame tables. A win has a distance only if it certainly ends the game before the move
/// limit; near the limit, other wins are omitted.
#[inline(always)]
pub(super) fn table_value<P: GameRules>(position: &P) -> Option<ProvenValue> {
    /// Almost every win can be converted within this many plies.
    const ENOUGH_PLIES: u32 = 40;
    let value = position.proven_value()?;
    let left = position.plies_to_move_limit();
    match (value.winner, value.distance) {
        (None, _) => Some(value),
        (Some(_), Some(distance)) if distance < left => Some(value),
        (winner, _) => (left > ENOUGH_PLIES).then_some(ProvenValue { winner, distance: None }),
    }
}
