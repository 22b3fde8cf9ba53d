"""Analyses as plain data, as JSON files and the store keep them: fields that say nothing are left out."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from plyground._engine import Position
from plyground.agents.agent import Analysis, MoveAnalysis
from plyground.errors import ParseError
from plyground.records.checks import Check, fields, many, number, one_of, or_none, text, whole
from plyground.records.reading import MOST_MOVES

MOST_LEGAL = 1000
"""Legal moves of one position."""
LONGEST_LINE = 1000

_SHARE = number(0, 1)
_COUNT = whole(2**63)
_KNOWN = or_none(one_of("win", "draw", "loss"))
_LINE = many(text, LONGEST_LINE, "moves")
_MOVE: dict[str, Check[Any]] = {
    "move": text,
    "share": _SHARE,
    "value": or_none(_SHARE),
    "low": or_none(_SHARE),
    "high": or_none(_SHARE),
    "visits": _COUNT,
    "prior": or_none(_SHARE),
    "known": _KNOWN,
    "distance": or_none(_COUNT),
    "line": _LINE,
}
_ANALYSIS: dict[str, Check[Any]] = {
    "moves": many(lambda field, value: _move(field, value), MOST_LEGAL, "moves"),
    "choice": or_none(whole(MOST_LEGAL)),
    "value": or_none(_SHARE),
    "known": _KNOWN,
    "distance": or_none(_COUNT),
    "seconds": number(0, 1e9),
    "simulations": _COUNT,
    "nodes": _COUNT,
    "mebibytes": number(0, 1e9),
    "depth": number(0, 1e9),
    "deepest": _COUNT,
    "results": many(_COUNT, 3, "counts"),
    "lengths": many(_COUNT, 10_000, "counts"),
}


def to_data(analyses: Mapping[int, Analysis]) -> dict[str, Any]:
    """What JSON can write; keys are plies."""
    return {str(ply): _plain(analysis, leave="position") for ply, analysis in sorted(analyses.items())}


def from_data(data: object, position: Position, field: str = "analyses") -> dict[int, Analysis]:
    """The analyses of a game, from its last position and what `to_data` gave."""
    if not isinstance(data, dict) or len(data) > MOST_MOVES:
        raise ParseError(f"{field}: accepted is an object from plies to analyses")
    return {
        _ply(field, key, position.ply): _read(f"{field}.{key:.20}", key, one, position) for key, one in data.items()
    }


def _ply(field: str, key: str, last: int) -> int:
    if not (key.isascii() and key.isdigit() and len(key) <= 6 and int(key) <= last):
        raise ParseError(f"{field}: {key[:80]!r} is no ply; accepted are whole numbers from 0 to {last}")
    return int(key)


def _read(field: str, key: str, value: object, position: Position) -> Analysis:
    where = position.replay(int(key))
    found = fields(_ANALYSIS, field, value)
    moves = found.setdefault("moves", ())
    if [move.move for move in moves] != where.moves:
        raise ParseError(f"{field}.moves: accepted are the legal moves in their order: {' '.join(where.moves)[:80]}")
    if (found.get("choice") or 0) >= max(1, len(moves)) or len(found.get("results", (0, 0, 0))) != 3:
        raise ParseError(f"{field}: choice is the index of a move, and results are three counts")
    return Analysis(position=where, **found)


def _move(field: str, value: object) -> MoveAnalysis:
    found = fields(_MOVE, field, value)
    if not {"move", "share"} <= found.keys():
        raise ParseError(f"{field}: move and share are missing")
    return MoveAnalysis(**found)


def _plain(thing: Analysis | MoveAnalysis, leave: str = "") -> dict[str, Any]:
    """The fields that differ from their defaults."""
    data: dict[str, Any] = {}
    for field in dataclasses.fields(thing):
        value = getattr(thing, field.name)
        if field.name != leave and (field.default is dataclasses.MISSING or value != field.default):
            data[field.name] = (
                [_plain(one) if isinstance(one, MoveAnalysis) else one for one in value]
                if (isinstance(value, tuple))
                else value
            )
    return data
