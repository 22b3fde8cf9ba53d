"""`plyground uci`: the engine for chess GUIs."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from typing import BinaryIO

from plyground.protocols.uci import UciEngine

MAX_LINE = 2**17
"""Maximum length of a command in bytes; the rest of a longer line is read as a command of its own."""


def uci() -> None:
    """Run as a UCI engine for chess GUIs such as Cute Chess, Arena and En Croissant. Commands are read from stdin."""
    UciEngine(write).run(read_lines(sys.stdin.buffer))


def read_lines(stream: BinaryIO) -> Iterator[str]:
    """Yield the lines of the input as they arrive."""
    while line := stream.readline(MAX_LINE):
        yield line.decode("utf-8", errors="replace")


def write(line: str) -> None:
    """Write a line to stdout at once; exit if the GUI has gone."""
    try:
        sys.stdout.write(line + "\n")
        sys.stdout.flush()
    except BrokenPipeError:
        os._exit(0)
