"""A budget stops an analysis and everything it calls, and analyses can run in the background."""

from __future__ import annotations

import pytest

from plyground import ParseError, game
from plyground.agents import Analysis, Budget, Limit, agent

HUGE = 10**15
SPECS = [
    f"mcts(simulations={HUGE}, solver=false)",
    f"mcts(simulations=1000, evaluator=mcts(simulations={HUGE}))",
    f"mcts(guide=0.7, evaluator=alphabeta(depth=60), simulations={HUGE})",
    f"flat(playouts={HUGE})",
    "alphabeta(depth=100)",
    f"plain-mcts(simulations={HUGE})",
    f"plain-flat(playouts={HUGE})",
    "plain-minimax(depth=60)",
    f"tables(fallback=mcts(simulations={HUGE}, solver=false))",
    f"committee(members=flat(playouts={HUGE})+alphabeta(depth=100), judge=mcts(simulations={HUGE}, solver=false))",
    f"mcts(guides=alphabeta(depth=60), simulations={HUGE})",
]


@pytest.mark.parametrize("spec", SPECS)
def test_a_budget_stops_an_analysis_and_everything_it_calls(spec: str) -> None:
    start = game("checkers").start()
    budget = Budget(Limit(seconds=0.2))
    assert agent(spec).analyse(start, budget, seed=1).best.move in start.moves
    assert budget.expired


@pytest.mark.parametrize("spec", SPECS)
def test_a_background_analysis_can_be_stopped(spec: str) -> None:
    start = game("checkers").start()
    handle = agent(spec).start(start, seed=1)
    assert handle.is_thinking
    handle.stop()
    assert handle.result(timeout=120).best.move in start.moves
    assert not handle.is_thinking


def test_a_background_analysis_raises_its_errors_in_result() -> None:
    handle = agent("random").start(game("connect4").position("1212121"))
    with pytest.raises(Exception, match="red wins: line"):
        handle.result(timeout=120)


def test_a_budget_expires_with_the_budget_that_it_was_created_in() -> None:
    outer, inner = Budget(), Budget()
    with outer:
        within = Budget()
        outer.stop()
        assert within.expired
    assert not inner.expired


def test_limits_can_be_passed_as_keyword_arguments() -> None:
    start, reports = game("connect4").start(), list[Analysis]()
    analysis = agent("mcts").analyse(start, simulations=300, seed=1, report=reports.append)
    assert analysis.simulations == 300
    with pytest.raises(ParseError, match="unknown limit minutes; available: simulations, seconds, depth"):
        agent("mcts").analyse(start, minutes=3)


def test_the_moves_of_an_analysis_can_be_restricted_if_the_agent_supports_it() -> None:
    start = game("chess").start()
    assert agent("mcts").analyse(start, simulations=100, moves=["a2a3"]).best.move == "a2a3"
    with pytest.raises(ParseError, match="agent flat cannot restrict its analysis to specific moves"):
        agent("flat").analyse(start, moves=["a2a3"])
