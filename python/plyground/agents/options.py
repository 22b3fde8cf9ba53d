"""Options of agents are texts; here they are read, and refused with what would be accepted."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from plyground.errors import ParseError
from plyground.weights import load_file


def whole(options: Mapping[str, str], key: str, most: int = 2**63) -> int | None:
    """A whole number above 0 and up to `most`, or None where the option is not given.

    >>> whole({"depth": "3"}, "depth")
    3
    >>> whole({"depth": "-3"}, "depth", most=99)
    Traceback (most recent call last):
    plyground.errors.ParseError: option depth='-3': accepted is a whole number from 1 to 99
    """
    if key not in options:
        return None
    text = options[key]
    value = int(text) if text.isdecimal() and len(text) < 20 else 0
    if not 1 <= value <= most:
        accepted = f"a whole number from 1 to {most}" if most < 2**63 else "a whole number above 0"
        raise ParseError(f"option {key}={text!r}: accepted is {accepted}")
    return value


def number(options: Mapping[str, str], key: str) -> float | None:
    """A number above 0, or None where the option is not given."""
    if key not in options:
        return None
    try:
        value = float(options[key])
    except ValueError:
        value = 0
    if not 0 < value < 1e9:
        raise ParseError(f"option {key}={options[key]!r}: accepted is a number above 0")
    return value


def number_within(options: Mapping[str, str], key: str, least: float, most: float) -> float | None:
    """A number within bounds, both allowed, or None where the option is not given.

    >>> number_within({"c": "0"}, "c", 0, 100)
    0.0
    """
    if key not in options:
        return None
    try:
        value = float(options[key])
    except ValueError:
        value = float("nan")
    if not least <= value <= most:
        raise ParseError(f"option {key}={options[key]!r}: accepted is a number from {least:g} to {most:g}")
    return value


def truth(options: Mapping[str, str], key: str, *, default: bool) -> bool:
    """Whether an option is true.

    >>> truth({"pruning": "false"}, "pruning", default=True)
    False
    """
    given = options.get(key, str(default).lower())
    if given not in ("true", "false"):
        raise ParseError(f"option {key}={given!r}: accepted is true or false")
    return given == "true"


def weights_named(options: Mapping[str, str]) -> str | None:
    """The set of weights that the options name, or None; a file is read here, so that a broken one is refused early."""
    name = options.get("weights")
    if name is not None and name.endswith(".safetensors"):
        load_file(Path(name))
    return name
