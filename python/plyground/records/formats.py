"""THE list of formats in which files hold games."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from plyground.errors import ParseError, UnknownNameError
from plyground.records import json, pdn, pgn
from plyground.records.files import read_text
from plyground.records.reading import Reading
from plyground.records.record import Record


@dataclass(frozen=True)
class Format:
    """A format: its name is also how its files end."""

    name: str
    about: str
    read: Callable[[str], Reading]
    write: Callable[[Iterable[Record]], str]


FORMATS = {
    one.name: one
    for one in (
        Format("json", "every game, with everything that is known", json.read_all, json.write_all),
        Format("pdn", "checkers", pdn.read, pdn.write),
        Format("pgn", "chess", pgn.read, pgn.write),
    )
}


def format_of(path: Path, name: str | None = None) -> Format:
    """The format that is named, else the one that the file's suffix says."""
    chosen = FORMATS.get(name.lower() if name is not None else path.suffix.lower().removeprefix("."))
    if chosen is None:
        what = f"no format is called {name[:80]!r}" if name is not None else f"{path}: its suffix names no format"
        raise UnknownNameError(f"{what}; there are: {', '.join(FORMATS)}")
    return chosen


def read_file(path: Path, name: str | None = None) -> Reading:
    """The games of a file; PDN and PGN may be in UTF-8 or Latin-1."""
    chosen = format_of(path, name)
    text = read_text(path, latin=chosen.name != "json")
    try:
        return chosen.read(text)
    except ParseError as error:
        raise ParseError(f"{path}: {error}") from error
