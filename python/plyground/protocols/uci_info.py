"""The `info` lines that report a search.

>>> centipawns(0.5), centipawns(1 / (1 + 10 ** (-120 / 400)))
(0, 120)
>>> win_draw_loss(0.5)
(250, 500, 250)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log10

from plyground._engine import Position
from plyground.agents.analysis import RESULT_VALUE, Analysis, MoveAnalysis

MAX_CENTIPAWNS = 10_000
"""Largest score; also that of a proven win at an unknown distance."""


@dataclass(frozen=True)
class Style:
    """What the lines contain."""

    lines: int = 1
    """Number of best moves to report (MultiPV)."""
    show_wdl: bool = False
    is_tree_search: bool = False
    hash_mebibytes: int = 64


def info_lines(analysis: Analysis, style: Style, *, elapsed: float, tablebase_hits: int = 0) -> list[str]:
    """Return one line for each of the best moves; `elapsed` is in seconds."""
    nodes = analysis.simulations if style.is_tree_search else analysis.nodes
    milliseconds = round(1000 * elapsed)
    depth = max(1, round(analysis.mean_depth))
    work = f"nodes {nodes} nps {round(nodes / elapsed) if elapsed > 0 else 0} hashfull {hash_full(analysis, style)}"
    work += f" tbhits {tablebase_hits} time {milliseconds}"
    lines = []
    for number, move in enumerate(best_moves(analysis, style.lines), start=1):
        score = format_score(analysis.position, move)
        bound = f" {move.bound}bound" if move.bound else ""
        wdl = ""
        if style.show_wdl:
            wdl = " wdl {} {} {}".format(*win_draw_loss(move_value(move)))
        pv = " ".join(move.pv or (move.move,))
        lines.append(
            f"info depth {depth} seldepth {max(depth, analysis.max_depth)} multipv {number} "
            f"score {score}{bound}{wdl} {work} pv {pv}"
        )
    return lines


def best_moves(analysis: Analysis, count: int) -> list[MoveAnalysis]:
    """Return the best moves that have a value, at most `count`; those whose value is only a bound come last."""
    best = analysis.best

    def rank(move: MoveAnalysis) -> tuple[bool, bool, float, float, int]:
        sign = -1 if move.proven == "win" else 1
        return move is best, move.bound is None, move.share, move_value(move), sign * (move.distance or 0)

    known = [move for move in analysis.moves if move.value is not None or move.proven is not None]
    return sorted(known, key=rank, reverse=True)[:count]


def move_value(move: MoveAnalysis) -> float:
    """Return the expected score of a move for the side that makes it, 0 to 1."""
    if move.proven is not None:
        return RESULT_VALUE[move.proven]
    return 0.5 if move.value is None else move.value


def format_score(position: Position, move: MoveAnalysis) -> str:
    """Return ``cp CENTIPAWNS`` or ``mate MOVES`` for the side to move."""
    if move.proven in ("win", "loss") and (plies := plies_to_mate(position, move)) is not None:
        return f"mate {(plies + 1) // 2 if move.proven == 'win' else -(plies // 2)}"
    return f"cp {centipawns(move_value(move))}"


def plies_to_mate(position: Position, move: MoveAnalysis) -> int | None:
    """Return the proven distance to mate, or else the length of the principal variation if it ends in mate."""
    if move.distance is not None:
        return move.distance
    return len(move.pv) if ends_the_game(position, move.pv) else None


def ends_the_game(position: Position, moves: Sequence[str]) -> bool:
    """Whether somebody has won after these moves."""
    for move in moves:
        position = position.play(move)
    return position.outcome is not None and position.outcome.winner is not None


def centipawns(value: float) -> int:
    """Convert an expected score, 0 to 1, to centipawns: the inverse of `plyground.agents.alphabeta.expected_score`."""
    if not 0 < value < 1:
        return MAX_CENTIPAWNS if value >= 1 else -MAX_CENTIPAWNS
    return max(-MAX_CENTIPAWNS, min(MAX_CENTIPAWNS, round(400 * log10(value / (1 - value)))))


def win_draw_loss(value: float) -> tuple[int, int, int]:
    """Split an expected score, 0 to 1, into wins, draws and losses per thousand.

    The searches do not predict draws. The split assumes that a game consists of two halves with this score each, so
    that the probability of a draw is ``2 * value * (1 - value)``.
    """
    win, loss = round(1000 * value * value), round(1000 * (1 - value) * (1 - value))
    return win, 1000 - win - loss, loss


def hash_full(analysis: Analysis, style: Style) -> int:
    """Return how full the transposition table or the memory of the tree is, per thousand."""
    share = analysis.mebibytes / style.hash_mebibytes if analysis.table_used is None else analysis.table_used
    return min(1000, round(1000 * share))
