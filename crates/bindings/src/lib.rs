//! `plyground._engine`: the engine as Python sees it. The only crate that names pyo3; one file a class.

use pyo3::prelude::*;

mod alphabeta;
mod errors;
mod evaluator;
mod fit;
mod game;
mod outcome;
mod own;
mod position;
mod rng;
mod search;
mod solver;
mod tables;
mod tally;
mod td;
mod text;
mod weights;

/// The private native module of Plyground.
#[pymodule]
mod _engine {
    use pyo3::exceptions::PyImportError;
    use pyo3::prelude::*;

    #[pymodule_export]
    use crate::alphabeta::{AlphaBeta, alphabeta_options};
    #[pymodule_export]
    use crate::fit::SelfPlay;
    #[pymodule_export]
    use crate::game::{Game, game, game_ids};
    #[pymodule_export]
    use crate::outcome::Outcome;
    #[pymodule_export]
    use crate::own::compiled::{compiled_game, compiled_limits};
    #[pymodule_export]
    use crate::own::own_game;
    #[pymodule_export]
    use crate::position::Position;
    #[pymodule_export]
    use crate::rng::{Rng, split_seed};
    #[pymodule_export]
    use crate::search::{Search, search_options};
    #[pymodule_export]
    use crate::solver::{Solver, book_ply, book_positions, write_book};
    #[pymodule_export]
    use crate::tables::{Tables, build_tables, random_ending};
    #[pymodule_export]
    use crate::tally::Tally;
    #[pymodule_export]
    use crate::td::TdLearner;
    #[pymodule_export]
    use crate::weights::{Weights, count_patterns, duel, measure, terms};

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        #[cfg(target_arch = "x86_64")]
        if !(std::is_x86_feature_detected!("bmi2") && std::is_x86_feature_detected!("avx2")) {
            return Err(PyImportError::new_err(
                "this build of plyground needs a processor with BMI2 and AVX2 (x86-64-v3, made since 2013); \
                 build it from source with RUSTFLAGS='-C target-cpu=native' for an older one",
            ));
        }
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
