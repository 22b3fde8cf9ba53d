//! The engine's random number generator. Every random draw comes from a seeded [`Rng`].

/// A wyrand-style generator: a counter and one wide multiplication per draw.
///
/// ```
/// use plyground_engine::Rng;
/// let (mut a, mut b) = (Rng::new(7), Rng::new(7));
/// assert_eq!(a.next_u64(), b.next_u64());
/// assert!(a.below(6) < 6);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rng(u64);

const STEP: u64 = 0xa076_1d64_78bd_642f;
const MIX: u64 = 0xe703_7ed1_a0b4_28db;

#[inline(always)]
fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    (product as u64) ^ ((product >> 64) as u64)
}

impl Rng {
    /// Creates a generator with the given seed. Consecutive seeds give independent streams.
    #[inline]
    pub fn new(seed: u64) -> Rng {
        Rng(split(seed, 0))
    }

    /// Returns 64 uniformly distributed bits.
    #[inline(always)]
    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(STEP);
        fold(self.0, self.0 ^ MIX)
    }

    /// Returns a uniformly distributed integer below `n`, which must not be 0.
    #[inline(always)]
    pub fn below(&mut self, n: u32) -> u32 {
        scale(self.next_u64(), n)
    }

    /// Returns a uniformly distributed multiple of 2^-53 in [0, 1).
    #[inline]
    pub fn unit(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// Maps 64 uniform bits to an integer below `n`: the high half of `bits * n`, with a bias below n / 2^64.
#[inline(always)]
pub fn scale(bits: u64, n: u32) -> u32 {
    ((u128::from(bits) * u128::from(n)) >> 64) as u32
}

/// Derives the seed of stream `n`, for example for the n-th move of a game or the n-th game of a match.
#[inline]
pub fn split(seed: u64, n: u64) -> u64 {
    mix(mix(seed.wrapping_add(STEP)).wrapping_add(n.wrapping_mul(STEP)))
}

/// Mixes the bits of `x` with the SplitMix64 finaliser (Steele et al. 2014), a bijection.
#[inline]
pub fn mix(mut x: u64) -> u64 {
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_are_uniform() {
        let mut rng = Rng::new(1);
        let mut counts = [0f64; 10];
        for _ in 0..100_000 {
            counts[rng.below(10) as usize] += 1.0;
        }
        // The 99.9th percentile of the chi-squared distribution with 9 degrees of freedom is 27.9.
        let chi: f64 = counts.iter().map(|c| (c - 10_000.0).powi(2) / 10_000.0).sum();
        assert!(chi < 27.9, "{chi}");
    }

    #[test]
    fn consecutive_seeds_give_different_streams() {
        let draws: std::collections::HashSet<u32> = (0..1000).map(|seed| Rng::new(seed).below(1 << 30)).collect();
        assert!(draws.len() > 995);
        assert_ne!(split(1, 2), split(2, 1));
        assert_ne!(split(0, 0), 0);
    }

    #[test]
    fn unit_has_mean_one_half() {
        let mut rng = Rng::new(3);
        let mean = (0..10_000).map(|_| rng.unit()).sum::<f64>() / 10_000.0;
        assert!((mean - 0.5).abs() < 0.02);
    }
}
