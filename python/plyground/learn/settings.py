"""Declarations of learning settings, each with its default, description and bounds in one place."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any

from plyground.errors import ParseError

Value = float | int | str
VISITOR_DEPTH = 6
"""Maximum search depth of a web visitor's run, in plies."""


@dataclass(frozen=True)
class Setting:
    """A setting of a learning method."""

    name: str
    default: Value
    description: str
    minimum: float | None = None
    maximum: float | None = None
    visitor_maximum: float | None = None
    """Maximum for web visitors; None if `maximum` applies to everyone."""
    choices: tuple[str, ...] = ()
    """Allowed values of a text; empty if others are allowed, too."""
    is_local: bool = False
    """Whether the setting names something on the machine, such as a program; web visitors cannot change it."""


def setting(
    default: Any,
    description: str,
    minimum: float | None = None,
    maximum: float | None = None,
    *,
    visitor_maximum: float | None = None,
    choices: tuple[str, ...] = (),
    is_local: bool = False,
) -> Any:
    """Declare a dataclass field as a setting."""
    metadata = {
        "description": description,
        "minimum": minimum,
        "maximum": maximum,
        "visitor_maximum": visitor_maximum,
        "choices": choices,
        "is_local": is_local,
    }
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
