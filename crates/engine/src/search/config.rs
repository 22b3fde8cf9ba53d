//! The tunables of the tree search with their defaults, bounds and descriptions. The options of the `mcts` agent, their validation and
//! their help are generated from this table.

use crate::Error;

/// A tunable option with its help text.
pub struct Tunable {
    /// The key in a specification.
    pub name: &'static str,
    /// The default as text.
    pub default: fn() -> String,
    /// The type and the allowed values.
    pub kind: fn() -> Kind,
    /// The help text.
    pub description: &'static str,
}

/// The type of a tunable with its allowed values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// True or false.
    Boolean,
    /// One of these names.
    Choice(&'static [&'static str]),
    /// An integer between a minimum and a maximum, inclusive.
    Integer(u32, u32),
    /// A number between a minimum and a maximum, inclusive.
    Real(f64, f64),
}

impl Kind {
    /// The allowed values in words, such as `between 0 and 100`.
    pub fn allowed(self) -> String {
        match self {
            Kind::Boolean => "true or false".to_string(),
            Kind::Choice(names) => format!("one of {}", names.join(", ")),
            Kind::Integer(minimum, maximum) => format!("an integer between {minimum} and {maximum}"),
            Kind::Real(minimum, maximum) => format!("between {minimum} and {maximum}"),
        }
    }
}

/// The type of a tunable.
pub(super) trait Value: Sized {
    type Bounds;
    fn parse(text: &str, bounds: &Self::Bounds) -> Option<Self>;
    fn format(&self) -> String;
    fn kind(bounds: &Self::Bounds) -> Kind;
}

impl Value for f64 {
    type Bounds = std::ops::RangeInclusive<f64>;

    fn parse(text: &str, bounds: &Self::Bounds) -> Option<f64> {
        text.parse().ok().filter(|value| bounds.contains(value))
    }

    fn format(&self) -> String {
        self.to_string()
    }

    fn kind(bounds: &Self::Bounds) -> Kind {
        Kind::Real(*bounds.start(), *bounds.end())
    }
}

impl Value for u32 {
    type Bounds = std::ops::RangeInclusive<u32>;

    fn parse(text: &str, bounds: &Self::Bounds) -> Option<u32> {
        text.parse().ok().filter(|value| bounds.contains(value))
    }

    fn format(&self) -> String {
        self.to_string()
    }

    fn kind(bounds: &Self::Bounds) -> Kind {
        Kind::Integer(*bounds.start(), *bounds.end())
    }
}

impl Value for bool {
    type Bounds = ();

    fn parse(text: &str, (): &()) -> Option<bool> {
        text.parse().ok()
    }

    fn format(&self) -> String {
        self.to_string()
    }

    fn kind((): &()) -> Kind {
        Kind::Boolean
    }
}

/// Defines enums whose variants have names in specifications.
macro_rules! named_values {
    ($($(#[$doc:meta])* $type:ident { $($(#[$variant_doc:meta])* $variant:ident = $name:literal,)* })*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $type {
            $($(#[$variant_doc])* $variant,)*
        }

        impl $crate::search::config::Value for $type {
            type Bounds = ();

            fn parse(text: &str, (): &()) -> Option<$type> {
                match text {
                    $($name => Some($type::$variant),)*
                    _ => None,
                }
            }

            fn format(&self) -> String {
                match self {
                    $($type::$variant => $name.to_string(),)*
                }
            }

            fn kind((): &()) -> $crate::search::config::Kind {
                $crate::search::config::Kind::Choice(&[$($name),*])
            }
        }
    )*};
}

named_values! {
    /// The formula that selects a child.
    Selection {
        /// UCT: mean + `c * sqrt(ln N / n)` (Kocsis and Szepesvári 2006).
        Uct = "uct",
        /// UCB1-Tuned: UCT with the sample variance (Auer et al. 2002).
        Ucb1Tuned = "ucb1-tuned",
        /// PUCT: mean + `c * prior * sqrt(N) / (1 + n)` (Silver et al. 2017).
        Puct = "puct",
    }

    /// How new leaves are evaluated.
    Leaf {
        /// By a playout.
        Playout = "playout",
        /// By the game's heuristic after pending captures.
        Heuristic = "estimate",
        /// By the batch evaluator.
        Evaluator = "evaluator",
    }

    /// The reward of a playout that is cut off before the end of the game.
    Cutoff {
        /// The reward of a draw.
        Draw = "draw",
        /// Estimated from the difference in piece counts.
        Pieces = "pieces",
        /// Estimated from the material balance in centipawns.
        Material = "material",
        /// Estimated by the game's heuristic after pending captures.
        Heuristic = "estimate",
    }

    /// How root moves are selected.
    RootSelection {
        /// By the selection formula, as at any other node.
        Formula = "formula",
        /// By Gumbel sequential halving (Danihelka et al. 2022).
        Gumbel = "gumbel",
    }

    /// How the best move is chosen.
    MoveChoice {
        /// The most visited move.
        Visits = "visits",
        /// The move with the highest mean.
        Value = "value",
        /// The move with the highest lower confidence bound.
        LowerBound = "lower-bound",
    }
}

/// Defines a configuration and the table of its tunables.
macro_rules! tunables {
    ($search:literal; $($(#[doc = $doc:literal])+ $name:ident: $type:ty = $default:expr, $bounds:expr;)*) => {
        #[doc = concat!("The configuration of the ", $search, ".")]
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
            /// Sets a tunable from text.
            pub fn set(&mut self, name: &str, text: &str) -> Result<(), Error> {
                match name {
                    $(stringify!($name) => {
                        self.$name = <$type as Value>::parse(text, &$bounds)
                            .ok_or_else(|| Error::option(name, &<$type as Value>::kind(&$bounds).allowed(), text))?;
                    })*
                    _ => {
                        let available: Vec<&str> = TUNABLES.iter().map(|tunable| tunable.name).collect();
                        return Err(Error::unknown(concat!($search, " option"), name, &available));
                    }
                }
                Ok(())
            }

            /// The name and the value, as text, of every tunable.
            pub fn values(&self) -> Vec<(&'static str, String)> {
                vec![$((stringify!($name), Value::format(&self.$name)),)*]
            }
        }

        /// The tunables.
        pub static TUNABLES: &[Tunable] = &[
            $(Tunable {
                name: stringify!($name),
                default: || <$type as Value>::format(&Config::default().$name),
                kind: || <$type as Value>::kind(&$bounds),
                description: concat!($($doc),+),
            },)*
        ];
    };
}

pub(super) use {named_values, tunables};

tunables! {
    "tree search";
    /// Formula that selects a child: UCT, UCB1-Tuned or PUCT.
    selection: Selection = Selection::Uct, ();
    /// Exploration constant of the selection formula.
    c: f64 = 0.5, 0.0..=100.0;
    /// First-play urgency: the value assumed for unvisited moves; below 0, every move is visited once before any is visited twice.
    first_play: f64 = -1.0, -1.0..=2.0;
    /// RAVE bias: AMAF values fade as visits grow, more slowly for a small bias; 0 disables RAVE.
    rave: f64 = 0.0, 0.0..=1.0;
    /// GRAVE: minimum visits for a node to use its own AMAF values instead of an ancestor's; 0 is plain RAVE.
    grave: u32 = 0, 0..=1_000_000;
    /// Progressive bias: weight of the move priors, which fade as visits grow; 0 disables it.
    bias: f64 = 0.0, 0.0..=100.0;
    /// Progressive widening: a node considers at most this constant times sqrt(visits) children; 0 disables it.
    widening: f64 = 0.0, 0.0..=1000.0;
    /// Implicit minimax backups: weight of the minimax value in a child's value; 0 disables it.
    minimax: f64 = 0.0, 0.0..=1.0;
    /// MCTS-Solver: propagates proven wins, losses and draws, and stops when the root is proven.
    solver: bool = true, ();
    /// Treats values from endgame tables as proven.
    tables: bool = false, ();
    /// Shares nodes between transpositions, so that the tree becomes a graph.
    transpositions: bool = false, ();
    /// Tries an immediately winning move first when a node is expanded.
    decisive: bool = true, ();
    /// How new leaves are evaluated.
    leaf: Leaf = Leaf::Playout, ();
    /// Number of leaves per evaluator call.
    batch: u32 = 16, 1..=4096;
    /// Maximum length of a playout in plies.
    playout_plies: u32 = 10_000, 1..=1_000_000;
    /// Result of a playout cut off after `playout_plies`: a draw, or estimated from the piece count, the material or the game's heuristic.
    cutoff: Cutoff = Cutoff::Draw, ();
    /// Playouts play immediate wins and block immediate losses, in games where these can be found quickly.
    playout_decisive: bool = true, ();
    /// Relative probability of captures in playouts.
    capture_weight: f64 = 1.0, 0.0..=1000.0;
    /// Relative probability of moves to the edge of the board in playouts.
    edge_weight: f64 = 1.0, 0.0..=1000.0;
    /// Fraction of playout moves chosen by the evaluator, or by the game's heuristic if there is none; the others are random.
    guide: f64 = 0.0, 0.0..=1.0;
    /// Plies added to `playout_plies` each time the visits of a leaf's parent double.
    deepening: f64 = 0.0, 0.0..=1000.0;
    /// How root moves are selected: by the selection formula or by Gumbel sequential halving.
    root: RootSelection = RootSelection::Formula, ();
    /// Maximum number of moves considered by Gumbel sequential halving.
    gumbel_moves: u32 = 16, 2..=1024;
    /// Number of moves whose principal variations are searched in turn (MultiPV).
    lines: u32 = 1, 1..=256;
    /// How the best move is chosen: most visits, highest value or highest lower confidence bound.
    choice: MoveChoice = MoveChoice::Visits, ();
    /// Fraction of Dirichlet noise in the root priors, for self-play; 0 disables it.
    noise: f64 = 0.0, 0.0..=1.0;
    /// Concentration parameter of the Dirichlet noise.
    noise_alpha: f64 = 0.3, 0.01..=100.0;
}

impl Config {
    /// Whether the nodes above a subtree can be updated once for several simulations in it.
    pub(super) fn allows_subtree_batches(&self) -> bool {
        let updates_every_node = self.rave > 0.0 || self.selection == Selection::Ucb1Tuned || self.transpositions;
        !updates_every_node && self.leaf != Leaf::Evaluator
    }

    /// Whether the search uses move priors.
    pub(super) fn needs_priors(&self) -> bool {
        self.selection == Selection::Puct || self.bias > 0.0 || self.noise > 0.0 || self.leaf == Leaf::Evaluator
    }
}
