"""What comes of reading a file of games: the good ones, and what is wrong with the others."""

from __future__ import annotations

from dataclasses import dataclass

from plyground.records.record import Record

MOST_MOVES = 20_000
"""Moves of one game that are read."""
MOST_HEADERS = 100
LONGEST_TEXT = 1000
"""Characters of a name, a header or a move."""


@dataclass(frozen=True)
class Broken:
    """A game that could not be read."""

    where: str
    """The line, ``line 12``, or the place in a JSON file, ``games[3].moves``."""
    reason: str

    def __str__(self) -> str:
        return f"{self.where}: {self.reason}"


@dataclass(frozen=True)
class Reading:
    """The games of a file in its order; a broken one leaves the others alone."""

    records: tuple[Record, ...]
    broken: tuple[Broken, ...] = ()
    notes: tuple[str, ...] = ()
    """What was decided where the file is ambiguous."""
