"""Base classes and field types of the API models."""

from __future__ import annotations

import json
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

GameSpec = Annotated[str, StringConstraints(min_length=1, max_length=200)]
"""A game ID, or a spec with options such as `connect4(columns=8)`."""
PlayerText = Annotated[str, StringConstraints(min_length=1, max_length=1000)]
"""A player: a level of the game, an agent spec, or `checkpoint RUN[/STEP]` of a training run."""
PositionText = Annotated[str, StringConstraints(min_length=1, max_length=1000)]
MoveText = Annotated[str, StringConstraints(min_length=1, max_length=200)]
SideName = Annotated[str, StringConstraints(min_length=1, max_length=100)]
Format = Literal["json", "pdn", "pgn"]
"""Game file formats: JSON for every game, PDN for checkers, PGN for chess."""
Tag = Annotated[str, StringConstraints(min_length=1, max_length=100)]
MoveTexts = Annotated[list[MoveText], Field(max_length=2000)]
Seed = Annotated[int, Field(ge=0, lt=2**53)]
"""Less than 2^53, so that JavaScript can represent it exactly."""
RecordId = Annotated[str, StringConstraints(min_length=1, max_length=40)]
"""ID of a stored game. IDs are random, so nobody can guess those of other games."""


class View(BaseModel):
    """Base class of response models."""

    # Fields with defaults are always sent, so the generated TypeScript types mark them as required.
    model_config = ConfigDict(json_schema_serialization_defaults_required=True, use_attribute_docstrings=True)


class RequestModel(BaseModel):
    """Base class of request models; unknown fields are rejected."""

    model_config = ConfigDict(extra="forbid", use_attribute_docstrings=True)


class ErrorDetail(View):
    """Type and message of an error."""

    kind: str
    """Class name of the error, such as `IllegalMoveError`."""
    message: str
    """Human-readable message: what was wrong and what is allowed."""


class ErrorView(View):
    """Body of every error response."""

    error: ErrorDetail


def error_detail(error: Exception, kind: str | None = None, message: str | None = None) -> ErrorDetail:
    """Return an error as part of a response; `kind` and `message` replace its class name and its text."""
    return ErrorDetail(kind=kind or type(error).__name__, message=str(error) if message is None else message)


def error_body(error: Exception, kind: str | None = None) -> bytes:
    """Return the response body for an error; `kind` replaces the class name."""
    return json.dumps(ErrorView(error=error_detail(error, kind)).model_dump()).encode()
