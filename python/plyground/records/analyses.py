"""Analyses as JSON data, in files and in the store. Fields with default values are omitted."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from plyground._engine import Position
from plyground.agents.analysis import Analysis, MoveAnalysis
from plyground.errors import ParseError

if TYPE_CHECKING:
    from plyground.records.models import AnalysisModel


def to_data(analyses: Mapping[int, Analysis]) -> dict[str, Any]:
    """Return analyses as JSON data, keyed by ply."""
    return {str(ply): _fields(analysis, omit="position") for ply, analysis in sorted(analyses.items())}


def from_data(data: object, position: Position, path: str = "analyses") -> dict[int, Analysis]:
    """Return the analyses that `to_data` encoded, given the last position of the game."""
    from plyground.records.models import ANALYSES, validate

    models = validate(ANALYSES, data, path)
    return from_models(models, position, path)


def from_models(models: Mapping[str, AnalysisModel], position: Position, path: str = "analyses") -> dict[int, Analysis]:
    """Return the analyses of a game, given its last position; raise `ParseError` if they do not match it."""
    analyses = {}
    for key, model in models.items():
        if int(key) > position.ply:
            raise ParseError(f"a ply in {path} must be between 0 and {position.ply}, got {key}")
        analyses[int(key)] = _analysis(model, position.replay(int(key)), f"{path}.{key}")
    return analyses


def _analysis(model: AnalysisModel, position: Position, path: str) -> Analysis:
    if [move.move for move in model.moves] != position.moves:
        raise ParseError(f"{path}.moves must list all legal moves in order: {' '.join(position.moves)[:80]}")
    if model.best_index is not None and model.best_index >= max(1, len(model.moves)):
        raise ParseError(f"{path}.best_index must be less than {max(1, len(model.moves))}, got {model.best_index}")
    fields = {name: getattr(model, name) for name in model.model_fields_set}
    fields["moves"] = tuple(
        MoveAnalysis(**{name: getattr(move, name) for name in move.model_fields_set}) for move in model.moves
    )
    return Analysis(position=position, **fields)


def _fields(analysis: Analysis | MoveAnalysis, omit: str = "") -> dict[str, Any]:
    """Return the fields that differ from their defaults."""
    data: dict[str, Any] = {}
    for field in dataclasses.fields(analysis):
        value = getattr(analysis, field.name)
        if field.name != omit and (field.default is dataclasses.MISSING or value != field.default):
            data[field.name] = (
                [_fields(one) if isinstance(one, MoveAnalysis) else one for one in value]
                if isinstance(value, tuple)
                else value
            )
    return data
