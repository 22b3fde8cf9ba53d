//! Engine errors. Each message says what was wrong and what is allowed.

/// An error caused by invalid input.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// A string that is not a valid position, move or option.
    #[error("{0}")]
    Parse(String),
    /// A well-formed move that is not legal in the position.
    #[error("{0}")]
    IllegalMove(String),
    /// The game is over, so no move or search is possible.
    #[error("{0}")]
    GameOver(String),
    /// An unknown name, such as that of a game or an option.
    #[error("{0}")]
    UnknownName(String),
    /// Missing, corrupted or incompatible endgame tables, or invalid build settings.
    #[error("{0}")]
    Tables(String),
}

impl Error {
    /// A parse error that quotes `text` (at most 80 characters) between `what` and `message`.
    pub fn parse(what: &str, text: &str, message: &str) -> Error {
        Error::Parse(format!("{what} {} {message}", quote(text)))
    }

    /// An error for a value that is not allowed: `c must be between 0 and 100, got 250`.
    pub fn option(name: &str, allowed: &str, text: &str) -> Error {
        let is_plain = !text.is_empty() && text.chars().all(|letter| letter.is_ascii_graphic());
        let shown = if is_plain { shorten(text) } else { quote(text) };
        Error::Parse(format!("{name} must be {allowed}, got {shown}"))
    }

    /// An error for a name that is not in `available`: `unknown game "foo"; available games: checkers, chess`.
    pub fn unknown(kind: &str, name: &str, available: &[&str]) -> Error {
        Error::UnknownName(format!("unknown {kind} {}; available {kind}s: {}", quote(name), available.join(", ")))
    }
}

/// Quotes the text, shortened to at most 80 characters.
pub fn quote(text: &str) -> String {
    format!("{:?}", shorten(text))
}

fn shorten(text: &str) -> String {
    if text.chars().count() <= 80 { text.to_string() } else { text.chars().take(77).collect::<String>() + "..." }
}
