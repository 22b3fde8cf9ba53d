"""Perfect play where the endgame tables of checkers know the position; another agent everywhere else.

>>> import plyground
>>> from plyground.agents import Limit, agent
>>> position = plyground.game("checkers").position("W:WK6,K7:BK32")
>>> analysis = agent("tables").analyse(position, Limit(), seed=0)
>>> analysis.known, analysis.best.known
('win', 'win')
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from time import perf_counter

from plyground._engine import Position, Tables
from plyground.agents.agent import Agent, Analysis, Known, Limit, MoveAnalysis, check_unfinished, known_by
from plyground.agents.options import number, whole
from plyground.errors import ParseError
from plyground.exact.tables import use
from plyground.spec import Spec

OWN = {
    "otherwise": "the agent that plays where the tables do not know (alphabeta)",
    "folder": "where the tables are (the user's data folder)",
    "simulations": "limit of the other agent where the caller sets none",
    "seconds": "limit of the other agent where the caller sets none",
    "depth": "limit of the other agent where the caller sets none",
}
"""Options of the agent."""

_WORTH: dict[Known, float] = {"win": 1.0, "draw": 0.5, "loss": 0.0}


class TablesAgent:
    """The quickest win, the longest resistance, and of the draws the one that another agent likes best."""

    def __init__(self, make: Callable[[str], Agent], **options: str) -> None:
        """`make` makes the other agent from its spec."""
        self.spec = str(Spec("tables", options))
        name = options.get("otherwise", "alphabeta")
        if name == "tables":
            raise ParseError("option otherwise='tables': accepted is the name of another agent")
        self._otherwise: Agent = make(name)
        self._folder = Path(options["folder"]) if "folder" in options else None
        self._limit = Limit(whole(options, "simulations"), number(options, "seconds"), whole(options, "depth", 200))

    def stop(self) -> None:
        """Make a search of the other agent that runs in another thread return what it thinks so far."""
        stop = getattr(self._otherwise, "stop", None)
        if stop is not None:
            stop()

    def analyse(
        self,
        position: Position,
        limit: Limit,
        *,
        seed: int,
        report: Callable[[Analysis], None] | None = None,
    ) -> Analysis:
        """What the tables know of every move, or what the other agent thinks."""
        check_unfinished(position)
        began = perf_counter()
        tables = use(self._folder)
        limit = limit.over(self._limit)
        known, distance = known_by(position.exact, position.turn)
        if known is None:
            return self._otherwise.analyse(position, limit, seed=seed, report=report)
        moves = tuple(_judge(position, move) for move in position.moves)
        best = max(_WORTH[move.known] for move in moves if move.known is not None)
        good = [index for index, move in enumerate(moves) if move.value == best]
        choice = good[0]
        if len(good) > 1:
            if best == 0.5:
                thought = self._otherwise.analyse(position, limit, seed=seed, report=report)
                choice = max(good, key=lambda index: (thought.moves[index].share, thought.moves[index].value or 0.0))
            else:
                choice = _by_distance(tables, position, moves, good)
        shared = tuple(
            MoveAnalysis(
                move.move,
                share=float(index == choice),
                value=move.value,
                low=move.value,
                high=move.value,
                known=move.known,
                distance=move.distance,
                line=(move.move,),
            )
            for index, move in enumerate(moves)
        )
        chosen = moves[choice]
        return Analysis(
            position,
            shared,
            choice=choice,
            value=chosen.value,
            known=chosen.known,
            distance=distance if chosen.known == known else chosen.distance,
            seconds=perf_counter() - began,
            nodes=1 + len(moves),
            depth=1.0,
            deepest=1,
        )


def _judge(position: Position, move: str) -> MoveAnalysis:
    """What is certain of a move. A game that ends there by repetition or move limit is worth what its outcome says."""
    after = position.play(move)
    outcome = after.outcome
    proof = {"winner": outcome.winner, "distance": 0} if outcome is not None else after.exact
    known, distance = known_by(proof, position.turn)
    if known is None:  # no side is left to lose: not reachable by play
        known, distance = "draw", None
    plies = None if distance is None or (known == "draw" and outcome is None) else distance + 1
    return MoveAnalysis(move, share=0.0, value=_WORTH[known], known=known, distance=plies)


def _by_distance(tables: Tables, position: Position, moves: tuple[MoveAnalysis, ...], good: list[int]) -> int:
    """The quickest winning or slowest losing move: by plies to the end, else to the next conversion."""
    winning = moves[good[0]].known == "win"
    plies = [moves[index].distance for index in good]
    if any(one is None for one in plies):
        conversions = tables.conversions(position.text) or [None] * len(moves)
        plies = [conversions[index] for index in good]
    ranked = [(0 if one is None else one, index) for one, index in zip(plies, good, strict=True)]
    return min(ranked)[1] if winning else max(ranked, key=lambda pair: (pair[0], -pair[1]))[1]
