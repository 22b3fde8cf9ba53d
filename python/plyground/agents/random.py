"""The agent that knows only the rules: every legal move is as good as any other."""

from __future__ import annotations

from dataclasses import dataclass

from plyground._engine import Position, Rng
from plyground.agents.agent import Analysis, Limit, MoveAnalysis, Report, check_unfinished


@dataclass(frozen=True)
class RandomAgent:
    """Puts all its trust in one legal move, drawn anew for each seed."""

    spec: str = "random"

    def analyse(
        self,
        position: Position,
        limit: Limit,  # noqa: ARG002
        *,
        seed: int,
        report: Report = None,  # noqa: ARG002
    ) -> Analysis:
        """One draw; limits and reports have no meaning for it."""
        check_unfinished(position)
        moves = position.moves
        chosen = Rng(seed).below(len(moves))
        return Analysis(
            position,
            tuple(MoveAnalysis(move, share=float(index == chosen)) for index, move in enumerate(moves)),
        )
