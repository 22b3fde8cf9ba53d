"""Speed of the exact Connect Four solver on six sets of positions, without a book.

Both solvers start every position with an empty transposition table and run on one thread. Clearing the table is not
timed, but it evicts everything else from the CPU caches, so both first solve a position that needs no search.
"""

from __future__ import annotations

import importlib
import time
from collections.abc import Callable, Iterator
from typing import Any

from plyground import _engine
from plyground.bench.connect4_sets import sets
from plyground.bench.result import Result, missing_peer
from plyground.bench.timing import Speed
from plyground.errors import PlygroundError
from plyground.games import game

MEBIBYTES = 128
WARM_UP = "112233"
"""Moves to a position in which the side to move wins at once."""


class SolverSets:
    """Positions per second, one result per set; raises an error if the two solvers disagree."""

    name = "connect4-solver"
    peers = ("bitbully",)

    def run(self, peer: str | None) -> Iterator[Result]:
        """Solve every position of every set once."""
        theirs = BitBully() if peer is not None else None
        connect4 = game("connect4")
        solver = _engine.Solver(connect4, mebibytes=MEBIBYTES)
        for name, games in sets().items():
            our_time, their_time, nodes = _Stopwatch(), _Stopwatch(), 0
            for moves in games:
                position = connect4.position(moves)
                solver.clear()
                solver.solve(connect4.position(WARM_UP))
                solution = our_time.measure(solver.solve, position)
                assert solution is not None  # noqa: S101 - it is never stopped
                nodes += solution["nodes"]
                if theirs is not None:
                    board = theirs.board(moves)
                    theirs.clear()
                    theirs.score(theirs.board(WARM_UP))
                    score = their_time.measure(theirs.score, board)
                    if score != solution["score"]:
                        raise PlygroundError(f"{moves}: our score is {solution['score']}, {peer}'s is {score}")
            details: dict[str, float | str] = {
                "positions": len(games),
                "ours_nodes": nodes / len(games),
                "ours_milliseconds": 1e3 * our_time.cpu / len(games),
            }
            if theirs is not None:
                details["peer_milliseconds"] = 1e3 * their_time.cpu / len(games)
            their_speed = their_time.speed(len(games)) if theirs is not None else None
            yield Result(self.name, name, our_time.speed(len(games)), peer, their_speed, details)


class BitBully:
    """BitBully (Markus Thill); calls the null-window search of its C++ core."""

    def __init__(self, *, book: bool = False) -> None:
        """With `book`, scores of positions with up to twelve discs come from its opening book."""
        try:
            self._core: Any = importlib.import_module("bitbully.bitbully_core")
            books: Any = importlib.import_module("bitbully_databases")
        except ImportError as error:
            raise missing_peer("BitBully", "bitbully") from error
        path = (books.BitBullyDatabases.get_database_path("12-ply-dist"),) if book else ()
        self._solver = self._core.BitBullyCore(*path)

    def board(self, moves: str) -> Any:
        """Return the board after moves given as column digits."""
        board = self._core.BoardCore()
        board.play([int(column) - 1 for column in moves])
        return board

    def clear(self) -> None:
        """Clear the transposition table."""
        self._solver.resetTranspositionTable()

    def score(self, board: Any) -> int:
        """Return the score for the side to move, in the same convention as ours."""
        return int(self._solver.mtdf(board, 0))


class _Stopwatch:
    """Total CPU and wall-clock seconds of several calls."""

    def __init__(self) -> None:
        self.cpu = self.wall = 0.0

    def measure(self, function: Callable[[Any], Any], argument: Any) -> Any:
        wall, cpu = time.perf_counter(), time.process_time()
        result = function(argument)
        self.cpu += time.process_time() - cpu
        self.wall += time.perf_counter() - wall
        return result

    def speed(self, positions: int) -> Speed:
        return Speed(positions / max(self.cpu, 1e-9), positions / max(self.wall, 1e-9))
