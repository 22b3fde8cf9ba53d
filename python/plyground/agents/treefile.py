"""Trees of a search in files: a line that says what it is, a line of JSON, then all it knows, compressed."""

from __future__ import annotations

import hashlib
import json
import os
import zlib
from collections.abc import Sequence
from pathlib import Path

from plyground._engine import Position, Search
from plyground.errors import ParseError
from plyground.games import position as position_of

MAGIC = b"plyground tree 1\n"
LONGEST_HEADER = 1 << 20
"""Bytes."""

Tunables = Sequence[tuple[str, str]]


def save_tree(path: Path, search: Search, position: Position, tunables: Tunables) -> None:
    """Write what a search that stands at a position knows; the file is whole or not there."""
    dumped = search.dump()
    header = {
        "game": position.game.spec,
        "start": position.replay(0).text,
        "moves": position.history,
        "tunables": dict(tunables),
        "bytes": len(dumped),
        "sha256": hashlib.sha256(dumped).hexdigest(),
    }
    beside = path.with_name(path.name + ".part")
    with beside.open("wb") as file:
        file.write(MAGIC + json.dumps(header).encode() + b"\n" + zlib.compress(dumped, 1))
        file.flush()
        os.fsync(file.fileno())
    beside.replace(path)


def read_tree(path: Path, tunables: Tunables, mebibytes: int) -> tuple[Position, bytes]:
    """Where the search of a file stood, and what it knew; refused unless it searched with the same tunables."""

    def wrong(why: str) -> ParseError:
        return ParseError(f"{path}: {why}; accepted is a tree that this version of Plyground saved")

    try:
        with path.open("rb") as file:
            if file.readline(len(MAGIC)) != MAGIC:
                raise wrong("it is no tree of a search")
            header = json.loads(file.readline(LONGEST_HEADER))
            unpacked = zlib.decompressobj()
            # What a hostile file unpacks to is never more than the tree may take.
            dumped = unpacked.decompress(file.read(mebibytes << 20), mebibytes << 20)
        game, start, moves = header["game"], header["start"], header["moves"]
        searched, size, checksum = header["tunables"], header["bytes"], header["sha256"]
        if not isinstance(game, str) or not isinstance(start, str) or not isinstance(size, int):
            raise wrong("its second line is not what it should be")
        if not isinstance(moves, list) or not all(isinstance(move, str) for move in moves):
            raise wrong("its moves are not texts")
    except ParseError:
        raise
    except OSError as error:
        raise ParseError(f"{path}: {error.strerror or error}") from error
    except (ValueError, KeyError, TypeError, zlib.error) as error:
        raise wrong("it is damaged") from error
    if len(dumped) < size and (unpacked.unconsumed_tail or size > mebibytes << 20):
        raise ParseError(f"{path}: its tree takes {(size >> 20) + 1} mebibytes; accepted is at most {mebibytes}")
    if len(dumped) != size or hashlib.sha256(dumped).hexdigest() != checksum:
        raise wrong("it is damaged")
    if searched != dict(tunables):
        options = ", ".join(f"{key}={value}" for key, value in searched.items()) or "no options"
        raise ParseError(f"{path}: its search had {options}; accepted is the same")
    return position_of(game, start, moves), dumped
