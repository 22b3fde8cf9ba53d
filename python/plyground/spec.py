"""Specs: games and agents with their options as text, such as ``mcts(simulations=800, reuse=true)``.

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

MAX_LENGTH = 1000
SEPARATOR = "+"
"""Joins the specs of an option that takes several agents: ``committee(members=mcts+alphabeta(depth=6))``."""
_NAME = re.compile(r"[a-z][a-z0-9_-]*")
_KEY = re.compile(r"[a-z][a-z0-9_]*")
_VALUE = re.compile(r"[\w./\\+:~@ -]+")


@dataclass(frozen=True)
class Spec:
    """A name and its options, which are not validated yet."""

    name: str
    options: dict[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        if not self.options:
            return self.name
        return f"{self.name}({', '.join(f'{key}={value}' for key, value in self.options.items())})"


def parse_spec(text: str) -> Spec:
    """Parse ``name`` or ``name(key=value, ...)``."""

    def invalid(reason: str) -> ParseError:
        shown = text if len(text) <= 80 else text[:77] + "..."
        return ParseError(f"invalid spec {shown!r}: {reason}; expected name or name(key=value, key=value)")

    if len(text) > MAX_LENGTH:
        raise invalid(f"longer than {MAX_LENGTH} characters")
    name, parenthesis, rest = text.strip().partition("(")
    name = name.strip()
    if not _NAME.fullmatch(name):
        raise invalid(f"{name[:80]!r} is not a valid name")
    if not parenthesis:
        return Spec(name)
    if not rest.endswith(")"):
        raise invalid("the closing parenthesis is missing")
    options: dict[str, str] = {}
    body = rest[:-1].strip()
    for part in _split(body, ",") if body else []:
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals or not _KEY.fullmatch(key) or not (_VALUE.fullmatch(value) or ")" in value):
            raise invalid(f"{part.strip()!r} is not key=value")
        if ")" in value:
            value = SEPARATOR.join(str(parse_spec(one)) for one in split_list(value))
        if key in options:
            raise invalid(f"duplicate option {key}")
        options[key] = value
    return Spec(name, options)


def split_list(text: str) -> list[str]:
    """Split a list of specs, which are joined by `SEPARATOR`.

    >>> split_list("dqn + mcts(guides=dqn+qlearning)")
    ['dqn', 'mcts(guides=dqn+qlearning)']
    """
    return [part.strip() for part in _split(text, SEPARATOR)]


def _split(text: str, separator: str) -> list[str]:
    """Split at separators outside parentheses."""
    parts, depth = [""], 0
    for character in text:
        depth += (character == "(") - (character == ")")
        if character == separator and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return parts
