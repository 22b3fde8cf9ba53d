"""Search guarantees: stopping, time limits, reports, memory. `benchmarks/search_latency.py` measures latencies."""

from __future__ import annotations

import pytest

from plyground import game
from plyground.agents import Analysis, Limit, agent
from stopping import LONG_S, stop_while_running

PLAYERS = [
    ("mcts", "chess"),
    ("mcts(threads=2)", "checkers"),
    ("alphabeta", "checkers"),
    ("flat", "chess"),
    ("plain-mcts", "checkers"),
    ("plain-flat", "chess"),
    ("plain-minimax(depth=50)", "checkers"),
]


def check_analysis(analysis: Analysis, name: str) -> None:
    assert analysis.best.move in game(name).start().moves
    assert sum(move.share for move in analysis.moves) == pytest.approx(1)


@pytest.mark.parametrize(("spec", "name"), PLAYERS)
def test_stop_ends_an_analysis_in_another_thread(spec: str, name: str) -> None:
    player, start = agent(spec), game(name).start()
    analysis = stop_while_running(
        lambda: player.analyse(start, Limit(seconds=LONG_S), seed=1),
        player.stop,
    )
    check_analysis(analysis, name)


@pytest.mark.parametrize(("spec", "name"), PLAYERS)
def test_a_stopped_agent_can_analyse_again(spec: str, name: str) -> None:
    player, start = agent(spec), game(name).start()
    limit = Limit(depth=3) if "minimax" in spec or spec == "alphabeta" else Limit(simulations=50)
    expected = agent(spec).analyse(start, limit, seed=1)
    player.stop()
    analysis = player.analyse(start, limit, seed=1)
    assert (analysis.simulations, analysis.max_depth > 0) == (expected.simulations, True)
    player.stop()
    assert player.analyse(start, limit, seed=1).simulations == expected.simulations


@pytest.mark.parametrize(("spec", "name"), PLAYERS)
def test_a_time_limit_ends_an_analysis(spec: str, name: str) -> None:
    check_analysis(agent(spec).analyse(game(name).start(), Limit(seconds=0.05), seed=1), name)


@pytest.mark.parametrize("spec", ["mcts", "flat", "plain-mcts", "alphabeta"])
@pytest.mark.parametrize("name", ["checkers", "chess"])
def test_a_running_analysis_is_reported(spec: str, name: str) -> None:
    player = agent(spec)
    reports: list[Analysis] = []

    def report(analysis: Analysis) -> None:
        reports.append(analysis)
        player.stop()

    analysis = player.analyse(game(name).start(), Limit(seconds=LONG_S), seed=1, report=report)
    check_analysis(reports[0], name)
    check_analysis(analysis, name)


def test_memory_stays_below_its_limit_during_a_long_search() -> None:
    mebibytes: list[float] = []
    last = agent("mcts(mebibytes=2, solver=false)").analyse(
        game("connect4").start(),
        Limit(simulations=1_000_000),
        seed=1,
        report=lambda analysis: mebibytes.append(analysis.mebibytes),
    )
    assert last.simulations == 1_000_000
    assert max([*mebibytes, last.mebibytes]) <= 2
