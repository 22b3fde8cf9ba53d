"""Finds a game given as a file or as the ID of a stored game."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from plyground import ParseError
from plyground.records import HUMAN, Record


@dataclass(frozen=True)
class FoundGame:
    """A recorded game and where it was found."""

    record: Record
    source: str
    """The file, or ``game ID``."""
    id: int | None = None
    """The ID of a game in the store."""
    owner: str | None = None
    """The visitor who owns a stored game."""

    @property
    def is_own(self) -> bool:
        """Whether a human played the game on this machine, rather than as a web visitor or in an imported game."""
        return self.owner is None and HUMAN in self.record.players.values()


def find_game(text: str, store: str | None, number: int | None = None) -> FoundGame:
    """Return the game in a file or, if the text is a number, the stored game with this ID.

    `number` selects a game in a file with several games, counted from 1.
    """
    if text.isascii() and text.isdigit():
        if number is not None:
            raise ParseError("--number selects a game in a file, not in the store")
        return _stored_game(int(text), store)
    from plyground.records.formats import FORMATS, read_file

    if Path(text).suffix.lower().removeprefix(".") not in FORMATS:
        extensions = ", ".join(f".{name}" for name in FORMATS)
        raise ParseError(f"{text[:80]} is neither a game file ({extensions}) nor the ID of a stored game")
    found = read_file(Path(text))
    if not found.records and found.failed:
        raise ParseError(f"{text}: {found.failed[0].location}: {found.failed[0].reason}")
    count = len(found.records)
    if count == 0:
        raise ParseError(f"{text} contains no games")
    if number is None and count > 1:
        raise ParseError(
            f"{text} contains {count} games; choose one with --number, or import them with: plyground games import"
        )
    if number is not None and number > count:
        raise ParseError(f"--number must be at most {count}, the number of games in {text}")
    return FoundGame(found.records[(number or 1) - 1], text)


def _stored_game(id: int, store: str | None) -> FoundGame:  # noqa: A002
    from plyground.store import Store

    with Store(store) as opened:
        stored = opened.records.get(id)
    return FoundGame(stored.record, f"game {id}", id, stored.owner)
