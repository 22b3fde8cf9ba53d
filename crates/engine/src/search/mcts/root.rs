//! Selection at the root, where it differs from other nodes: restricted root moves, several principal variations (MultiPV), Dirichlet
//! noise and Gumbel sequential halving. The policy is recreated at the start of every run, so it also applies to a reused tree.

use super::formulas::Formula;
use super::gumbel::Gumbel;
use super::node::Node;
use super::tree::Tree;
use crate::search::config::{Config, RootSelection};
use crate::{Rng, Side};

/// The root policy of a tree.
pub(super) struct RootPolicy {
    /// The slots of the allowed moves in the order in which they are tried.
    slots: Vec<u32>,
    /// The number of moves whose principal variations are searched in turn.
    lines: u32,
    pub(super) gumbel: Option<Gumbel>,
}

impl RootPolicy {
    /// The policy for an expanded root, restricted to the moves with the given codes, if any; `None` if the root needs no special
    /// selection. `simulations` is the budget of the run.
    pub(super) fn new(
        tree: &Tree,
        config: &Config,
        allowed: Option<&[u16]>,
        simulations: u64,
        rng: &mut Rng,
    ) -> Option<RootPolicy> {
        let is_allowed = |slot: &u32| allowed.is_none_or(|codes| codes.contains(&tree.node(*slot).move_code()));
        let slots: Vec<u32> = tree.root().children().filter(is_allowed).collect();
        // The root has no children if the search was interrupted while it was being expanded.
        if slots.is_empty() {
            return None;
        }
        let gumbel = (config.root == RootSelection::Gumbel).then(|| Gumbel::new(tree, config, &slots, simulations, rng));
        let is_special = allowed.is_some() || config.lines > 1 || gumbel.is_some();
        is_special.then_some(RootPolicy { slots, lines: config.lines, gumbel })
    }

    /// The allowed children of the root.
    pub(super) fn allowed<'a>(&'a self, tree: &'a Tree) -> impl Iterator<Item = &'a Node> {
        self.slots.iter().map(|&slot| tree.node(slot))
    }

    /// The child for the next simulation.
    pub(super) fn select<'a>(&self, tree: &'a Tree, config: &Config, turn: Side) -> &'a Node {
        if let Some(gumbel) = &self.gumbel {
            return tree.node(gumbel.select(tree, turn));
        }
        let mut slots: Vec<u32> = self.slots.clone();
        // Simulation i of a search for k lines ignores the i mod k most visited moves, so that each line gets its share.
        let ignored = tree.root().visits() % self.lines;
        for _ in 0..ignored.min(slots.len() as u32 - 1) {
            let most = slots.iter().copied().max_by_key(|&slot| tree.node(slot).visits());
            slots.retain(|&slot| Some(slot) != most);
        }
        let untried = slots.iter().find(|&&slot| config.first_play < 0.0 && tree.node(slot).visits() == 0);
        let chosen = untried.copied().or_else(|| {
            let amaf = if tree.enhancements.amaf.is_some() { tree.root().children() } else { 0..0 };
            Formula::new(tree, config, tree.root().visits(), amaf).select(slots.iter().copied(), turn)
        });
        tree.node(chosen.unwrap_or(self.slots[0]))
    }
}

/// Mixes Dirichlet noise into the priors of the root's children (Silver et al. 2017). `raw` are the priors without noise.
pub(super) fn add_noise(tree: &Tree, config: &Config, raw: &[f64], rng: &mut Rng) {
    let Some(priors) = &tree.enhancements.priors else {
        return;
    };
    let noise: Vec<f64> = raw.iter().map(|_| gamma(config.noise_alpha, rng)).collect();
    let sum: f64 = noise.iter().sum::<f64>().max(f64::MIN_POSITIVE);
    for ((slot, &prior), noise) in tree.root().children().zip(raw).zip(noise) {
        priors.set(slot, prior + config.noise * (noise / sum - prior));
    }
}

/// A random number with the gamma distribution of shape `alpha` and scale 1 (Marsaglia and Tsang 2000, "A simple method for generating
/// gamma variables").
fn gamma(alpha: f64, rng: &mut Rng) -> f64 {
    if alpha < 1.0 {
        // unit() is below 1, so the base is positive.
        return gamma(alpha + 1.0, rng) * (1.0 - rng.unit()).powf(1.0 / alpha);
    }
    let d = alpha - 1.0 / 3.0;
    let c = 1.0 / (9.0 * d).sqrt();
    loop {
        // A standard normal variable (Box-Muller transform).
        let x = (-2.0 * (1.0 - rng.unit()).ln()).sqrt() * (std::f64::consts::TAU * rng.unit()).cos();
        let v = (1.0 + c * x).powi(3);
        if v > 0.0 && (1.0 - rng.unit()).ln() < 0.5 * x * x + d - d * v + d * v.ln() {
            return d * v;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gamma_variables_have_the_right_mean_and_variance() {
        for alpha in [0.3, 1.0, 4.0] {
            let mut rng = Rng::new(5);
            let values: Vec<f64> = (0..40_000).map(|_| gamma(alpha, &mut rng)).collect();
            let mean = values.iter().sum::<f64>() / values.len() as f64;
            let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / values.len() as f64;
            assert!((mean - alpha).abs() < 0.05 * alpha.max(0.6), "{mean} of {alpha}");
            assert!((variance - alpha).abs() < 0.1 * alpha.max(0.6), "{variance} of {alpha}");
        }
    }
}
