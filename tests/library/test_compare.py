"""Comparisons of agents on one position, in Python and on the command line."""

from __future__ import annotations

import pytest

import plyground as pg
from cli.command_line import error_line, run, run_json
from plyground import GameOverError, ParseError

THREAT = pg.game("connect4").position("4455")
"""Red wins with 3 or 6."""


def test_every_agent_has_a_move_a_value_and_the_exact_value_of_its_move() -> None:
    found = pg.compare(THREAT, ["mcts", "flat", pg.agent("solver"), "random"], simulations=400, seed=1)
    assert [one.agent for one in found.proposals] == ["mcts", "flat", "solver", "random"]
    assert found.exact is not None
    assert (found.exact.result, found.exact.distance, found.exact.source) == ("win", 3, "solver")
    by_agent = {one.agent: one for one in found.proposals}
    assert by_agent["solver"].value == 1.0
    assert by_agent["random"].value is None
    assert by_agent["flat"].analysis.simulations == 400
    for one in found.proposals:
        assert one.exact is not None
        is_winning = one.move in ("3", "6")
        assert (one.exact.result, one.exact.distance) == (("win", 3) if is_winning else ("loss", one.exact.distance))


def test_a_move_that_ends_the_game_has_an_exact_value_in_every_game() -> None:
    position = pg.game("chess").position("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1")
    found = pg.compare(position, ["alphabeta(depth=3)"])
    assert found.exact is None
    (proposal,) = found.proposals
    assert (proposal.move, proposal.exact and proposal.exact.source) == ("a1a8", "rules")


def test_endgame_tables_give_exact_values() -> None:
    position = pg.game("checkers").position("W:WK6,K7:BK32")
    found = pg.compare(position, ["alphabeta(depth=5)", "random"], seed=2)
    assert found.exact is not None
    assert (found.exact.result, found.exact.source) == ("win", "tables")
    assert all(one.exact is not None for one in found.proposals)


def test_agents_with_a_limit_of_their_own_keep_it() -> None:
    found = pg.compare(pg.game("connect4").start(), ["Easy", "mcts(simulations=30)", "flat(playouts=3)"], seed=1)
    assert [one.analysis.simulations for one in found.proposals] == [20, 30, 21]


def test_by_default_the_searches_and_the_learned_agents_are_compared() -> None:
    found = pg.compare(pg.game("tictactoe").position("xx./oo./..."), seconds=0.05)
    assert [one.agent for one in found.proposals][:3] == ["flat", "mcts", "alphabeta"]
    assert {one.move for one in found.proposals[:3]} == {"c3"}


def test_a_comparison_is_reproducible_without_a_time_limit() -> None:
    agents = ["mcts", "flat", "random", "committee(members=mcts+flat, judge=flat)"]
    moves = [
        [(one.move, one.value) for one in pg.compare(THREAT, agents, simulations=60, seed=9).proposals]
        for _ in range(2)
    ]
    assert moves[0] == moves[1]


def test_a_comparison_is_json_data_and_html() -> None:
    found = pg.compare(THREAT, ["mcts"], simulations=50)
    data = found.to_dict()
    assert (data["game"], data["turn"], data["exact"]["result"]) == ("connect4", "red", "win")
    assert data["proposals"][0]["agent"] == "mcts"
    assert data["proposals"][0]["simulations"] <= 50
    html = found._repr_html_()
    assert "red to move, exact value: win in 3" in html
    assert "<td>mcts</td>" in html


def test_invalid_comparisons_are_rejected() -> None:
    with pytest.raises(GameOverError):
        pg.compare(pg.game("connect4").position("1212121"), ["random"])
    with pytest.raises(ParseError, match="at most 24 agents can be compared, got 25"):
        pg.compare(THREAT, ["random"] * 25)


def test_the_command_prints_a_table() -> None:
    output = run("compare", "connect4", "--agents", "flat(playouts=20)", "solver", "Easy", "--moves", "4 4 5 5").stdout
    lines = [line.split() for line in output.splitlines()]
    assert ["solver", "3"] in [line[:2] for line in lines] or ["solver", "6"] in [line[:2] for line in lines]
    assert any(line[:1] == ["Easy"] for line in lines)
    assert "Exact value of the position: win in 3 (solver)" in output


def test_the_command_prints_json() -> None:
    report = run_json("compare", "checkers", "--agents", "mcts", "flat", "--simulations", "70", "--seed", "3")
    assert [one["agent"] for one in report["proposals"]] == ["mcts", "flat"]
    assert [one["simulations"] for one in report["proposals"]] == [70, 70]
    assert report["exact"] is None


def test_the_command_reports_unknown_agents() -> None:
    assert "unknown agent 'nobody'" in error_line("compare", "checkers", "--agents", "mcts", "nobody", code=2)
