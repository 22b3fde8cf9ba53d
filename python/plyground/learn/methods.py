"""THE list of ways to learn: what they are told, and who learns so.

>>> [method.name for method in METHODS.values()]
['td', 'tdleaf', 'fit']
>>> make_learner("td", "tictactoe", {"games": 20}, seed=1).total
20
"""

from __future__ import annotations

import ast
import dataclasses
import inspect
import textwrap
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from plyground._engine import count_patterns, terms
from plyground.errors import ParseError, UnknownNameError
from plyground.games import game
from plyground.learn import fit, td
from plyground.learn.fit import FitLearner, FitSettings
from plyground.learn.td import TdLearning, TdSettings
from plyground.learn.training import Learner


@dataclass(frozen=True)
class Setting:
    """Something a method is told."""

    name: str
    default: float | int | str
    about: str
    least: float | None = None
    most: float | None = None


@dataclass(frozen=True)
class Method:
    """A way to learn."""

    name: str
    title: str
    about: str
    settings: type[Any]
    """A dataclass; its fields have defaults and a line about each."""
    make: Callable[..., Learner]
    """From a game, settings and a seed."""
    bounds: tuple[tuple[str, float, float], ...]
    can_learn: Callable[[str], bool]
    """Whether there is something to learn in the game of a spec."""
    fixed: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    """Settings that make the method what it is."""

    def options(self) -> list[Setting]:
        """What can be chosen."""
        about, bounds = field_words(self.settings), {name: (least, most) for name, least, most in self.bounds}
        return [
            Setting(name, default, about.get(name, ""), *bounds.get(name, (None, None)))
            for name, default in _defaults(self.settings).items()
            if name not in self.fixed
        ]


def _has_terms(spec: str) -> bool:
    return bool(terms(game(spec).start()))


def _has_patterns(spec: str) -> bool:
    return count_patterns(game(spec).start()) > 0


METHODS = {
    one.name: one
    for one in (
        Method(
            "td",
            "TD(λ)",
            "Learns what terms are worth from its own games, as Samuel's checkers program did.",
            TdSettings,
            TdLearning,
            td.BOUNDS,
            _has_terms,
            {"variant": "td"},
        ),
        Method(
            "tdleaf",
            "TDLeaf(λ)",
            "The same, learning at the end of the line it expects, as KnightCap did.",
            TdSettings,
            TdLearning,
            td.BOUNDS,
            _has_terms,
            {"variant": "tdleaf"},
        ),
        Method(
            "fit",
            "Regression",
            "Fits what patterns of men are worth to the results of games against itself.",
            FitSettings,
            FitLearner,
            fit.BOUNDS,
            _has_patterns,
        ),
    )
}


def make_learner(name: str, spec: str, settings: Mapping[str, Any], seed: int) -> Learner:
    """A learner that has learned nothing yet; unknown settings are errors that list the known ones."""
    method = METHODS.get(name)
    if method is None:
        raise UnknownNameError(f"no method of learning is called {name[:80]!r}; there are: {', '.join(METHODS)}")
    fields = _defaults(method.settings)
    told: dict[str, Any] = {}
    for key, value in {**settings, **method.fixed}.items():
        if key not in fields:
            raise UnknownNameError(f"{name} has no setting {key[:80]!r}; it has: {', '.join(fields)}")
        told[key] = _as(type(fields[key]), key, value)
    return method.make(game(spec).spec, method.settings(**told), seed)


def _as(kind: type, key: str, value: object) -> object:
    if kind is float and isinstance(value, int | float) and not isinstance(value, bool):
        return float(value)
    if kind is int and isinstance(value, float) and value.is_integer():
        return int(value)
    if not isinstance(value, kind) or isinstance(value, bool):
        accepted = {"int": "a whole number", "float": "a number", "str": "a text"}[kind.__name__]
        raise ParseError(f"{key}={str(value)[:80]!r}: accepted is {accepted}")
    return value


def _defaults(settings: type[Any]) -> dict[str, float | int | str]:
    defaults: dict[str, float | int | str] = vars(settings())
    return defaults


def field_words(settings: type[Any]) -> dict[str, str]:
    """The line below each field of a dataclass."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(settings))).body[0]
    found: dict[str, str] = {}
    body = tree.body if isinstance(tree, ast.ClassDef) else []
    for field, below in pairwise(body):
        match field, below:
            case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str(words))):
                found[name] = " ".join(words.split())
    return found
