"""Evaluators: callables that map a batch of positions to values and priors for tree search.

>>> def even(positions):
...     return [0.5] * len(positions), None
>>> register_evaluator("even", even)
>>> from plyground.agents import Limit, agent
>>> import plyground
>>> start = plyground.game("connect4").start()
>>> agent("mcts(evaluator=even, batch=8)").analyse(start, Limit(simulations=100), seed=1).simulations
100
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from plyground._engine import Position, split_seed
from plyground.agents.agent import Agent
from plyground.agents.analysis import Limit
from plyground.errors import ParseError, unknown_name

Evaluation = tuple[Sequence[float], Sequence[Sequence[float] | None] | None]
"""Values and priors of a batch. A value is the expected result for the side to move, 0 to 1. The priors of a position
are unnormalised and in the order of `Position.moves`; None means uniform priors."""

Evaluator = Callable[[list[Position]], Evaluation]

_registered: dict[str, Evaluator] = {}


def register_evaluator(name: str, evaluator: Evaluator) -> None:
    """Register an evaluator for specs such as ``mcts(evaluator=name)``, replacing any earlier one with that name."""
    if not re.fullmatch(r"[a-z][a-z0-9_-]*", name):
        raise ParseError(f"evaluator name must consist of lower-case letters, digits, - and _, got {name[:80]!r}")
    _registered[name] = evaluator


def evaluator(given: str | Evaluator) -> Evaluator:
    """Return `given` if callable, otherwise the evaluator of that name or one that uses the agent of that spec."""
    from plyground.agents.registry import agent, agents  # avoids a circular import

    if not isinstance(given, str):
        return given
    if given in _registered:
        return _registered[given]
    if given.partition("(")[0].strip() not in agents():
        raise unknown_name("evaluator", given, [*_registered, *agents()])
    return AgentEvaluator(agent(given))


def runs_python(evaluator: Evaluator) -> tuple[bool, bool]:
    """Whether an evaluator executes Python code that may block, and whether it or an inner one was registered."""
    if isinstance(evaluator, AgentEvaluator):
        return evaluator.agent.runs_python, evaluator.agent.uses_registered_evaluator
    return True, True


class AgentEvaluator:
    """An evaluator that takes values and priors (move shares) from an agent's analyses."""

    def __init__(self, agent: Agent) -> None:
        self.agent = agent
        self._mebibytes: int | None = None

    def share_memory(self, mebibytes: int) -> int:
        """Reserve up to half of the memory of a search for the agent and return the rest."""
        self._mebibytes = min(max(1, mebibytes // 2), self.agent.default_limit.mebibytes or mebibytes)
        return max(1, mebibytes - self._mebibytes)

    def __call__(self, positions: list[Position]) -> Evaluation:
        """Analyse each position within the budget of the calling search."""
        limit = Limit(mebibytes=self._mebibytes)
        analyses = [self.agent.analyse(position, limit, seed=split_seed(position.key, 0)) for position in positions]
        values = [0.5 if analysis.value is None else analysis.value for analysis in analyses]
        return values, [[move.share for move in analysis.moves] for analysis in analyses]
