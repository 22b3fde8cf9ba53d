"""`tools/strings.py` finds every user-visible string and skips code."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from timeouts import SUBPROCESS_S

ROOT = Path(__file__).parents[2]
SOURCES = {
    "python/plyground/cli/greet.py": '''
"""The module docstring is not shown."""
@app.command()
def greet(name: Annotated[str, typer.Option(help="Whom to greet.")] = "", count: int = 1) -> None:
    """Greet somebody.

    Once by default.
    """
    if name == "Mr X":
        raise ParseError(f"name must not be {name!r}, got {len(name)} letters")
    raise typer.Exit
    re.compile("not a message")
    raise CustomError("too_long", "The name is too long.")
''',
    "python/plyground/cli/table.py": """
__all__ = ["Table"]
HEADINGS = ("Rating", "LOS", "ratio", "Mean plies")
State = TypeVar("State")
SIZE: Annotated[int, typer.Option(metavar="MiB", help="Size.")]
ROWS = {"Wins": rows["Draws"], "No key": headers.get("Date")}
LINE = f"Players: {names}"
KIND = "TypeName"
""",
    "python/plyground/server/code.py": """
QUERY = "SELECT name FROM players"
SETTINGS = ["journal_mode = WAL", "SET NULL"]
COOKIE = f"{NAME}={token}; Path=/; HttpOnly; SameSite=Lax"
HEADERS = ["text/plain; charset=utf-8", "public, max-age=60", f'attachment; filename="{name}"', "default-src 'self'"]
HEADER = "Content-Type"
SVG = f'<text x="{x}" y="{y}" fill="red">{escape(label)}</text>'
STYLE = 'font-size="14" fill="red"'
PAGE = f"<html><body><h1>Not built</h1><p>Run {command}.</p></body></html>"
SPECS = ["alphabeta(weights=best, depth=3)", "int | None", f"--plies {plies} --count {count}", '{"format": 1}']
TITLE = Table(title=f"{count} of {total}")
""",
    "python/plyground/levels.toml": """
[[level]]
name = "Easy"
agent = "mcts(c=1, simulations=20)"
description = "For beginners."
""",
    "crates/engine/src/lib.rs": r"""
/// A documentation comment.
#[doc = "not shown either"]
fn check(count: usize) -> Result<(), Error> {
    assert!(count > 0, "never shown to users");
    let quote = '"';
    Err(Error::Parse(format!(
        "count must be at most 3, \
         got {count}"
    )))
}
tunables! {
    "tree search";
    /// Exploration constant.
    /// Larger values explore more.
    c: f64 = 0.5, 0.0..=100.0;
}
#[cfg(test)]
mod tests {
    fn rejects() { check("a test { string"); }
}
""",
    "web/src/pages/Play.svelte": """
<script lang="ts">
  import Icon from "../Icon.svelte";
  const pattern = /not "a string"/;
  const label = state === "Not Shown" ? `Move ${ply} of ${count === 1 ? "one move" : count}` : "Done";
</script>
<!-- A comment -->
{#if game}
  <button class="button small" aria-label="Take back" onclick={() => say("Move taken back")}>
    <Icon name="undo" />Undo {sure ? "now" : ""}
  </button>
{:else}
  <Empty heading="No game yet" d="M 10 20 L 30 40 z" />
{/if}
{#if over}<b class="badge small">Over</b>{/if}{outcome}</span>
<p class="small quiet">Ended</p>
<style>
  p::after { content: "Not shown in css"; }
</style>
""",
    "web/src/state/keys.ts": """
// A "comment with text".
export const KEYS = [{ key: "ArrowLeft", description: "Previous move" }];
const path = `/api/games/${id}/moves`;
const dark = matchMedia("(prefers-color-scheme: dark)");
const inputs = "input:not([type=radio]), select";
const move = `translate(${x} ${y})`;
const example = "First line\\nsecond line";
""",
    "web/src/api/schema.d.ts": 'export type Title = "Not a message";',
    "web/src/state/keys.test.ts": 'it("is a test name", () => {});',
}
EXPECTED = [
    "crates/engine/src/lib.rs:8: count must be at most 3, got {count}",
    "crates/engine/src/lib.rs:13: tree search",
    "crates/engine/src/lib.rs:14: Exploration constant. Larger values explore more.",
    "python/plyground/cli/greet.py:4: Whom to greet.",
    "python/plyground/cli/greet.py:5: Greet somebody. Once by default.",
    "python/plyground/cli/greet.py:10: name must not be {name}, got {len(name)} letters",
    "python/plyground/cli/greet.py:13: The name is too long.",
    "python/plyground/cli/table.py:3: Rating",
    "python/plyground/cli/table.py:3: Mean plies",
    "python/plyground/cli/table.py:5: Size.",
    "python/plyground/cli/table.py:6: No key",
    "python/plyground/cli/table.py:7: Players: {names}",
    "python/plyground/levels.toml:3: Easy",
    "python/plyground/levels.toml:5: For beginners.",
    "python/plyground/server/code.py:9: Not built Run {command}.",
    "python/plyground/server/code.py:11: {count} of {total}",
    'web/src/pages/Play.svelte:5: Move {ply} of {count === 1 ? "one move" : count}',
    "web/src/pages/Play.svelte:5: one move",
    "web/src/pages/Play.svelte:5: Done",
    "web/src/pages/Play.svelte:9: Take back",
    "web/src/pages/Play.svelte:9: Move taken back",
    'web/src/pages/Play.svelte:10: Undo {sure ? "now" : ""}',
    "web/src/pages/Play.svelte:10: now",
    "web/src/pages/Play.svelte:13: No game yet",
    "web/src/pages/Play.svelte:15: Over",
    "web/src/pages/Play.svelte:16: Ended",
    "web/src/state/keys.ts:3: Previous move",
    "web/src/state/keys.ts:8: First line second line",
]


def run(root: Path, output: Path) -> list[str]:
    command = [sys.executable, str(ROOT / "tools/strings.py"), "--root", str(root), "--output", str(output)]
    subprocess.run(command, check=True, capture_output=True, timeout=SUBPROCESS_S)
    return output.read_text().splitlines()


def test_finds_strings_of_every_kind_and_nothing_else(tmp_path: Path) -> None:
    for name, text in SOURCES.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    assert run(tmp_path, tmp_path / "strings.txt") == EXPECTED


@pytest.fixture(scope="module")
def strings_in_the_repository(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    return run(ROOT, tmp_path_factory.mktemp("strings") / "strings.txt")


@pytest.mark.parametrize(
    ("folder", "text"),
    [
        ("python/plyground/cli/", "Maximum number of openings."),
        ("python/plyground/cli/tournament_tables.py", "Rating"),
        ("python/plyground/cli/match.py", "Wins"),
        ("python/plyground/cli/agents.py", "Description"),
        ("python/plyground/cli/bench.py", "Measuring"),
        ("python/plyground/arena/", "plies must be between 1 and 100, got {self.plies}"),
        ("python/plyground/levels.toml", "Master"),
        ("crates/engine/src/games/", "Connect Four"),
        ("web/src/", "Undo"),
    ],
)
def test_finds_known_strings_in_the_repository(folder: str, text: str, strings_in_the_repository: list[str]) -> None:
    assert any(line.startswith(folder) and line.endswith(f": {text}") for line in strings_in_the_repository)


def test_finds_rust_errors_in_the_repository(strings_in_the_repository: list[str]) -> None:
    assert sum(line.startswith("crates/") for line in strings_in_the_repository) > 100
