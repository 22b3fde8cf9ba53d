"""Formatting of moves for display."""

from __future__ import annotations

import re
from collections.abc import Iterable

from plyground._engine import Position


def naturally_sorted(moves: Iterable[str]) -> list[str]:
    """Sort moves in natural order: 2 before 10.

    >>> naturally_sorted(["10-14", "9-14", "9-13"])
    ['9-13', '9-14', '10-14']
    """
    return sorted(
        moves, key=lambda move: [int(part) if part.isdigit() else part for part in re.split("([0-9]+)", move)]
    )


def joined(moves: Iterable[str]) -> str:
    """Join moves as alternatives: ``a, b or c``."""
    *others, last = naturally_sorted(moves)
    return f"{', '.join(others)} or {last}" if others else last


def count_of(count: int, noun: str, plural: str = "") -> str:
    """Return a count followed by its noun.

    >>> count_of(1, "game"), count_of(2_000, "game"), count_of(0, "ply", "plies")
    ('1 game', '2,000 games', '0 plies')
    """
    return f"{count:,} {noun if count == 1 else plural or f'{noun}s'}"


def last_move(position: Position) -> str:
    """Return the last move in standard notation: ``Nf3``."""
    return position.history_notation[-1]


def line_notation(position: Position, moves: Iterable[str]) -> list[str]:
    """Return the standard notation of consecutive moves from a position.

    >>> import plyground
    >>> line_notation(plyground.game("chess").start(), ["g1f3", "d7d5"])
    ['Nf3', 'd5']
    """
    notation = []
    for move in moves:
        notation.append(position.notation(move))
        position = position.play(move)
    return notation


def legal_moves(position: Position) -> list[str]:
    """Return the legal moves in standard notation, sorted."""
    return naturally_sorted(map(position.notation, position.moves))


def must_capture(position: Position) -> bool:
    """Whether every legal move is a capture by a highlighted piece, as in checkers."""
    moves = position.moves
    pieces = len(position.cells)
    return bool(position.highlighted) and all(
        position.path(move)[0] in position.highlighted and len(position.play(move).cells) < pieces for move in moves
    )
