"""The command as a user runs it: a process of its own."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import pytest

from plyground.cli.main import main

COMMAND = Path(sys.executable).with_name("plyground")


LEFT_OUT = ("NO_COLOR", "FORCE_COLOR", "PYTHONDONTWRITEBYTECODE")


def environment(**changes: str) -> dict[str, str]:
    """What a user's terminal tells programs."""
    kept = {name: value for name, value in os.environ.items() if name not in LEFT_OUT}
    return {**kept, "TERM": "xterm", "COLUMNS": "120", **changes}


def run(
    *arguments: str | Path, stdin: str = "", directory: Path | None = None, **changes: str
) -> subprocess.CompletedProcess[str]:
    """Run `plyground` with these arguments; keyword arguments change the environment."""
    return subprocess.run(
        [COMMAND, *arguments],
        input=stdin,
        cwd=directory,
        env=environment(**changes),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def call(*arguments: str | Path, **changes: str) -> subprocess.CompletedProcess[str]:
    """What `run` does, in this process and so without the second it takes to begin another."""
    words = ["plyground", *map(str, arguments)]
    output, errors = io.StringIO(), io.StringIO()
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(output), redirect_stderr(errors):
        patch.setattr(sys, "argv", words)
        patch.setattr(sys, "stdin", io.StringIO())
        for name, value in {"TERM": "xterm", "COLUMNS": "120", **changes}.items():
            patch.setenv(name, value)
        with pytest.raises(SystemExit) as left:
            main()
    code = left.value.code
    return subprocess.CompletedProcess(
        words, code if isinstance(code, int) else 0, output.getvalue(), errors.getvalue()
    )


def run_json(*arguments: str) -> Any:
    """What a run prints with --json, which must succeed and say nothing else."""
    done = run(*arguments, "--json")
    assert (done.returncode, done.stderr) == (0, "")
    return json.loads(done.stdout)


def error_line(*arguments: str | Path, code: int, here: bool = False) -> str:
    """The one line on standard error of a run, or of a call here, that must fail with this code."""
    done = call(*arguments) if here else run(*arguments)
    assert done.returncode == code
    assert done.stdout == ""
    assert done.stderr.startswith("error: ")
    assert done.stderr.count("\n") == 1
    return done.stderr.removeprefix("error: ").rstrip()
