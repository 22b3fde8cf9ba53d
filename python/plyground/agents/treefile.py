"""Saved search trees. A file consists of a magic line, a line of JSON (the header), and the compressed tree."""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Sequence
from pathlib import Path

from plyground._engine import Position, Search
from plyground.errors import ParseError
from plyground.files import write_bytes
from plyground.games import position as make_position

MAGIC = b"plyground tree 1\n"
MAX_HEADER_BYTES = 1 << 20

SearchOptions = Sequence[tuple[str, str]]


def save_tree(path: Path, search: Search, position: Position, options: SearchOptions) -> None:
    """Write the tree of a search whose root is `position`. The write is atomic."""
    tree = search.dump()
    header = {
        "game": position.game.spec,
        "start": position.replay(0).text,
        "moves": position.history,
        "tunables": dict(options),
        "bytes": len(tree),
        "sha256": hashlib.sha256(tree).hexdigest(),
    }
    write_bytes(path, MAGIC + json.dumps(header).encode() + b"\n" + zlib.compress(tree, 1))


def read_tree(path: Path, options: SearchOptions, mebibytes: int) -> tuple[Position, bytes]:
    """Return the root position and the tree of a file; the search options must equal those it was saved with."""

    def invalid(reason: str) -> ParseError:
        return ParseError(f"{path}: {reason}; expected a tree saved by this version of Plyground")

    try:
        with path.open("rb") as file:
            if file.readline(len(MAGIC)) != MAGIC:
                raise invalid("not a search tree")
            header = json.loads(file.readline(MAX_HEADER_BYTES))
            decompressor = zlib.decompressobj()
            # The output is bounded, so that a malicious file cannot exhaust memory.
            tree = decompressor.decompress(file.read(mebibytes << 20), mebibytes << 20)
        game, start, moves = header["game"], header["start"], header["moves"]
        saved_options, size, checksum = header["tunables"], header["bytes"], header["sha256"]
        if not isinstance(game, str) or not isinstance(start, str) or not isinstance(size, int):
            raise invalid("the header is invalid")
        if not isinstance(moves, list) or not all(isinstance(move, str) for move in moves):
            raise invalid("the moves in the header are not strings")
    except ParseError:
        raise
    except OSError as error:
        raise ParseError(f"{path}: {error.strerror or error}") from error
    except (ValueError, KeyError, TypeError, zlib.error) as error:
        raise invalid("the file is corrupted") from error
    if len(tree) < size and (decompressor.unconsumed_tail or size > mebibytes << 20):
        raise ParseError(f"{path}: the tree requires {(size >> 20) + 1} MiB, but the limit is {mebibytes} MiB")
    if len(tree) != size or hashlib.sha256(tree).hexdigest() != checksum:
        raise invalid("the file is corrupted")
    if saved_options != dict(options):
        shown = ", ".join(f"{key}={value}" for key, value in saved_options.items()) or "no options"
        raise ParseError(f"{path}: the tree was saved with {shown}; the search options must be the same")
    return make_position(game, start, moves), tree
