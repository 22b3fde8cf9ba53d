"""The hint that `make play` prints."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]


def hint(path: str) -> str:
    environment = {**os.environ, "PATH": path, "MAKEFLAGS": ""}
    command = ["/usr/bin/make", "--silent", "path"]
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True).stdout


def test_make_play_says_how_to_put_plyground_on_the_path(tmp_path: Path) -> None:
    assert hint("/usr/bin:/bin").rstrip().endswith(f'run: export PATH="{ROOT}/.venv/bin:$PATH"')
    program = tmp_path / "plyground"
    program.write_text("")
    program.chmod(0o755)
    assert hint(f"{tmp_path}:/usr/bin:/bin") == ""


def test_make_play_prints_the_hint() -> None:
    assert "\nplay: build page path " in (ROOT / "Makefile").read_text()
