"""Atomic file writes: a reader sees either the previous content or the complete new content."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

from plyground.errors import PlygroundError


def write_bytes(path: Path, data: bytes) -> None:
    """Write a file atomically: write a temporary file in the same folder, fsync it, and rename it.

    If the process is killed, the previous file stays intact. Symbolic links are followed.
    """
    target = path.resolve()
    if target.exists() and not target.is_file():
        raise PlygroundError(f"{path}: cannot be written: it is not a file")
    temporary = target.with_name(f".{target.name}.{secrets.token_hex(4)}.part")
    try:
        try:
            with temporary.open("xb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            temporary.replace(target)
        finally:
            temporary.unlink(missing_ok=True)
    except OSError as error:
        raise PlygroundError(f"{path}: cannot be written: {error.strerror}") from error


def write_text(path: Path, text: str) -> None:
    """Write a UTF-8 text file atomically, without translating line endings."""
    write_bytes(path, text.encode())
