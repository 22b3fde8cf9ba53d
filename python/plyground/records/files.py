"""Text files that are never found half written, and never read without bound."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

from plyground.errors import ParseError, PlygroundError

LARGEST = 50_000_000
"""Bytes in a file that is read."""


def write_text(path: Path, text: str) -> None:
    """Put a text on disk under a name, all of it or nothing: it is written beside and renamed.

    Whoever is killed meanwhile leaves the file as it was.
    """
    target = path.resolve()
    if target.exists() and not target.is_file():
        raise PlygroundError(f"{path}: it cannot be written, since it is not a file")
    beside = target.with_name(f".{target.name}.{secrets.token_hex(4)}.part")
    try:
        try:
            with beside.open("x", encoding="utf-8") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            beside.replace(target)
        finally:
            beside.unlink(missing_ok=True)
    except OSError as error:
        raise PlygroundError(f"{path}: it cannot be written: {error.strerror}") from error


def read_text(path: Path, *, latin: bool = False) -> str:
    """The text of a file of at most `LARGEST` bytes, in UTF-8; with `latin`, what is not UTF-8 is read as Latin-1."""
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST + 1)
    except OSError as error:
        raise PlygroundError(f"{path}: it cannot be read: {error.strerror}") from error
    if len(data) > LARGEST:
        raise ParseError(f"{path}: it is longer than {LARGEST} bytes")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        if latin:
            return data.decode("latin-1")
        raise ParseError(f"{path}: byte {error.start} is not UTF-8 text") from error
