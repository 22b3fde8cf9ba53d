"""A compact network without search."""

from __future__ import annotations

from dataclasses import replace
from math import exp
from typing import Any

from plyground._engine import Network, Position
from plyground.agents.agent import Agent
from plyground.agents.analysis import RESULT_VALUE, Analysis, MoveAnalysis, result_for
from plyground.agents.budget import Budget
from plyground.agents.options import NETWORK
from plyground.networks import BEST, engine_network
from plyground.networks.network import checked_network


class NetworkAgent(Agent):
    """Plays the move that a network considers most likely to be best, without search.

    A network without a policy head evaluates the position after each move instead.
    """

    name = "network"
    description = "a compact network without search"
    options = (replace(NETWORK, default=BEST),)

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._network = checked_network(self.values.get("network", BEST)) or BEST

    def _analyse(self, position: Position, budget: Budget, seed: int) -> Analysis:  # noqa: ARG002
        network = engine_network(self._network, position)
        (win, draw, _), logits = network.predict(position)
        if network.has_policy:
            largest = max(logits)
            weights = [exp(logit - largest) for logit in logits]
            values: list[float | None] = [None] * len(weights)
        else:
            after = [_value_after(network, position, move) for move in position.moves]
            values, largest_value = list(after), max(after)
            weights = [float(value == largest_value) for value in after]
        total = sum(weights)
        moves = tuple(
            MoveAnalysis(move, share=weight / total, value=value, prior=weight / total if network.has_policy else None)
            for move, weight, value in zip(position.moves, weights, values, strict=True)
        )
        return Analysis(position, moves, value=win + draw / 2)


def _value_after(network: Network, position: Position, move: str) -> float:
    """Return the value of a move for the side to move, 0 to 1."""
    after = position.play(move)
    if (outcome := after.outcome) is not None:
        return RESULT_VALUE[result_for(outcome.winner, position.turn)]
    (win, draw, loss), _ = network.predict(after)
    return (win if after.turn == position.turn else loss) + draw / 2
