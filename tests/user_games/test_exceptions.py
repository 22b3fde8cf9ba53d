"""Exceptions raised by user games reach the caller with the file and line, from every agent."""

from __future__ import annotations

import traceback
from pathlib import Path
from typing import Any, ClassVar

import pytest

from plyground import register
from plyground.agents import Limit, agent
from plyground.agents.registry import AGENTS
from plyground.arena import play_game
from plyground.errors import describe, is_of_user_game
from plyground.learn.methods import make_learner
from user_games import sample_games
from user_games.sample_games import Count

SPECS = {
    "random": "random",
    "mcts": "mcts",
    "flat": "flat",
    "plain-mcts": "plain-mcts",
    "plain-flat": "plain-flat",
    "plain-minimax": "plain-minimax(depth=12)",
    "alphabeta": "alphabeta(depth=40)",
    "minimax": "minimax(depth=9)",
    "tables": "tables(fallback=alphabeta(depth=40))",
    "syzygy": "syzygy(fallback=alphabeta(depth=40))",
    "committee": "committee(members=flat+mcts, judge=mcts)",
    "mcts with threads": "mcts(threads=2)",
    "mcts with workers": "mcts(workers=2)",
    "mcts with an agent as evaluator": "mcts(evaluator=plain-flat, batch=4)",
    "mcts with guided playouts": "mcts(guide=0.5)",
    "mcts with the heuristic": "mcts(leaf=heuristic)",
    "mcts with implicit minimax": "mcts(minimax=0.5)",
    "mcts with transpositions": "mcts(transpositions=true)",
    "mcts with RAVE": "mcts(rave=0.1)",
    "alphabeta with material": "alphabeta(evaluation=material, depth=40)",
}
FILE = Path(sample_games.__file__)


class Raising(Count):
    """Raises an exception in one method, in every state whose count is at least `after`."""

    repetition_limit = 3

    def __init__(self, method: str, after: int) -> None:
        super().__init__("raising", goal=12)
        self.method = method
        self.after = after

    def check(self, method: str, state: Any) -> None:
        if method == self.method and state[0] >= self.after:
            raise ZeroDivisionError(f"a bug in {method}")

    def turn(self, state: Any) -> int:
        self.check("turn", state)
        return super().turn(state)

    def moves(self, state: Any) -> list[str]:
        self.check("moves", state)
        return super().moves(state)

    def play(self, state: Any, move: str) -> Any:
        self.check("play", state)
        return super().play(state, move)

    def outcome(self, state: Any) -> int | str:
        self.check("outcome", state)
        return super().outcome(state)

    def heuristic(self, state: Any) -> float:
        self.check("heuristic", state)
        return 0.0

    def text(self, state: Any) -> str:
        self.check("text", state)
        return repr(state)


def assert_raised_here(error: BaseException, method: str) -> None:
    """Check that the traceback and the message point to the line in this file that raised the exception."""
    calls = [call for call in traceback.extract_tb(error.__traceback__) if call.filename == __file__]
    assert [call.name for call in calls[-2:]] == [method, "check"]
    assert f"raised by {method}(state" in describe(error)
    assert f"{__file__}, line {calls[-1].lineno}" in describe(error)
    assert is_of_user_game(error)


def uses(spec: str, method: str) -> bool:
    """Whether an agent calls a method far from the root."""
    match method:
        case "heuristic":
            names = ("alphabeta", "minimax(depth=9)", "leaf=heuristic", "minimax=", "guide")
            return any(name in spec for name in names) and not spec.startswith("plain")
        case "turn":  # playouts do not need the side to move
            return "flat" not in spec or "evaluator" in spec
        case "text":  # used for the keys that detect repetition
            return spec != "flat"
        case _:
            return True


METHODS = ["turn", "moves", "play", "outcome", "heuristic", "text"]

# The random agent calls no methods far from the root; matches cover it.
CALLS = [
    (name, method) for name, spec in SPECS.items() for method in METHODS if spec != "random" and uses(spec, method)
]


@pytest.mark.parametrize(("name", "method"), CALLS)
def test_every_agent_raises_the_games_exception(name: str, method: str) -> None:
    spec = SPECS[name]
    start = register(Raising(method, 8)).start()
    limit = Limit(simulations=5000) if "depth" not in spec else Limit()
    with pytest.raises(ZeroDivisionError, match=f"a bug in {method}") as caught:
        agent(spec).analyse(start, limit, seed=1)
    assert_raised_here(caught.value, method)


@pytest.mark.parametrize("method", ["turn", "moves", "play", "outcome", "text"])
def test_a_match_raises_the_games_exception(method: str) -> None:
    start = register(Raising(method, 8)).start()
    with pytest.raises(ZeroDivisionError, match=f"a bug in {method}") as caught:
        play_game(start, {"left": agent("random"), "right": agent("random")}, seed=1)
    assert_raised_here(caught.value, method)


def test_every_agent_is_covered() -> None:
    # The solver supports only built-in games, and agents without search look only at the root.
    assert set(AGENTS) - set(SPECS) == {"qlearning", "solver", "network", "dqn", "uci"}


@pytest.mark.parametrize("method", ["turn", "moves", "play", "outcome", "text"])
def test_q_learning_raises_the_games_exception(method: str) -> None:
    spec = register(Raising(method, 8)).spec
    learner = make_learner("qlearning", spec, {"games": 50}, seed=1)
    with pytest.raises(ZeroDivisionError, match=f"a bug in {method}") as caught:
        for _ in range(50):
            learner.play()
    assert_raised_here(caught.value, method)


def test_an_exception_reaches_only_the_search_that_called_the_game() -> None:
    class Nested(Count):
        """During a search, another caller makes the same game raise an exception."""

        is_called = False
        caught: ClassVar[list[Exception]] = []

        def play(self, state: Any, move: str) -> Any:
            if move not in ("1", "2"):
                raise LookupError(move)
            if state[0] == 5 and not self.is_called:
                self.is_called = True
                try:
                    position.game.position("(5, 1)").play("1").game.position("(x, 1)")
                except ValueError as error:
                    self.caught.append(error)
            return super().play(state, move)

    rules = Nested("nested")
    position = register(rules).start()
    assert agent("mcts").analyse(position, Limit(simulations=100), seed=1).simulations == 100
    assert len(rules.caught) == 1
