"""Draw offers: an agent accepts a draw if it does not consider itself better."""

from __future__ import annotations

VALUE = 0.45
"""An agent accepts a draw if its value is at most this, 0 to 1."""
LATE_VALUE, LATE_PLY = 0.52, 30
"""From this ply on, an agent accepts a draw up to this value."""


def accepts_draw(value: float, ply: int, *, is_proven: bool = False) -> bool:
    """Whether an agent accepts a draw, given the value of the position for the agent.

    A proven value is accepted unless the agent wins.

    >>> accepts_draw(0.5, ply=10), accepts_draw(0.5, ply=40), accepts_draw(0.5, ply=10, is_proven=True)
    (False, True, True)
    """
    if is_proven:
        return value <= 0.5
    return value <= VALUE or (value <= LATE_VALUE and ply >= LATE_PLY)
