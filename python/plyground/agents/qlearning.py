"""Greedy play by learned Q-values, without search.

>>> import plyground
>>> from plyground.agents import Limit, agent
>>> position = plyground.game("connect4").position("112233")
>>> agent("qlearning").analyse(position, Limit(), seed=1).best.move
'4'
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from math import exp
from typing import Any

from plyground._engine import Game, Position, QTable, split_seed
from plyground.agents.agent import Agent
from plyground.agents.analysis import Analysis, MoveAnalysis
from plyground.agents.budget import Budget
from plyground.agents.options import WEIGHTS
from plyground.errors import Interrupted
from plyground.weights import QLEARNING, checked_weights, engine_q_values, names

SHARE_TEMPERATURE = 0.1
"""The shares of moves are the softmax of their Q-values (from -1 to 1) divided by this."""


class QLearningAgent(Agent):
    """Plays the move with the largest Q-value; the seed breaks ties. It ignores its limit.

    A move that wins at once is worth 1, and one that repeats an earlier position of the game counts as a draw.
    """

    name = "qlearning"
    is_learned = True
    description = "plays by learned Q-values, without search"
    options = (replace(WEIGHTS, description="Q-values: a name or a file, by default those shipped with the game"),)

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._weights = checked_weights(self.values.get("weights", QLEARNING))
        self._table: QTable | None = None
        self._game = ""

    def clear(self) -> None:
        """Discard the table."""
        self._table = None

    def can_play(self, game: Game) -> bool:
        """Whether there are Q-values for a game: those given, or shipped ones."""
        # Shipped Q-values are for games with their default options.
        is_shipped = game.spec == game.id and QLEARNING in names(game.id, q_values=True)
        return self._weights != QLEARNING or is_shipped

    def engine_policy(self, position: Position) -> QTable:
        """Return the Q-values."""
        if self._table is None or self._game != position.game.spec:
            self._table, self._game = engine_q_values(self._weights or QLEARNING, position), position.game.spec
        return self._table

    def _analyse(self, position: Position, budget: Budget, seed: int) -> Analysis:
        table = self.engine_policy(position)
        values: list[float] | None = None
        with suppress(Interrupted), budget:
            values = table.q_values(position)
        if values is None:
            share = 1 / len(position.moves)
            moves = tuple(MoveAnalysis(move, share) for move in position.moves)
            return Analysis(position, moves, seconds=budget.elapsed)
        best = [index for index, value in enumerate(values) if value == max(values)]
        weights = [exp((value - max(values)) / SHARE_TEMPERATURE) for value in values]
        return Analysis(
            position,
            tuple(
                MoveAnalysis(move, weight / sum(weights), (value + 1) / 2)
                for move, weight, value in zip(position.moves, weights, values, strict=True)
            ),
            best_index=best[split_seed(seed, position.ply) % len(best)],
            value=(max(values) + 1) / 2,
            seconds=budget.elapsed,
            nodes=1 + len(values),
            mean_depth=1.0,
            max_depth=1,
        )
