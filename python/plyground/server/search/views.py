"""Conversion of analyses to API models."""

from __future__ import annotations

from collections.abc import Mapping

from plyground._engine import Position
from plyground.agents import Analysis
from plyground.agents.analysis import MoveAnalysis
from plyground.server.search.exact import ExactAnalysis
from plyground.server.search.models import AnalysisView, ExactView, MoveAnalysisView

MAX_PV = 40
"""Maximum number of moves of a principal variation."""
DIGITS = 4
"""Decimal places of values."""


def rounded(value: float | None) -> float | None:
    """Round a value to `DIGITS` decimal places."""
    return None if value is None else round(value, DIGITS)


def value_first(position: Position, value: float | None) -> float | None:
    """Convert a value for the side to move to a value for the first player."""
    if value is None:
        return None
    return rounded(value if position.turn == position.game.sides[0] else 1 - value)


def move_analysis_views(analysis: Analysis, exact: ExactAnalysis | None = None) -> list[MoveAnalysisView]:
    """Return the analysis of each move."""
    exact_moves = exact.move_views() if exact is not None else {}
    return [_move(analysis.position, move, exact_moves) for move in analysis.moves]


def value_text(move: MoveAnalysisView) -> str:
    """Return the value of a move as text: ``win in 9``, ``61%``, ``at most 47%``; empty if it has none."""
    known = move.exact or (move if move.proven is not None else None)
    if known is not None:
        result = move.proven if move.exact is None else move.exact.result
        return f"{result}" if known.distance is None or result == "draw" else f"{result} in {known.distance}"
    if move.value is None:
        return ""
    prefix = {"upper": "at most ", "lower": "at least ", None: ""}[move.bound]
    return f"{prefix}{round(100 * move.value)}%"


def analysis_view(agent: str, analysis: Analysis, exact: ExactAnalysis | None = None) -> AnalysisView:
    """Return an analysis by `agent`, with the exact values if they are known."""
    position = analysis.position
    work = analysis.simulations or analysis.nodes
    win, loss, draw = analysis.result_shares or (None, None, None)
    return AnalysisView(
        game=position.game.spec,
        ply=position.ply,
        position=position.text,
        turn=position.turn,
        agent=agent,
        simulations=analysis.simulations,
        rate=round(work / analysis.seconds, 1) if analysis.seconds > 0 else 0.0,
        seconds=round(analysis.seconds, 3),
        mean_depth=round(analysis.mean_depth, 2),
        max_depth=analysis.max_depth,
        nodes=analysis.nodes,
        mebibytes=round(analysis.mebibytes, 3),
        value_first=value_first(position, analysis.value),
        value=rounded(analysis.value),
        win=rounded(win),
        draw=rounded(draw),
        loss=rounded(loss),
        proven=analysis.proven,
        distance=analysis.distance,
        exact=exact.view() if exact is not None else None,
        best=analysis.best.move,
        pv=list(analysis.pv[:MAX_PV]),
        moves=move_analysis_views(analysis, exact),
        playout_results=list(analysis.playout_results),
        playout_lengths=list(analysis.playout_lengths),
        mean_playout_length=round(analysis.mean_playout_length, 2),
        mean_playout_score=rounded(analysis.mean_playout_score),
    )


def _move(position: Position, move: MoveAnalysis, exact_moves: Mapping[str, ExactView]) -> MoveAnalysisView:
    return MoveAnalysisView(
        move=move.move,
        notation=position.notation(move.move),
        visits=move.visits,
        share=round(move.share, DIGITS),
        value=rounded(move.value),
        low=rounded(move.low),
        high=rounded(move.high),
        bound=move.bound,
        prior=rounded(move.prior),
        proven=move.proven,
        distance=move.distance,
        exact=exact_moves.get(move.move),
        pv=list(move.pv[:MAX_PV]),
    )
