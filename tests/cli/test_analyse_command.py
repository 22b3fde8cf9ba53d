"""`plyground analyse`."""

from __future__ import annotations

from pathlib import Path

import pytest

import plyground
from cli.command_line import error_line, run, run_json
from plyground.agents import Limit
from plyground.board_text import draw
from plyground.cli.analyse import _with_default_time
from plyground.formatting import legal_moves
from plyground.levels import player


def test_json_has_every_move_and_the_search_statistics() -> None:
    report = run_json("analyse", "connect4", "--moves", "4 4 5 5", "--simulations", "2000", "--seed", "1")
    assert report["turn"] == "red"
    assert report["best"] in ("3", "6")
    assert report["proven"] == "win"
    assert report["distance"] == 3
    assert [move["move"] for move in report["moves"]] == list("1234567")
    assert report["simulations"] <= 2000


def test_prints_the_board_and_a_table() -> None:
    output = run("analyse", "checkers", "--agent", "alphabeta", "--depth", "4").stdout
    assert draw(plyground.game("checkers").start(), color=False) in output
    assert "black to move" in output
    assert output.splitlines()[-1].startswith("0 simulations and ")


def test_prints_how_playouts_ended() -> None:
    arguments = ("analyse", "checkers", "--simulations", "100", "--agent", "mcts(playout_plies=20, cutoff=draw)")
    output = run(*arguments).stdout
    ending = "0.0% won by black, 0.0% won by white, 0.0% drawn, 100.0% cut off"
    assert output.splitlines()[-1] == f"100 playouts of 20.0 plies on average: {ending}"


def test_a_saved_tree_is_extended(tmp_path: Path) -> None:
    tree = str(tmp_path / "start.tree")
    arguments = ("analyse", "checkers", "--simulations", "1000", "--tree", tree)
    visits = [sum(move["visits"] for move in run_json(*arguments)["moves"]) for _ in range(3)]
    assert visits == [1000, 2000, 3000]
    after = run_json(*arguments, "--moves", "11-15")
    assert sum(move["visits"] for move in after["moves"]) > 1000


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("checkers", "--agent", "random"), "--tree requires an mcts(...) agent"),
        (("checkers", "--agent", "mcts(c=2)"), "saved with no options; the search options must be the same"),
    ],
)
def test_a_tree_from_another_search_is_rejected(tmp_path: Path, arguments: tuple[str, ...], message: str) -> None:
    tree = str(tmp_path / "a.tree")
    run_json("analyse", "checkers", "--simulations", "10", "--tree", tree)
    result = run("analyse", *arguments, "--tree", tree)
    assert result.returncode != 0
    assert message in " ".join(result.stderr.split())


@pytest.mark.parametrize(
    ("spec", "seconds"),
    [
        ("mcts", 1),
        ("mcts(c=2)", 1),
        ("uct", 1),
        ("alphabeta", 1),
        ("minimax", 1),
        ("mcts(simulations=800)", None),
        ("mcts(seconds=3)", 3),
        ("alphabeta(depth=3)", None),
        ("uct-hard", None),
        ("flat", None),
        ("random", None),
    ],
)
def test_an_agent_without_its_own_limit_searches_for_one_second(spec: str, seconds: float | None) -> None:
    assert _with_default_time(player("chess", spec), Limit()).default_limit.seconds == seconds
    assert _with_default_time(player("chess", "mcts"), Limit(simulations=5)).default_limit.seconds is None


def test_a_level_keeps_its_own_limit() -> None:
    assert run_json("analyse", "chess", "--level", "Easy")["simulations"] == 20


def test_every_move_is_listed_in_standard_notation() -> None:
    lines = run("analyse", "chess", "--simulations", "400").stdout.splitlines()
    first = next(index for index, line in enumerate(lines) if line.startswith("Move "))
    listed = [line.split()[0] for line in lines[first + 2 : first + 22]]
    assert sorted(listed) == sorted(legal_moves(plyground.game("chess").start()))


def test_the_moves_that_are_not_listed_are_counted() -> None:
    output = run("analyse", "chess", "--simulations", "400", "--top", "2").stdout
    assert "\n18 more moves are not listed.\n" in output


def test_alpha_beta_bounds_are_not_shown_as_values() -> None:
    lines = run("analyse", "chess", "--agent", "alphabeta", "--depth", "3").stdout.splitlines()
    values = [line.split()[1] for line in lines if line.rstrip().endswith(line.split(" ")[0]) and "%" in line]
    assert values.count("<=") >= 15


@pytest.mark.parametrize(
    ("saved", "asked", "message"),
    [
        (("connect4",), ("tictactoe",), "contains a tree of connect4, not of tictactoe; use another file"),
        (
            ("tictactoe", "--moves", "b2"),
            ("tictactoe", "--moves", "a1"),
            "contains the tree of another position, after b2 from ",
        ),
        (("tictactoe",), ("tictactoe", "--position", "x../.o./..."), "contains the tree of another position"),
    ],
)
def test_the_tree_of_another_game_or_position_is_not_overwritten(
    tmp_path: Path, saved: tuple[str, ...], asked: tuple[str, ...], message: str
) -> None:
    tree = tmp_path / "a.tree"
    run_json("analyse", *saved, "--simulations", "10", "--tree", tree)
    before = tree.read_bytes()
    assert message in error_line("analyse", *asked, "--simulations", "10", "--tree", tree, code=2)
    assert tree.read_bytes() == before
