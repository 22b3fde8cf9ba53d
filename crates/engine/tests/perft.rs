//! The numbers of `tests/rules/perft/*.perft`: the rules produce exactly as many move sequences as they should.

use std::path::{Path, PathBuf};

use plyground_engine::games;

#[path = "cases/spec.rs"]
mod spec;

/// One paragraph of a perft file.
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

/// Paragraphs are apart by empty lines; a line beginning with `#` is a comment.
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

#[test]
fn every_perft_file_counts_true() {
    let files: Vec<PathBuf> =
        std::fs::read_dir(folder()).expect("the folder of perft files").map(|file| file.expect("a file").path()).collect();
    for id in games::GAMES.iter().map(|game| game.id) {
        let wanted = format!("{id}.perft");
        assert!(files.iter().any(|file| file.ends_with(&wanted)), "{id} has no perft file");
    }
    for file in files {
        let content = std::fs::read_to_string(&file).expect("a perft file");
        let entries = entries(&content);
        assert!(!entries.is_empty(), "{} has no positions", file.display());
        for entry in entries {
            let start = spec::start(&entry.game).expect("a game");
            let line = entry.text.as_deref().map_or_else(|| start.replay(0), |text| start.at(text).expect("a position"));
            for (depth, nodes) in entry.counts {
                assert_eq!(line.perft(depth), nodes, "{}, {}, depth {depth}", file.display(), entry.id);
            }
        }
    }
}
