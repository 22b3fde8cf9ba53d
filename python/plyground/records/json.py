"""Records in JSON.

A file contains one game::

    {"format": "plyground-game", "version": 2,
     "game": "checkers",                               the spec of the game
     "start": null,                                    the text of the start position, or null
     "moves": ["11-15", "23-18"],
     "outcome": {"winner": "black", "reason": "..."},  or null; the winner of a draw is null
     "players": {"black": "human", "white": "random"},
     "seed": 1,                                        or null
     "started": "2026-01-31T12:00:00+00:00",           or null
     "headers": {"Event": "..."},                      other tags of a PGN or PDN file
     "analyses": {"0": {"moves": [...], ...}},         analyses by ply
     "notes": {"1": {"comment": "...", "nags": [1]}},  comments and NAGs by ply
     "variations": {"1": [{"moves": ["24-19"], "notes": {...}, "variations": {...}}]}}

or several games: ``{"format": "plyground-games", "version": 2, "games": [...]}``, where each game has the fields above
except the first two. Empty headers, analyses, notes and variations are omitted. The keys of variations are indices of
the moves that they replace; a variation has the same fields as the game. Version 1 used other field names in analyses.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from plyground._engine import Outcome
from plyground.errors import ParseError, PlygroundError
from plyground.files import write_text
from plyground.records import analyses
from plyground.records.annotations import notes_to_data, variations_to_data
from plyground.records.files import read_text
from plyground.records.parsed_games import FailedGame, ParsedGames
from plyground.records.record import Record

FORMAT = "plyground-game"
COLLECTION = "plyground-games"
VERSION = 2


def to_data(record: Record) -> dict[str, Any]:
    """Return a record as JSON data."""
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
    return data | annotations_to_data(record)


def annotations_to_data(record: Record) -> dict[str, Any]:
    """Return the notes and variations of a record as JSON data."""
    notes = {"notes": notes_to_data(record.notes)} if record.notes else {}
    return notes | ({"variations": variations_to_data(record.variations)} if record.variations else {})


def with_annotations(record: Record, data: object) -> Record:
    """Return a record with the annotations that `annotations_to_data` encoded; the moves are not checked."""
    from plyground.records.models import ANNOTATIONS, notes_of, validate, variations_of

    model = validate(ANNOTATIONS, data)
    return replace(record, notes=notes_of(model.notes), variations=variations_of(model.variations))


def from_data(data: object) -> Record:
    """Return the record that `to_data` encoded; raise an error with the path of the first invalid field."""
    from plyground.records.models import RECORD, notes_of, validate, variations_of

    model = validate(RECORD, data)
    record = Record(
        game=model.game,
        moves=model.moves,
        start=model.start,
        outcome=None if model.outcome is None else Outcome(model.outcome.winner, model.outcome.reason),
        players=model.players,
        seed=model.seed,
        started=model.started,
        headers=model.headers,
        notes=notes_of(model.notes),
        variations=variations_of(model.variations),
    )
    if model.analyses:
        record = replace(record, analyses=analyses.from_models(model.analyses, record.to_position()))
    record.check()
    return record


def write(record: Record) -> str:
    """Return a record as JSON text with one line per field."""
    data = {"format": FORMAT, "version": VERSION, **to_data(record)}
    lines = [f"  {json.dumps(key)}: {json.dumps(value)}" for key, value in data.items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def read(source: str) -> Record:
    """Parse a record written by `write`."""
    data = _parse(source)
    if data.get("format") != FORMAT:
        raise ParseError(f'not a game record: "format" must be "{FORMAT}"')
    return _read_one(data)


def write_all(records: Iterable[Record]) -> str:
    """Return one record as `write` does, or several as a collection with one line per game."""
    several = list(records)
    if len(several) == 1:
        return write(several[0])
    games = ",\n".join(json.dumps(to_data(record)) for record in several)
    return f'{{"format": "{COLLECTION}", "version": {VERSION}, "games": [\n{games}\n]}}\n'


def read_all(source: str) -> ParsedGames:
    """Parse a file with one game or a collection; invalid games in a collection are reported with their index."""
    data = _parse(source)
    if data.get("format") == FORMAT:
        return ParsedGames((_read_one(data),))
    if data.get("format") != COLLECTION:
        raise ParseError(f'not a game file: "format" must be "{FORMAT}" or "{COLLECTION}"')
    _check_version(data)
    games = data.get("games")
    if not isinstance(games, list) or set(data) != {"format", "version", "games"}:
        raise ParseError("a collection must have the fields format, version and games (a list), and no others")
    records, failed = [], []
    for index, game in enumerate(games):
        try:
            records.append(from_data(game))
        except PlygroundError as error:
            failed.append(FailedGame(f"games[{index}]", str(error), index + 1))
    return ParsedGames(tuple(records), tuple(failed))


def save(path: Path, record: Record) -> None:
    """Write a record to a file atomically."""
    write_text(path, write(record))


def load(path: Path) -> Record:
    """Read a record from a file."""
    source = read_text(path)
    try:
        return read(source)
    except ParseError as error:
        raise ParseError(f"{path}: {error}") from error


def _parse(source: str) -> dict[str, Any]:
    try:
        data = json.loads(source, object_pairs_hook=_unique_fields)
    except json.JSONDecodeError as error:
        raise ParseError(f"line {error.lineno}, column {error.colno}: invalid JSON: {error.msg}") from error
    except (RecursionError, ValueError) as error:
        raise ParseError(f"not a game record: {error}") from error
    if not isinstance(data, dict):
        raise ParseError(f'not a game record: must be an object with "format": "{FORMAT}"')
    return data


def _read_one(data: dict[str, Any]) -> Record:
    _check_version(data)
    return from_data({key: value for key, value in data.items() if key not in ("format", "version")})


def _check_version(data: dict[str, Any]) -> None:
    if data.get("version") not in (1, VERSION):
        raise ParseError(f"version must be 1 or {VERSION}, got {data.get('version')!r:.80}")


def _unique_fields(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        ((duplicate, _),) = Counter(name for name, _ in pairs).most_common(1)
        raise ParseError(f"duplicate field {duplicate[:80]!r}")
    return fields
