//! Gumbel sequential halving at the root (Danihelka, Guez, Schrittwieser and Silver 2022, "Policy improvement by planning with
//! Gumbel").
//!
//! The moves with the highest `gumbel + logit` are the candidates. The budget is spent in phases, in each of which all remaining
//! candidates get the same number of simulations; after each phase, the better half by `gumbel + logit + sigma(value)` remains.

use super::tree::Tree;
use crate::search::config::Config;
use crate::{Rng, Side};

/// The constants of `sigma(value) = (VISITS + max_visits) * SCALE * value`, for values from 0 to 1.
const VISITS: f64 = 50.0;
const SCALE: f64 = 1.0;

/// The schedule of sequential halving. The current phase is derived from the visits of the children.
pub(super) struct Gumbel {
    candidates: Vec<Candidate>,
    /// For each phase, the number of simulations after which it ends and the number of candidates.
    phases: Vec<(u64, usize)>,
    /// The visits of the root at the start of the run.
    start: u64,
}

#[derive(Clone, Copy)]
struct Candidate {
    slot: u32,
    /// `gumbel + logit`.
    score: f64,
    /// The visits at the start of the run.
    visits: u32,
}

impl Gumbel {
    /// Chooses the candidates among `slots` and plans the phases for a budget of `simulations`.
    pub(super) fn new(tree: &Tree, config: &Config, slots: &[u32], simulations: u64, rng: &mut Rng) -> Gumbel {
        let logit = |slot: u32| tree.enhancements.priors.as_ref().map_or(0.0, |priors| priors.get(slot).max(1e-6).ln());
        let mut candidates: Vec<Candidate> = slots
            .iter()
            .map(|&slot| {
                let gumbel = -(-(1.0 - rng.unit()).ln()).max(f64::MIN_POSITIVE).ln();
                Candidate { slot, score: gumbel + logit(slot), visits: tree.node(slot).visits() }
            })
            .collect();
        candidates.sort_by(|one, other| other.score.total_cmp(&one.score));
        candidates.truncate(config.gumbel_moves as usize);
        // Without a limit, the phases are planned for this many simulations, and the best move gets the rest.
        const UNLIMITED: u64 = 1 << 14;
        let simulations = simulations.min(UNLIMITED);
        let rounds = u64::from(candidates.len().next_power_of_two().trailing_zeros().max(1));
        let (mut phases, mut end, mut count) = (Vec::new(), 0, candidates.len());
        for _ in 0..rounds {
            let share = (simulations / rounds / count as u64).max(1);
            end += share * count as u64;
            phases.push((end, count));
            count = count.div_ceil(2).max(1);
        }
        Gumbel { candidates, phases, start: u64::from(tree.root().visits()) }
    }

    /// The slot for the next simulation: the least visited candidate of the current phase.
    pub(super) fn select(&self, tree: &Tree, turn: Side) -> u32 {
        let done = u64::from(tree.root().visits()).saturating_sub(self.start + 1);
        let phase = self.phases.iter().position(|&(end, _)| done < end);
        let count = phase.map_or(1, |phase| self.phases[phase].1);
        let added = |candidate: &Candidate| tree.node(candidate.slot).visits() - candidate.visits;
        let remaining = self.ranked(tree, turn);
        let next = remaining.iter().take(count).min_by_key(|candidate| added(candidate));
        next.map_or(self.candidates[0].slot, |candidate| candidate.slot)
    }

    /// The slot of the best move: among the candidates with the most visits, the one with the highest score.
    pub(super) fn best(&self, tree: &Tree, turn: Side) -> u32 {
        self.ranked(tree, turn)[0].slot
    }

    /// The candidates: first those visited in the current phase, then those that completed the previous phases, then those that were
    /// dropped earlier; each by descending score.
    fn ranked(&self, tree: &Tree, turn: Side) -> Vec<Candidate> {
        let visits = |candidate: &Candidate| tree.node(candidate.slot).visits() - candidate.visits;
        let most = self.candidates.iter().map(|candidate| tree.node(candidate.slot).visits()).max().unwrap_or(0);
        let done: u64 = self.candidates.iter().map(|candidate| u64::from(visits(candidate))).sum();
        // The minimum number of visits of the candidates that have not been dropped: their shares in all completed phases.
        let mut required = 0;
        let mut begin = 0;
        for &(end, count) in &self.phases {
            if done < end {
                break;
            }
            required += (end - begin) / count as u64;
            begin = end;
        }
        let score = |candidate: &Candidate| {
            let node = tree.node(candidate.slot);
            let value = node.proven().map_or(node.mean(), |proven| crate::ProvenValue::from(proven).value(turn));
            candidate.score + (VISITS + f64::from(most)) * SCALE * value
        };
        let mut ranked = self.candidates.clone();
        // More visits than required: visited in the current phase; fewer: dropped.
        let stage = |candidate: &Candidate| u64::from(visits(candidate)).cmp(&required);
        ranked.sort_by(|one, other| stage(other).cmp(&stage(one)).then(score(other).total_cmp(&score(one))));
        ranked
    }
}
