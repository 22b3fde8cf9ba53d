//! Each engine module uses only the modules before it.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// The modules in dependency order.
const ORDER: &[&str] = &[
    "error",
    "bits",
    "rng",
    "large",
    "interrupt",
    "options",
    "position",
    "line",
    "perft",
    "games",
    "evaluate",
    "exact",
    "search",
    "learning",
];

fn source_files(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        match path.is_dir() {
            true => source_files(&path, files),
            false => files.push(path),
        }
    }
}

/// The source without comments.
fn code(source: &str) -> String {
    source.lines().map(|line| line.split("//").next().unwrap_or("")).collect::<Vec<_>>().join("\n")
}

/// The first identifier of a path, or the first identifiers of the paths in a braced group.
fn first_segments(path: &str) -> Vec<String> {
    let identifier = |text: &str| {
        let text = text.trim_start();
        text.chars().take_while(|letter| letter.is_alphanumeric() || *letter == '_').collect::<String>()
    };
    let Some(group) = path.trim_start().strip_prefix('{') else {
        return vec![identifier(path)];
    };
    let (mut depth, mut start, mut segments) = (1, 0, Vec::new());
    for (index, letter) in group.char_indices() {
        match letter {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 || (depth == 1 && letter == ',') {
            segments.push(identifier(&group[start..index]));
            start = index + 1;
        }
        if depth == 0 {
            break;
        }
    }
    segments.retain(|segment| !segment.is_empty());
    segments
}

/// Maps each name that the crate root re-exports to its module.
fn reexports(lib: &str) -> HashMap<String, String> {
    let mut modules = HashMap::new();
    for statement in lib.split("pub use ").skip(1) {
        let statement = statement.split(';').next().unwrap_or("");
        let (module, names) = statement.split_once("::").expect("a path");
        modules.extend(first_segments(names).into_iter().map(|name| (name, module.to_string())));
    }
    modules
}

/// The top-level modules and re-exported names to which a module at the given nesting depth refers via `crate::` or `super::`.
fn references(code: &str, depth: usize) -> Vec<String> {
    let mut segments: Vec<String> = code.split("crate::").skip(1).flat_map(first_segments).collect();
    let chain = "super::".repeat(depth);
    // Inline modules such as `mod tests` are one level deeper.
    let (code, inline) = code.split_once("\nmod tests {").unwrap_or((code, ""));
    for (code, chain) in [(code, chain.clone()), (inline, format!("super::{chain}"))] {
        segments.extend(code.split(&chain).skip(1).flat_map(first_segments));
    }
    segments
}

#[test]
fn modules_use_only_earlier_modules() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    source_files(&root, &mut files);
    assert!(files.len() > 50);
    let reexports = reexports(&std::fs::read_to_string(root.join("lib.rs")).expect("the crate root"));
    assert_eq!(reexports["Line"], "line");
    let rank = |module: &str| ORDER.iter().position(|&other| other == module);
    for file in files {
        let path = file.strip_prefix(&root).expect("a source file").with_extension("");
        let modules: Vec<&str> = path.iter().map(|part| part.to_str().expect("a module name")).collect();
        if modules == ["lib"] {
            continue;
        }
        let module = rank(modules[0]).unwrap_or_else(|| panic!("{} is missing from ORDER", modules[0]));
        let source = std::fs::read_to_string(&file).expect("a source file");
        for other in references(&code(&source), modules.len()) {
            let used = reexports.get(&other).unwrap_or(&other);
            let Some(used) = rank(used) else { panic!("{} uses the unknown module {other}", file.display()) };
            assert!(used <= module, "{} uses {other}, which comes after {}", file.display(), modules[0]);
        }
    }
}

#[test]
fn references_are_found_in_imports_and_expressions() {
    let source = "use crate::{Error, games::{checkers, chess}, search};\nfn f() { crate::exact::solve(); super::line::f() }";
    assert_eq!(references(source, 1), ["Error", "games", "search", "exact", "line"]);
    assert_eq!(references(source, 2), ["Error", "games", "search", "exact"]);
    let source = "fn f() {}\nmod tests {\n    use super::super::learning;\n    use super::search;\n}";
    assert_eq!(references(source, 1), ["learning"]);
}
