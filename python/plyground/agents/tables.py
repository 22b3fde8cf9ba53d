"""Plays checkers endgames perfectly from endgame tables; a fallback agent plays all other positions.

>>> import plyground
>>> from plyground.agents import Limit, agent
>>> position = plyground.game("checkers").position("W:WK6,K7:BK32")
>>> analysis = agent("tables").analyse(position, Limit(), seed=0)
>>> analysis.proven, analysis.best.proven
('win', 'win')
"""

from __future__ import annotations

from dataclasses import replace

from plyground._engine import Position, Tables
from plyground.agents.analysis import proven_result
from plyground.agents.options import Option
from plyground.agents.tablebase import LIMIT_OPTIONS, ExactMove, TablebaseAgent
from plyground.exact.tables import activate_tables


class TablesAgent(TablebaseAgent):
    """Plays the quickest win, the slowest loss, or the draw that the fallback agent prefers."""

    name = "tables"
    description = "plays checkers endgames perfectly from endgame tables"
    games = ("checkers",)
    default_fallback = "alphabeta(tables=true)"
    options = (
        Option("fallback", "agent", "agent for positions that the tables do not cover", default_fallback),
        Option("folder", "folder", "folder of the tables", "the user's data folder"),
        *LIMIT_OPTIONS,
    )

    def exact_moves(self, position: Position) -> list[ExactMove] | None:
        """Probe the tables for every legal move."""
        tables = activate_tables(self.folder)
        if position.proven_value is None:
            return None
        return _ranked(tables, position, [_exact_move(position, move) for move in position.moves])


def _exact_move(position: Position, move: str) -> ExactMove:
    """Return the result of a move. If it ends the game by repetition or move limit, the outcome decides."""
    after = position.play(move)
    outcome = after.outcome
    value = {"winner": outcome.winner, "distance": 0} if outcome is not None else after.proven_value
    result, distance = proven_result(value, position.turn)
    if result is None:  # cannot be reached by legal play
        result, distance = "draw", None
    return ExactMove(result, None if distance is None or (result == "draw" and outcome is None) else distance + 1)


def _ranked(tables: Tables, position: Position, moves: list[ExactMove]) -> list[ExactMove]:
    """Rank quick wins and slow losses highest: by plies to the end or, where unknown, to the next conversion."""
    best = next(result for result in ("win", "draw", "loss") if any(move.result == result for move in moves))
    if best == "draw":
        return moves
    plies = [move.distance for move in moves]
    if any(move.result == best and move.distance is None for move in moves):
        plies = tables.conversions(position.text) or [None] * len(moves)
    sign = -1 if best == "win" else 1
    return [replace(move, rank=sign * (count or 0)) for move, count in zip(moves, plies, strict=True)]
