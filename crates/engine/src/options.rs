//! Game options, such as `connect4(columns=8)`.

use crate::Error;
use crate::error::quote;

/// A game option.
#[derive(Debug)]
pub struct GameOption {
    /// The name, such as `columns`.
    pub name: &'static str,
    /// The allowed values.
    pub allowed: Allowed,
    /// A description for the help text.
    pub description: &'static str,
}

/// The values an option accepts.
#[derive(Debug)]
pub enum Allowed {
    /// An integer: default, minimum and maximum.
    Integer(u32, u32, u32),
    /// One of these names; the first is the default.
    OneOf(&'static [&'static str]),
}

impl GameOption {
    /// The default value as text.
    pub fn default(&self) -> String {
        match self.allowed {
            Allowed::Integer(default, ..) => default.to_string(),
            Allowed::OneOf(names) => names[0].to_string(),
        }
    }

    /// Parses a value: returns an integer unchanged and a name as its index.
    fn parse(&self, text: &str) -> Result<u32, Error> {
        let allowed = match self.allowed {
            Allowed::Integer(_, minimum, maximum) => match text.parse() {
                Ok(value) if (minimum..=maximum).contains(&value) => return Ok(value),
                _ => format!("an integer between {minimum} and {maximum}"),
            },
            Allowed::OneOf(names) => match names.iter().position(|&name| name == text) {
                Some(index) => return Ok(index as u32),
                None => format!("one of {}", names.join(", ")),
            },
        };
        Err(Error::option(self.name, &allowed, text))
    }

    fn format(&self, value: u32) -> String {
        match self.allowed {
            Allowed::Integer(..) => value.to_string(),
            Allowed::OneOf(names) => names[value as usize].to_string(),
        }
    }
}

/// Parses option values and returns them in the order of `options`: integers unchanged, names as their indices.
pub fn resolve(game: &str, options: &[GameOption], given: &[(String, String)]) -> Result<Vec<u32>, Error> {
    for (index, (name, _)) in given.iter().enumerate() {
        if !options.iter().any(|option| option.name == name) {
            let names: Vec<&str> = options.iter().map(|option| option.name).collect();
            let available = if names.is_empty() { "none".to_string() } else { names.join(", ") };
            return Err(Error::UnknownName(format!(
                "unknown option {} for {game}; available options: {available}",
                quote(name)
            )));
        }
        if given[..index].iter().any(|(earlier, _)| earlier == name) {
            return Err(Error::Parse(format!("duplicate option {name}")));
        }
    }
    options
        .iter()
        .map(|option| match given.iter().find(|(name, _)| name == option.name) {
            Some((_, text)) => option.parse(text),
            None => option.parse(&option.default()),
        })
        .collect()
}

/// The shortest specification of a game, such as `connect4(columns=8)`; options with default values are omitted.
pub fn spec(game: &str, options: &[GameOption], values: &[u32]) -> String {
    let parts: Vec<String> = options
        .iter()
        .zip(values)
        .map(|(option, &value)| (option, option.format(value)))
        .filter(|(option, text)| *text != option.default())
        .map(|(option, text)| format!("{}={text}", option.name))
        .collect();
    if parts.is_empty() { game.to_string() } else { format!("{game}({})", parts.join(", ")) }
}
