"""`plyground` in a terminal: colours, signals and progress."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from cli.command_line import stored_games
from cli.terminal import Terminal


def play_one_move(**changes: str) -> str:
    terminal = Terminal("play", "connect4", "--seed", "1", **changes)
    terminal.wait_for("red> ")
    terminal.type("4\n")
    terminal.wait_for("yellow plays")
    terminal.type("quit\n")
    assert terminal.exit_code() == 0
    return terminal.output


def test_a_terminal_shows_colours() -> None:
    output = play_one_move()
    assert "\x1b[1;31mr\x1b[0m" in output
    assert "\x1b[1;36my\x1b[0m" in output


def test_respects_no_color() -> None:
    assert "\x1b[1;31m" not in play_one_move(NO_COLOR="1")


def test_end_of_input_quits() -> None:
    terminal = Terminal("play", "checkers")
    terminal.wait_for("black> ")
    terminal.type("\x04")
    assert terminal.exit_code() == 0


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP], ids=lambda number: number.name)
def test_a_signal_saves_the_game_and_quits(tmp_path: Path, number: signal.Signals) -> None:
    terminal = Terminal("play", "checkers", "--store", tmp_path / "store")
    terminal.wait_for("black> ")
    terminal.type("11-15\n")
    terminal.wait_for("white plays")
    terminal.send_signal_at_prompt("black> ", number)
    assert terminal.exit_code() == 0
    assert "Traceback" not in terminal.output
    (record,) = stored_games(tmp_path / "store")
    assert record.moves[0] == "11-15"


def test_a_match_ends_with_a_table() -> None:
    terminal = Terminal("match", "checkers", "random", "random", "--games", "20")
    assert terminal.exit_code() == 0
    assert "Score" in terminal.output


def test_a_tournament_shows_its_progress_and_then_the_tables(tmp_path: Path) -> None:
    players = ("random", "flat(playouts=3)", "alphabeta(depth=2)")
    terminal = Terminal("tournament", "run", "checkers", *players, "--games", "4", "--store", tmp_path / "store")
    terminal.wait_for("/12")
    terminal.wait_for("12 of 12 games")
    terminal.wait_for("Head-to-head results")
    assert terminal.exit_code() == 0
