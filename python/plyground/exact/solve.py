"""Exact solutions of positions.

A score is for the side to move: positive for a win, negative for a loss, 0 for a draw. Its absolute value is one more
than the number of discs the winner has left after the winning move, so that quicker wins score higher. On the 7x6
board this is 22 minus the number of discs the winner has played.
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

DEFAULT_MEBIBYTES = 64
"""Default memory of the transposition table, in MiB."""

ProgressCallback = Callable[[int, int, int], object]
"""Called with the current lower and upper bounds of the score, and the number of nodes."""


@dataclass(frozen=True)
class MoveScore:
    """The exact score of one move, for the side that makes it."""

    move: str
    score: int
    distance: int
    """Plies from the position before the move to the end of the game, under best play."""


@dataclass(frozen=True)
class Solution:
    """The exact score of a position, for the side to move."""

    score: int
    distance: int
    """Plies to the end of the game under best play: the quickest win or the slowest loss."""
    moves: tuple[MoveScore, ...]
    """Every legal move in the order of `Position.moves`; empty unless requested."""
    nodes: int
    seconds: float


class Solver:
    """Solves positions of one game (a spec) and keeps its transposition table between calls.

    `book` enables the shipped opening book.

    >>> solver = Solver("tictactoe")
    >>> solver.solve(game("tictactoe").start()).score
    0
    """

    def __init__(
        self, spec: str = "connect4", *, mebibytes: int = DEFAULT_MEBIBYTES, threads: int = 1, book: bool = True
    ) -> None:
        self.game = game(spec)
        opening_book = shipped_book() if book and self.game.spec == "connect4" else None
        self._engine = _engine.Solver(self.game, mebibytes=mebibytes, threads=threads, book=opening_book)

    @property
    def mebibytes(self) -> float:
        """Memory of the transposition table, in MiB."""
        return self._engine.bytes / 2**20

    def solve(self, position: Position, *, report: ProgressCallback | None = None) -> Solution:
        """Solve an unfinished game; raise `InterruptedError` if `stop` is called."""
        return _require(self.try_solve(position, report=report))

    def solve_moves(self, position: Position, *, report: ProgressCallback | None = None) -> Solution:
        """Solve an unfinished game and each of its moves; raise `InterruptedError` if `stop` is called."""
        return _require(self.try_solve(position, all_moves=True, report=report))

    def scores(self, positions: Sequence[Position]) -> list[int]:
        """Return the scores of unfinished games, solved in parallel; raise `InterruptedError` if `stop` is called."""
        return _require(self._engine.scores(positions))

    def try_solve(
        self,
        position: Position,
        *,
        all_moves: bool = False,
        seconds: float | None = None,
        report: ProgressCallback | None = None,
    ) -> Solution | None:
        """Solve a position and, with `all_moves`, each of its moves; None if time runs out or `stop` is called."""
        found = self._engine.solve(position, all_moves=all_moves, seconds=seconds, report=report)
        if found is None:
            return None
        moves = tuple(MoveScore(*move) for move in found["moves"])
        return Solution(found["score"], found["distance"], moves, found["nodes"], found["seconds"])

    def stop(self) -> None:
        """Make a call in another thread return without a solution."""
        self._engine.stop()

    def clear(self) -> None:
        """Clear the transposition table."""
        self._engine.clear()


def solve_many(
    positions: Iterable[Position | str],
    spec: str = "connect4",
    *,
    all_moves: bool = False,
    mebibytes: int = DEFAULT_MEBIBYTES,
    threads: int = 1,
    book: bool = True,
) -> Iterator[Solution]:
    """Yield the solutions of many positions, in order; strings are parsed by `parse_position`.

    >>> [solution.score for solution in solve_many(["", "1", "4444443265"])]
    [1, 2, 1]
    """
    solver = Solver(spec, mebibytes=mebibytes, threads=threads, book=book)
    for item in positions:
        position = parse_position(spec, item) if isinstance(item, str) else item
        yield solver.solve_moves(position) if all_moves else solver.solve(position)


def parse_position(spec: str, text: str) -> Position:
    """Parse a position text, a string of Connect Four columns, or moves separated by spaces.

    >>> parse_position("tictactoe", "b2 a1").text
    '.../.x./o..'
    """
    chosen = game(spec)
    if chosen.id == "connect4" or "/" in text:
        return chosen.position(text or None)
    return chosen.position(None, text.split())


def _require(found: T | None) -> T:
    if found is None:
        raise InterruptedError("the solver was stopped before it found the score")
    return found
