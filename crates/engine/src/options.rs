//! Options of a game, such as `connect4(columns=8)`: declared once, checked in one place.

use crate::Error;
use crate::error::quote;

/// One option of a game.
#[derive(Debug)]
pub struct GameOption {
    /// Its key.
    pub name: &'static str,
    /// What it accepts.
    pub accepts: Accepts,
    /// One sentence for help texts.
    pub about: &'static str,
}

/// The values an option takes; the default comes first.
#[derive(Debug)]
pub enum Accepts {
    /// A whole number: default, least, greatest.
    Number(u32, u32, u32),
    /// One of these words.
    Word(&'static [&'static str]),
}

impl GameOption {
    /// The default as text.
    pub fn default(&self) -> String {
        match self.accepts {
            Accepts::Number(default, ..) => default.to_string(),
            Accepts::Word(words) => words[0].to_string(),
        }
    }

    /// The number behind a text: itself, or the index of the word.
    fn read(&self, text: &str) -> Result<u32, Error> {
        let accepted = match self.accepts {
            Accepts::Number(_, least, greatest) => match text.parse() {
                Ok(number) if (least..=greatest).contains(&number) => return Ok(number),
                _ => format!("a whole number from {least} to {greatest}"),
            },
            Accepts::Word(words) => match words.iter().position(|&word| word == text) {
                Some(index) => return Ok(index as u32),
                None => format!("one of: {}", words.join(", ")),
            },
        };
        Err(Error::Parse(format!("option {}={}: accepted is {accepted}", self.name, quote(text))))
    }

    fn write(&self, value: u32) -> String {
        match self.accepts {
            Accepts::Number(..) => value.to_string(),
            Accepts::Word(words) => words[value as usize].to_string(),
        }
    }
}

/// The value of each option, in the order of the table; a word is its index.
pub fn resolve(game: &str, table: &[GameOption], given: &[(String, String)]) -> Result<Vec<u32>, Error> {
    for (at, (name, _)) in given.iter().enumerate() {
        if !table.iter().any(|option| option.name == name) {
            let known: Vec<&str> = table.iter().map(|option| option.name).collect();
            let known = if known.is_empty() { "none".to_string() } else { known.join(", ") };
            return Err(Error::UnknownName(format!("{game} has no option {}; it has: {known}", quote(name))));
        }
        if given[..at].iter().any(|(earlier, _)| earlier == name) {
            return Err(Error::Parse(format!("option {name} is given twice")));
        }
    }
    table
        .iter()
        .map(|option| match given.iter().find(|(name, _)| name == option.name) {
            Some((_, text)) => option.read(text),
            None => option.read(&option.default()),
        })
        .collect()
}

/// The shortest text that makes the same game again: options at their default are left out.
pub fn spec(game: &str, table: &[GameOption], values: &[u32]) -> String {
    let parts: Vec<String> = table
        .iter()
        .zip(values)
        .map(|(option, &value)| (option, option.write(value)))
        .filter(|(option, text)| *text != option.default())
        .map(|(option, text)| format!("{}={text}", option.name))
        .collect();
    if parts.is_empty() { game.to_string() } else { format!("{game}({})", parts.join(", ")) }
}
