//! Checks the perft counts in `tests/rules/perft/*.perft`.

use std::path::{Path, PathBuf};

use plyground_engine::GameRules;
use plyground_engine::games::{self, StartVisitor};
use plyground_engine::perft::perft;

#[path = "cases/spec.rs"]
mod spec;

/// A paragraph of a perft file.
#[derive(Default)]
struct Entry {
    id: String,
    game: String,
    text: Option<String>,
    counts: Vec<(u32, u64)>,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/rules/perft")
}

/// Parses a perft file. Paragraphs are separated by empty lines; lines that start with `#` are comments.
fn entries(content: &str) -> Vec<Entry> {
    let mut entries = Vec::new();
    for paragraph in content.split("\n\n") {
        let mut entry = Entry::default();
        for line in paragraph.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
            let (key, value) = line.split_once(' ').unwrap_or_else(|| panic!("a line without a value: {line}"));
            match key {
                "id" => entry.id = value.into(),
                "game" => entry.game = value.into(),
                "text" => entry.text = Some(value.into()),
                "perft" => {
                    let (depth, nodes) = value.split_once(' ').expect("perft DEPTH NODES");
                    entry.counts.push((depth.parse().expect("a depth"), nodes.parse().expect("a count")));
                }
                _ => panic!("unknown key {key}"),
            }
        }
        if !entry.id.is_empty() {
            assert!(!entry.counts.is_empty(), "{} has no counts", entry.id);
            entries.push(entry);
        }
    }
    entries
}

/// Runs perft from the start position or from `text`.
struct Perft<'a> {
    text: Option<&'a str>,
    depth: u32,
}

impl StartVisitor for Perft<'_> {
    type Output = u64;

    fn visit<P: GameRules>(self, start: P) -> u64 {
        let position = self.text.map_or(start.clone(), |text| start.parse(text).expect("a position"));
        perft(&position, self.depth)
    }
}

#[test]
fn perft_counts_match_the_files() {
    let files: Vec<PathBuf> =
        std::fs::read_dir(folder()).expect("the folder of perft files").map(|file| file.expect("a file").path()).collect();
    for id in games::GAMES.iter().map(|game| game.id) {
        let expected = format!("{id}.perft");
        assert!(files.iter().any(|file| file.ends_with(&expected)), "{id} has no perft file");
    }
    for file in files {
        let content = std::fs::read_to_string(&file).expect("a perft file");
        let entries = entries(&content);
        assert!(!entries.is_empty(), "{} has no positions", file.display());
        for entry in entries {
            for (depth, nodes) in entry.counts {
                let counted = spec::start(&entry.game, Perft { text: entry.text.as_deref(), depth }).expect("a game");
                assert_eq!(counted, nodes, "{}, {}, depth {depth}", file.display(), entry.id);
            }
        }
    }
}
