//! Every tunable of the tree search, once: its default, its bounds and a line about it. The agent's options, their help and their
//! checks are made from this table.

use crate::Error;
use crate::error::quote;

/// One row of the table, for help texts.
pub struct Tunable {
    /// The key in a spec.
    pub name: &'static str,
    /// The default as text.
    pub default: fn() -> String,
    /// What is accepted, in words.
    pub accepted: fn() -> String,
    /// What it does.
    pub about: &'static str,
}

/// A kind of value a tunable can have.
pub(super) trait Value: Sized {
    type Bounds;
    fn read(text: &str, bounds: &Self::Bounds) -> Option<Self>;
    fn write(&self) -> String;
    fn accepted(bounds: &Self::Bounds) -> String;
}

impl Value for f64 {
    type Bounds = std::ops::RangeInclusive<f64>;

    fn read(text: &str, bounds: &Self::Bounds) -> Option<f64> {
        text.parse().ok().filter(|value| bounds.contains(value))
    }

    fn write(&self) -> String {
        self.to_string()
    }

    fn accepted(bounds: &Self::Bounds) -> String {
        format!("a number from {} to {}", bounds.start(), bounds.end())
    }
}

impl Value for u32 {
    type Bounds = std::ops::RangeInclusive<u32>;

    fn read(text: &str, bounds: &Self::Bounds) -> Option<u32> {
        text.parse().ok().filter(|value| bounds.contains(value))
    }

    fn write(&self) -> String {
        self.to_string()
    }

    fn accepted(bounds: &Self::Bounds) -> String {
        format!("a whole number from {} to {}", bounds.start(), bounds.end())
    }
}

impl Value for bool {
    type Bounds = ();

    fn read(text: &str, (): &()) -> Option<bool> {
        text.parse().ok()
    }

    fn write(&self) -> String {
        self.to_string()
    }

    fn accepted((): &()) -> String {
        "true or false".to_string()
    }
}

macro_rules! words {
    ($($(#[$doc:meta])* $type:ident { $($(#[$word_doc:meta])* $variant:ident = $word:literal,)* })*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $type {
            $($(#[$word_doc])* $variant,)*
        }

        impl $crate::search::config::Value for $type {
            type Bounds = ();

            fn read(text: &str, (): &()) -> Option<$type> {
                match text {
                    $($word => Some($type::$variant),)*
                    _ => None,
                }
            }

            fn write(&self) -> String {
                match self {
                    $($type::$variant => $word.to_string(),)*
                }
            }

            fn accepted((): &()) -> String {
                format!("one of {}", [$($word),*].join(", "))
            }
        }
    )*};
}

words! {
    /// The formula by which a child is chosen.
    Selection {
        /// Mean plus `c * sqrt(ln N / n)` (Kocsis and Szepesvári 2006).
        Uct = "uct",
        /// The same with the measured variance (Auer et al. 2002).
        Ucb1Tuned = "ucb1-tuned",
        /// Mean plus `c * prior * sqrt(N) / (1 + n)` (Silver et al. 2017).
        Puct = "puct",
    }

    /// How a new leaf is valued.
    Leaf {
        /// By a playout.
        Playout = "playout",
        /// By the game's rule of thumb, once no capture is pending.
        Estimate = "estimate",
        /// By the evaluator the search was given, a batch of leaves at a time.
        Evaluator = "evaluator",
    }

    /// Which move is played in the end.
    Final {
        /// The most visited one.
        Visits = "visits",
        /// The one with the highest mean.
        Value = "value",
        /// The one with the highest lower confidence bound.
        LowerBound = "lower-bound",
    }
}

macro_rules! tunables {
    ($search:literal; $($(#[doc = $doc:literal])+ $name:ident: $type:ty = $default:expr, $bounds:expr;)*) => {
        #[doc = concat!("How the ", $search, " searches.")]
        #[derive(Clone, Debug, PartialEq)]
        pub struct Config {
            $($(#[doc = $doc])+ pub $name: $type,)*
        }

        impl Default for Config {
            fn default() -> Config {
                Config { $($name: $default,)* }
            }
        }

        impl Config {
            /// Sets one tunable from text.
            pub fn set(&mut self, name: &str, text: &str) -> Result<(), Error> {
                match name {
                    $(stringify!($name) => {
                        self.$name = <$type as Value>::read(text, &$bounds).ok_or_else(|| {
                            let accepted = <$type as Value>::accepted(&$bounds);
                            Error::Parse(format!("option {name}={}: accepted is {accepted}", quote(text)))
                        })?;
                    })*
                    _ => {
                        let known: Vec<&str> = TUNABLES.iter().map(|tunable| tunable.name).collect();
                        return Err(Error::unknown(concat!("option of the ", $search), name, &known));
                    }
                }
                Ok(())
            }
        }

        /// The table, for help texts.
        pub static TUNABLES: &[Tunable] = &[
            $(Tunable {
                name: stringify!($name),
                default: || <$type as Value>::write(&Config::default().$name),
                accepted: || <$type as Value>::accepted(&$bounds),
                about: concat!($($doc),+),
            },)*
        ];
    };
}

pub(super) use {tunables, words};

tunables! {
    "tree search";
    /// The formula by which a child is chosen.
    selection: Selection = Selection::Uct, ();
    /// How much untested moves are explored: 0 trusts the means, more looks around.
    c: f64 = 0.5, 0.0..=100.0;
    /// What an untried move is taken to be worth; below 0, every move is tried once before any twice.
    first_play: f64 = -1.0, -1.0..=2.0;
    /// Weight of moves' results wherever in a game they were made (RAVE): smaller trusts them longer, 0 is off.
    rave: f64 = 0.0, 0.0..=1.0;
    /// Visits a node needs before its own such results are used and not an ancestor's (GRAVE); 0 is plain RAVE.
    grave: u32 = 0, 0..=1_000_000;
    /// Weight of the game's opinion of a move, fading as visits grow (progressive bias); 0 is off.
    bias: f64 = 0.0, 0.0..=100.0;
    /// Children considered are at most this times the square root of the visits (progressive widening); 0 is off.
    widening: f64 = 0.0, 0.0..=1000.0;
    /// Share of the minimax of evaluations in a child's mean (implicit minimax back-ups); 0 is off.
    minimax: f64 = 0.0, 0.0..=1.0;
    /// Proven wins, losses and draws are passed up and end the search when they reach the root.
    solver: bool = true, ();
    /// Values that endgame tables know count as proven.
    tables: bool = false, ();
    /// Positions that different moves lead to share what is known of them.
    transpositions: bool = false, ();
    /// A move that wins at once is looked for when a node is opened.
    decisive: bool = true, ();
    /// How a new leaf is valued.
    leaf: Leaf = Leaf::Playout, ();
    /// Leaves judged in one call of the evaluator.
    batch: u32 = 16, 1..=4096;
    /// Plies after which a playout is cut off.
    playout_plies: u32 = 10_000, 1..=1_000_000;
    /// A playout that is cut off is valued by the game's rule of thumb; otherwise it counts as a draw.
    playout_estimate: bool = false, ();
    /// Playouts take a win in one and prevent a loss in one, in the games of lines.
    playout_decisive: bool = true, ();
    /// How much likelier a capture is than another move in a playout.
    capture_weight: f64 = 1.0, 0.0..=1000.0;
    /// How much likelier a move to the edge is than another in a playout.
    edge_weight: f64 = 1.0, 0.0..=1000.0;
    /// Share of the moves of a playout that the evaluator chooses, or without one the game's rule of thumb; the others are random.
    guide: f64 = 0.0, 0.0..=1.0;
    /// Which move is played in the end.
    choice: Final = Final::Visits, ();
    /// Share of chance mixed into the priors of the root, for self-play; 0 is off.
    noise: f64 = 0.0, 0.0..=1.0;
}

impl Config {
    /// Whether some choice needs more than a node holds.
    pub(super) fn needs_extras(&self) -> bool {
        self.needs_priors() || self.selection == Selection::Ucb1Tuned || self.rave > 0.0 || self.minimax > 0.0
    }

    /// Whether nothing has to be told to every node of a path after each simulation.
    pub(super) fn allows_stays(&self) -> bool {
        let keeps_more = self.rave > 0.0 || self.selection == Selection::Ucb1Tuned || self.transpositions;
        !keeps_more && self.leaf != Leaf::Evaluator
    }

    /// Whether moves are weighed before they are tried.
    pub(super) fn needs_priors(&self) -> bool {
        self.selection == Selection::Puct || self.bias > 0.0 || self.noise > 0.0 || self.leaf == Leaf::Evaluator
    }
}
