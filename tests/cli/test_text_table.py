"""Tables in narrow terminals."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.command_line import run_in_process
from plyground.cli.text_table import label, number, print_table, text

TABLES = [
    ("analyse", "checkers", "--simulations", "100"),
    ("analyse", "chess", "--simulations", "100"),
    ("match", "tictactoe", "random", "mcts(simulations=10, c=1.4, solver=false)"),
    ("weights", "list", "checkers"),
    ("weights", "compare", "checkers", "default", "rookie", "trained", "veteran", "aggressor", "turtle"),
    ("tables", "stats"),
    ("agents",),
    ("agents", "mcts"),
    ("agents", "Hard"),
]


def is_readable(line: str) -> bool:
    """Whether a line fits in 60 columns and contains no truncated word."""
    return len(line) <= 60 and "…" not in line


@pytest.mark.parametrize("arguments", TABLES, ids=lambda arguments: " ".join(arguments)[:40])
def test_tables_fit_60_columns(arguments: tuple[str, ...]) -> None:
    narrow = run_in_process(*arguments, COLUMNS="60").stdout
    assert narrow
    # The lines after a table are sentences, which the terminal wraps.
    sentences = ("Elo difference", "agent:", "Show the options")
    table = [line.rstrip() for line in narrow.splitlines() if not line.startswith(sentences)]
    assert all(map(is_readable, table[:-2])), max(table, key=len)


def test_standings_fit_60_columns(tmp_path: Path) -> None:
    players = ("random", "Easy", "alphabeta(depth=2, quiescence=false)")
    arguments = ("tournament", "run", "tictactoe", *players, "--games", "2", "--executor", "serial")
    lines = run_in_process(*arguments, "--store", tmp_path / "store", COLUMNS="60").stdout.splitlines()
    assert all(map(is_readable, lines[:-2]))
    assert any("alphabeta(depth=2, quiescence=false)" in line for line in lines)


def test_a_row_that_does_not_fit_becomes_a_block(capsys: pytest.CaptureFixture[str]) -> None:
    columns = (number("#"), text("Agent"), *map(number, ("Rating", "95% interval", "Score")))
    rows = [("1", "mcts", "1612", "1500..1700", "0.750"), ("2", "random", "1388", "1300..1500", "0.250")]
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COLUMNS", "30")
        print_table(columns, rows, "Standings")
        assert capsys.readouterr().out.splitlines() == [
            "Standings",
            "# 1 mcts",
            "  Rating 1612",
            "  95% interval 1500..1700",
            "  Score 0.750",
            "# 2 random",
            "  Rating 1388",
            "  95% interval 1300..1500",
            "  Score 0.250",
        ]
        patch.setenv("COLUMNS", "80")
        print_table(columns, rows)
        assert capsys.readouterr().out.splitlines()[0].split() == ["#", "Agent", "Rating", "95%", "interval", "Score"]


def test_long_text_is_wrapped_and_numbers_are_not(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COLUMNS", "40")
        print_table(
            (label("Name"), text("Text"), number("Count")), [("a-long-name", "several words " * 5, "1,234,567")]
        )
    lines = capsys.readouterr().out.splitlines()
    assert all(len(line.rstrip()) <= 40 for line in lines)
    assert any("a-long-name" in line and "1,234,567" in line for line in lines)
