"""The opening book of Connect Four on 7x6: shipped, and built by `plyground solve connect4 --build-book`."""

from __future__ import annotations

import functools
import time
from collections.abc import Callable
from importlib import resources
from pathlib import Path

from plyground import _engine
from plyground._engine import book_ply, book_positions, write_book
from plyground.errors import ParseError
from plyground.games import game

FILE = "connect4.book"
PLY = 9
"""The ply of the shipped book: scores of all positions up to it."""

PATIENCE = 0.5
"""Seconds of work between two reports, or a position for each thread: what an interruption loses."""


@functools.cache
def shipped_book() -> bytes | None:
    """The book in the package; None where it was left out."""
    file = resources.files("plyground.exact").joinpath(FILE)
    return file.read_bytes() if file.is_file() else None


def build_book(
    target: Path,
    ply: int = PLY,
    *,
    mebibytes: int = 1024,
    threads: int = 1,
    report: Callable[[int, int], object] | None = None,
) -> None:
    """Write the book of a ply. What was done before an interruption is kept in a file beside it and goes on from there.

    Where the target is a book of an earlier ply, what it knows is not solved again. `report` is called with the
    positions done and all of them.
    """
    positions = book_positions(ply)
    done = target.with_name(f"{target.name}.ply{ply}.part")
    scores = done.read_bytes() if done.exists() else b""
    if len(scores) > len(positions) or any(21 < score < 235 for score in scores):
        raise ParseError(f"{done}: it is not an unfinished book of ply {ply}; remove it to begin anew")
    earlier = target.read_bytes() if target.exists() else None
    if earlier is not None and book_ply(earlier) >= ply:
        earlier = None
    where = game("connect4")
    solver = _engine.Solver(where, mebibytes=mebibytes, threads=threads, book=earlier)
    with done.open("ab") as part:
        number, together = len(scores), threads
        while number < len(positions):
            if report is not None:
                report(number, len(positions))
            begun = time.monotonic()
            found = solver.scores([where.position(text) for text in positions[number : number + together]])
            if found is None:
                return
            part.write(b"".join(score.to_bytes(1, signed=True) for score in found))
            part.flush()
            number += together
            together = 2 * together if time.monotonic() - begun < PATIENCE else max(threads, together // 2)
    signed = [score - 256 if score > 127 else score for score in done.read_bytes()]
    beside = target.with_name(f"{target.name}.new")
    beside.write_bytes(write_book(ply, signed))
    beside.replace(target)
    done.unlink()
    if report is not None:
        report(len(positions), len(positions))
