//! Declarations of tunables. A table of fields, defaults, bounds and descriptions expands to a configuration struct, whose fields can
//! be set from text, and the list of its options.

/// A tunable option with its help text.
pub struct Tunable {
    /// The name of the option in a spec.
    pub name: &'static str,
    /// The default as text.
    pub default: fn() -> String,
    /// The type with its allowed values.
    pub kind: fn() -> Kind,
    /// The help text.
    pub description: &'static str,
}

/// The type of a tunable with its allowed values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// `true` or `false`.
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

/// A type that a tunable can have.
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

/// Defines enums whose variants have names in specs.
macro_rules! named_values {
    ($($(#[$doc:meta])* $type:ident { $($(#[$variant_doc:meta])* $variant:ident = $name:literal,)* })*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $type {
            $($(#[$variant_doc])* $variant,)*
        }

        impl $crate::search::tunables::Value for $type {
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

            fn kind((): &()) -> $crate::search::tunables::Kind {
                $crate::search::tunables::Kind::Choice(&[$($name),*])
            }
        }
    )*};
}

/// Defines the struct `Config` and the list of its tunables, `TUNABLES`.
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

        /// All tunables, in the order of their declaration.
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
