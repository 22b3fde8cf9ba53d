//! The Python module `plyground._engine`. The only crate that depends on pyo3; one file per class.

use pyo3::prelude::*;

mod alphabeta;
mod episodes;
mod erased;
mod errors;
mod evaluator;
mod fit;
mod game;
mod network;
mod options;
mod outcome;
mod planes;
mod playout_results;
mod position;
mod qlearning;
mod rng;
mod search;
mod seconds;
mod solver;
mod tables;
mod td;
mod text;
mod user_game;
mod weights;

/// The private native module of Plyground.
#[pymodule]
mod _engine {
    use pyo3::exceptions::PyImportError;
    use pyo3::prelude::*;

    #[pymodule_export]
    use crate::alphabeta::{AlphaBeta, alphabeta_options};
    #[pymodule_export]
    use crate::episodes::{episode_transitions, play_episode};
    #[pymodule_export]
    use crate::fit::SelfPlay;
    #[pymodule_export]
    use crate::game::{Game, game, game_ids};
    #[pymodule_export]
    use crate::network::Network;
    #[pymodule_export]
    use crate::outcome::Outcome;
    #[pymodule_export]
    use crate::planes::encode_planes;
    #[pymodule_export]
    use crate::playout_results::PlayoutResults;
    #[pymodule_export]
    use crate::position::Position;
    #[pymodule_export]
    use crate::qlearning::{QLearner, QTable};
    #[pymodule_export]
    use crate::rng::{Rng, split_seed};
    #[pymodule_export]
    use crate::search::{Search, search_options};
    #[pymodule_export]
    use crate::solver::{Solver, book_ply, book_positions, write_book};
    #[pymodule_export]
    use crate::tables::{Tables, build_tables, random_endgame};
    #[pymodule_export]
    use crate::td::TdLearner;
    #[pymodule_export]
    use crate::user_game::compiled::{compiled_game, compiled_limits};
    #[pymodule_export]
    use crate::user_game::interrupts::Interrupt;
    #[pymodule_export]
    use crate::user_game::user_game;
    #[pymodule_export]
    use crate::weights::{Weights, evaluate_features, features, pattern_count, play_game};

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        #[cfg(target_arch = "x86_64")]
        if !(std::is_x86_feature_detected!("bmi2") && std::is_x86_feature_detected!("avx2")) {
            return Err(PyImportError::new_err(
                "this build of plyground requires a processor with BMI2 and AVX2 (x86-64-v3, available since 2013); \
                 for an older processor, build from source with RUSTFLAGS='-C target-cpu=native'",
            ));
        }
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
