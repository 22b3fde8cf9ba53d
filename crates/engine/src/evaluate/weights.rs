//! Linear evaluation with learned weights.
//!
//! There are two kinds. A game's *features* are a few named values (Samuel 1959, "Some studies in machine learning using the game of
//! checkers"). Its *patterns* are thousands of indicator features, only a few of which are active in any position; each has one weight
//! for the start of the game and one for the end.

use crate::position::{Feature, FeatureValues, MAX_FEATURES, MAX_PHASE};
use crate::{Error, GameRules, Side};

/// The maximum absolute value of a feature weight. Larger weights mean that learning has diverged.
pub const MAX_WEIGHT: f64 = 100.0;
/// Pattern weights are stored in units of 1/16 centipawn.
pub const PATTERN_SCALE: i32 = 16;
/// Centipawns per unit of the weighted feature sum.
const FEATURE_SCALE: f32 = 1000.0;

/// Weights of a game's features or patterns.
#[derive(Clone, Debug, PartialEq)]
pub enum Weights {
    /// One weight for each feature.
    Features(FeatureValues),
    /// The weights of each pattern at the start and at the end of the game, in units of 1 / [`PATTERN_SCALE`] centipawn.
    Patterns(Box<[[i16; 2]]>),
}

impl Weights {
    /// Validates feature weights and wraps them in [`Weights`].
    pub fn from_features<P: GameRules>(position: &P, values: &[f64]) -> Result<Weights, Error> {
        check_feature_weights(position.features(), values)?;
        Ok(Weights::from_checked_features(values))
    }

    /// Validates the number of pattern weights and wraps them in [`Weights`].
    pub fn from_patterns<P: GameRules>(position: &P, values: Vec<[i16; 2]>) -> Result<Weights, Error> {
        let count = position.pattern_count();
        if count == 0 {
            return Err(Error::Parse("this game has no patterns".into()));
        }
        if values.len() != count {
            return Err(Error::Parse(format!("the number of pattern weights must be {count}, got {}", values.len())));
        }
        Ok(Weights::Patterns(values.into()))
    }

    pub(crate) fn from_checked_features(values: &[f64]) -> Weights {
        let mut weights = [0.0; MAX_FEATURES];
        for (weight, &value) in weights.iter_mut().zip(values) {
            *weight = value as f32;
        }
        Weights::Features(weights)
    }

    /// The evaluation in centipawns for the side to move.
    #[inline]
    pub fn evaluate<P: GameRules>(&self, position: &P) -> i32 {
        let value = match self {
            Weights::Features(weights) => {
                let mut values = [0.0; MAX_FEATURES];
                position.evaluate_features(&mut values);
                let sum: f32 = values.iter().zip(weights).map(|(value, weight)| value * weight).sum();
                (sum * FEATURE_SCALE) as i32
            }
            Weights::Patterns(weights) => {
                let (mut early, mut late) = (0, 0);
                position.visit_patterns(|index, count| {
                    let [start, end] = weights[index];
                    early += count * i32::from(start);
                    late += count * i32::from(end);
                });
                let phase = position.phase();
                (early * phase + late * (MAX_PHASE - phase)) / (MAX_PHASE * PATTERN_SCALE)
            }
        };
        if position.turn() == Side::First { value } else { -value }
    }
}

/// Returns an error unless `values` are valid weights for `features`: one number per feature, at most [`MAX_WEIGHT`] in absolute value.
pub fn check_feature_weights(features: &[Feature], values: &[f64]) -> Result<(), Error> {
    if features.is_empty() {
        return Err(Error::Parse("this game has no features".into()));
    }
    if features.len() != values.len() {
        let names: Vec<&str> = features.iter().map(|feature| feature.name).collect();
        let (expected, names) = (features.len(), names.join(", "));
        return Err(Error::Parse(format!("the number of weights must be {expected} ({names}), got {}", values.len())));
    }
    match values.iter().zip(features).find(|(value, _)| value.is_nan() || value.abs() > MAX_WEIGHT) {
        Some((value, feature)) => {
            let allowed = format!("between -{MAX_WEIGHT} and {MAX_WEIGHT}");
            Err(Error::option(&format!("the weight of {}", feature.name), &allowed, &value.to_string()))
        }
        None => Ok(()),
    }
}
