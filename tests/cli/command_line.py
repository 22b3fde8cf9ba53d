"""Runs the `plyground` command, in a new process or in this one."""

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
from plyground.records import Record
from plyground.store import Filter, Store
from timeouts import SUBPROCESS_S

COMMAND = Path(sys.executable).with_name("plyground")
TERMINAL = {"TERM": "xterm", "COLUMNS": "120"}
REMOVED_VARIABLES = ("NO_COLOR", "FORCE_COLOR", "PYTHONDONTWRITEBYTECODE")


def environment(**changes: str) -> dict[str, str]:
    """Return the environment variables of a user's terminal, with these changes."""
    inherited = {name: value for name, value in os.environ.items() if name not in REMOVED_VARIABLES}
    return {**inherited, **TERMINAL, **changes}


def run(
    *arguments: str | Path, stdin: str = "", directory: Path | None = None, **changes: str
) -> subprocess.CompletedProcess[str]:
    """Run the command in a new process. Keyword arguments change its environment."""
    return subprocess.run(
        [COMMAND, *arguments],
        input=stdin,
        cwd=directory,
        env=environment(**changes),
        capture_output=True,
        text=True,
        timeout=SUBPROCESS_S,
        check=False,
    )


def run_in_process(*arguments: str | Path, **changes: str) -> subprocess.CompletedProcess[str]:
    """Run the command in this process, which saves the start-up time of a new one."""
    argv = ["plyground", *map(str, arguments)]
    output, errors = io.StringIO(), io.StringIO()
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(output), redirect_stderr(errors):
        patch.setattr(sys, "argv", argv)
        patch.setattr(sys, "stdin", io.StringIO())
        for name, value in {**TERMINAL, **changes}.items():
            patch.setenv(name, value)
        with pytest.raises(SystemExit) as exit_info:
            main()
    code = exit_info.value.code
    return subprocess.CompletedProcess(argv, code if isinstance(code, int) else 0, output.getvalue(), errors.getvalue())


def run_json(*arguments: str | Path, in_process: bool = False) -> Any:
    """Run the command with --json, check that it succeeds without warnings, and return the parsed output."""
    result = (run_in_process if in_process else run)(*arguments, "--json")
    assert (result.returncode, result.stderr) == (0, "")
    return json.loads(result.stdout)


def error_line(*arguments: str | Path, code: int, in_process: bool = False) -> str:
    """Run the command, check that it fails with this exit code and a one-line error, and return the message."""
    result = (run_in_process if in_process else run)(*arguments)
    assert result.returncode == code
    assert result.stdout == ""
    assert result.stderr.startswith("error: ")
    assert result.stderr.count("\n") == 1
    return result.stderr.removeprefix("error: ").rstrip()


def stored_games(path: Path) -> list[Record]:
    """Return the games in a store, oldest first."""
    with Store(str(path)) as store:
        return [stored.record for stored in store.records.find(Filter())][::-1]
