"""Validation of level files. Imported only for user files, because pydantic is slow to import."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from plyground import _engine
from plyground.agents import agent
from plyground.agents.agent import MAX_TEMPERATURE
from plyground.errors import ParseError, PlygroundError
from plyground.validation import requirement


def _game_id(name: str) -> str:
    if name not in _engine.game_ids():
        raise ValueError(f"unknown game {name!r}; available: {', '.join(_engine.game_ids())}")
    return name


def _agent_spec(spec: str) -> str:
    try:
        agent(spec)
    except PlygroundError as error:
        raise ValueError(str(error)) from error
    return spec


PositiveInt = Annotated[int, Field(gt=0)]
PositiveReal = Annotated[float, Field(gt=0)]


class LevelEntry(BaseModel):
    """One [[level]] table."""

    model_config = ConfigDict(extra="forbid", strict=True)

    name: Annotated[str, Field(min_length=1)]
    agent: Annotated[str, AfterValidator(_agent_spec)]
    games: list[Annotated[str, AfterValidator(_game_id)]] | None = None
    simulations: PositiveInt | None = None
    seconds: PositiveReal | None = None
    depth: PositiveInt | None = None
    mebibytes: PositiveInt | None = None
    temperature: Annotated[float, Field(ge=0, le=MAX_TEMPERATURE)] = 0.0
    rating: float | None = None
    low: float | None = None
    high: float | None = None


class LevelsFile(BaseModel):
    """A level file: the levels and, in the built-in file, their ratings by game."""

    model_config = ConfigDict(extra="forbid", strict=True)

    level: list[LevelEntry] = []
    ratings: dict[str, dict[str, Annotated[list[float], Field(min_length=3, max_length=3)]]] = {}


def check_levels(data: Mapping[str, Any], source: str) -> None:
    """Raise `ParseError` for the first invalid entry, naming the file, the level and the key."""
    try:
        LevelsFile.model_validate(data)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = "".join(f" {part + 1}" if isinstance(part, int) else f", {part}" for part in first["loc"])
        match first["type"]:
            case "extra_forbidden":
                message = f": unknown key; allowed: {', '.join(LevelEntry.model_fields)}"
            case "value_error":
                message = f": {first['msg'].removeprefix('Value error, ')}"
            case _:
                message = f" {requirement(first)}"
        raise ParseError(f"{source}{place}{message}") from error
