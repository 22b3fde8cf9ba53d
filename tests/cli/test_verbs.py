"""The list of commands, and the modules that commands import."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from cli.command_line import environment, error_line, run, run_in_process, run_json
from plyground.cli.verbs import SUMMARIES, load

SLOW = ("rich", "pydantic", "sqlalchemy", "plyground.arena", "plyground.agents", "plyground.learn", "plyground.bench")


@pytest.mark.parametrize("name", SUMMARIES)
def test_the_listed_summary_is_the_beginning_of_the_help(name: str) -> None:
    text = " ".join(str(load(name).help).split())
    assert text.startswith(SUMMARIES[name]), text


@pytest.mark.parametrize("arguments", [["--help"], ["--version"]])
def test_listing_the_commands_imports_none_of_them(arguments: list[str]) -> None:
    code = (
        "import sys; from plyground.cli.main import app; sys.argv[0] = 'plyground'\n"
        "try: app()\n"
        f"finally: print([name for name in {SLOW!r} if name in sys.modules])"
    )
    result = subprocess.run(
        [sys.executable, "-c", code, *arguments], env=environment(), capture_output=True, text=True, check=True
    )
    assert result.stdout.splitlines()[-1] == "[]"


def test_a_command_does_not_import_the_others() -> None:
    code = (
        "import sys; from plyground.cli.main import app; sys.argv[0] = 'plyground'\n"
        "try: app()\n"
        "finally: print([name for name in sys.modules if name in "
        "('plyground.arena', 'plyground.bench', 'plyground.learn', 'numpy')])"
    )
    result = subprocess.run(
        [sys.executable, "-c", code, "games", "list"], env=environment(), capture_output=True, text=True, check=True
    )
    assert result.stdout.splitlines()[-1] == "[]"


GAME_FILE = "python/plyground/examples/nim.py"


@pytest.mark.parametrize(
    "arguments",
    [
        ("--game-file", GAME_FILE, "perft", "nim", "2"),
        ("perft", "--game-file", GAME_FILE, "nim", "2"),
        ("perft", "nim", "2", "--game-file", GAME_FILE),
        ("openings", "show", "nim", "--deck", "start", "--game-file", GAME_FILE),
    ],
)
def test_a_game_file_can_be_named_before_or_after_the_command(arguments: tuple[str, ...]) -> None:
    result = run(*arguments)
    assert (result.returncode, result.stderr) == (0, "")


def test_worker_processes_load_a_game_file_named_after_the_command() -> None:
    players = ("random", "random")
    report = run_json("match", "nim", *players, "--games", "2", "--processes", "2", "--game-file", GAME_FILE)
    assert len(report["games"]) == 2


def test_a_game_file_that_fails_is_an_error_with_its_name(tmp_path: Path) -> None:
    file = tmp_path / "broken.py"
    file.write_text("import nothing_of_this_name")
    message = error_line("games", "list", "--game-file", file, code=2)
    assert message == f"{file}: ModuleNotFoundError: No module named 'nothing_of_this_name'"


def test_a_misspelt_command_gets_a_suggestion() -> None:
    result = run_in_process("anaylse")
    assert result.returncode == 2
    assert "Did you mean 'analyse'?" in result.stderr
