//! Parses the docstrings of a type stub.

use std::collections::HashMap;

const QUOTES: &str = "\"\"\"";
const INDENT: usize = 4;

/// Docstrings keyed by qualified name: `game`, `Position`, `Position.play`.
pub(crate) struct Docstrings(HashMap<String, String>);

impl Docstrings {
    /// Parses a stub that is indented by four spaces per level.
    pub(crate) fn parse(text: &str) -> Docstrings {
        let mut docs = HashMap::new();
        let lines: Vec<&str> = text.lines().collect();
        let mut class = None;
        for (index, line) in lines.iter().enumerate() {
            let indent = indentation(line);
            let Some((kind, name)) = definition(line) else { continue };
            let full_name = match &class {
                Some(class) if indent > 0 => format!("{class}.{name}"),
                _ => name.to_string(),
            };
            if kind == "class" {
                class = Some(name);
            }
            if let Some(doc) = docstring(&lines[index + 1..], indent) {
                docs.insert(full_name, doc);
            }
        }
        Docstrings(docs)
    }

    /// The docstring of a class, method or function; `None` if it has none.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }
}

fn indentation(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// The keyword (`class` or `def`) and the name on the first line of a definition; `None` for other lines.
fn definition(line: &str) -> Option<(&str, &str)> {
    let (kind, rest) = line.trim_start().split_once(' ')?;
    let end = rest.find(|letter: char| !letter.is_alphanumeric() && letter != '_')?;
    matches!(kind, "class" | "def").then_some((kind, &rest[..end]))
}

/// The docstring of a definition that is indented by `indent` spaces, given the lines that follow its first line.
fn docstring(lines: &[&str], indent: usize) -> Option<String> {
    let body = lines.iter().take_while(|line| {
        // The closing parenthesis of a multi-line signature is indented like the definition.
        line.trim().is_empty() || indentation(line) > indent || line.trim_start().starts_with(')')
    });
    let mut body = body.take_while(|line| definition(line).is_none() && !line.trim_start().starts_with('@'));
    let first = body.find(|line| indentation(line) == indent + INDENT && line.trim_start().starts_with(QUOTES))?;
    let first = first.trim_start().trim_start_matches('"');
    if let Some(whole) = first.strip_suffix(QUOTES) {
        return Some(whole.to_string());
    }
    let mut doc = vec![first];
    for line in body {
        let line = line.get(indent + INDENT..).unwrap_or("");
        if let Some(last) = line.strip_suffix(QUOTES) {
            doc.push(last);
            break;
        }
        doc.push(line);
    }
    Some(doc.join("\n").trim_end().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    const STUB: &str = r#"
class Game:
    """A game.

    >>> start()
        indented
    """

    @property
    def id(self) -> str:
        """The name."""
    @property
    def title(self) -> str: ...
    def start(
        self,
        seed: int = 0,
    ) -> None:
        """Start."""

def game(name: str) -> Game:
    """Return a game."""
"#;

    #[test]
    fn docstrings_are_found_by_name() {
        let docs = Docstrings::parse(STUB);
        assert_eq!(docs.get("Game"), Some("A game.\n\n>>> start()\n    indented"));
        assert_eq!(docs.get("Game.id"), Some("The name."));
        assert_eq!(docs.get("Game.title"), None);
        assert_eq!(docs.get("Game.start"), Some("Start."));
        assert_eq!(docs.get("game"), Some("Return a game."));
    }
}
