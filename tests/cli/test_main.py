"""Behaviour common to all commands."""

from __future__ import annotations

import subprocess
import sys

import pytest

import plyground
from cli.command_line import COMMAND, environment, error_line, run
from timeouts import SUBPROCESS_S


def test_help_lists_the_commands() -> None:
    result = run("--help")
    assert result.returncode == 0
    for command in ("play", "match", "perft", "bench", "games"):
        assert command in result.stdout


def test_prints_the_package_version() -> None:
    assert run("--version").stdout == f"plyground {plyground.__version__}\n"


@pytest.mark.parametrize("command", ["play", "match", "perft", "bench", "games"])
def test_every_command_has_help(command: str) -> None:
    result = run(command, "--help")
    assert result.returncode == 0
    assert f"Usage: plyground {command}" in result.stdout


def test_an_unknown_command_is_a_usage_error() -> None:
    result = run("plai")
    assert result.returncode == 2
    assert "plai" in result.stderr


def test_an_unknown_game_is_a_one_line_error_that_lists_the_games() -> None:
    assert error_line("play", "go", code=2) == "unknown game 'go'; available: checkers, connect4, tictactoe, chess"


def test_an_illegal_move_has_its_own_exit_code() -> None:
    assert "illegal" in error_line("perft", "checkers", "1", "--moves", "1-2", code=3)


def test_an_argument_that_is_not_utf_8_is_an_error_without_a_traceback() -> None:
    result = subprocess.run(
        [COMMAND, "perft", "chess", "1", "--position", b"\xff\xfe"], env=environment(), capture_output=True, check=False
    )
    assert result.returncode != 0
    assert result.stderr.startswith(b"error: ")
    assert b"Traceback" not in result.stderr


def test_input_that_is_not_utf_8_is_an_invalid_move() -> None:
    result = subprocess.run(
        [COMMAND, "play", "checkers"], input=b"\xff\n", env=environment(), capture_output=True, check=False
    )
    assert (result.returncode, result.stderr) == (0, b"")
    assert b"must have the form" in result.stdout


def test_a_closed_output_pipe_is_not_an_error() -> None:
    pipeline = f"{COMMAND} match chess random random --games 50 --show | head -1"
    result = subprocess.run(
        ["/bin/sh", "-c", pipeline],
        env=environment(),
        capture_output=True,
        text=True,
        timeout=SUBPROCESS_S,
        check=False,
    )
    assert result.stdout == "Game 1 of 50: random (white) against random (black)\n"
    assert result.stderr == ""


def test_importing_the_package_does_not_import_the_command_line() -> None:
    code = (
        "import plyground, plyground.agents, plyground.arena, plyground.bench, plyground.records, sys;"
        "print('typer' in sys.modules, 'rich' in sys.modules, 'sqlalchemy' in sys.modules)"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout == "False False False\n"
