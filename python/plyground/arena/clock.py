"""Game clocks: a base time per game and an increment per move."""

from __future__ import annotations

from dataclasses import dataclass, replace

from plyground.agents import Limit
from plyground.errors import ParseError

_EXPECTED_MOVES = 25
"""Number of future moves among which the remaining time is divided."""
_MIN_SECONDS = 0.001
"""Minimum search time, in seconds."""


@dataclass(frozen=True)
class Clock:
    """The clock of one player, who loses when it runs out.

    >>> str(Clock(60, 0.5)), Clock(60, 0.5).limit(Limit()).seconds
    ('60+0.5', 2.8)
    """

    seconds: float
    """Remaining time, in seconds."""
    increment: float = 0.0
    """Seconds added after each move."""

    def __str__(self) -> str:
        return f"{self.seconds:g}+{self.increment:g}" if self.increment else f"{self.seconds:g}"

    def limit(self, base: Limit) -> Limit:
        """Return `base` with a time limit for the next move: part of the remaining time plus most of the increment."""
        seconds = self.seconds / _EXPECTED_MOVES + 0.8 * self.increment
        return replace(base, seconds=max(_MIN_SECONDS, min(seconds, 0.8 * self.seconds)))

    def after(self, used: float) -> Clock | None:
        """Return the clock after a move that took `used` seconds, or None if the time has run out."""
        return replace(self, seconds=self.seconds - used + self.increment) if used <= self.seconds else None


def parse_clock(text: str) -> Clock:
    """Parse ``SECONDS`` or ``SECONDS+INCREMENT``.

    >>> parse_clock("2+0.1")
    Clock(seconds=2.0, increment=0.1)
    """
    seconds, _, increment = text.partition("+")
    try:
        clock = Clock(float(seconds), float(increment or 0))
    except ValueError:
        clock = Clock(-1)
    if not (0 < clock.seconds <= 1e6 and 0 <= clock.increment <= 1e6):
        raise ParseError(
            f"clock must be SECONDS or SECONDS+INCREMENT, each at most 1000000 (for example 60+0.5), got {text[:40]!r}"
        )
    return clock
