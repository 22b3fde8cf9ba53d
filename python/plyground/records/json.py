"""Records as JSON.

A file holds one object::

    {"format": "plyground-game", "version": 1,
     "game": "checkers",                               the spec of the game
     "start": null,                                    the text of the first position, or null
     "moves": ["11-15", "23-18"],
     "outcome": {"winner": "black", "reason": "..."},  or null; a drawn game has the winner null
     "players": {"black": "human", "white": "random"},
     "seed": 1,                                        or null
     "started": "2026-01-31T12:00:00+00:00"}           or null
"""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

from plyground._engine import Outcome
from plyground.errors import ParseError
from plyground.records.files import read_text, write_text
from plyground.records.record import Record

FORMAT = "plyground-game"
VERSION = 1
MOST_MOVES = 20_000
LONGEST_TEXT = 1000


def write(record: Record) -> str:
    """The record as JSON, a line for each field."""
    outcome = record.outcome
    fields = {
        "format": FORMAT,
        "version": VERSION,
        "game": record.game,
        "start": record.start,
        "moves": list(record.moves),
        "outcome": None if outcome is None else {"winner": outcome.winner, "reason": outcome.reason},
        "players": dict(record.players),
        "seed": record.seed,
        "started": record.started,
    }
    lines = [f"  {json.dumps(key)}: {json.dumps(value)}" for key, value in fields.items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def read(text: str) -> Record:
    """The record that `write` wrote; anything else is an error that says where it is wrong."""
    try:
        data = json.loads(text, object_pairs_hook=_without_repeats)
    except json.JSONDecodeError as error:
        raise ParseError(f"line {error.lineno}, column {error.colno}: it is not JSON: {error.msg}") from error
    except (RecursionError, ValueError) as error:
        raise ParseError(f"it is not a game record: {error}") from error
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise ParseError(f'it is not a game record: accepted is an object with "format": "{FORMAT}"')
    if data.get("version") != VERSION:
        raise ParseError(f"version: it is {data.get('version')!r:.80}; accepted is {VERSION}")
    for key in data:
        if key not in _FIELDS and key not in ("format", "version"):
            raise ParseError(f"{key[:80]!r} is not a field; accepted are {', '.join(_FIELDS)}")
    record = Record(**{key: read_field(key, data.get(key)) for key, read_field in _FIELDS.items()})
    record.check()
    return record


def save(path: Path, record: Record) -> None:
    """Keep a record in a file; at every moment the file holds the record before or this one, whole."""
    write_text(path, write(record))


def load(path: Path) -> Record:
    """The record in a file, checked by the rules of its game."""
    text = read_text(path)
    try:
        return read(text)
    except ParseError as error:
        raise ParseError(f"{path}: {error}") from error


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        raise ParseError("a field is given twice")
    return fields


def _wrong(field: str, value: object, accepted: str) -> ParseError:
    shown = json.dumps(value)
    return ParseError(f"{field}: {shown if len(shown) <= 80 else shown[:77] + '...'}; accepted is {accepted}")


def _text(field: str, value: object) -> str:
    if not isinstance(value, str) or not 0 < len(value) <= LONGEST_TEXT or not value.isprintable():
        raise _wrong(field, value, f"a printable text of at most {LONGEST_TEXT} characters")
    return value


def _text_or_none(field: str, value: object) -> str | None:
    return None if value is None else _text(field, value)


def _moves(field: str, value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or len(value) > MOST_MOVES:
        raise _wrong(field, value, f"a list of at most {MOST_MOVES} moves")
    return tuple(_text(f"{field}, ply {ply}", move) for ply, move in enumerate(value, start=1))


def _outcome(field: str, value: object) -> Outcome | None:
    if value is None:
        return None
    if not isinstance(value, dict) or set(value) != {"winner", "reason"}:
        raise _wrong(field, value, "null or an object with winner and reason")
    return Outcome(_text_or_none(f"{field}.winner", value["winner"]), _text(f"{field}.reason", value["reason"]))


def _players(field: str, value: object) -> dict[str, str]:
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise _wrong(field, value, "an object from sides to agents")
    return {side: _text(f"{field}.{side:.80}", agent) for side, agent in value.items()}


def _seed(field: str, value: object) -> int | None:
    if value is None:
        return None
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < 2**64:
        raise _wrong(field, value, "null or a whole number from 0 to 2**64 - 1")
    return value


def _started(field: str, value: object) -> str | None:
    text = _text_or_none(field, value)
    if text is not None:
        try:
            datetime.fromisoformat(text)
        except ValueError as error:
            raise _wrong(field, value, "null or a date and time such as 2026-01-31T12:00:00+00:00") from error
    return text


_FIELDS: dict[str, Callable[[str, object], Any]] = {
    "game": _text,
    "start": _text_or_none,
    "moves": _moves,
    "outcome": _outcome,
    "players": _players,
    "seed": _seed,
    "started": _started,
}
