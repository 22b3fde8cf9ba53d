"""Specs: the one way in which games and agents are named in text, as in ``mcts(simulations=800, reuse=true)``.

>>> parse_spec("connect4(columns=8, line=5)")
Spec(name='connect4', options={'columns': '8', 'line': '5'})
>>> str(parse_spec("  random "))
'random'
>>> parse_spec("mcts(guide=0.7, evaluator=flat(playouts=5))").options["evaluator"]
'flat(playouts=5)'
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from plyground.errors import ParseError

LONGEST = 1000
_NAME = re.compile(r"[a-z][a-z0-9_-]*")
_KEY = re.compile(r"[a-z][a-z0-9_]*")
_VALUE = re.compile(r"[\w./\\+:~@ -]+")


@dataclass(frozen=True)
class Spec:
    """A name and its options, both as texts; what they mean is decided by who is named."""

    name: str
    options: dict[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        if not self.options:
            return self.name
        return f"{self.name}({', '.join(f'{key}={value}' for key, value in self.options.items())})"


def parse_spec(text: str) -> Spec:
    """Read ``name`` or ``name(key=value, ...)``."""

    def wrong(why: str) -> ParseError:
        shown = text if len(text) <= 80 else text[:77] + "..."
        return ParseError(f"spec {shown!r}: {why}; accepted is name or name(key=value, key=value)")

    if len(text) > LONGEST:
        raise wrong(f"it is longer than {LONGEST} characters")
    name, bracket, rest = text.strip().partition("(")
    name = name.strip()
    if not _NAME.fullmatch(name):
        raise wrong(f"{name[:80]!r} is no name")
    if not bracket:
        return Spec(name)
    if not rest.endswith(")"):
        raise wrong("the closing bracket is missing")
    options: dict[str, str] = {}
    body = rest[:-1].strip()
    for part in _parts(body) if body else []:
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals or not _KEY.fullmatch(key) or not (_VALUE.fullmatch(value) or value.endswith(")")):
            raise wrong(f"{part.strip()!r} is not key=value")
        if value.endswith(")"):
            value = str(parse_spec(value))
        if key in options:
            raise wrong(f"{key} is given twice")
        options[key] = value
    return Spec(name, options)


def _parts(body: str) -> list[str]:
    """What stands between the commas that no inner bracket holds."""
    parts, depth = [""], 0
    for letter in body:
        depth += (letter == "(") - (letter == ")")
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return parts
