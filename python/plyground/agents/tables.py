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
from dataclasses import replace
from pathlib import Path

from plyground._engine import Position, Tables
from plyground.agents.agent import Agent, known_by
from plyground.agents.endings import LIMITS, Certain, EndingsAgent
from plyground.exact.tables import use

OWN = {
    "otherwise": "the agent that plays where the tables do not know (alphabeta(tables=true))",
    "folder": "where the tables are (the user's data folder)",
    **LIMITS,
}
"""Options of the agent."""


class TablesAgent(EndingsAgent):
    """The quickest win, the longest resistance, and of the draws the one that another agent likes best."""

    def __init__(self, make: Callable[[str], Agent], **options: str) -> None:
        """`make` makes the other agent from its spec."""
        super().__init__("tables", "alphabeta(tables=true)", make, options)
        self._folder = Path(options["folder"]) if "folder" in options else None

    def judge(self, position: Position) -> list[Certain] | None:
        """What the tables know of every move."""
        tables = use(self._folder)
        known, _ = known_by(position.exact, position.turn)
        if known is None:
            return None
        return _ranked(tables, position, [_certain(position, move) for move in position.moves])


def _certain(position: Position, move: str) -> Certain:
    """What is certain of a move. A game that ends there by repetition or move limit is worth what its outcome says."""
    after = position.play(move)
    outcome = after.outcome
    proof = {"winner": outcome.winner, "distance": 0} if outcome is not None else after.exact
    known, distance = known_by(proof, position.turn)
    if known is None:  # no side is left to lose: not reachable by play
        known, distance = "draw", None
    return Certain(known, None if distance is None or (known == "draw" and outcome is None) else distance + 1)


def _ranked(tables: Tables, position: Position, moves: list[Certain]) -> list[Certain]:
    """The moves, quickest wins and slowest losses highest: by plies to the end, else to the next conversion."""
    best = next(known for known in ("win", "draw", "loss") if any(move.known == known for move in moves))
    if best == "draw":
        return moves
    plies = [move.distance for move in moves]
    if any(move.known == best and move.distance is None for move in moves):
        plies = tables.conversions(position.text) or [None] * len(moves)
    sign = -1 if best == "win" else 1
    return [replace(move, rank=sign * (count or 0)) for move, count in zip(moves, plies, strict=True)]
