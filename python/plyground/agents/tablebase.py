"""Base class of agents that play perfectly where a tablebase covers every move, and use a fallback agent elsewhere."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

from plyground._engine import Position, Search
from plyground.agents.agent import Agent
from plyground.agents.analysis import RESULT_VALUE, Analysis, GameResult, Limit, MoveAnalysis
from plyground.agents.budget import Budget
from plyground.agents.options import SECONDS, SIMULATIONS, depth
from plyground.errors import ParseError
from plyground.spec import parse_spec

LIMIT_OPTIONS = (
    replace(
        SIMULATIONS,
        description="simulation limit of the fallback agent, used unless another limit is given",
        default="",
    ),
    replace(SECONDS, description="time limit of the fallback agent in seconds, used unless another limit is given"),
    depth("depth limit of the fallback agent in plies, used unless another limit is given", ""),
)
"""Options of all tablebase agents, in addition to `fallback` and `folder`."""


@dataclass(frozen=True)
class ExactMove:
    """The exact result of a move, for the side that makes it."""

    result: GameResult
    distance: int | None = None
    """Plies from the position before the move to the end of the game."""
    rank: int = 0
    """Orders moves with the same result; higher is better (a quicker win, a slower loss, a more testing draw)."""


class TablebaseAgent(Agent):
    """Plays the highest-ranked move; among equal draws, the one the fallback agent prefers."""

    default_fallback: ClassVar[str]

    def __init__(self, **options: Any) -> None:
        from plyground.agents.registry import agent  # avoids a circular import

        super().__init__(**options)
        options = self.values
        fallback = options.get("fallback", self.default_fallback)
        if parse_spec(fallback).name == self.name:
            raise ParseError(f"option fallback must name another agent, got {self.name!r}")
        self.fallback = agent(fallback)
        self.runs_python = self.fallback.runs_python
        self.uses_registered_evaluator = self.fallback.uses_registered_evaluator
        self.default_limit = Limit(options.get("simulations"), options.get("seconds"), options.get("depth"))
        self.folder = Path(options["folder"]) if "folder" in options else None

    @abstractmethod
    def exact_moves(self, position: Position) -> list[ExactMove] | None:
        """Return the exact result of each legal move of an unfinished game, or None if any is unknown."""

    def report_result(self, result: GameResult) -> None:
        """Pass the result on to the fallback agent."""
        self.fallback.report_result(result)

    @property
    def tree(self) -> Search | None:
        """The tree of the fallback agent."""
        return self.fallback.tree

    def clear(self) -> None:
        """Free the memory of the fallback agent."""
        self.fallback.clear()

    def _analyse(self, position: Position, budget: Budget, seed: int) -> Analysis:
        """Return the exact result of every move, or the fallback agent's analysis."""
        moves = self.exact_moves(position)
        if moves is None:
            return self.fallback.analyse(position, budget, seed=seed)
        best = max((RESULT_VALUE[move.result], move.rank) for move in moves)
        candidates = [index for index, move in enumerate(moves) if (RESULT_VALUE[move.result], move.rank) == best]
        choice = candidates[0]
        if len(candidates) > 1 and moves[choice].result == "draw":
            preference = self.fallback.analyse(position, budget, seed=seed).moves
            choice = max(candidates, key=lambda index: (preference[index].share, preference[index].value or 0.0))
        chosen = moves[choice]
        return Analysis(
            position,
            tuple(
                MoveAnalysis(
                    text,
                    share=float(index == choice),
                    value=RESULT_VALUE[move.result],
                    low=RESULT_VALUE[move.result],
                    high=RESULT_VALUE[move.result],
                    proven=move.result,
                    distance=move.distance,
                    pv=(text,),
                )
                for index, (text, move) in enumerate(zip(position.moves, moves, strict=True))
            ),
            best_index=choice,
            value=RESULT_VALUE[chosen.result],
            proven=chosen.result,
            distance=chosen.distance,
            seconds=budget.elapsed,
            nodes=1 + len(moves),
            mean_depth=1.0,
            max_depth=1,
        )
