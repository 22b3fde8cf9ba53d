"""Names of chess openings, looked up by position, so that transpositions are found.

`tools/compile_openings.py` compiles the data file from the public domain data set lichess-org/chess-openings.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from plyground._engine import Position
from plyground.games import game

MAX_PLIES = 60
"""Only positions up to this ply are looked up; the longest line in the data set has 36 plies."""
HEADER = b"Plyground opening names 1, from lichess-org/chess-openings (CC0)\n"
KEY_BYTES = 6
_FILE = Path(__file__).with_suffix(".bin")


@dataclass(frozen=True)
class Opening:
    """A named chess opening."""

    eco: str
    """Code of the Encyclopaedia of Chess Openings, such as ``B90``."""
    name: str
    """Opening and variation, such as ``Sicilian Defense: Najdorf Variation``."""

    @property
    def tags(self) -> dict[str, str]:
        """The PGN tags ECO, Opening and, if there is one, Variation.

        >>> Opening("B90", "Sicilian Defense: Najdorf Variation").tags
        {'ECO': 'B90', 'Opening': 'Sicilian Defense', 'Variation': 'Najdorf Variation'}
        """
        opening, _, variation = self.name.partition(": ")
        return {"ECO": self.eco, "Opening": opening} | ({"Variation": variation} if variation else {})


def opening_at(position: Position) -> Opening | None:
    """Return the opening that is named after this position."""
    if position.game.id != "chess" or not 0 < position.ply <= MAX_PLIES:
        return None
    return _openings().get(position_key(position))


def opening_of(spec: str, start: str | None, moves: Iterable[str]) -> Opening | None:
    """Return the last named opening in a legal game; None for other games than chess.

    >>> opening_of("chess", None, ["Nf3", "d5", "d4", "Nf6"])
    Opening(eco='D02', name="Queen's Pawn Game: Symmetrical Variation")
    """
    if spec.partition("(")[0] != "chess":
        return None
    position, found = game(spec).position(start), None
    for move, _ in zip(moves, range(MAX_PLIES), strict=False):
        position = position.play(move)
        found = opening_at(position) or found
    return found


def position_key(position: Position) -> bytes:
    """Return the key of a chess position: pieces, side to move, castling rights and en passant."""
    text = " ".join(position.text.split()[:4])
    return hashlib.blake2b(text.encode(), digest_size=KEY_BYTES).digest()


def encode(openings: Mapping[bytes, Opening]) -> bytes:
    """Return the data file: a header, the number of openings, their keys, and their compressed codes and names."""
    entries = sorted(openings.items(), key=lambda entry: (entry[1].name, entry[1].eco, entry[0]))
    names = "\n".join(f"{opening.eco}\t{opening.name}" for _, opening in entries)
    keys = b"".join(key for key, _ in entries)
    return HEADER + len(entries).to_bytes(4, "little") + keys + zlib.compress(names.encode(), 9)


def decode(data: bytes) -> dict[bytes, Opening]:
    """Return the openings in a data file by key."""
    at = len(HEADER) + 4
    count = int.from_bytes(data[len(HEADER) : at], "little")
    names = zlib.decompress(data[at + count * KEY_BYTES :]).decode().split("\n")
    keys = (data[start : start + KEY_BYTES] for start in range(at, at + count * KEY_BYTES, KEY_BYTES))
    return {key: Opening(*line.split("\t")) for key, line in zip(keys, names, strict=True)}


@cache
def _openings() -> dict[bytes, Opening]:
    return decode(_FILE.read_bytes())
