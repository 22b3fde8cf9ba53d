"""Analyses of positions with one legal move, taken from the position after it, since agents do not search them.

>>> import plyground
>>> from plyground.agents import agent
>>> position = plyground.game("checkers").position("B:W15,32:B11")
>>> print(agent("alphabeta").analyse(position).value)
None
>>> analysis = analyse_through_forced_moves(agent("alphabeta"), position, Limit(depth=9))
>>> analysis.pv[0], analysis.value > 0.5
('11x18', True)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from plyground._engine import Position
from plyground.agents.agent import Agent
from plyground.agents.analysis import (
    RESULT_VALUE,
    Analysis,
    Limit,
    MoveAnalysis,
    ProvenResult,
    ReportCallback,
    result_for,
)

OPPOSITE: dict[ProvenResult, ProvenResult] = {"win": "loss", "draw": "draw", "loss": "win"}
"""The same result for the other side."""
MAX_FORCED_PLIES = 200
"""Maximum number of forced moves that are followed."""


def forced_line(position: Position) -> list[Position]:
    """Return the position and those that follow while there is only one legal move.

    The last one has several legal moves or is the end of the game, unless `MAX_FORCED_PLIES` is reached.
    """
    line = [position]
    while len(line) <= MAX_FORCED_PLIES and line[-1].outcome is None and len(line[-1].moves) == 1:
        line.append(line[-1].play(line[-1].moves[0]))
    return line


def analyse_through_forced_moves(
    agent: Agent, position: Position, limit: Limit | None = None, *, seed: int = 0, report: ReportCallback = None
) -> Analysis:
    """Analyse a position; one with a single legal move has the value of the position after it."""
    *forced, last = forced_line(position)
    if last.outcome is not None:
        return analysis_before_line(forced, outcome_analysis(last))
    forward = None if report is None else lambda analysis: report(analysis_before_line(forced, analysis))
    return analysis_before_line(forced, agent.analyse(last, limit, seed=seed, report=forward))


def analysis_before_line(forced: Sequence[Position], analysis: Analysis) -> Analysis:
    """Return the analysis of the first forced position, given the analysis of the position after the last one."""
    for position in reversed(forced):
        analysis = analysis_before(position, analysis)
    return analysis


def outcome_analysis(position: Position) -> Analysis:
    """Return the analysis of a finished game, which has no moves."""
    outcome = position.outcome
    result = result_for(None if outcome is None else outcome.winner, position.turn)
    return Analysis(position, (), value=RESULT_VALUE[result], proven=result, distance=0)


def analysis_before(position: Position, after: Analysis) -> Analysis:
    """Return the analysis of a position with one legal move, given that of the position after it."""
    only = move_before(position, position.moves[0], after)
    return replace(
        after, position=position, moves=(only,), best_index=0, value=only.value, proven=only.proven,
        distance=only.distance,
    )  # fmt: skip


def move_before(position: Position, move: str, after: Analysis) -> MoveAnalysis:
    """Return the analysis of a move, given that of the position after it."""
    value, proven = after.value, after.proven
    if position.turn != after.position.turn:
        value, proven = None if value is None else 1 - value, None if proven is None else OPPOSITE[proven]
    return MoveAnalysis(
        move,
        share=1.0,
        value=value,
        visits=after.simulations,
        proven=proven,
        distance=None if after.distance is None else after.distance + 1,
        pv=(move, *(after.pv if after.moves else ())),
    )
