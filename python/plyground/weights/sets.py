"""Sets of evaluation weights: shipped with the package, loaded from files, or provided by registered sources.

The header of a file contains the game, the kind of weights, the feature names and training metadata. It is checked
before the weights are used.
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

from plyground._engine import Position, QTable, Weights, features, pattern_count
from plyground.errors import UnknownNameError, WeightsError, unknown_name
from plyground.files import write_bytes
from plyground.games import game as make_game
from plyground.weights.metadata import format_metadata, read_metadata
from plyground.weights.safetensors import Tensor, read, read_file, write

FORMAT = "plyground-weights-2"
FORMAT_1 = "plyground-weights-1"
"""The previous format, which can still be read. It called features "terms"."""
FOLDER = Path(__file__).parent / "sets"
"""The shipped sets: one folder per game, one file per set."""
DEFAULT = "default"
"""Name of the hand-chosen initial weights, which every game with features has."""

BEST = "best"
"""Name of the set that tree searches use by default."""

QLEARNING = "qlearning"
"""Name of the Q-values that a game ships for the agent of that name; other Q-values have names that begin with it."""

RUN_PREFIX = "run"
"""Name prefix of the weights of training runs: ``run-3-200`` is run 3 after 200 games."""

_NAME = re.compile(r"[a-z][a-z0-9_-]*")

Kind = Literal["features", "patterns", "qlearning"]
_sources: dict[str, Callable[[str], WeightSet]] = {}
"""Registered sources by name prefix."""


@dataclass(frozen=True)
class WeightSet:
    """Evaluation weights of a game."""

    game: str
    """The id of the game."""
    kind: Kind
    values: Mapping[str, float] = field(default_factory=dict)
    """Feature weights by name."""
    table: bytes = field(default=b"", repr=False)
    """16-bit integers. Pattern weights: two per pattern, for the opening and the endgame, in 1/16 centipawn.
    Q-values: one per position or tuple, in units of `scale`."""
    keys: bytes | None = field(default=None, repr=False)
    """Keys of the positions that have Q-values, 8 bytes each in ascending order; None for Q-values of tuples."""
    scale: float = 1.0
    board: str = ""
    """The spec of the game that Q-values were learned for, because they depend on the size of the board."""
    method: str = "hand"
    """The method that produced the weights: start, hand, td, tdleaf, fit or qlearning."""
    games: int = 0
    """Number of training games."""
    seed: int = 0
    settings: Mapping[str, Any] = field(default_factory=dict)
    """Settings of the method."""
    description: str = ""
    date: str = ""
    """ISO 8601 date: ``2026-11-15``."""
    rating: Mapping[str, float] = field(default_factory=dict)
    """Result of a match against the default weights: elo, low, high, games and depth (in plies)."""

    @property
    def label(self) -> str:
        """The method and the number of training games, for the spec of an agent: `td-300`."""
        return f"{self.method}-{self.games}"


def names(game: str, *, q_values: bool = False) -> list[str]:
    """Return the names of the shipped evaluation weights of a game, the default first, or of its Q-values.

    >>> names("tictactoe"), names("tictactoe", q_values=True)
    (['default'], ['qlearning'])
    """
    default = [DEFAULT] if features(make_game(game).start()) and not q_values else []
    files = (FOLDER / make_game(game).id).glob("*.safetensors")
    return default + sorted(file.stem for file in files if file.stem.startswith(QLEARNING) == q_values)


def register_source(prefix: str, source: Callable[[str], WeightSet]) -> None:
    """Register a source, in this process, for the sets whose names begin with a prefix and a hyphen."""
    _sources[prefix] = source


def load(name: str, game: str) -> WeightSet:
    """Load a set by name, or from a file whose path ends in ``.safetensors``.

    >>> load("nobody", "checkers")
    Traceback (most recent call last):
    plyground.errors.UnknownNameError: unknown weights 'nobody' for checkers; available: ...
    """
    chosen = make_game(game)
    if _is_external(name):
        source = _sources.get(_prefix(name) or "")
        found = load_file(Path(name)) if source is None else source(name)
        if found.game != chosen.id:
            raise WeightsError(f"{name}: expected weights for {chosen.id}, got weights for {found.game}")
        return found
    if name == DEFAULT:
        declared = features(chosen.start())
        if declared:
            values = {feature: weight for feature, _, weight in declared}
            return WeightSet(chosen.id, "features", values, method="start", description="initial weights")
    file = FOLDER / chosen.id / f"{name}.safetensors"
    if not _NAME.fullmatch(name) or not file.exists():
        available = [*names(chosen.id), "a path ending in .safetensors"]
        raise unknown_name("weights", name, available, scope=f"for {chosen.id}")
    return load_file(file)


def load_file(file: Path) -> WeightSet:
    """Load and check a file."""
    return read_file(file, from_bytes)


def from_bytes(data: bytes) -> WeightSet:
    """Parse and check the content of a file."""
    tensors, header = read(data)
    if header.get("format") == FORMAT_1:
        header = _upgraded(header)
    if header.get("format") != FORMAT:
        raise WeightsError(f"not a weights file: the format must be {FORMAT}, got {str(header.get('format'))[:80]!r}")
    try:
        position = make_game(header.get("game", "")).start()
    except UnknownNameError as error:
        raise WeightsError(str(error)) from None
    kind = header.get("kind")
    if kind == "qlearning":
        return _read_q_values(position, tensors, header)
    values: dict[str, float] = {}
    table = b""
    if kind == "features":
        expected = [name for name, _, _ in features(position)]
        if not expected or header.get("features") != json.dumps(expected):
            raise WeightsError(f"the features must be those of {position.game.id}: {', '.join(expected) or 'none'}")
        numbers = _array(tensors, "F64", (len(expected),))
        values = dict(zip(expected, array("d", numbers.data), strict=True))
        for name, value in values.items():
            if not math.isfinite(value):
                raise WeightsError(f"weight {name} must be a finite number, got {value}")
    elif kind == "patterns":
        table = _array(tensors, "I16", (pattern_count(position), 2)).data
    else:
        raise WeightsError(f"kind must be features, patterns or qlearning, got {str(kind)[:80]!r}")
    stored: Kind = "features" if values else "patterns"
    return WeightSet(position.game.id, stored, values, table, **read_metadata(header))


def _read_q_values(position: Position, tensors: Mapping[str, Tensor], header: Mapping[str, str]) -> WeightSet:
    """Check the arrays of a file of Q-values; `position` is the start of its game with its options."""
    arrays = dict(tensors)
    keys = arrays.pop("keys", None)
    table = arrays.get("weights")
    if table is None or len(arrays) != 1 or (table.dtype, len(table.shape)) != ("I16", 1):
        raise WeightsError("the file must contain an I16 array named weights and, for a table of positions, keys")
    if keys is not None and (keys.dtype, keys.shape) != ("U64", table.shape):
        raise WeightsError(f"the array keys must be U64 {list(table.shape)}, got {keys.dtype} {list(keys.shape)}")
    try:
        scale = float(header.get("scale", ""))
    except ValueError:
        raise WeightsError(f"scale must be a number, got {header.get('scale', '')[:80]!r}") from None
    found = WeightSet(
        position.game.id,
        "qlearning",
        table=table.data,
        keys=None if keys is None else keys.data,
        scale=scale,
        board=position.game.spec,
        **read_metadata(header),
    )
    make_q_table(found, position)
    return found


def make_q_table(weights: WeightSet, position: Position) -> QTable:
    """Convert Q-values for the engine; `position` is any position of the game that they were learned for."""
    return QTable(position, weights.keys, weights.table, weights.scale)


def _upgraded(header: Mapping[str, str]) -> dict[str, str]:
    """Convert a header of format 1."""
    upgraded = {**header, "format": FORMAT}
    if header.get("kind") == "terms":
        upgraded.update(kind="features", features=upgraded.pop("terms", ""))
    try:
        made = json.loads(header.get("made", "{}"))
        made["description"] = made.pop("about", "")
        upgraded["made"] = json.dumps(made)
    except (ValueError, TypeError, AttributeError, RecursionError):
        pass  # reported by the caller
    return upgraded


def to_bytes(weights: WeightSet) -> bytes:
    """Serialise a set; equal sets give equal bytes."""
    header = {"format": FORMAT, "game": weights.game, "kind": weights.kind, "made": format_metadata(weights)}
    if weights.kind == "features":
        header["features"] = json.dumps(list(weights.values))
        tensor = Tensor("F64", (len(weights.values),), array("d", weights.values.values()).tobytes())
    elif weights.kind == "patterns":
        tensor = Tensor("I16", (len(weights.table) // 4, 2), weights.table)
    else:
        header |= {"game": weights.board, "scale": repr(weights.scale)}
        tensor = Tensor("I16", (len(weights.table) // 2,), weights.table)
    tensors = {} if weights.keys is None else {"keys": Tensor("U64", (len(weights.keys) // 8,), weights.keys)}
    return write({**tensors, "weights": tensor}, header)


def save(file: Path, weights: WeightSet) -> None:
    """Write a set to a file atomically."""
    write_bytes(file, to_bytes(weights))


@lru_cache(maxsize=64)
def has_best(game: str) -> bool:
    """Whether the package has a set named best for a game; if so, tree searches use it by default.

    >>> has_best("checkers"), has_best("tictactoe")
    (True, False)
    """
    return (FOLDER / game / f"{BEST}.safetensors").exists()


@lru_cache(maxsize=16)
def _shipped(name: str, game: str) -> Weights:
    return _engine(load(name, game), make_game(game).start())


def checked_weights(name: str | WeightSet | None) -> str | WeightSet | None:
    """Return weights or their name unchanged; a file is loaded once, so that an invalid one is rejected early."""
    if isinstance(name, str) and name.endswith(".safetensors"):
        load_file(Path(name))
    return name


def engine_weights(name: str | WeightSet, position: Position) -> Weights:
    """Load a set for a position's game, in the form that the engine's searches use."""
    if isinstance(name, WeightSet):
        if name.game != position.game.id:
            raise WeightsError(f"expected weights for {position.game.id}, got weights for {name.game}")
        return _engine(name, position)
    if _is_external(name):
        return _engine(load(name, position.game.id), position)
    return _shipped(name, position.game.id)


def engine_q_values(name: str | WeightSet, position: Position) -> QTable:
    """Load Q-values for a position's game, in the form that the engine uses."""
    found = name if isinstance(name, WeightSet) else _load_q_values(name, position)
    if found.kind != "qlearning":
        raise WeightsError(
            f"expected Q-values, got weights of {found.kind}; learn some with: plyground train qlearning"
        )
    table = make_q_table(found, make_game(found.board).start())
    table.q_values(make_game(position.game.spec).start())
    return table


def _load_q_values(name: str, position: Position) -> WeightSet:
    id = position.game.id  # noqa: A001
    if name == QLEARNING and not names(id, q_values=True):
        raise WeightsError(
            f"{id} has no shipped Q-values; learn some with: plyground train qlearning {id}, "
            "and set the option weights to the file"
        )
    return load(name, id)


def _is_external(name: str) -> bool:
    return name.endswith(".safetensors") or _prefix(name) in _sources


def _prefix(name: str) -> str | None:
    """Return the part of a name before the first hyphen, or None if there is no hyphen."""
    before, hyphen, _ = name.partition("-")
    return before if hyphen and _NAME.fullmatch(name) else None


def _engine(weights: WeightSet, position: Position) -> Weights:
    if weights.kind == "features":
        return Weights.from_features(position, list(weights.values.values()))
    if weights.kind == "qlearning":
        raise WeightsError("these are Q-values, which only the agent qlearning uses; expected evaluation weights")
    return Weights.from_patterns(position, weights.table)


def _array(tensors: Mapping[str, Tensor], dtype: str, shape: tuple[int, ...]) -> Tensor:
    found = tensors.get("weights")
    if found is None or len(tensors) != 1:
        raise WeightsError("the file must contain exactly one array, named weights")
    if (found.dtype, found.shape) != (dtype, shape):
        raise WeightsError(f"the array must be {dtype} {list(shape)}, got {found.dtype} {list(found.shape)}")
    return found
