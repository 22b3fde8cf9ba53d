//! The class `Network`.

use std::sync::Arc;

use plyground_documented::documented;
use plyground_engine::Game;
use plyground_engine::evaluate::network::{self, Prediction, Tensor};
use pyo3::prelude::*;

use crate::errors::{WeightsError, raise_weights};
use crate::position::Position;
use crate::weights::Weights;

/// A compact value-and-policy network of a game.
#[documented]
#[pyclass(frozen, module = "plyground._engine")]
pub(crate) struct Network {
    pub(crate) inner: Arc<network::Network>,
    /// The properties of the game.
    game: Game,
}

impl Network {
    /// Returns the network if the position belongs to its game.
    pub(crate) fn of(&self, position: &Position) -> PyResult<&network::Network> {
        match position.shared.facts == self.game {
            true => Ok(&self.inner),
            false => {
                let expected = &position.shared.spec;
                Err(WeightsError::new_err(format!(
                    "expected a network for {expected}, got a network for another game or board"
                )))
            }
        }
    }
}

#[documented]
#[pymethods]
impl Network {
    #[new]
    #[pyo3(signature = (position, tensors, *, bucket_pieces=1024))]
    fn new(position: &Position, tensors: Vec<(String, Vec<usize>, Vec<u8>)>, bucket_pieces: usize) -> PyResult<Network> {
        let read = |(name, shape, data): (String, Vec<usize>, Vec<u8>)| {
            let values = data.chunks_exact(4).map(|four| f32::from_le_bytes([four[0], four[1], four[2], four[3]])).collect();
            Tensor { name, shape, values }
        };
        let tensors = tensors.into_iter().map(read).collect();
        let game = position.shared.facts.clone();
        let inner = network::Network::new(&game, tensors, bucket_pieces).map_err(raise_weights)?;
        Ok(Network { inner: Arc::new(inner), game })
    }

    #[getter]
    fn has_policy(&self) -> bool {
        self.inner.has_policy()
    }

    #[pyo3(signature = (position, *, exact=false))]
    fn predict(&self, position: &Position, exact: bool) -> PyResult<((f32, f32, f32), Vec<f32>)> {
        let network = self.of(position)?;
        let Prediction { results: [win, draw, loss], logits } =
            position.shared.ask(|| position.line.predict(network, exact))?;
        Ok(((win, draw, loss), logits))
    }
}

/// The evaluation of leaves: weights or a network.
#[derive(FromPyObject)]
pub(crate) enum LeafEvaluation {
    Weights(Py<Weights>),
    Network(Py<Network>),
}

impl LeafEvaluation {
    /// Returns an error unless the position belongs to the game of the evaluation.
    pub(crate) fn check(&self, position: &Position) -> PyResult<()> {
        self.of(position).map(|_| ())
    }

    /// The evaluation, if the position belongs to its game.
    pub(crate) fn of(&self, position: &Position) -> PyResult<AnyEvaluation<'_>> {
        Ok(match self {
            LeafEvaluation::Weights(weights) => AnyEvaluation::Weights(weights.get().of(position)?),
            LeafEvaluation::Network(network) => AnyEvaluation::Network(network.get().of(position)?),
        })
    }
}

/// A borrowed evaluation of leaves.
#[derive(Clone, Copy)]
pub(crate) enum AnyEvaluation<'a> {
    Heuristic,
    Weights(&'a plyground_engine::evaluate::Weights),
    Network(&'a network::Network),
}
