"""File formats for games."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from plyground.errors import ParseError, UnknownNameError, unknown_name
from plyground.files import write_text
from plyground.records import json, pdn, pgn
from plyground.records.files import read_text
from plyground.records.parsed_games import ParsedGames
from plyground.records.record import Record


@dataclass(frozen=True)
class Format:
    """A file format. Its name is also the file extension."""

    name: str
    description: str
    read: Callable[[str], ParsedGames]
    write: Callable[[Iterable[Record]], str]
    games: frozenset[str] | None = None
    """Ids of the games that it supports; None means every game."""


FORMATS = {
    one.name: one
    for one in (
        Format("json", "all games, with all data including analyses", json.read_all, json.write_all),
        Format("pdn", "checkers", pdn.read, pdn.write, frozenset({"checkers"})),
        Format("pgn", "chess", pgn.read, pgn.write, frozenset({"chess"})),
    )
}


def common_formats(games: Iterable[str]) -> list[str]:
    """Return the names of the formats that support every one of these games, given by their ids.

    >>> common_formats(["chess"]), common_formats(["chess", "checkers"])
    (['json', 'pgn'], ['json'])
    """
    ids = set(games)
    return [one.name for one in FORMATS.values() if one.games is None or ids <= one.games]


def format_of(path: Path, name: str | None = None) -> Format:
    """Return the format with this name, by default the format for the file extension."""
    chosen = FORMATS.get(name.lower() if name is not None else path.suffix.lower().removeprefix("."))
    if chosen is None:
        if name is not None:
            raise unknown_name("format", name, FORMATS)
        raise UnknownNameError(f"{path}: unknown file extension; available: {', '.join(f'.{one}' for one in FORMATS)}")
    return chosen


def read_file(path: Path, name: str | None = None) -> ParsedGames:
    """Parse the games in a file; PDN and PGN files may be encoded in UTF-8 or Latin-1."""
    chosen = format_of(path, name)
    text = read_text(path, latin=chosen.name != "json")
    try:
        return chosen.read(text)
    except ParseError as error:
        raise ParseError(f"{path}: {error}") from error


def read_games(path: str | Path, *, strict: bool = True) -> list[Record]:
    """Return the games of a JSON, PDN or PGN file.

    A malformed or illegal game raises `ParseError` or, if `strict` is false, is skipped.

    >>> import tempfile
    >>> from pathlib import Path
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "games.pgn")
    ...     write_games(path, [Record("chess", ("e2e4", "e7e5"))])
    ...     [record.moves for record in read_games(path)]
    [('e2e4', 'e7e5')]
    """
    parsed = read_file(Path(path))
    if strict and parsed.failed:
        count = len(parsed.records) + len(parsed.failed)
        raise ParseError(
            f"{path}: {len(parsed.failed)} of {count} games are invalid, the first one at {parsed.failed[0]}; "
            "read_games(path, strict=False) skips them"
        )
    return list(parsed.records)


def write_games(path: str | Path, games: Iterable[Record]) -> None:
    """Write games to a file in the format of its suffix: ``.json``, ``.pdn`` or ``.pgn``. The write is atomic."""
    path = Path(path)
    write_text(path, format_of(path).write(games))
