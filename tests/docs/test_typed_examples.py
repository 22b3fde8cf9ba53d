"""The examples of the library documentation pass `mypy --strict`."""

from __future__ import annotations

import doctest
import subprocess
import sys
from pathlib import Path

import pytest

from timeouts import SUBPROCESS_S

ROOT = Path(__file__).parents[2]
PAGES = ["README.md", "docs/library.md"]


@pytest.mark.parametrize("page", PAGES)
def test_examples_pass_mypy_strict(page: str, tmp_path: Path) -> None:
    text = (ROOT / page).read_text()
    examples = doctest.DocTestParser().get_examples("\n".join(line for line in text.splitlines() if line[:3] != "```"))
    assert len(examples) >= 10
    program = tmp_path / "example.py"
    program.write_text("".join(example.source for example in examples))
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file", str(ROOT / "pyproject.toml"), str(program)]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=SUBPROCESS_S, check=False)
    assert result.returncode == 0, result.stdout + result.stderr
