//! Judgement by weights that were learned, set by hand or fitted: a sum of what a position has times what that is worth.
//!
//! There are two kinds. A game's *terms* are a few numbers with names, which people can read and weigh (Samuel 1959, "Some studies in
//! machine learning using the game of checkers"). Its *patterns* are thousands of small facts, of which a position has a few; each
//! has a weight for the beginning of the game and one for its end.

use crate::{Error, Position, Side};

pub mod fit;
pub mod selfplay;
pub mod td;

/// Terms that a game has at most.
pub const MOST_TERMS: usize = 16;
/// What a score of 1 by terms is worth in hundredths of a man or pawn.
pub const HUNDREDTHS: f32 = 1000.0;
/// [`Position::phase`] of a game at its beginning; 0 is its end.
pub const BEGINNING: i32 = 24;
/// Weights of patterns count in this part of a hundredth.
pub const PARTS: i32 = 16;

/// A number by which positions of a game are judged.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Term {
    /// Its name.
    pub name: &'static str,
    /// What it measures.
    pub about: &'static str,
    /// The weight it has before anything is learned.
    pub start: f64,
}

/// The terms of a position, seen by the first side; those a game does not have are 0.
pub type Measures = [f32; MOST_TERMS];

/// What things are worth.
#[derive(Clone, Debug, PartialEq)]
pub enum Weights {
    /// One for each term of the game.
    Terms(Measures),
    /// For each pattern of the game, at the beginning and at the end, in parts of a hundredth.
    Patterns(Box<[[i16; 2]]>),
}

impl Weights {
    /// Weights of a game's terms.
    pub fn of_terms<P: Position>(position: &P, values: &[f64]) -> Result<Weights, Error> {
        check_terms(position.terms(), values)?;
        Ok(Weights::from_values(values))
    }

    /// Weights of a game's patterns.
    pub fn of_patterns<P: Position>(position: &P, values: Vec<[i16; 2]>) -> Result<Weights, Error> {
        let count = position.patterns();
        if count == 0 || values.len() != count {
            return Err(Error::Parse(format!("{} weights of patterns; this game has {count} patterns", values.len())));
        }
        Ok(Weights::Patterns(values.into()))
    }

    pub(crate) fn from_values(values: &[f64]) -> Weights {
        let mut terms = [0.0; MOST_TERMS];
        for (term, &value) in terms.iter_mut().zip(values) {
            *term = value as f32;
        }
        Weights::Terms(terms)
    }

    /// How much the side to move stands better, in hundredths of a man or pawn.
    #[inline]
    pub fn judge<P: Position>(&self, position: &P) -> i32 {
        let value = match self {
            Weights::Terms(weights) => {
                let mut terms = [0.0; MOST_TERMS];
                position.measure(&mut terms);
                let sum: f32 = terms.iter().zip(weights).map(|(term, weight)| term * weight).sum();
                (sum * HUNDREDTHS) as i32
            }
            Weights::Patterns(weights) => {
                let (mut early, mut late) = (0, 0);
                position.visit_patterns(|index, count| {
                    let [beginning, end] = weights[index];
                    early += count * i32::from(beginning);
                    late += count * i32::from(end);
                });
                let phase = position.phase();
                (early * phase + late * (BEGINNING - phase)) / (BEGINNING * PARTS)
            }
        };
        if position.turn() == Side::First { value } else { -value }
    }
}

/// Whether values can be weights of terms: as many as there are terms, each a number that leaves room for a win.
pub fn check_terms(terms: &[Term], values: &[f64]) -> Result<(), Error> {
    if terms.is_empty() {
        return Err(Error::Parse("this game has no terms to weigh".into()));
    }
    if terms.len() != values.len() {
        let names: Vec<&str> = terms.iter().map(|term| term.name).collect();
        return Err(Error::Parse(format!("{} weights; accepted are {}: {}", values.len(), terms.len(), names.join(", "))));
    }
    match values.iter().zip(terms).find(|(value, _)| value.is_nan() || value.abs() > MOST_WEIGHT) {
        Some((value, term)) => Err(Error::Parse(format!(
            "the weight of {} is {value}; accepted is a number from -{MOST_WEIGHT} to {MOST_WEIGHT}",
            term.name
        ))),
        None => Ok(()),
    }
}

/// Weights of terms are between this and its negative: one that grows beyond has exploded.
pub const MOST_WEIGHT: f64 = 100.0;
