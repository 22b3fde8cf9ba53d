//! A node of the tree: what is known of one move.

use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU32, AtomicU64};

use bytemuck::Zeroable;

use super::dump::Reader;
use super::select::Table;
use crate::{Exact, Outcome, Side};

/// Rewards are kept as whole multiples of this: sums are exact, whatever their order.
pub const UNIT: f64 = 1.0 / ONE as f64;
/// A win, in [`UNIT`].
pub const ONE: u64 = 1 << 20;

/// One node, half a cache line. Its numbers are seen by the side that moved to it.
#[derive(Debug, Default, Zeroable)]
pub struct Node {
    /// Bits of the `f64` that is the sum of rewards in [`UNIT`], a whole number: selection reads it for every sibling, and converts none.
    pub(super) sum: AtomicU64,
    /// Bits of the `f64` 1 / sqrt(visits): selection would compute it for every sibling, back-up does for one.
    pub(super) thinness: AtomicU64,
    pub(super) visits: AtomicU32,
    /// First of its children; 0, the root, for none.
    pub(super) children: AtomicU32,
    pub(super) count: AtomicU16,
    /// How many of the children have been tried.
    pub(super) tried: AtomicU16,
    /// The code of the move that leads here.
    pub(super) code: AtomicU16,
    /// 0 unknown, 1 the first side wins, 2 the second side wins, 3 drawn.
    pub(super) proof: AtomicU8,
    /// Plies to the proven end, at most 255.
    pub(super) distance: AtomicU8,
}

/// A value known for certain, with the plies until it shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proof {
    /// `None` is a draw.
    pub winner: Option<Side>,
    /// Plies to the end of the game under best play as far as known.
    pub distance: u8,
}

impl From<Outcome> for Proof {
    fn from(outcome: Outcome) -> Proof {
        Proof { winner: outcome.winner, distance: 0 }
    }
}

impl From<Exact> for Proof {
    /// Where the length of a win is not known it counts as long.
    fn from(exact: Exact) -> Proof {
        let plies = exact.distance.unwrap_or(if exact.winner.is_some() { u32::MAX } else { 0 });
        Proof { winner: exact.winner, distance: plies.min(u8::MAX.into()) as u8 }
    }
}

impl Node {
    /// Simulations that went through.
    #[inline(always)]
    pub fn visits(&self) -> u32 {
        self.visits.load(Relaxed)
    }

    /// The rewards of those simulations, from 0 to [`Node::visits`].
    #[inline(always)]
    pub fn total(&self) -> f64 {
        f64::from_bits(self.sum.load(Relaxed)) * UNIT
    }

    /// The same in [`UNIT`].
    pub(super) fn sum(&self) -> u64 {
        f64::from_bits(self.sum.load(Relaxed)) as u64
    }

    fn set_sum(&self, sum: u64) {
        self.sum.store((sum as f64).to_bits(), Relaxed);
    }

    /// Makes the mean reward what was computed elsewhere, in [`UNIT`].
    pub(super) fn set_mean(&self, mean: u64) {
        self.set_sum(mean * u64::from(self.visits()));
    }

    /// The mean reward, 0 to 1; 0 before the first visit.
    #[inline(always)]
    pub fn mean(&self) -> f64 {
        self.total() / f64::from(self.visits().max(1))
    }

    /// The sum of rewards in [`UNIT`], and 1 / sqrt(visits).
    #[inline(always)]
    pub(super) fn sum_and_thinness(&self) -> (f64, f64) {
        (f64::from_bits(self.sum.load(Relaxed)), f64::from_bits(self.thinness.load(Relaxed)))
    }

    /// The code of the move that leads here ([`crate::Position::decode`]).
    #[inline(always)]
    pub fn code(&self) -> u16 {
        self.code.load(Relaxed)
    }

    /// The slots of the children, in the order in which they are tried; none before they are made.
    #[inline(always)]
    pub fn children(&self) -> std::ops::Range<u32> {
        let (first, count) = self.family();
        first..first.wrapping_add(count.into())
    }

    /// The slot of the first child and how many there are, 0 before they are made.
    #[inline(always)]
    pub(super) fn family(&self) -> (u32, u16) {
        let first = self.children.load(Acquire);
        (first, if first == 0 { 0 } else { self.count.load(Relaxed) })
    }

    /// How many children have been tried.
    #[inline(always)]
    pub fn tried(&self) -> u32 {
        self.tried.load(Relaxed).into()
    }

    /// What is known for certain.
    #[inline(always)]
    pub fn proof(&self) -> Option<Proof> {
        let winner = match self.proof.load(Acquire) {
            0 => return None,
            1 => Some(Side::First),
            2 => Some(Side::Second),
            _ => None,
        };
        Some(Proof { winner, distance: self.distance.load(Relaxed) })
    }

    /// Whether a side is known to win.
    #[inline(always)]
    pub fn is_won_by(&self, side: Side) -> bool {
        self.proof.load(Relaxed) == side as u8 + 1
    }

    /// Writes down what is known for certain.
    pub fn prove(&self, proof: Proof) {
        self.distance.store(proof.distance, Relaxed);
        self.proof.store(proof.winner.map_or(3, |side| side as u8 + 1), Release);
    }

    /// Counts a simulation that goes through. Until its reward is added it stands there as lost, so that other threads look
    /// elsewhere. `SHARED` says whether there are others.
    #[inline(always)]
    pub(super) fn enter<const SHARED: bool>(&self, thinness: &Table) {
        let visits = if SHARED { self.visits.fetch_add(1, Relaxed) } else { self.visits() } + 1;
        if !SHARED {
            self.visits.store(visits, Relaxed);
        }
        self.thinness.store(thinness.of(visits).to_bits(), Relaxed);
    }

    /// Counts simulations that will go through besides the one that just entered.
    pub(super) fn enter_more(&self, more: u32, thinness: &Table) {
        let visits = self.visits.fetch_add(more, Relaxed) + more;
        self.thinness.store(thinness.of(visits).to_bits(), Relaxed);
    }

    /// Takes back simulations that were counted and not made.
    pub(super) fn withdraw(&self, visits: u32, thinness: &Table) {
        let left = self.visits.fetch_sub(visits, Relaxed) - visits;
        self.thinness.store(thinness.of(left).to_bits(), Relaxed);
    }

    /// Adds the reward of a simulation that went through, a whole number of [`UNIT`].
    #[inline(always)]
    pub(super) fn add<const SHARED: bool>(&self, reward: f64) {
        let more = |sum: u64| (f64::from_bits(sum) + reward).to_bits();
        if SHARED {
            let _ = self.sum.fetch_update(Relaxed, Relaxed, |sum| Some(more(sum)));
        } else {
            self.sum.store(more(self.sum.load(Relaxed)), Relaxed);
        }
    }

    /// Takes the next untried child, if there is one.
    #[inline(always)]
    pub(super) fn try_next<const SHARED: bool>(&self, limit: u32) -> Option<u32> {
        let tried = self.tried();
        if tried >= limit {
            return None;
        }
        if SHARED {
            let next = self.tried.fetch_update(Relaxed, Relaxed, |tried| (u32::from(tried) < limit).then_some(tried + 1));
            return next.ok().map(u32::from);
        }
        self.tried.store(tried as u16 + 1, Relaxed);
        Some(tried)
    }

    /// Becomes a leaf again.
    pub(super) fn forget_children(&self) {
        self.children.store(0, Relaxed);
        self.tried.store(0, Relaxed);
    }

    pub(super) fn copy_from(&self, other: &Node) {
        self.sum.store(other.sum.load(Relaxed), Relaxed);
        self.thinness.store(other.thinness.load(Relaxed), Relaxed);
        self.code.store(other.code.load(Relaxed), Relaxed);
        self.visits.store(other.visits.load(Relaxed), Relaxed);
        self.children.store(other.children.load(Relaxed), Relaxed);
        self.count.store(other.count.load(Relaxed), Relaxed);
        self.tried.store(other.tried.load(Relaxed), Relaxed);
        self.proof.store(other.proof.load(Relaxed), Relaxed);
        self.distance.store(other.distance.load(Relaxed), Relaxed);
    }

    /// Whether the numbers fit together, wherever they come from.
    pub(super) fn is_possible(&self) -> bool {
        let most = u64::from(self.visits()) * ONE;
        let (children, count) = (self.children.load(Relaxed), self.count.load(Relaxed));
        self.visits() < 1 << 31
            && self.sum() <= most
            && self.proof.load(Relaxed) <= 3
            && (children == 0 || count > 0)
            && self.tried() <= self.children().len() as u32
    }

    /// Writes everything but the place of the children, which is `first` where they are written.
    pub(super) fn write(&self, first: u32, bytes: &mut Vec<u8>) {
        bytes.extend(self.sum().to_le_bytes());
        bytes.extend(self.visits().to_le_bytes());
        bytes.extend(first.to_le_bytes());
        for number in [&self.count, &self.tried, &self.code] {
            bytes.extend(number.load(Relaxed).to_le_bytes());
        }
        bytes.extend([self.proof.load(Relaxed), self.distance.load(Relaxed)]);
    }

    pub(super) fn read(&self, reader: &mut Reader, thinness: &Table) -> Option<()> {
        self.set_sum(u64::from_le_bytes(reader.take()?));
        self.visits.store(u32::from_le_bytes(reader.take()?), Relaxed);
        self.children.store(u32::from_le_bytes(reader.take()?), Relaxed);
        for number in [&self.count, &self.tried, &self.code] {
            number.store(u16::from_le_bytes(reader.take()?), Relaxed);
        }
        let [proof, distance] = reader.take()?;
        self.proof.store(proof, Relaxed);
        self.distance.store(distance, Relaxed);
        self.thinness.store(thinness.of(self.visits()).to_bits(), Relaxed);
        Some(())
    }
}
