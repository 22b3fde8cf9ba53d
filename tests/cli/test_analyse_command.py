"""`plyground analyse`."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.command_line import run, run_json


def test_json_has_every_move_and_the_work_done() -> None:
    report = run_json("analyse", "connect4", "--moves", "4 4 5 5", "--simulations", "2000", "--seed", "1")
    assert report["turn"] == "red"
    assert report["best"] in ("3", "6")
    assert report["known"] == "win"
    assert report["distance"] == 3
    assert [move["move"] for move in report["moves"]] == list("1234567")
    assert report["simulations"] <= 2000


def test_people_read_a_board_and_a_table() -> None:
    shown = run("analyse", "checkers", "--agent", "alphabeta", "--depth", "4").stdout
    assert "black to move" in shown
    assert "4 at most" not in shown.splitlines()[0]
    assert shown.splitlines()[-1].startswith("0 simulations and ")


def test_a_tree_in_a_file_goes_on_growing(tmp_path: Path) -> None:
    tree = str(tmp_path / "start.tree")
    arguments = ("analyse", "checkers", "--simulations", "1000", "--tree", tree)
    visits = [sum(move["visits"] for move in run_json(*arguments)["moves"]) for _ in range(3)]
    assert visits == [1000, 2000, 3000]
    after = run_json(*arguments, "--moves", "11-15")
    assert sum(move["visits"] for move in after["moves"]) > 1000


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("checkers", "--agent", "random"), "keeps no tree; accepted is an agent mcts"),
        (("checkers", "--agent", "mcts(c=2)"), "its search had no options; accepted is the same"),
    ],
)
def test_a_tree_that_does_not_fit_is_told(tmp_path: Path, arguments: tuple[str, ...], message: str) -> None:
    tree = str(tmp_path / "a.tree")
    run_json("analyse", "checkers", "--simulations", "10", "--tree", tree)
    refused = run("analyse", *arguments, "--tree", tree)
    assert refused.returncode != 0
    assert message in " ".join(refused.stderr.split())
