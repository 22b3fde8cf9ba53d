"""Follows docs/adding-a-game.md step by step in a copy of the engine."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import textwrap
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/adding-a-game.md").read_text()
BLOCK = re.compile(r"^ {3}```(rust|text)\n(.*?)^ {3}```$", re.MULTILINE | re.DOTALL)


def test_following_the_guide_adds_a_game_that_passes_the_contract_tests(tmp_path: Path) -> None:
    for name in ["Cargo.toml", "Cargo.lock", ".cargo", "crates", "tests/rules/perft"]:
        source, target = ROOT / name, tmp_path / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target)
        else:
            shutil.copy(source, target)
    blocks = [(kind, textwrap.dedent(body)) for kind, body in BLOCK.findall(PAGE)]
    code = "\n".join(textwrap.dedent(body) for kind, body in blocks if kind == "rust")
    (tmp_path / "crates/engine/src/games/hexapawn.rs").write_text(code)
    (tmp_path / "tests/rules/perft/hexapawn.perft").write_text("".join(body for kind, body in blocks if kind == "text"))
    games = tmp_path / "crates/engine/src/games.rs"
    before = games.read_text()
    after = re.sub(r"^games!\(.*\);$", re.search(r"`(games!\(.*?\);)`", PAGE)[1], before, flags=re.MULTILINE)  # type: ignore[index]
    assert after != before
    games.write_text(after)
    tests = subprocess.run(
        [
            str(shutil.which("cargo")),
            *["test", "--quiet", "--offline", "-p", "plyground-engine", "--test", "contract", "--test", "perft"],
        ],
        cwd=tmp_path,
        env={**os.environ, "CARGO_TARGET_DIR": str(ROOT / "target/adding-a-game")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert tests.returncode == 0, tests.stdout + tests.stderr
