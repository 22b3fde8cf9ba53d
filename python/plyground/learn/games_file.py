"""Files of labelled games: training data that takes hours to make and is used by several training runs.

A file is a line of JSON (the format and the settings the games depend on) and chunks of games. Games are appended in
order, so that an interrupted run loses at most one chunk, and a resumed run writes the same bytes.
"""

from __future__ import annotations

import json
import os
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from plyground.errors import ParseError, PlygroundError

FORMAT = "plyground games 1"
CHUNK_GAMES = 50
"""Games per chunk; the last chunk of a file may have fewer."""
_MAX_HEADER = 4096
_MAX_CHUNK = 1 << 24


class GamesFile:
    """A file of labelled games, opened for reading and appending."""

    def __init__(self, path: Path, settings: Mapping[str, Any]) -> None:
        """Open or create a file; a file made with other settings raises `ParseError`."""
        self._path = path
        self._header = json.dumps({"format": FORMAT, **settings}, sort_keys=True).encode() + b"\n"
        try:
            if not path.exists():
                path.write_bytes(self._header)
            with path.open("rb") as file:
                found = file.readline(_MAX_HEADER)
        except OSError as error:
            raise self._error(f"cannot be opened: {error.strerror}") from error
        if found != self._header:
            raise ParseError(
                f"{path}: these games were made with other settings: expected "
                f"{self._header.decode().strip()}, found {found.decode(errors='replace').strip()[:1000]}"
            )

    def read(self) -> Iterator[bytes]:
        """Yield the chunks, as written by `append`; an incomplete chunk at the end is cut off."""
        with self._path.open("r+b") as file:
            file.seek(len(self._header))
            size = os.fstat(file.fileno()).st_size
            while (start := file.tell()) < size:
                length, checksum = int.from_bytes(file.read(4), "little"), int.from_bytes(file.read(4), "little")
                if start + 8 + length > size:
                    file.truncate(start)
                    return
                data = file.read(length) if length <= _MAX_CHUNK else b""
                if zlib.crc32(data) != checksum:
                    raise ParseError(f"{self._path}: the games at byte {start} are corrupted")
                yield self._decompress(data)

    def append(self, chunk: bytes) -> None:
        """Append a chunk of serialised games."""
        data = zlib.compress(chunk, 9)
        try:
            with self._path.open("ab") as file:
                file.write(len(data).to_bytes(4, "little") + zlib.crc32(data).to_bytes(4, "little") + data)
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise self._error(f"cannot be written: {error.strerror}") from error

    def _decompress(self, data: bytes) -> bytes:
        decoder = zlib.decompressobj()
        try:
            chunk = decoder.decompress(data, _MAX_CHUNK)
        except zlib.error as error:
            raise ParseError(f"{self._path}: corrupted games: {error}") from None
        if not decoder.eof:
            raise ParseError(f"{self._path}: corrupted games")
        return chunk

    def _error(self, why: str) -> PlygroundError:
        return PlygroundError(f"{self._path}: {why}")
