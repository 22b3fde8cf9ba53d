"""Pydantic models of game records in JSON.

pydantic is slow to import, so this module is imported only when a record is read.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any, ClassVar, Literal, TypeVar

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StringConstraints,
    TypeAdapter,
    ValidationError,
    model_validator,
)
from pydantic_core import ErrorDetails, PydanticCustomError

from plyground.agents.analysis import ProvenResult
from plyground.errors import ParseError
from plyground.records.annotations import MAX_COMMENT, MAX_NAG, MAX_VARIATIONS, Note, Variation
from plyground.records.parsed_games import MAX_HEADERS, MAX_MOVES, MAX_TEXT
from plyground.validation import requirement

MAX_LEGAL_MOVES = 1000
"""Maximum number of legal moves in an analysed position."""
MAX_PV = 1000
"""Maximum length of a principal variation, in plies."""
MAX_PLAYERS = 10
RENAMED = {
    "known": "proven",
    "line": "pv",
    "choice": "best_index",
    "depth": "mean_depth",
    "deepest": "max_depth",
    "results": "playout_results",
    "lengths": "playout_lengths",
}
"""Field names of analyses in format version 1, and their current names."""

T = TypeVar("T")


def _printable(text: str) -> str:
    if not text.isprintable():
        raise PydanticCustomError("printable", "String should contain only printable characters")
    return text


def _ply(text: str) -> str:
    if not (text.isascii() and text.isdigit() and len(text) <= 6 and text == str(int(text))):
        raise PydanticCustomError("ply", "Input should be a ply number such as 12")
    return text


def _date(text: str) -> str:
    try:
        datetime.fromisoformat(text)
    except ValueError as error:
        example = "2026-01-31T12:00:00+00:00"
        raise PydanticCustomError("date", f"Input should be a date or a date and time such as {example}") from error
    return text


def _playout_results(counts: Any) -> Any:
    """Append a zero for cut-off playouts to the three counts in older files, which counted them as draws."""
    return [*counts, 0] if isinstance(counts, (list, tuple)) and len(counts) == 3 else counts


Text = Annotated[str, StringConstraints(strict=True, min_length=1, max_length=MAX_TEXT), AfterValidator(_printable)]
Count = Annotated[int, Field(strict=True, ge=0, lt=2**63)]
Share = Annotated[float, Field(strict=True, ge=0, le=1, allow_inf_nan=False)]
Amount = Annotated[float, Field(strict=True, ge=0, le=1e9, allow_inf_nan=False)]
PlayoutResults = Annotated[tuple[Count, Count, Count, Count], BeforeValidator(_playout_results)]
Ply = Annotated[str, AfterValidator(_ply)]
Players = Annotated[dict[Text, Text], Field(max_length=MAX_PLAYERS)]


class _Model(BaseModel):
    """A JSON object that rejects unknown fields."""

    model_config = ConfigDict(frozen=True)
    renamed: ClassVar[dict[str, str]] = {}

    @model_validator(mode="before")
    @classmethod
    def _check_fields(cls, data: Any) -> Any:
        """Rename old fields and reject unknown ones, listing the allowed fields."""
        allowed = ", ".join(cls.model_fields)
        if not isinstance(data, dict):
            raise PydanticCustomError("object", "Input should be an object with the fields " + allowed)
        data = {cls.renamed.get(key, key): value for key, value in data.items()}
        for key in data:
            if key not in cls.model_fields:
                raise PydanticCustomError("unknown_field", f"unknown field {key[:80]!r}; allowed: {allowed}")
        return data


class OutcomeModel(_Model):
    """The outcome of a finished game."""

    winner: Text | None
    reason: Text


class MoveModel(_Model):
    """The analysis of one legal move; fields as in `plyground.agents.MoveAnalysis`."""

    renamed = RENAMED
    move: Text
    share: Share
    value: Share | None = None
    low: Share | None = None
    high: Share | None = None
    bound: Literal["lower", "upper"] | None = None
    visits: Count = 0
    prior: Share | None = None
    proven: ProvenResult | None = None
    distance: Count | None = None
    pv: Annotated[tuple[Text, ...], Field(max_length=MAX_PV)] = ()


class AnalysisModel(_Model):
    """The analysis of a position; fields as in `plyground.agents.Analysis`."""

    renamed = RENAMED
    moves: Annotated[tuple[MoveModel, ...], Field(max_length=MAX_LEGAL_MOVES)] = ()
    best_index: Count | None = None
    value: Share | None = None
    proven: ProvenResult | None = None
    distance: Count | None = None
    seconds: Amount = 0.0
    simulations: Count = 0
    nodes: Count = 0
    mebibytes: Amount = 0.0
    table_used: Share | None = None
    mean_depth: Amount = 0.0
    max_depth: Count = 0
    playout_results: PlayoutResults = (0, 0, 0, 0)
    playout_lengths: Annotated[tuple[Count, ...], Field(max_length=10_000)] = ()
    mean_playout_length: Amount = 0.0
    mean_playout_score: Share | None = None


Analyses = Annotated[dict[Ply, AnalysisModel], Field(max_length=MAX_MOVES + 1)]
ANALYSES: TypeAdapter[dict[str, AnalysisModel]] = TypeAdapter(Analyses)


class NoteModel(_Model):
    """A comment and NAGs; fields as in `plyground.records.Note`."""

    comment: Annotated[str, StringConstraints(strict=True, max_length=MAX_COMMENT)] = ""
    nags: Annotated[
        tuple[Annotated[int, Field(strict=True, ge=0, le=MAX_NAG)], ...], Field(max_length=MAX_NAG + 1)
    ] = ()


Notes = Annotated[dict[Ply, NoteModel], Field(max_length=MAX_MOVES + 1)]


class VariationModel(_Model):
    """A variation; fields as in `plyground.records.Variation`."""

    moves: Annotated[tuple[Text, ...], Field(min_length=1, max_length=MAX_MOVES)]
    notes: Notes = {}
    variations: Annotated[
        dict[Ply, Annotated[tuple[VariationModel, ...], Field(min_length=1, max_length=MAX_VARIATIONS)]],
        Field(max_length=MAX_MOVES),
    ] = {}


Variations = Annotated[
    dict[Ply, Annotated[tuple[VariationModel, ...], Field(min_length=1, max_length=MAX_VARIATIONS)]],
    Field(max_length=MAX_MOVES),
]


class AnnotationsModel(_Model):
    """The annotations of a game."""

    notes: Notes = {}
    variations: Variations = {}


def notes_of(models: Mapping[str, NoteModel]) -> dict[int, Note]:
    """Return validated notes."""
    return {int(key): Note(one.comment, one.nags) for key, one in models.items()}


def variations_of(models: Mapping[str, tuple[VariationModel, ...]]) -> dict[int, tuple[Variation, ...]]:
    """Return validated variations."""
    return {
        int(key): tuple(Variation(one.moves, notes_of(one.notes), variations_of(one.variations)) for one in ones)
        for key, ones in models.items()
    }


class RecordModel(_Model):
    """A game; fields as in `plyground.records.Record`."""

    game: Text
    start: Text | None = None
    moves: Annotated[tuple[Text, ...], Field(max_length=MAX_MOVES)] = ()
    outcome: OutcomeModel | None = None
    players: Annotated[Players, BeforeValidator(lambda value: {} if value is None else value)] = {}
    seed: Annotated[int, Field(strict=True, ge=0, lt=2**64)] | None = None
    started: Annotated[Text, AfterValidator(_date)] | None = None
    headers: Annotated[dict[Text, Text], Field(max_length=MAX_HEADERS)] = {}
    analyses: Analyses | None = None
    notes: Notes = {}
    variations: Variations = {}


ANNOTATIONS: TypeAdapter[AnnotationsModel] = TypeAdapter(AnnotationsModel)
RECORD: TypeAdapter[RecordModel] = TypeAdapter(RecordModel)


def validate(adapter: TypeAdapter[T], data: object, path: str = "") -> T:
    """Return validated data; raise `ParseError` with the path of the first invalid field and what it must be."""
    try:
        return adapter.validate_python(data)
    except ValidationError as error:
        raise ParseError(_message(error.errors(include_url=False)[0], path)) from error


def _message(error: ErrorDetails, path: str) -> str:
    location = [part for part in error["loc"] if part != "[key]"]
    for part in location:
        path += f"[{part}]" if isinstance(part, int) else f".{part[:80]}" if path else part[:80]
    if error["type"] == "unknown_field":
        return f"{path}: {error['msg']}" if path else error["msg"]
    return f"{path or 'a game'} {requirement(error)}"
