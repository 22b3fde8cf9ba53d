"""User games on the command line."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from timeouts import SUBPROCESS_S

NIM = Path(__file__).parents[2] / "python/plyground/examples/nim.py"


def plyground(*arguments: str) -> subprocess.CompletedProcess[str]:
    program = Path(sys.executable).with_name("plyground")
    return subprocess.run(
        [str(program), *arguments], input="quit\n", capture_output=True, text=True, timeout=SUBPROCESS_S, check=False
    )


def test_a_game_file_registers_games_for_every_command() -> None:
    assert "unknown game 'nim'" in plyground("perft", "nim", "1").stderr
    assert plyground("--game-file", str(NIM), "perft", "nim", "1").stdout.startswith("16 nodes")
    match = plyground("--game-file", str(NIM), "match", "nim", "random", "mcts(simulations=50)", "--json")
    assert match.returncode == 0, match.stderr
    assert "(1, 3, 5, 7)+0" in plyground("--game-file", str(NIM), "play", "nim").stdout


def test_a_file_without_a_game_is_a_one_line_error(tmp_path: Path) -> None:
    empty = tmp_path / "empty.py"
    empty.write_text("x = 1\n")
    result = plyground("--game-file", str(empty), "perft", "nim", "1")
    assert (result.returncode, len(result.stderr.splitlines())) == (2, 1)
    assert "registers no game" in result.stderr
    assert plyground("--game-file", str(tmp_path / "none.py"), "perft", "nim", "1").returncode != 0
