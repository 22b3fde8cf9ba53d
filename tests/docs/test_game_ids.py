"""Code outside the games does not depend on which game is played, except in the files listed here."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from plyground._engine import game_ids

ROOT = Path(__file__).parents[2]
IDS = game_ids()

REASONS = {
    "arena/openings_make.py": "settings of the opening decks",
    "arena/roster.py": "the Samuel roster plays checkers",
    "bench/connect4_sets.py": "positions for the solver benchmark",
    "bench/openspiel.py": "names of the games in OpenSpiel",
    "bench/probes.py": "table probes",
    "bench/search.py": "sizes of benchmark searches",
    "bench/solver.py": "the solver benchmark",
    "cli/solve.py": "the Connect Four book",
    "exact/book.py": "the Connect Four book",
    "exact/solve.py": "the Connect Four solver",
    "exact/syzygy.py": "Syzygy files are for chess",
    "exact/tables.py": "endgame tables are for checkers",
    "agents/solver.py": "games with a solver",
    "agents/syzygy.py": "Syzygy files are for chess",
    "agents/tables.py": "endgame tables are for checkers",
    "agents/uci.py": "UCI is a protocol for chess engines",
    "learn/teachers.py": "teachers of particular games",
    "levels.py": "Syzygy files are for chess",
    "opening_names.py": "names of chess openings",
    "protocols/uci.py": "UCI is a protocol for chess engines",
    "protocols/uci_options.py": "UCI is a protocol for chess engines",
    "protocols/uci_position.py": "UCI is a protocol for chess engines",
    "plain/enhancements/playouts.py": "games with a fast test for immediate wins",
    "records/formats.py": "the game of each file format",
    "records/pdn.py": "PDN is for checkers",
    "records/pgn.py": "PGN is for chess",
    "review.py": "the reviewer of each game",
    "server/catalog/catalog.py": "board style and exact values of each game",
    "server/catalog/models.py": "names of board styles",
    "server/jobs/training.py": "the short checkers endpoints",
    "server/play/checkers.py": "the short checkers endpoints",
    "server/play/routes.py": "the default game",
    "svg.py": "drawings of boards and pieces",
    "server/positions/setup.py": "position set-up of each game",
    "server/positions/views.py": "explanations of forced moves",
    "server/search/exact.py": "games with exact values",
    "server/search/tree.py": "chess moves are shown in SAN",
    "web/src/board/Board.svelte": "board styles",
    "web/src/board/Marks.svelte": "board styles",
    "web/src/board/SmallBoard.svelte": "board styles",
    "web/src/board/Surface.svelte": "board styles",
    "web/src/board/geometry.ts": "board styles",
    "web/src/board/piece-drawings.ts": "drawings of the pieces of each style",
    "web/src/frame/GameIcon.svelte": "the icon of each game",
    "web/src/pages/analyse/Toolbar.svelte": "games whose positions are copied as FEN",
    "web/src/state/settings.svelte.ts": "the default game",
    "web/src/parts/SideIcon.svelte": "the icon of each side",
    "web/src/parts/sides.ts": "the names of sides and pieces in each style",
}
"""Why a file names games, by path: relative to `python/plyground`, or to the repository for the web UI."""


def names_game(source: Path) -> bool:
    """Whether a Python file contains the ID of a built-in game as a string."""
    tree = ast.parse(source.read_text())
    return any(isinstance(node, ast.Constant) and node.value in IDS for node in ast.walk(tree))


def test_games_are_named_only_in_the_listed_python_files() -> None:
    package = ROOT / "python/plyground"
    found = {str(path.relative_to(package)) for path in package.rglob("*.py") if names_game(path)}
    assert found == {name for name in REASONS if not name.startswith("web/")}


def test_games_are_named_only_in_the_listed_files_of_the_web_ui() -> None:
    pattern = re.compile(rf"[\"'`]({'|'.join(IDS)})[\"'`]")
    sources = [path for suffix in ("ts", "svelte") for path in (ROOT / "web/src").rglob(f"*.{suffix}")]
    generated = ("schema.d.ts", ".test.ts")
    found = {
        str(path.relative_to(ROOT))
        for path in sources
        if not path.name.endswith(generated) and pattern.search(path.read_text())
    }
    assert found == {name for name in REASONS if name.startswith("web/")}
