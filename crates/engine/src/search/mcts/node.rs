//! A node of the search tree.

use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU32, AtomicU64};

use bytemuck::Zeroable;

use super::formulas::LookupTable;
use crate::{Outcome, ProvenValue, Side};

/// The unit of rewards. Sums of rewards are integer multiples of it, so they are exact regardless of the order of addition.
pub(super) const UNIT: f64 = 1.0 / ONE as f64;
/// The reward of a win in [`UNIT`]s.
pub(super) const ONE: u64 = 1 << 20;

/// [`Node::tried_children`] of a node that a thread is expanding.
const CLAIMED: u16 = u16::MAX;

/// A proven value as stored in a node: the distance is capped at 255, which also represents an unknown distance.
#[derive(Clone, Copy)]
pub(super) struct PackedValue {
    pub(super) winner: Option<Side>,
    pub(super) distance: u8,
}

impl PackedValue {
    /// The value for `side` in [`UNIT`]s.
    #[inline(always)]
    pub(super) fn units(self, side: Side) -> u64 {
        match self.winner {
            None => ONE / 2,
            Some(winner) => {
                if winner == side {
                    ONE
                } else {
                    0
                }
            }
        }
    }
}

impl From<ProvenValue> for PackedValue {
    #[inline(always)]
    fn from(value: ProvenValue) -> PackedValue {
        let distance = value.distance.unwrap_or(if value.winner.is_some() { u32::MAX } else { 0 });
        PackedValue { winner: value.winner, distance: distance.min(u8::MAX.into()) as u8 }
    }
}

impl From<PackedValue> for ProvenValue {
    fn from(value: PackedValue) -> ProvenValue {
        ProvenValue { winner: value.winner, distance: (value.distance < u8::MAX).then(|| value.distance.into()) }
    }
}

impl From<Outcome> for PackedValue {
    #[inline(always)]
    fn from(outcome: Outcome) -> PackedValue {
        PackedValue { winner: outcome.winner, distance: 0 }
    }
}

/// A node, half a cache line in size. Rewards are from the point of view of the side that moved to it.
///
/// All fields are atomics so that threads can share the tree without locks. A single thread uses plain loads and stores.
#[derive(Debug, Default, Zeroable)]
pub(super) struct Node {
    /// Bits of an `f64`: the sum of rewards in [`UNIT`]s, an integer. Stored as a float because selection reads it for every sibling.
    pub(super) reward_sum: AtomicU64,
    /// Bits of an `f64`: 1 / sqrt(visits), computed once per backup instead of once per sibling in selection.
    pub(super) inv_sqrt_visits: AtomicU64,
    pub(super) visits: AtomicU32,
    /// The slot of the first child; 0 (the root) if the node is not expanded.
    pub(super) first_child: AtomicU32,
    pub(super) child_count: AtomicU16,
    /// The number of children that have been visited or are being visited; [`CLAIMED`] while a thread expands the node.
    pub(super) tried_children: AtomicU16,
    /// The code of the move to this node.
    pub(super) move_code: AtomicU16,
    /// [`PackedValue::winner`]: 0 unproven, 1 the first side wins, 2 the second side wins, 3 draw.
    pub(super) proven: AtomicU8,
    /// [`PackedValue::distance`].
    pub(super) proven_distance: AtomicU8,
}

impl Node {
    /// The number of simulations through the node.
    #[inline(always)]
    pub(super) fn visits(&self) -> u32 {
        self.visits.load(Relaxed)
    }

    /// The sum of rewards, from 0 to [`Node::visits`].
    #[inline(always)]
    pub(super) fn total(&self) -> f64 {
        f64::from_bits(self.reward_sum.load(Relaxed)) * UNIT
    }

    /// The sum of rewards in [`UNIT`]s.
    pub(super) fn reward_sum(&self) -> u64 {
        f64::from_bits(self.reward_sum.load(Relaxed)) as u64
    }

    pub(super) fn set_reward_sum(&self, sum: u64) {
        self.reward_sum.store((sum as f64).to_bits(), Relaxed);
    }

    /// Sets the mean reward in [`UNIT`]s.
    pub(super) fn set_mean(&self, mean: u64) {
        self.set_reward_sum(mean * u64::from(self.visits()));
    }

    /// Converts the sum of rewards to the point of view of the other side.
    pub(super) fn invert_rewards(&self) {
        self.set_reward_sum(u64::from(self.visits()) * ONE - self.reward_sum());
    }

    /// The mean reward, from 0 to 1; 0 before the first visit.
    #[inline(always)]
    pub(super) fn mean(&self) -> f64 {
        self.total() / f64::from(self.visits().max(1))
    }

    /// The sum of rewards in [`UNIT`]s and 1 / sqrt(visits).
    #[inline(always)]
    pub(super) fn sum_and_inv_sqrt_visits(&self) -> (f64, f64) {
        (f64::from_bits(self.reward_sum.load(Relaxed)), f64::from_bits(self.inv_sqrt_visits.load(Relaxed)))
    }

    /// The code of the move to this node ([`crate::Position::decode`]).
    #[inline(always)]
    pub(super) fn move_code(&self) -> u16 {
        self.move_code.load(Relaxed)
    }

    pub(super) fn set_move_code(&self, code: u16) {
        self.move_code.store(code, Relaxed);
    }

    /// The slots of the children in the order in which they are tried; empty if the node is not expanded.
    #[inline(always)]
    pub(super) fn children(&self) -> std::ops::Range<u32> {
        let (first, count) = self.first_child_and_count();
        first..first.wrapping_add(count.into())
    }

    /// The slot of the first child and the number of children, which is 0 if the node is not expanded.
    #[inline(always)]
    pub(super) fn first_child_and_count(&self) -> (u32, u16) {
        let first = self.first_child.load(Acquire);
        (first, if first == 0 { 0 } else { self.child_count.load(Relaxed) })
    }

    /// The number of children that have been tried.
    #[inline(always)]
    pub(super) fn tried_children(&self) -> u32 {
        self.tried_children.load(Relaxed).into()
    }

    /// The proven value, if any.
    #[inline(always)]
    pub(super) fn proven(&self) -> Option<PackedValue> {
        let winner = match self.proven.load(Acquire) {
            0 => return None,
            1 => Some(Side::First),
            2 => Some(Side::Second),
            _ => None,
        };
        Some(PackedValue { winner, distance: self.proven_distance.load(Relaxed) })
    }

    #[inline(always)]
    pub(super) fn is_proven(&self) -> bool {
        self.proven.load(Acquire) != 0
    }

    /// Whether the node is a proven win for `side`.
    #[inline(always)]
    pub(super) fn is_won_by(&self, side: Side) -> bool {
        self.proven.load(Relaxed) == side as u8 + 1
    }

    pub(super) fn prove(&self, value: PackedValue) {
        self.proven_distance.store(value.distance, Relaxed);
        self.proven.store(value.winner.map_or(3, |side| side as u8 + 1), Release);
    }

    pub(super) fn unprove(&self) {
        self.proven.store(0, Relaxed);
    }

    /// Claims the right to expand the node. Returns `false` if it is expanded or another thread has claimed it.
    #[inline(always)]
    pub(super) fn claim<const SHARED: bool>(&self) -> bool {
        !SHARED
            || (self.first_child.load(Acquire) == 0
                && self.tried_children.compare_exchange(0, CLAIMED, Acquire, Relaxed).is_ok()
                && (self.first_child.load(Acquire) == 0 || self.disclaim::<SHARED>()))
    }

    /// Releases the claim without expanding the node and returns `false`.
    #[inline(always)]
    pub(super) fn disclaim<const SHARED: bool>(&self) -> bool {
        if SHARED {
            self.tried_children.store(0, Release);
        }
        false
    }

    /// Makes a block of initialised slots the children of a node that this thread has claimed. The first `tried` count as tried.
    #[inline(always)]
    pub(super) fn attach(&self, block: &std::ops::Range<u32>, tried: u16) {
        self.child_count.store(block.len() as u16, Relaxed);
        self.first_child.store(block.start, Release);
        // Ends the claim, so that a thread that claims the node from now on sees that it is expanded.
        self.tried_children.store(tried, Release);
    }

    /// Adds a visit. Until its reward is added, it counts as a loss (virtual loss), so that other threads explore elsewhere. `SHARED`
    /// is whether other threads use the tree.
    #[inline(always)]
    pub(super) fn add_visit<const SHARED: bool>(&self, inv_sqrt: &LookupTable) {
        let visits = if SHARED { self.visits.fetch_add(1, Relaxed) } else { self.visits() } + 1;
        if !SHARED {
            self.visits.store(visits, Relaxed);
        }
        self.inv_sqrt_visits.store(inv_sqrt.get(visits).to_bits(), Relaxed);
    }

    /// Adds several visits in advance.
    pub(super) fn add_visits(&self, count: u32, inv_sqrt: &LookupTable) {
        let visits = self.visits.fetch_add(count, Relaxed) + count;
        self.inv_sqrt_visits.store(inv_sqrt.get(visits).to_bits(), Relaxed);
    }

    /// Removes visits that were added in advance but not used.
    pub(super) fn remove_visits(&self, count: u32, inv_sqrt: &LookupTable) {
        let visits = self.visits.fetch_sub(count, Relaxed) - count;
        self.inv_sqrt_visits.store(inv_sqrt.get(visits).to_bits(), Relaxed);
    }

    /// Adds a reward, an integer number of [`UNIT`]s.
    #[inline(always)]
    pub(super) fn add_reward<const SHARED: bool>(&self, reward: f64) {
        let added = |sum: u64| (f64::from_bits(sum) + reward).to_bits();
        if SHARED {
            let _ = self.reward_sum.fetch_update(Relaxed, Relaxed, |sum| Some(added(sum)));
        } else {
            self.reward_sum.store(added(self.reward_sum.load(Relaxed)), Relaxed);
        }
    }

    /// Marks the next untried child among the first `limit` children as tried and returns its index.
    #[inline(always)]
    pub(super) fn try_next_child<const SHARED: bool>(&self, limit: u32) -> Option<u32> {
        let tried = self.tried_children();
        if tried >= limit {
            return None;
        }
        if SHARED {
            let next =
                self.tried_children.fetch_update(Relaxed, Relaxed, |tried| (u32::from(tried) < limit).then_some(tried + 1));
            return next.ok().map(u32::from);
        }
        self.tried_children.store(tried as u16 + 1, Relaxed);
        Some(tried)
    }

    /// Makes a child untried again if it was the last one to be tried.
    pub(super) fn untry_child(&self, index: u16) {
        let _ = self.tried_children.compare_exchange(index + 1, index, Relaxed, Relaxed);
    }

    /// Makes the node a leaf.
    pub(super) fn remove_children(&self) {
        self.first_child.store(0, Relaxed);
        self.tried_children.store(0, Relaxed);
    }

    pub(super) fn copy_from(&self, other: &Node) {
        self.reward_sum.store(other.reward_sum.load(Relaxed), Relaxed);
        self.inv_sqrt_visits.store(other.inv_sqrt_visits.load(Relaxed), Relaxed);
        self.move_code.store(other.move_code.load(Relaxed), Relaxed);
        self.visits.store(other.visits.load(Relaxed), Relaxed);
        self.first_child.store(other.first_child.load(Relaxed), Relaxed);
        self.child_count.store(other.child_count.load(Relaxed), Relaxed);
        self.tried_children.store(other.tried_children.load(Relaxed), Relaxed);
        self.proven.store(other.proven.load(Relaxed), Relaxed);
        self.proven_distance.store(other.proven_distance.load(Relaxed), Relaxed);
    }
}
