"""Networks: shipped with the package or loaded from files.

The header of a file contains the game, the architecture and the training metadata. A file is checked before it is used,
and the engine checks the shapes and values of the arrays.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from plyground._engine import Network, Position
from plyground.errors import UnknownNameError, WeightsError, unknown_name
from plyground.files import write_bytes
from plyground.games import game as make_game
from plyground.weights.metadata import format_metadata, read_metadata
from plyground.weights.safetensors import Tensor, read, read_file, write

FORMAT = "plyground-network-1"
FOLDER = Path(__file__).parent / "sets"
"""The shipped networks: one folder per game, one file per network."""
BEST = "best"
"""Name of the network that a game ships for its searches."""
MAX_BUCKET_PIECES = 1024

_NAME = re.compile(r"[a-z][a-z0-9_-]*")
_sources: dict[str, Callable[[str], CompactNetwork]] = {}
"""Registered sources by name prefix."""


@dataclass(frozen=True)
class CompactNetwork:
    """A compact network of a game; see `plyground._engine.Network` for its arrays."""

    game: str
    """The spec of the game."""
    tensors: Mapping[str, Tensor] = field(repr=False)
    """The arrays by name, with 32-bit floating-point elements."""
    bucket_pieces: int = MAX_BUCKET_PIECES
    """Number of pieces per bucket of the value head."""
    method: str = "network"
    """How the network was trained: network or dqn."""
    games: int = 0
    """Number of training games."""
    seed: int = 0
    settings: Mapping[str, Any] = field(default_factory=dict)
    """Settings of the method."""
    description: str = ""
    date: str = ""
    """ISO 8601 date: ``2026-11-15``."""
    rating: Mapping[str, float] = field(default_factory=dict)
    """Result of a match: elo, low, high and games."""

    @property
    def label(self) -> str:
        """The method and the number of training games, for the spec of an agent: `network-300`."""
        return f"{self.method}-{self.games}"

    @property
    def parameters(self) -> int:
        """Number of weights and biases."""
        return sum(len(tensor.data) // 4 for tensor in self.tensors.values())


def names(game: str) -> list[str]:
    """Return the names of the shipped networks of a game."""
    return sorted(file.stem for file in (FOLDER / make_game(game).id).glob("*.safetensors"))


def register_source(prefix: str, source: Callable[[str], CompactNetwork]) -> None:
    """Register a source, in this process, for the networks whose names begin with a prefix and a hyphen."""
    _sources[prefix] = source


def load(name: str, game: str) -> CompactNetwork:
    """Load a network by name, or from a file whose path ends in ``.safetensors``.

    >>> load("nobody", "checkers")
    Traceback (most recent call last):
    plyground.errors.UnknownNameError: unknown network 'nobody' for checkers; available: ...
    """
    chosen = make_game(game)
    if name.endswith(".safetensors"):
        return load_file(Path(name))
    if (source := _source(name)) is not None:
        found = source(name)
        if found.game != chosen.spec:
            raise WeightsError(f"{name}: expected a network for {chosen.spec}, got a network for {found.game}")
        return found
    file = FOLDER / chosen.id / f"{name}.safetensors"
    if not _NAME.fullmatch(name) or not file.exists():
        available = [*names(chosen.id), "a path ending in .safetensors"]
        raise unknown_name("network", name, available, scope=f"for {chosen.id}")
    return load_file(file)


def load_file(file: Path) -> CompactNetwork:
    """Load and check a file."""
    return read_file(file, from_bytes)


def from_bytes(data: bytes) -> CompactNetwork:
    """Parse and check the content of a file."""
    tensors, header = read(data)
    if header.get("format") != FORMAT:
        raise WeightsError(f"not a network file: the format must be {FORMAT}, got {str(header.get('format'))[:80]!r}")
    for name, tensor in tensors.items():
        if tensor.dtype != "F32":
            raise WeightsError(f"the type of array {name[:80]!r} must be F32, got {tensor.dtype}")
    pieces = header.get("bucket_pieces", "")
    if not (pieces.isdecimal() and len(pieces) < 5 and 1 <= int(pieces) <= MAX_BUCKET_PIECES):
        raise WeightsError(f"bucket_pieces must be between 1 and {MAX_BUCKET_PIECES}, got {pieces[:80]!r}")
    try:
        start = make_game(header.get("game", "")).start()
    except UnknownNameError as error:
        raise WeightsError(str(error)) from None
    network = CompactNetwork(start.game.spec, tensors, int(pieces), **read_metadata(header))
    make_engine_network(network, start)
    return network


def to_bytes(network: CompactNetwork) -> bytes:
    """Serialise a network; equal networks give equal bytes."""
    header = {
        "format": FORMAT,
        "game": network.game,
        "bucket_pieces": str(network.bucket_pieces),
        "made": format_metadata(network),
    }
    return write(network.tensors, header)


def save(file: Path, network: CompactNetwork) -> None:
    """Write a network to a file atomically."""
    write_bytes(file, to_bytes(network))


def make_engine_network(network: CompactNetwork, position: Position) -> Network:
    """Convert a network for the searches of the engine; `position` is any position of its game."""
    tensors = [(name, tensor.shape, tensor.data) for name, tensor in network.tensors.items()]
    return Network(position, tensors, bucket_pieces=network.bucket_pieces)


def checked_network(name: str | CompactNetwork | None) -> str | CompactNetwork | None:
    """Return a network or its name unchanged; a file is loaded, so that an invalid one is rejected early."""
    if isinstance(name, str) and name.endswith(".safetensors"):
        load_file(Path(name))
    return name


def engine_network(name: str | CompactNetwork, position: Position) -> Network:
    """Load a network for a position's game in the form that the searches use; the search checks the game."""
    if isinstance(name, CompactNetwork):
        return make_engine_network(name, make_game(name.game).start())
    if name.endswith(".safetensors") or _source(name) is not None:
        found = load(name, position.game.spec)
        return make_engine_network(found, make_game(found.game).start())
    return _shipped(name, position.game.id)


def _source(name: str) -> Callable[[str], CompactNetwork] | None:
    """Return the source registered for the part of a name before the first hyphen, if any."""
    before, hyphen, _ = name.partition("-")
    return _sources.get(before) if hyphen and _NAME.fullmatch(name) else None


@lru_cache(maxsize=16)
def _shipped(name: str, game: str) -> Network:
    return make_engine_network(load(name, game), make_game(game).start())
