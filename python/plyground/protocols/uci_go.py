"""The `go` command: what to search and for how long.

>>> go = parse_go("wtime 60000 btime 55000 winc 1000 movestogo 20 searchmoves e2e4 d2d4")
>>> go.clock("black")
Clock(remaining=55.0, increment=0.0, moves_to_go=20)
>>> go.moves
('e2e4', 'd2d4')
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from plyground.protocols.time_control import Clock

NUMBERS = ("wtime", "btime", "winc", "binc", "movestogo", "movetime", "depth", "nodes", "mate")
"""Parameters that are followed by an integer; times are in milliseconds."""
FLAGS = ("infinite", "ponder")
_LIMITS = {"wtime", "btime", "movetime", "depth", "nodes", "mate"}
MAX_NUMBER = 10**12
"""Larger numbers, which no GUI sends, are reduced to this one."""
MAX_DIGITS = 20
_NUMBER = re.compile(r"-?[0-9]+")


@dataclass(frozen=True)
class Go:
    """A `go` command."""

    numbers: dict[str, int] = field(default_factory=dict)
    moves: tuple[str, ...] = ()
    """The moves to search; all if empty."""
    infinite: bool = False
    ponder: bool = False
    ignored: tuple[str, ...] = ()
    """Words that could not be read."""

    def clock(self, side: str) -> Clock | None:
        """Return the clock of a side, white or black; None without one. A clock that has run out has no time."""
        remaining = self.numbers.get(f"{side[0]}time")
        if remaining is None:
            return None
        increment = max(self.numbers.get(f"{side[0]}inc", 0), 0)
        return Clock(max(remaining, 0) / 1000, increment / 1000, self.positive("movestogo"))

    @property
    def movetime(self) -> float | None:
        """Seconds to search, at least one millisecond; None if the command does not say."""
        number = self.numbers.get("movetime")
        return None if number is None else max(number, 1) / 1000

    def positive(self, name: str) -> int | None:
        """Return a number that must be positive to count."""
        number = self.numbers.get(name, 0)
        return number if number > 0 else None

    @property
    def has_limit(self) -> bool:
        """Whether the search ends by itself."""
        return not self.infinite and not self.numbers.keys().isdisjoint(_LIMITS)


def parse_go(text: str) -> Go:
    """Parse the parameters of a `go` command; those that cannot be read are ignored."""
    words = text.split()
    numbers: dict[str, int] = {}
    flags = set()
    moves: list[str] = []
    ignored: list[str] = []
    while words:
        word = words.pop(0)
        if word in FLAGS:
            flags.add(word)
        elif word in NUMBERS and words and _NUMBER.fullmatch(words[0]):
            numbers[word] = max(-MAX_NUMBER, min(MAX_NUMBER, int(words.pop(0)[:MAX_DIGITS])))
        elif word == "searchmoves":
            while words and words[0] not in (*NUMBERS, *FLAGS):
                moves.append(words.pop(0))
        else:
            ignored.append(word)
    return Go(numbers, tuple(moves), "infinite" in flags, "ponder" in flags, tuple(ignored))
