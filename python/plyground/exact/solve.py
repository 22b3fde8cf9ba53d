"""Scores of positions, one or many.

A score is for the side to move: above 0 it wins, below 0 it loses, 0 is a draw. Its size is one more than the discs the
winner has left when it wins, so that a quicker win scores higher; on the 7x6 board that is 22 less the discs it has
played.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from plyground import _engine
from plyground._engine import Position
from plyground.exact.book import shipped_book
from plyground.games import game

T = TypeVar("T")

MEBIBYTES = 64
"""Memory of a solver's table, where the caller does not say."""

Report = Callable[[int, int, int], object]
"""Takes the least and the most that the score being sought can still be, and the positions looked at."""


@dataclass(frozen=True)
class MoveScore:
    """What is certain of one move, for the side that makes it."""

    move: str
    score: int
    distance: int
    """Plies from the position before the move to the end, under best play."""


@dataclass(frozen=True)
class Solution:
    """What is certain of a position, for the side to move."""

    score: int
    distance: int
    """Plies to the end under best play: the quickest win, the slowest loss."""
    moves: tuple[MoveScore, ...]
    """Every legal move in the order of `Position.moves`, where they were asked for."""
    nodes: int
    seconds: float


class Solver:
    """Solves positions of one game (a spec) and remembers what it found; `book` says whether it may look at ours.

    >>> solver = Solver("tictactoe")
    >>> solver.solve(game("tictactoe").start()).score
    0
    """

    def __init__(
        self, spec: str = "connect4", *, mebibytes: int = MEBIBYTES, threads: int = 1, book: bool = True
    ) -> None:
        self.game = game(spec)
        opening = shipped_book() if book and self.game.spec == "connect4" else None
        self._engine = _engine.Solver(self.game, mebibytes=mebibytes, threads=threads, book=opening)

    @property
    def mebibytes(self) -> float:
        """Memory of its table."""
        return self._engine.bytes / 2**20

    def solve(self, position: Position, *, report: Report | None = None) -> Solution:
        """The score of an unfinished game; `InterruptedError` where `stop` was called meanwhile."""
        return _certain(self.try_solve(position, report=report))

    def solve_moves(self, position: Position, *, report: Report | None = None) -> Solution:
        """The score of an unfinished game and of each of its moves; `InterruptedError` after `stop`."""
        return _certain(self.try_solve(position, every=True, report=report))

    def scores(self, positions: Sequence[Position]) -> list[int]:
        """The scores of many unfinished games, which the threads share out; `InterruptedError` after `stop`."""
        return _certain(self._engine.scores(positions))

    def try_solve(
        self, position: Position, *, every: bool = False, seconds: float | None = None, report: Report | None = None
    ) -> Solution | None:
        """The score, with `every` that of each move too; None if the time was over before or `stop` was called."""
        found = self._engine.solve(position, every=every, seconds=seconds, report=report)
        if found is None:
            return None
        moves = tuple(MoveScore(*move) for move in found["moves"])
        return Solution(found["score"], found["distance"], moves, found["nodes"], found["seconds"])

    def stop(self) -> None:
        """Make a call in another thread return without a solution."""
        self._engine.stop()

    def clear(self) -> None:
        """Forget everything but the book."""
        self._engine.clear()


def solve_many(
    positions: Iterable[Position | str],
    spec: str = "connect4",
    *,
    every: bool = False,
    mebibytes: int = MEBIBYTES,
    threads: int = 1,
    book: bool = True,
) -> Iterator[Solution]:
    """The solutions of many positions, in order; a text is a game written as its moves, or a position.

    >>> [solution.score for solution in solve_many(["", "1", "4444443265"])]
    [1, 2, 1]
    """
    solver = Solver(spec, mebibytes=mebibytes, threads=threads, book=book)
    for position in positions:
        where = read(spec, position) if isinstance(position, str) else position
        yield solver.solve_moves(where) if every else solver.solve(where)


def read(spec: str, text: str) -> Position:
    """The position that a text names: columns of Connect Four without gaps, other moves apart by spaces, or a position.

    >>> read("tictactoe", "b2 a1").text
    '.../.x./o..'
    """
    where = game(spec)
    if where.id == "connect4" or "/" in text:
        return where.position(text or None)
    return where.position(None, text.split())


def _certain(found: T | None) -> T:
    if found is None:
        raise InterruptedError("the solver was stopped before it was certain")
    return found
