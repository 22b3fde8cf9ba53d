"""Evaluators: callables from a batch of positions to values and priors, asked by a tree search.

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
from plyground.agents.agent import Agent, Limit
from plyground.errors import ParseError, UnknownNameError

Evaluation = tuple[Sequence[float], Sequence[Sequence[float] | None] | None]
"""For each position the value for the side to move, 0 to 1; and for each the priors of its moves in the order of
`Position.moves`, in any proportion, or None for all alike."""

Evaluator = Callable[[list[Position]], Evaluation]

_REGISTERED: dict[str, Evaluator] = {}


def register_evaluator(name: str, evaluator: Evaluator) -> None:
    """Give an evaluator a name for specs, as in ``mcts(evaluator=name)``; an earlier one of that name is replaced."""
    if not re.fullmatch(r"[a-z][a-z0-9_-]*", name):
        raise ParseError(f"evaluator {name[:80]!r}: accepted is a name of small letters, digits, - and _")
    _REGISTERED[name] = evaluator


def evaluator(text: str) -> Evaluator:
    """The evaluator of a name, or the one that asks the agent of a spec for its opinion."""
    from plyground.agents.registry import AGENTS, agent  # the agents of the list may ask for evaluators themselves

    if text in _REGISTERED:
        return _REGISTERED[text]
    if text.partition("(")[0].strip() not in AGENTS:
        known = ", ".join([*_REGISTERED, *AGENTS])
        raise UnknownNameError(f"no evaluator is called {text[:80]!r}; there are: {known}")
    return opinion(agent(text))


def opinion(agent: Agent) -> Evaluator:
    """An agent as an evaluator: its value, and the share of each move as prior."""

    def ask(positions: list[Position]) -> Evaluation:
        analyses = [agent.analyse(each, Limit(), seed=split_seed(each.key, 0)) for each in positions]
        values = [0.5 if analysis.value is None else analysis.value for analysis in analyses]
        return values, [[move.share for move in analysis.moves] for analysis in analyses]

    return ask
