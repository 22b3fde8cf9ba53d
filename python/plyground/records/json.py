"""Records as JSON.

A file holds one game::

    {"format": "plyground-game", "version": 1,
     "game": "checkers",                               the spec of the game
     "start": null,                                    the text of the first position, or null
     "moves": ["11-15", "23-18"],
     "outcome": {"winner": "black", "reason": "..."},  or null; a drawn game has the winner null
     "players": {"black": "human", "white": "random"},
     "seed": 1,                                        or null
     "started": "2026-01-31T12:00:00+00:00",           or null
     "headers": {"Event": "..."},                      what PGN or PDN said besides
     "analyses": {"0": {"moves": [...], ...}}}         by ply, what an agent thought

or several: ``{"format": "plyground-games", "version": 1, "games": [...]}``, each like the one above without its first
two fields. The last two fields are written where there is something to say.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path
from typing import Any

from plyground._engine import Outcome
from plyground.errors import ParseError, PlygroundError
from plyground.records import analyses
from plyground.records.checks import Check, fields, mapping, or_none, text, whole, wrong
from plyground.records.files import read_text, write_text
from plyground.records.reading import MOST_HEADERS, MOST_MOVES, Broken, Reading
from plyground.records.record import Record

FORMAT = "plyground-game"
COLLECTION = "plyground-games"
VERSION = 1


def to_data(record: Record) -> dict[str, Any]:
    """The fields of a record as JSON has them."""
    outcome = record.outcome
    data: dict[str, Any] = {
        "game": record.game,
        "start": record.start,
        "moves": list(record.moves),
        "outcome": None if outcome is None else {"winner": outcome.winner, "reason": outcome.reason},
        "players": dict(record.players),
        "seed": record.seed,
        "started": record.started,
    }
    if record.headers:
        data["headers"] = dict(record.headers)
    if record.analyses:
        data["analyses"] = analyses.to_data(record.analyses)
    return data


def from_data(data: object) -> Record:
    """The record of such fields, checked by the rules of its game; an error says where it is wrong."""
    found = fields(_FIELDS, "", data)
    if "game" not in found:
        raise wrong("game", None, "a printable text")
    thoughts = found.pop("analyses", None)
    record = Record(**found)
    if thoughts is not None:
        record = Record(**found, analyses=analyses.from_data(thoughts, record.to_position()))
    record.check()
    return record


def write(record: Record) -> str:
    """The record as JSON, a line for each field."""
    data = {"format": FORMAT, "version": VERSION, **to_data(record)}
    lines = [f"  {json.dumps(key)}: {json.dumps(value)}" for key, value in data.items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def read(source: str) -> Record:
    """The record that `write` wrote; anything else is an error that says where it is wrong."""
    data = _parse(source)
    if data.get("format") != FORMAT:
        raise ParseError(f'it is not a game record: accepted is an object with "format": "{FORMAT}"')
    return _read_one(data)


def write_all(records: Iterable[Record]) -> str:
    """One record as `write` writes it, several as a collection, a line for each game."""
    several = list(records)
    if len(several) == 1:
        return write(several[0])
    games = ",\n".join(json.dumps(to_data(record)) for record in several)
    return f'{{"format": "{COLLECTION}", "version": {VERSION}, "games": [\n{games}\n]}}\n'


def read_all(source: str) -> Reading:
    """The games of a file of one or of several; each broken one is told with its place, and the others are read."""
    data = _parse(source)
    if data.get("format") == FORMAT:
        return Reading((_read_one(data),))
    if data.get("format") != COLLECTION:
        raise ParseError(f'it is no file of games: accepted is "format": "{FORMAT}" or "{COLLECTION}"')
    _check_version(data)
    games = data.get("games")
    if not isinstance(games, list) or set(data) != {"format", "version", "games"}:
        raise ParseError("it is no collection of games: accepted are the fields format, version and games, a list")
    records, broken = [], []
    for index, one in enumerate(games):
        try:
            records.append(from_data(one))
        except PlygroundError as error:
            broken.append(Broken(f"games[{index}]", str(error)))
    return Reading(tuple(records), tuple(broken))


def save(path: Path, record: Record) -> None:
    """Keep a record in a file; at every moment the file holds the record before or this one, whole."""
    write_text(path, write(record))


def load(path: Path) -> Record:
    """The record in a file, checked by the rules of its game."""
    source = read_text(path)
    try:
        return read(source)
    except ParseError as error:
        raise ParseError(f"{path}: {error}") from error


def _parse(source: str) -> dict[str, Any]:
    try:
        data = json.loads(source, object_pairs_hook=_without_repeats)
    except json.JSONDecodeError as error:
        raise ParseError(f"line {error.lineno}, column {error.colno}: it is not JSON: {error.msg}") from error
    except (RecursionError, ValueError) as error:
        raise ParseError(f"it is not a game record: {error}") from error
    if not isinstance(data, dict):
        raise ParseError(f'it is not a game record: accepted is an object with "format": "{FORMAT}"')
    return data


def _read_one(data: dict[str, Any]) -> Record:
    _check_version(data)
    return from_data({key: value for key, value in data.items() if key not in ("format", "version")})


def _check_version(data: dict[str, Any]) -> None:
    if data.get("version") != VERSION:
        raise ParseError(f"version: it is {data.get('version')!r:.80}; accepted is {VERSION}")


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ParseError("a field is given twice")
    return found


def _moves(field: str, value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or len(value) > MOST_MOVES:
        raise wrong(field, value, f"a list of at most {MOST_MOVES} moves")
    return tuple(text(f"{field}, ply {ply}", move) for ply, move in enumerate(value, start=1))


def _outcome(field: str, value: object) -> Outcome:
    if not isinstance(value, dict) or set(value) != {"winner", "reason"}:
        raise wrong(field, value, "an object with winner and reason")
    return Outcome(or_none(text)(f"{field}.winner", value["winner"]), text(f"{field}.reason", value["reason"]))


def _started(field: str, value: object) -> str:
    found = text(field, value)
    try:
        datetime.fromisoformat(found)
    except ValueError as error:
        raise wrong(field, value, "a date and time such as 2026-01-31T12:00:00+00:00") from error
    return found


def _or_empty(check: Check[dict[str, Any]]) -> Check[dict[str, Any]]:
    return lambda field, value: {} if value is None else check(field, value)


_FIELDS: dict[str, Check[Any]] = {
    "game": text,
    "start": or_none(text),
    "moves": _moves,
    "outcome": or_none(_outcome),
    "players": _or_empty(mapping(text, 10, "sides to agents")),
    "seed": or_none(whole(2**64)),
    "started": or_none(_started),
    "headers": mapping(text, MOST_HEADERS, "names to texts"),
    "analyses": lambda _, value: value,
}
