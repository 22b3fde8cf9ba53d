"""Moves in words."""

from __future__ import annotations

import re
from collections.abc import Iterable

from plyground._engine import Position


def naturally_sorted(moves: Iterable[str]) -> list[str]:
    """In the order in which people count: 2 before 10.

    >>> naturally_sorted(["10-14", "9-14", "9-13"])
    ['9-13', '9-14', '10-14']
    """
    return sorted(
        moves, key=lambda move: [int(part) if part.isdigit() else part for part in re.split("([0-9]+)", move)]
    )


def joined(moves: Iterable[str]) -> str:
    """The moves as a choice: ``a, b or c``."""
    *others, last = naturally_sorted(moves)
    return f"{', '.join(others)} or {last}" if others else last


def last_move(position: Position) -> str:
    """The last move, and how books print it where they print it otherwise."""
    move, printed = position.history[-1], position.history_notation[-1]
    return move if move == printed else f"{move} ({printed})"


def must_capture(position: Position) -> bool:
    """Whether the rules point at the pieces that move because every move takes something."""
    moves = position.moves
    pieces = len(position.cells)
    return bool(position.urgent) and all(
        position.path(move)[0] in position.urgent and len(position.play(move).cells) < pieces for move in moves
    )
