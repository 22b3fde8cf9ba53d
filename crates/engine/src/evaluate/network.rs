//! Compact networks: small value-and-policy networks, evaluated incrementally with 16-bit integers on any processor.
//!
//! ```text
//! pieces, mover's view      --features--> accumulator --activation--+--> value: win, draw, loss (one set of weights per bucket)
//! pieces, opponent's view   --features--> accumulator --activation--+--> hidden --> policy: one logit per action
//! ```
//!
//! Both accumulators use the same weights: an accumulator is the bias plus the weights of the active input features
//! ([`crate::Learning::active_features`]), so that a move changes it by a few rows. The activation is the square of the accumulator
//! clipped to 0..1 ("SCReLU"); the hidden layer is clipped to 0..1. A value bucket is chosen by the number of pieces. This is a small
//! form of the efficiently updatable neural networks (NNUE) of Nasu (2018).
//!
//! Weights are given as 32-bit floating-point numbers and rounded to integers when a network is created:
//!
//! | values | unit |
//! |---|---|
//! | accumulators and their weights | 1 / [`ACCUMULATOR_SCALE`] |
//! | activations | 1 / [`ACTIVATION_SCALE`] |
//! | weights of the value head and of the hidden layer | 1 / [`HEAD_SCALE`] |
//! | hidden values | 1 / [`HIDDEN_SCALE`] |
//! | weights of the policy head | 1 / [`POLICY_SCALE`] |

use crate::{Error, Game};

mod accumulator;
mod batch;
mod evaluator;
mod float;
mod heads;
#[cfg(test)]
mod tests;

pub use accumulator::Accumulators;
pub use batch::NetworkBatch;
pub use evaluator::NetworkEvaluator;
pub use float::Prediction;

/// Units of an accumulator per 1.
const ACCUMULATOR_SCALE: f32 = 255.0;
/// Units of an activation per 1: `(v * v + 4) / 8` for a clipped accumulator of `v` units, which is below 2^13.
const ACTIVATION_SCALE: f32 = 255.0 * 255.0 / 8.0;
/// Units of the weights of the value head and of the hidden layer per 1.
const HEAD_SCALE: f32 = 512.0;
/// Units of a hidden value per 1.
const HIDDEN_SCALE: f32 = 2048.0;
/// Units of the weights of the policy head per 1.
const POLICY_SCALE: f32 = 512.0;

/// The width of the accumulators must be a multiple of this, for vector instructions.
pub const WIDTH_STEP: usize = 16;
/// The maximum width of an accumulator.
pub const MAX_WIDTH: usize = 1024;
/// The maximum number of hidden values.
pub const MAX_HIDDEN: usize = 256;
/// The maximum number of buckets of the value head.
pub const MAX_BUCKETS: usize = 32;
/// The maximum number of parameters.
pub const MAX_PARAMETERS: usize = 16_000_000;

/// A named array of 32-bit floating-point numbers in row-major order.
#[derive(Clone, Debug)]
pub struct Tensor {
    /// The name: `features.weight`, `features.bias`, `value.weight` and so on.
    pub name: String,
    /// The size of each dimension.
    pub shape: Vec<usize>,
    /// The values, row by row.
    pub values: Vec<f32>,
}

/// The sizes of a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sizes {
    /// The number of input features.
    pub features: usize,
    /// The width of an accumulator.
    pub width: usize,
    /// The number of buckets of the value head.
    pub buckets: usize,
    /// The number of hidden values of the policy; 0 without a policy.
    pub hidden: usize,
    /// The number of actions; 0 without a policy.
    pub actions: usize,
}

impl Sizes {
    /// The expected names and shapes of the arrays.
    fn tensors(&self) -> Vec<(&'static str, Vec<usize>)> {
        let Sizes { features, width, buckets, hidden, actions } = *self;
        let value = [
            ("features.weight", vec![features, width]),
            ("features.bias", vec![width]),
            ("value.weight", vec![buckets, 3, 2 * width]),
            ("value.bias", vec![buckets, 3]),
        ];
        let policy = [
            ("hidden.weight", vec![hidden, 2 * width]),
            ("hidden.bias", vec![hidden]),
            ("policy.weight", vec![actions, hidden]),
            ("policy.bias", vec![actions]),
        ];
        value.into_iter().chain(policy.into_iter().filter(|_| hidden > 0)).collect()
    }
}

/// A compact network of a game.
#[derive(Clone, Debug)]
pub struct Network {
    sizes: Sizes,
    /// The number of pieces per bucket of the value head.
    bucket_pieces: usize,
    float: float::FloatWeights,
    /// One row of accumulator weights per feature.
    feature_weights: Vec<accumulator::Block>,
    feature_biases: Vec<accumulator::Block>,
    /// The weights of the win, draw and loss logits of each bucket.
    value_weights: Vec<i16>,
    /// One row per hidden value.
    hidden_weights: Vec<i16>,
    /// One row per action.
    policy_weights: Vec<i16>,
}

impl Network {
    /// Creates a network for a game from its arrays. `bucket_pieces` is the number of pieces per bucket of the value head.
    pub fn new(game: &Game, tensors: Vec<Tensor>, bucket_pieces: usize) -> Result<Network, Error> {
        let sizes = sizes(game, &tensors)?;
        if !(1..=1024).contains(&bucket_pieces) {
            return Err(Error::option("bucket_pieces", "between 1 and 1024", &bucket_pieces.to_string()));
        }
        let expected = sizes.tensors();
        for tensor in &tensors {
            let Some((_, shape)) = expected.iter().find(|(name, _)| *name == tensor.name) else {
                let names: Vec<&str> = expected.iter().map(|(name, _)| *name).collect();
                return Err(invalid(&format!("unknown array {:.40}; expected {}", tensor.name, names.join(", "))));
            };
            if tensor.shape != *shape || tensor.values.len() != shape.iter().product::<usize>() {
                return Err(invalid(&format!("array {} must have the shape {shape:?}, got {:?}", tensor.name, tensor.shape)));
            }
            if !tensor.values.iter().all(|value| value.is_finite()) {
                return Err(invalid(&format!("array {} contains a value that is not finite", tensor.name)));
            }
        }
        let mut arrays = Vec::new();
        for (name, _) in expected {
            let mut found = tensors.iter().filter(|tensor| tensor.name == name);
            match (found.next(), found.next()) {
                (Some(tensor), None) => arrays.push(tensor.values.clone()),
                (None, _) => return Err(invalid(&format!("array {name} is missing"))),
                _ => return Err(invalid(&format!("duplicate array {name}"))),
            }
        }
        let float = float::FloatWeights::new(arrays);
        let network = Network {
            sizes,
            bucket_pieces,
            feature_weights: blocks(&quantise(&float.feature_weights, ACCUMULATOR_SCALE, "features.weight")?),
            feature_biases: blocks(&quantise(&float.feature_biases, ACCUMULATOR_SCALE, "features.bias")?),
            value_weights: quantise(&float.value_weights, HEAD_SCALE, "value.weight")?,
            hidden_weights: quantise(&float.hidden_weights, HEAD_SCALE, "hidden.weight")?,
            policy_weights: quantise(&float.policy_weights, POLICY_SCALE, "policy.weight")?,
            float,
        };
        network.check_sums()?;
        Ok(network)
    }

    /// The sizes of the network.
    pub fn sizes(&self) -> Sizes {
        self.sizes
    }

    /// Whether the network has a policy head.
    pub fn has_policy(&self) -> bool {
        self.sizes.hidden > 0
    }

    /// The bucket of the value head for a number of pieces.
    #[inline]
    fn bucket(&self, pieces: usize) -> usize {
        (pieces.saturating_sub(1) / self.bucket_pieces).min(self.sizes.buckets - 1)
    }

    /// Returns an error if the sum of a row of a head could exceed 32 bits.
    fn check_sums(&self) -> Result<(), Error> {
        let Sizes { width, hidden, .. } = self.sizes;
        let rows = |name, weights: &'_ [i16], length: usize, input: f32| {
            let sum = |row: &[i16]| row.iter().map(|weight| i64::from(weight.unsigned_abs())).sum::<i64>();
            let fits = |row: &[i16]| sum(row) * input as i64 <= i32::MAX.into();
            match weights.chunks_exact(length.max(1)).all(fits) {
                true => Ok(()),
                false => Err(invalid(&format!("the weights of {name} are too large"))),
            }
        };
        rows("value.weight", &self.value_weights, 2 * width, ACTIVATION_SCALE)?;
        rows("hidden.weight", &self.hidden_weights, 2 * width, ACTIVATION_SCALE)?;
        rows("policy.weight", &self.policy_weights, hidden, HIDDEN_SCALE)
    }
}

fn invalid(why: &str) -> Error {
    Error::Parse(format!("invalid network: {why}"))
}

/// Derives the sizes from the shapes of the arrays and checks them.
fn sizes(game: &Game, tensors: &[Tensor]) -> Result<Sizes, Error> {
    let dimension = |name: &str, index: usize| {
        tensors.iter().find(|tensor| tensor.name == name).and_then(|tensor| tensor.shape.get(index).copied()).unwrap_or(0)
    };
    let has_policy = tensors.iter().any(|tensor| tensor.name.starts_with("policy.") || tensor.name.starts_with("hidden."));
    let sizes = Sizes {
        features: game.features,
        width: dimension("features.bias", 0),
        buckets: dimension("value.bias", 0),
        hidden: if has_policy { dimension("hidden.bias", 0) } else { 0 },
        actions: if has_policy { game.actions } else { 0 },
    };
    for (name, size, minimum, maximum) in [
        ("the width", sizes.width, WIDTH_STEP, MAX_WIDTH),
        ("the number of buckets", sizes.buckets, 1, MAX_BUCKETS),
        ("the number of hidden values", sizes.hidden, usize::from(has_policy), MAX_HIDDEN),
    ] {
        if !(minimum..=maximum).contains(&size) {
            return Err(invalid(&format!("{name} must be between {minimum} and {maximum}, got {size}")));
        }
    }
    if !sizes.width.is_multiple_of(WIDTH_STEP) {
        return Err(invalid(&format!("the width must be a multiple of {WIDTH_STEP}, got {}", sizes.width)));
    }
    let parameters: usize = sizes.tensors().iter().map(|(_, shape)| shape.iter().product::<usize>()).sum();
    if parameters > MAX_PARAMETERS {
        return Err(invalid(&format!("it must have at most {MAX_PARAMETERS} parameters, got {parameters}")));
    }
    Ok(sizes)
}

/// Divides values into blocks; their number is a multiple of [`WIDTH_STEP`].
fn blocks(values: &[i16]) -> Vec<accumulator::Block> {
    values.as_chunks().0.to_vec()
}

/// Rounds values to integers.
fn quantise(values: &[f32], scale: f32, name: &str) -> Result<Vec<i16>, Error> {
    let largest = f32::from(i16::MAX) / scale;
    let round = |&value: &f32| (value.abs() <= largest).then(|| (value * scale).round() as i16);
    let rounded: Option<Vec<i16>> = values.iter().map(round).collect();
    rounded.ok_or_else(|| invalid(&format!("the values of {name} must be between -{largest:.1} and {largest:.1}")))
}
