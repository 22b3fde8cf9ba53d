"""The result of parsing a game file."""

from __future__ import annotations

from dataclasses import dataclass

from plyground.errors import ParseError
from plyground.records.record import MAX_MOVES, Record

__all__ = ["MAX_HEADERS", "MAX_MOVES", "MAX_TEXT", "FailedGame", "MoveError", "ParsedGames"]

MAX_HEADERS = 100
"""Maximum number of headers in a game."""
MAX_TEXT = 1000
"""Maximum length of a name, header or move, in characters."""


@dataclass(frozen=True)
class FailedGame:
    """A game that could not be parsed."""

    location: str
    """The line (``line 12``) or the path in a JSON file (``games[3]``)."""
    reason: str
    number: int = 1
    """Number of the game in the file."""
    move: str = ""
    """The invalid move with its number, for example ``3... Qd5``; empty if the error is not in a move."""
    beginning: Record | None = None
    """The legal moves before the error, as an unfinished game; None if there are none."""

    @property
    def place(self) -> str:
        """Where the error is, as text: the game number, the move, and the line or path."""
        return ", ".join([f"game {self.number}", *([f"move {self.move}"] if self.move else []), self.location])

    def __str__(self) -> str:
        return f"{self.place}: {self.reason}"


class MoveError(ParseError):
    """An error in a line of a game file and, if a move is invalid, at a ply."""

    def __init__(self, line: int, message: str, ply: int | None = None, move: str = "") -> None:
        super().__init__(message)
        self.line = line
        self.ply = ply
        """Number of legal moves before the error; None if the error is not in a move."""
        self.move = move

    def failed_game(self, number: int, beginning: Record | None) -> FailedGame:
        """Return the failed game; `beginning` contains the moves before the error."""
        move = "" if self.ply is None or beginning is None else _numbered(beginning, self.move)
        kept = beginning if beginning is not None and beginning.moves else None
        return FailedGame(f"line {self.line}", str(self), number, move, kept)


def _numbered(beginning: Record, move: str) -> str:
    """Return a move made after a record, preceded by its move number: ``3. Nf9`` or ``3... Nf9``."""
    position = beginning.to_position()
    start = position.replay(0)
    first = position.game.sides[0]
    halves = position.ply - start.ply + (start.turn != first)
    number = halves // 2 + _first_number(beginning)
    return f"{number}{'.' if halves % 2 == 0 else '...'} {move}".rstrip()


def _first_number(record: Record) -> int:
    fields = (record.start or "").split()
    return int(fields[5]) if len(fields) == 6 and fields[5].isdecimal() else 1


@dataclass(frozen=True)
class ParsedGames:
    """The games in a file, in order. An invalid game does not affect the others."""

    records: tuple[Record, ...]
    failed: tuple[FailedGame, ...] = ()
    warnings: tuple[str, ...] = ()
    """How ambiguities in the file were resolved, and which parts of games could not be read."""
