"""Declarations of learning settings, each with its default, description and bounds in one place."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any

from plyground.errors import ParseError

Value = float | int | str


@dataclass(frozen=True)
class Setting:
    """A setting of a learning method."""

    name: str
    default: Value
    description: str
    minimum: float | None = None
    maximum: float | None = None
    is_local: bool = False
    """Whether it names a file or a program, so that visitors of a server must not set it."""


def setting(
    default: Any,
    description: str,
    minimum: float | None = None,
    maximum: float | None = None,
    *,
    is_local: bool = False,
) -> Any:
    """Declare a dataclass field as a setting."""
    metadata = {"description": description, "minimum": minimum, "maximum": maximum, "is_local": is_local}
    return dataclasses.field(default=default, metadata=metadata)


def declared_settings(settings: type[Any]) -> dict[str, Setting]:
    """Return the settings that a dataclass declares, by name."""
    declared = {}
    for field in dataclasses.fields(settings):
        default: Any = field.default
        declared[field.name] = Setting(field.name, default, **field.metadata)
    return declared


def check_bounds(settings: Any) -> None:
    """Raise `ParseError` for the first setting that is out of bounds."""
    for declared in declared_settings(type(settings)).values():
        value = getattr(settings, declared.name)
        if declared.minimum is None or declared.maximum is None:
            continue
        if not declared.minimum <= value <= declared.maximum:
            name = declared.name.rstrip("_")
            raise ParseError(f"{name} must be between {declared.minimum} and {declared.maximum}, got {value}")
