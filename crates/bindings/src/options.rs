//! The options of the searches as Python data.

use plyground_engine::search::tunables::{Kind, Tunable};

/// The name, kind, default, bounds, choices and description of an option.
pub(crate) type OptionFacts = (&'static str, &'static str, String, Option<(f64, f64)>, Vec<&'static str>, &'static str);

/// Converts a list of tunables to Python data.
pub(crate) fn option_facts(tunables: &'static [Tunable]) -> Vec<OptionFacts> {
    tunables.iter().map(facts).collect()
}

fn facts(tunable: &'static Tunable) -> OptionFacts {
    let (kind, bounds, choices) = match (tunable.kind)() {
        Kind::Boolean => ("boolean", None, Vec::new()),
        Kind::Choice(names) => ("choice", None, names.to_vec()),
        Kind::Integer(minimum, maximum) => ("integer", Some((minimum.into(), maximum.into())), Vec::new()),
        Kind::Real(minimum, maximum) => ("real", Some((minimum, maximum)), Vec::new()),
    };
    (tunable.name, kind, (tunable.default)(), bounds, choices, tunable.description.trim())
}
