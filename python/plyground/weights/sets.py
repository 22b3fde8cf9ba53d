"""Sets of weights: those of the package by name, any others by file, or by name from a source that was added.

A file says in its header of which game and kind it is, the names of its terms, how it was made, and from which seed;
all of it is checked before a search believes it.
"""

from __future__ import annotations

import json
import math
import re
from array import array
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

from plyground._engine import Position, Weights, count_patterns, terms
from plyground.errors import UnknownNameError, WeightsError
from plyground.games import game as make_game
from plyground.weights.safetensors import LARGEST, Tensor, read, write

FORMAT = "plyground-weights-1"
FOLDER = Path(__file__).parent / "sets"
"""The sets of the package: a folder for each game, a file for each set."""
START = "default"
"""The set that every game with terms has: what they are worth before anything is learned."""

BEST = "best"
"""The set by which tree searches judge where nobody says otherwise."""

RUN = "run"
"""The prefix of names of what training runs had learned: ``run-3-200`` is run 3 after 200 games."""

_NAME = re.compile(r"[a-z][a-z0-9_-]*")

Kind = Literal["terms", "patterns"]
_sources: dict[str, Callable[[str], WeightSet]] = {}
"""Who gives sets that are neither the package's nor files, by the prefix of their names."""


@dataclass(frozen=True)
class WeightSet:
    """What things are worth in a game."""

    game: str
    """The id of the game."""
    kind: Kind
    values: Mapping[str, float] = field(default_factory=dict)
    """For terms: the weight of each, by name."""
    table: bytes = b""
    """For patterns: two numbers of 16 bits each, for the beginning and for the end, in sixteenths of a hundredth."""
    method: str = "hand"
    """How it came about: start, hand, td, tdleaf or fit."""
    games: int = 0
    """Games it was learned from."""
    seed: int = 0
    settings: Mapping[str, Any] = field(default_factory=dict)
    """What the method was told."""
    about: str = ""
    """A line for people."""
    date: str = ""
    """The day it was made: ``2026-11-15``."""
    rating: Mapping[str, float] = field(default_factory=dict)
    """How it stands to the starting weights: elo, low and high of a match, its games, and the depth of its searches."""


def names(game: str) -> list[str]:
    """The names of the sets of the package for a game, the starting weights first.

    >>> names("tictactoe")[0]
    'default'
    """
    start = [START] if terms(make_game(game).start()) else []
    return start + sorted(file.stem for file in (FOLDER / make_game(game).id).glob("*.safetensors"))


def add_source(prefix: str, source: Callable[[str], WeightSet]) -> None:
    """Let a source give the sets whose names begin with a prefix and a hyphen, in this process, from now on."""
    _sources[prefix] = source


def load(name: str, game: str) -> WeightSet:
    """A set by its name in the package or in a source, or by its file, whose path ends in ``.safetensors``.

    >>> load("nobody", "checkers")
    Traceback (most recent call last):
    plyground.errors.UnknownNameError: no weights of checkers are called 'nobody'; ...
    """
    chosen = make_game(game)
    if _is_from_elsewhere(name):
        source = _sources.get(_prefix(name) or "")
        found = load_file(Path(name)) if source is None else source(name)
        if found.game != chosen.id:
            raise WeightsError(f"{name}: the weights are of {found.game}; accepted here are those of {chosen.id}")
        return found
    if name == START:
        table = terms(chosen.start())
        if table:
            values = {term: start for term, _, start in table}
            return WeightSet(chosen.id, "terms", values, method="start", about="before anything is learned")
    file = FOLDER / chosen.id / f"{name}.safetensors"
    if not _NAME.fullmatch(name) or not file.exists():
        known = ", ".join(names(chosen.id)) or "none"
        raise UnknownNameError(
            f"no weights of {chosen.id} are called {name[:80]!r}; there are: {known}; "
            "or give a path that ends in .safetensors"
        )
    return load_file(file)


def load_file(file: Path) -> WeightSet:
    """The set in a file, checked against the game it names."""
    try:
        if file.stat().st_size > LARGEST:
            raise WeightsError(f"it has {file.stat().st_size} bytes; accepted are up to {LARGEST}")
        return from_bytes(file.read_bytes())
    except OSError as error:
        raise WeightsError(f"{file}: {error.strerror}") from None
    except WeightsError as error:
        raise WeightsError(f"{file}: {error}") from None


def from_bytes(data: bytes) -> WeightSet:
    """The set that a file's content is."""
    tensors, header = read(data)
    if header.get("format") != FORMAT:
        raise WeightsError(f"its header does not say that it holds weights; accepted is format {FORMAT}")
    try:
        position = make_game(header.get("game", "")).start()
    except UnknownNameError as error:
        raise WeightsError(str(error)) from None
    kind = header.get("kind")
    values: dict[str, float] = {}
    table = b""
    if kind == "terms":
        expected = [name for name, _, _ in terms(position)]
        if not expected or header.get("terms") != json.dumps(expected):
            raise WeightsError(
                f"its terms are not those of {position.game.id}; accepted are {', '.join(expected) or 'none'}"
            )
        numbers = _array(tensors, "F64", (len(expected),))
        values = dict(zip(expected, array("d", numbers.data), strict=True))
        if not all(math.isfinite(value) for value in values.values()):
            raise WeightsError("a weight is no finite number")
    elif kind == "patterns":
        table = _array(tensors, "I16", (count_patterns(position), 2)).data
    else:
        raise WeightsError(f"kind {str(kind)[:80]!r}; accepted is terms or patterns")
    try:
        made = json.loads(header.get("made", "{}"))
        return WeightSet(
            position.game.id,
            "terms" if values else "patterns",
            values,
            table,
            str(made.get("method", "hand")),
            int(made.get("games", 0)),
            int(made.get("seed", 0)),
            dict(made.get("settings", {})),
            str(made.get("about", "")),
            str(made.get("date", "")),
            {str(name): float(number) for name, number in made.get("rating", {}).items()},
        )
    except (ValueError, TypeError, AttributeError, RecursionError):
        raise WeightsError(
            "its header does not say how it was made as it should: method, games, seed, settings, date, rating"
        ) from None


def to_bytes(weights: WeightSet) -> bytes:
    """The content of the file of a set; the same set always makes the same bytes."""
    made = {
        "method": weights.method,
        "games": weights.games,
        "seed": weights.seed,
        "settings": dict(weights.settings),
        "about": weights.about,
        "date": weights.date,
        "rating": dict(weights.rating),
    }
    header = {"format": FORMAT, "game": weights.game, "kind": weights.kind, "made": json.dumps(made)}
    if weights.kind == "terms":
        header["terms"] = json.dumps(list(weights.values))
        tensor = Tensor("F64", (len(weights.values),), array("d", weights.values.values()).tobytes())
    else:
        tensor = Tensor("I16", (len(weights.table) // 4, 2), weights.table)
    return write({"weights": tensor}, header)


def save(file: Path, weights: WeightSet) -> None:
    """Write a set to a file, beside and then in its place."""
    beside = file.with_name(file.name + ".part")
    try:
        beside.write_bytes(to_bytes(weights))
        beside.replace(file)
    except OSError as error:
        raise WeightsError(f"{file}: {error.strerror}") from None


@lru_cache(maxsize=64)
def has_best(game: str) -> bool:
    """Whether the package has weights of a game that are called best: those its tree search judges by.

    >>> has_best("checkers"), has_best("tictactoe")
    (True, False)
    """
    return (FOLDER / game / f"{BEST}.safetensors").exists()


@lru_cache(maxsize=16)
def _shipped(name: str, game: str) -> Weights:
    return _engine(load(name, game), make_game(game).start())


def engine_weights(name: str, position: Position) -> Weights:
    """A set as the engine's searches take it, for the game of a position."""
    if _is_from_elsewhere(name):
        return _engine(load(name, position.game.id), position)
    return _shipped(name, position.game.id)


def _is_from_elsewhere(name: str) -> bool:
    return name.endswith(".safetensors") or _prefix(name) in _sources


def _prefix(name: str) -> str | None:
    """What stands before the hyphen of a name."""
    before, hyphen, _ = name.partition("-")
    return before if hyphen and _NAME.fullmatch(name) else None


def _engine(weights: WeightSet, position: Position) -> Weights:
    if weights.kind == "terms":
        return Weights.of_terms(position, list(weights.values.values()))
    return Weights.of_patterns(position, weights.table)


def _array(tensors: Mapping[str, Tensor], dtype: str, shape: tuple[int, ...]) -> Tensor:
    found = tensors.get("weights")
    if found is None or len(tensors) != 1:
        raise WeightsError("it has other arrays than one called weights")
    if (found.dtype, found.shape) != (dtype, shape):
        raise WeightsError(f"its array is {found.dtype} {list(found.shape)}; accepted is {dtype} {list(shape)}")
    return found
