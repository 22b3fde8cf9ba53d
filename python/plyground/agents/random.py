"""The random agent: uniform random play."""

from __future__ import annotations

from plyground._engine import Position, Rng
from plyground.agents.agent import Agent
from plyground.agents.analysis import Analysis, MoveAnalysis
from plyground.agents.budget import Budget


class RandomAgent(Agent):
    """Draws a legal move and gives it a share of 1. It ignores its limit and does not report progress."""

    name = "random"
    description = "plays random legal moves"

    def _analyse(self, position: Position, budget: Budget, seed: int) -> Analysis:  # noqa: ARG002
        moves = position.moves
        chosen = Rng(seed).below(len(moves))
        return Analysis(
            position,
            tuple(MoveAnalysis(move, share=float(index == chosen)) for index, move in enumerate(moves)),
        )
