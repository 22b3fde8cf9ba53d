"""Reads text files up to a maximum size."""

from __future__ import annotations

from pathlib import Path

from plyground.errors import ParseError, PlygroundError

MAX_FILE_BYTES = 50_000_000
"""Maximum file size, in bytes."""


def read_text(path: Path, *, latin: bool = False) -> str:
    """Read a UTF-8 file of at most `MAX_FILE_BYTES`; with `latin`, files that are not UTF-8 are read as Latin-1."""
    try:
        with path.open("rb") as file:
            data = file.read(MAX_FILE_BYTES + 1)
    except OSError as error:
        raise PlygroundError(f"{path}: cannot be read: {error.strerror}") from error
    if len(data) > MAX_FILE_BYTES:
        raise ParseError(f"{path}: must be at most {MAX_FILE_BYTES} bytes long")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        if latin:
            return data.decode("latin-1")
        raise ParseError(f"{path}: byte {error.start} is not valid UTF-8") from error
