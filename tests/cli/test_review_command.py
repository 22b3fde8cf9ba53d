"""`plyground review`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from cli.command_line import error_line, run_in_process, run_json
from cli.terminal import Terminal
from plyground import game
from plyground.records import HUMAN, Record
from plyground.records.json import save, write_all
from plyground.store import Store

# x takes the centre, o makes a losing move by playing an edge, and x keeps the win.
BLUNDER = Record("tictactoe", ("b2", "b1", "c3"), players={"x": HUMAN, "o": "random"})


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A file with a game in which o makes a losing move."""
    save(tmp_path / "game.json", BLUNDER)
    return tmp_path / "game.json"


def review(*arguments: str | Path) -> Any:
    return run_json("review", *arguments, "--simulations", "2000", in_process=True)


def test_reviews_a_file(file: Path) -> None:
    report = review(file)
    assert [move["notation"] for move in report["moves"]] == ["b2", "b1", "c3"]
    assert [move["mark"] for move in report["moves"]] == ["", "??", ""]
    assert report["moves"][1]["value_loss"] == 0.5
    assert report["accuracy"]["x"] == 100
    assert report["accuracy"]["o"] < 50


def test_reviews_a_stored_game(tmp_path: Path) -> None:
    with Store(str(tmp_path / "store")) as store:
        number = store.records.add(BLUNDER).id
    report = review(str(number), "--store", tmp_path / "store")
    assert report["id"] == number
    assert report["moves"][1]["mark"] == "??"


def test_prints_each_move_and_the_accuracy_of_both_sides(file: Path) -> None:
    output = run_in_process("review", file, "--simulations", "2000").stdout
    assert f"{file}: tictactoe, x human, o random, unfinished" in output
    (line,) = (line for line in output.splitlines() if "b1??" in line)
    assert "gave away a draw" in line
    assert "x: accuracy 100%, 0 inaccuracies, 0 mistakes, 0 blunders" in output
    assert "0 inaccuracies, 0 mistakes, 1 blunder\n" in output


def test_moves_are_in_standard_notation(tmp_path: Path) -> None:
    mate = game("chess").position(moves=["f2f3", "e7e5", "g2g4", "d8h4"])
    save(tmp_path / "chess.json", Record.from_position(mate, {}))
    output = run_in_process("review", tmp_path / "chess.json", "--depth", "2").stdout
    assert "Qh4#" in output
    assert "d8h4" not in output


def test_a_file_with_several_games_requires_a_number(tmp_path: Path) -> None:
    file = tmp_path / "games.json"
    file.write_text(write_all([BLUNDER, Record("tictactoe", ("a1",))]))
    assert "contains 2 games; choose one with --number" in error_line("review", file, code=2, in_process=True)
    assert len(review(file, "--number", "2")["moves"]) == 1
    assert "must be at most 2" in error_line("review", file, "--number", "3", code=2, in_process=True)


def test_an_argument_that_is_neither_a_file_nor_an_id_is_an_error() -> None:
    message = error_line("review", "notes.txt", code=2, in_process=True)
    assert "neither a game file (.json, .pdn, .pgn) nor the ID of a stored game" in message
    assert error_line("review", "999999", code=2, in_process=True).startswith("game 999999")


def test_ctrl_c_prints_the_moves_reviewed_so_far(tmp_path: Path) -> None:
    save(tmp_path / "chess.json", Record("chess", ("e2e4", "e7e5", "f2f3", "f8c5")))
    terminal = Terminal(
        "review", tmp_path / "chess.json", "--agent", "mcts(simulations=1000000000)", "--seconds", "999"
    )
    terminal.wait_for("Reviewing")
    terminal.interrupt()
    assert terminal.exit_code() == 130
    assert "Interrupted: only the last 0 of 4 moves were reviewed." in terminal.output
