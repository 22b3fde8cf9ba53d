//! What can be wrong with what comes from outside. Each message says what was wrong, where, and what is accepted.

/// An error of the caller's making.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// A text that is not a position, a move or an option.
    #[error("{0}")]
    Parse(String),
    /// A well-formed move that the position does not allow.
    #[error("{0}")]
    IllegalMove(String),
    /// A move asked for after the end.
    #[error("{0}")]
    GameOver(String),
    /// A name that is in no list.
    #[error("{0}")]
    UnknownName(String),
    /// Endgame tables that are missing, damaged or of another version.
    #[error("{0}")]
    Tables(String),
}

impl Error {
    /// A parse error that quotes the text (its first 80 characters) and says what is accepted.
    pub fn parse(what: &str, text: &str, accepted: &str) -> Error {
        Error::Parse(format!("{what} {} {accepted}", quote(text)))
    }

    /// A name that is not among `known`.
    pub fn unknown(what: &str, name: &str, known: &[&str]) -> Error {
        Error::UnknownName(format!("no {what} is called {}; there are: {}", quote(name), known.join(", ")))
    }
}

/// A text from outside, short enough for a message.
pub fn quote(text: &str) -> String {
    if text.chars().count() <= 80 {
        format!("{text:?}")
    } else {
        let head: String = text.chars().take(77).collect();
        format!("{:?}", head + "...")
    }
}
