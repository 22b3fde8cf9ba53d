"""Values that come from JSON, checked; each error names the field and what it accepts."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, TypeVar

from plyground.errors import ParseError
from plyground.records.reading import LONGEST_TEXT

T = TypeVar("T")
Check = Callable[[str, object], T]
"""From the name of a field and its value to what it means."""


def wrong(field: str, value: object, accepted: str) -> ParseError:
    """The error of a field with this value."""
    shown = json.dumps(value)
    return ParseError(f"{field}: {shown if len(shown) <= 80 else shown[:77] + '...'}; accepted is {accepted}")


def text(field: str, value: object) -> str:
    if not isinstance(value, str) or not 0 < len(value) <= LONGEST_TEXT or not value.isprintable():
        raise wrong(field, value, f"a printable text of at most {LONGEST_TEXT} characters")
    return value


def whole(below: int) -> Check[int]:
    """Whole numbers from 0."""

    def check(field: str, value: object) -> int:
        if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < below:
            raise wrong(field, value, f"a whole number from 0 to {'2**64 - 1' if below == 2**64 else below - 1}")
        return value

    return check


def number(low: float, high: float) -> Check[float]:
    """Numbers between two others, both included."""

    def check(field: str, value: object) -> float:
        if not isinstance(value, int | float) or isinstance(value, bool) or not low <= value <= high:
            raise wrong(field, value, f"a number from {low:g} to {high:g}")
        return float(value)

    return check


def one_of(*accepted: str) -> Check[Any]:
    """One of some words."""

    def check(field: str, value: object) -> str:
        if not isinstance(value, str) or value not in accepted:
            raise wrong(field, value, f"one of {', '.join(accepted)}")
        return value

    return check


def or_none(check: Check[T]) -> Check[T | None]:
    """What another check accepts, or null."""

    def either(field: str, value: object) -> T | None:
        try:
            return None if value is None else check(field, value)
        except ParseError as error:
            raise ParseError(str(error).replace("accepted is ", "accepted is null or ", 1)) from error

    return either


def many(check: Check[T], most: int, called: str) -> Check[tuple[T, ...]]:
    """Lists of what another check accepts."""

    def each(field: str, value: object) -> tuple[T, ...]:
        if not isinstance(value, list) or len(value) > most:
            raise wrong(field, value, f"a list of at most {most} {called}")
        return tuple(check(f"{field}[{index}]", one) for index, one in enumerate(value))

    return each


def mapping(check: Check[T], most: int, called: str) -> Check[dict[str, T]]:
    """Objects whose values another check accepts."""

    def each(field: str, value: object) -> dict[str, T]:
        if not isinstance(value, dict) or len(value) > most:
            raise wrong(field, value, f"an object from {called}")
        return {text(field, key): check(f"{field}.{key:.80}", one) for key, one in value.items()}

    return each


def fields(checks: dict[str, Check[Any]], field: str, value: object) -> dict[str, Any]:
    """The fields that an object has, each checked; a field without a check is an error."""
    if not isinstance(value, dict):
        raise wrong(field or "it", value, f"an object with {', '.join(checks)}")
    for key in value:
        if key not in checks:
            inside = f" of {field}" if field else ""
            raise ParseError(f"{key[:80]!r} is not a field{inside}; accepted are {', '.join(checks)}")
    return {key: checks[key](f"{field}.{key}" if field else key, one) for key, one in value.items()}
