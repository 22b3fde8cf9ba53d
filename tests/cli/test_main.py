"""What holds for every command."""

from __future__ import annotations

import subprocess
import sys

import pytest

import plyground
from cli.command_line import COMMAND, environment, error_line, run


def test_help_prints_its_commands() -> None:
    done = run("--help")
    assert done.returncode == 0
    for command in ("play", "match", "perft", "bench", "games"):
        assert command in done.stdout


def test_the_version_is_the_package_s() -> None:
    assert run("--version").stdout == f"plyground {plyground.__version__}\n"


@pytest.mark.parametrize("command", ["play", "match", "perft", "bench", "games"])
def test_every_command_explains_itself(command: str) -> None:
    done = run(command, "--help")
    assert done.returncode == 0
    assert f"Usage: plyground {command}" in done.stdout


def test_an_unknown_command_is_a_usage_error() -> None:
    done = run("plai")
    assert done.returncode == 2
    assert "plai" in done.stderr


def test_an_unknown_game_is_one_line_that_lists_the_games() -> None:
    assert error_line("play", "go", code=2) == (
        'no game is called "go"; there are: checkers, connect4, tictactoe, chess'
    )


def test_an_illegal_move_has_its_own_exit_code() -> None:
    assert "illegal" in error_line("perft", "checkers", "1", "--moves", "1-2", code=3)


def test_a_text_that_is_not_utf_8_gives_no_traceback() -> None:
    done = subprocess.run(
        [COMMAND, "perft", "chess", "1", "--position", b"\xff\xfe"], env=environment(), capture_output=True, check=False
    )
    assert done.returncode != 0
    assert done.stderr.startswith(b"error: ")
    assert b"Traceback" not in done.stderr


def test_bytes_that_are_not_utf_8_are_an_illegible_move() -> None:
    done = subprocess.run(
        [COMMAND, "play", "checkers"], input=b"\xff\n", env=environment(), capture_output=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"is not a move" in done.stdout


def test_a_reader_that_goes_away_is_no_error() -> None:
    pipeline = f"{COMMAND} match chess random random --games 50 --show | head -1"
    done = subprocess.run(
        ["/bin/sh", "-c", pipeline], env=environment(), capture_output=True, text=True, timeout=60, check=False
    )
    assert done.stdout == "Game 1 of 50: random (white) against random (black)\n"
    assert done.stderr == ""


def test_importing_the_package_imports_no_command_line() -> None:
    code = (
        "import plyground, plyground.agents, plyground.arena, plyground.bench, plyground.records, sys;"
        "print('typer' in sys.modules, 'rich' in sys.modules, 'sqlalchemy' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False False False\n"
