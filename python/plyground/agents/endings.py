"""What agents share that play perfectly where something knows every move, and as another agent does everywhere else."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter

from plyground._engine import Position
from plyground.agents.agent import WORTH, Agent, Analysis, Known, Limit, MoveAnalysis, Report, check_unfinished
from plyground.agents.options import number, whole
from plyground.errors import ParseError
from plyground.spec import Spec

LIMITS = {
    "simulations": "limit of the other agent where the caller sets none",
    "seconds": "limit of the other agent where the caller sets none",
    "depth": "limit of the other agent where the caller sets none",
}
"""Options that all these agents have, beside `otherwise` and `folder`."""


@dataclass(frozen=True)
class Certain:
    """What is certain of a move, for the side that makes it."""

    known: Known
    distance: int | None = None
    """Plies from the position before the move to the end."""
    rank: int = 0
    """Of moves that are worth the same, the higher is better: a quicker win, a slower loss, a draw that tries more."""


class EndingsAgent(ABC):
    """The best move of those that are certain; of draws that are alike, the one that another agent likes best."""

    def __init__(self, name: str, otherwise: str, make: Callable[[str], Agent], options: dict[str, str]) -> None:
        """`otherwise` is the other agent unless the options name one; `make` makes it from its spec."""
        self.spec = str(Spec(name, options))
        other = options.get("otherwise", otherwise)
        if other.partition("(")[0] == name:
            raise ParseError(f"option otherwise={name!r}: accepted is the name of another agent")
        self._otherwise = make(other)
        self._limit = Limit(whole(options, "simulations"), number(options, "seconds"), whole(options, "depth", 200))

    @abstractmethod
    def judge(self, position: Position) -> list[Certain] | None:
        """What is certain of each legal move of an unfinished game, in their order; None where it is not known."""

    def stop(self) -> None:
        """Make a search of the other agent that runs in another thread return what it thinks so far."""
        stop = getattr(self._otherwise, "stop", None)
        if stop is not None:
            stop()

    def analyse(self, position: Position, limit: Limit, *, seed: int, report: Report = None) -> Analysis:
        """What is certain of every move, or what the other agent thinks."""
        check_unfinished(position)
        began = perf_counter()
        limit = limit.over(self._limit)
        moves = self.judge(position)
        if moves is None:
            return self._otherwise.analyse(position, limit, seed=seed, report=report)
        best = max((WORTH[move.known], move.rank) for move in moves)
        good = [index for index, move in enumerate(moves) if (WORTH[move.known], move.rank) == best]
        choice = good[0]
        if len(good) > 1 and moves[choice].known == "draw":
            thought = self._otherwise.analyse(position, limit, seed=seed, report=report)
            choice = max(good, key=lambda index: (thought.moves[index].share, thought.moves[index].value or 0.0))
        chosen = moves[choice]
        return Analysis(
            position,
            tuple(
                MoveAnalysis(
                    text,
                    share=float(index == choice),
                    value=WORTH[move.known],
                    low=WORTH[move.known],
                    high=WORTH[move.known],
                    known=move.known,
                    distance=move.distance,
                    line=(text,),
                )
                for index, (text, move) in enumerate(zip(position.moves, moves, strict=True))
            ),
            choice=choice,
            value=WORTH[chosen.known],
            known=chosen.known,
            distance=chosen.distance,
            seconds=perf_counter() - began,
            nodes=1 + len(moves),
            depth=1.0,
            deepest=1,
        )
