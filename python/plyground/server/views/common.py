"""What all shapes share: texts with bounds, errors."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

GameSpec = Annotated[str, StringConstraints(min_length=1, max_length=200)]
"""A game: an id, or a spec with options such as `connect4(columns=8)`."""
PlayerText = Annotated[str, StringConstraints(min_length=1, max_length=1000)]
"""Who plays: a level of the game, the spec of an agent, or `checkpoint RUN/STEP` of a training run."""
PositionText = Annotated[str, StringConstraints(min_length=1, max_length=1000)]
MoveText = Annotated[str, StringConstraints(min_length=1, max_length=200)]
SideName = Annotated[str, StringConstraints(min_length=1, max_length=100)]
Format = Literal["json", "pdn", "pgn"]
"""Files of games: JSON of any, PDN of checkers, PGN of chess."""
Tag = Annotated[str, StringConstraints(min_length=1, max_length=100)]
MoveTexts = Annotated[list[MoveText], Field(max_length=2000)]
Seed = Annotated[int, Field(ge=0, lt=2**53)]
"""Small enough for a number of JavaScript."""
Value = Annotated[float, Field(ge=0, le=1)]
"""What a side may expect: 1 a win, 0.5 a draw, 0 a loss."""
Number = Annotated[int, Field(ge=1, lt=2**53)]
"""The number of something in the store."""


class View(BaseModel):
    """Something that the server says."""

    # What has a default is always sent, so the page's types need not doubt it.
    model_config = ConfigDict(json_schema_serialization_defaults_required=True, use_attribute_docstrings=True)


class Wish(BaseModel):
    """Something that the server is told; a field it does not know is an error."""

    model_config = ConfigDict(extra="forbid", use_attribute_docstrings=True)


class ErrorDetail(View):
    """What went wrong."""

    kind: str
    """The name of the error, such as `IllegalMoveError`."""
    message: str
    """What was wrong, where, and what is accepted: for people."""


class ErrorView(View):
    """The body of every answer that is not a success."""

    error: ErrorDetail
