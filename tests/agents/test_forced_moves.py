"""Positions with one legal move: agents report the value after the move, or none if they do not search."""

from __future__ import annotations

import pytest

from plyground import game
from plyground.agents import Analysis, Limit, agent
from plyground.agents.forced import MAX_FORCED_PLIES, analyse_through_forced_moves, forced_line
from plyground.agents.registry import AGENTS
from plyground.server.search.views import analysis_view

FORCED = "B:W15,24,32:B1,11"
"""Black must capture 11x18."""
LIMIT = Limit(simulations=300, depth=5)


@pytest.mark.parametrize("name", sorted(set(AGENTS) - {"solver", "syzygy", "network", "dqn", "uci"}))
def test_an_agent_that_does_not_search_a_single_move_has_no_value(name: str) -> None:
    position = game("checkers").position(FORCED)
    assert len(position.moves) == 1
    reports: list[Analysis] = []
    analysis = agent(name).analyse(position, LIMIT, report=reports.append)
    for one in (*reports, analysis):
        if one.simulations == 0 and one.nodes <= 1 and one.proven is None:
            assert one.value is None
            assert one.best.value is None
            view = analysis_view(name, one)
            assert (view.value, view.value_first, view.moves[0].value) == (None, None, None)


@pytest.mark.parametrize("name", ["mcts", "alphabeta", "tables", "plain-mcts", "flat"])
def test_the_value_is_that_of_the_position_after_the_forced_move(name: str) -> None:
    position = game("checkers").position(FORCED)
    after = position.play("11x18")
    assert len(after.moves) > 1
    forced = analyse_through_forced_moves(agent(name), position, LIMIT, seed=1)
    searched = agent(name).analyse(after, LIMIT, seed=1)
    assert searched.value is not None
    assert forced.value == forced.best.value == 1 - searched.value
    assert (forced.best.move, forced.pv) == ("11x18", ("11x18", *searched.pv))
    assert forced.position is position
    assert [move.move for move in forced.moves] == position.moves


def test_reports_are_about_the_forced_position() -> None:
    position = game("checkers").position(FORCED)
    reports: list[Analysis] = []
    analyse_through_forced_moves(agent("alphabeta"), position, Limit(depth=6), report=reports.append)
    assert reports
    assert {report.position for report in reports} == {position}
    assert all(report.value is not None and report.best.move == "11x18" for report in reports)


def test_a_forced_move_that_ends_the_game_has_a_proven_value() -> None:
    position = game("tictactoe").position("xox/oxo/ox.")
    analysis = analyse_through_forced_moves(agent("mcts"), position)
    assert (analysis.value, analysis.proven, analysis.distance, analysis.pv) == (1.0, "win", 1, ("c1",))


def test_a_position_with_a_choice_is_analysed_as_usual() -> None:
    position = game("checkers").start()
    assert forced_line(position) == [position]
    expected = agent("alphabeta").analyse(position, Limit(depth=4))
    found = analyse_through_forced_moves(agent("alphabeta"), position, Limit(depth=4))
    assert (found.moves, found.value) == (expected.moves, expected.value)


def test_a_forced_line_has_a_maximum_length() -> None:
    position = game("checkers").position("B:WK1:BK4")
    assert len(forced_line(position)) <= MAX_FORCED_PLIES + 1
