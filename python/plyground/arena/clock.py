"""Clocks: so many seconds for a whole game, and some more for each move."""

from __future__ import annotations

from dataclasses import dataclass, replace

from plyground.agents import Limit
from plyground.errors import ParseError

_MOVES_AHEAD = 25
"""Moves for which what is left is shared out."""
_LEAST = 0.001
"""Seconds that a search is given at least, so that it has any answer."""


@dataclass(frozen=True)
class Clock:
    """What one agent has for its moves. Whoever uses more loses on time.

    >>> str(Clock(60, 0.5)), Clock(60, 0.5).limit(Limit()).seconds
    ('60+0.5', 2.8)
    """

    seconds: float
    """Left for the game."""
    increment: float = 0.0
    """Seconds that each move adds."""

    def __str__(self) -> str:
        return f"{self.seconds:g}+{self.increment:g}" if self.increment else f"{self.seconds:g}"

    def limit(self, own: Limit) -> Limit:
        """A limit for the next move: a part of what is left, and most of the increment."""
        share = self.seconds / _MOVES_AHEAD + 0.8 * self.increment
        return replace(own, seconds=max(_LEAST, min(share, 0.8 * self.seconds)))

    def after(self, used: float) -> Clock | None:
        """The clock after a move of so many seconds; None when the time is over."""
        return replace(self, seconds=self.seconds - used + self.increment) if used <= self.seconds else None


def parse_clock(text: str) -> Clock:
    """Read ``SECONDS`` or ``SECONDS+INCREMENT``.

    >>> parse_clock("2+0.1")
    Clock(seconds=2.0, increment=0.1)
    """
    seconds, _, increment = text.partition("+")
    try:
        clock = Clock(float(seconds), float(increment or 0))
    except ValueError:
        clock = Clock(-1)
    if not (0 < clock.seconds <= 1e6 and 0 <= clock.increment <= 1e6):
        raise ParseError(f"clock {text[:40]!r}: accepted is SECONDS or SECONDS+INCREMENT as in 60+0.5, up to a million")
    return clock
