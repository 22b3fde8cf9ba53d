"""Draw offers: an agent accepts if it considers itself worse or, later in the game, about equal."""

from __future__ import annotations

VALUE = 0.45
"""Highest value of the position for an agent, from 0 to 1, at which it accepts a draw."""
LATE_VALUE, LATE_PLY = 0.52, 30
"""From ply `LATE_PLY` on, `LATE_VALUE` replaces `VALUE`."""


def accepts_draw(value: float, ply: int, *, is_proven: bool = False) -> bool:
    """Whether an agent accepts a draw; `value` is the value of the position for the agent, from 0 to 1.

    If the value is proven, the agent accepts unless it is winning.

    >>> accepts_draw(0.5, ply=10), accepts_draw(0.5, ply=40), accepts_draw(0.5, ply=10, is_proven=True)
    (False, True, True)
    """
    if is_proven:
        return value <= 0.5
    return value <= VALUE or (value <= LATE_VALUE and ply >= LATE_PLY)
