"""The opening book of Connect Four on the 7x6 board, built by `plyground solve connect4 --build-book`."""

from __future__ import annotations

import functools
import time
from collections.abc import Callable
from importlib import resources
from pathlib import Path

from plyground import _engine
from plyground._engine import book_ply, book_positions, write_book
from plyground.errors import ParseError
from plyground.files import write_bytes
from plyground.games import game

FILE = "connect4.book"
PLY = 9
"""The shipped book contains all positions up to this ply."""

BATCH_S = 0.5
"""Target duration of a batch of positions, in seconds; an interruption loses at most one batch."""


@functools.cache
def shipped_book() -> bytes | None:
    """Return the book in the package, or None if it is not installed."""
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
    """Build a book of all positions up to a ply. Resumes an interrupted build from a partial file next to the target.

    If the target is a shallower book, its scores are reused. `report` is called with the number of positions
    solved and the total.
    """
    positions = book_positions(ply)
    partial = target.with_name(f"{target.name}.ply{ply}.part")
    scores = partial.read_bytes() if partial.exists() else b""
    if len(scores) > len(positions) or any(21 < score < 235 for score in scores):
        raise ParseError(f"{partial}: not a partial book of depth {ply}; remove it to start over")
    earlier = target.read_bytes() if target.exists() else None
    if earlier is not None and book_ply(earlier) >= ply:
        earlier = None
    connect4 = game("connect4")
    solver = _engine.Solver(connect4, mebibytes=mebibytes, threads=threads, book=earlier)
    with partial.open("ab") as file:
        done, batch_size = len(scores), threads
        while done < len(positions):
            if report is not None:
                report(done, len(positions))
            start = time.monotonic()
            batch = solver.scores([connect4.position(text) for text in positions[done : done + batch_size]])
            if batch is None:
                return
            file.write(b"".join(score.to_bytes(1, signed=True) for score in batch))
            file.flush()
            done += batch_size
            batch_size = 2 * batch_size if time.monotonic() - start < BATCH_S else max(threads, batch_size // 2)
    signed = [score - 256 if score > 127 else score for score in partial.read_bytes()]
    write_bytes(target, write_book(ply, signed))
    partial.unlink()
    if report is not None:
        report(len(positions), len(positions))
