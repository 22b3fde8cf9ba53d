"""The exact solver of Connect Four over positions of six kinds, without a book, alone or in turns with a peer.

Both begin every position with an empty table; emptying it is not timed. As that drives everything else out of the
machine's caches, both first answer a question that needs no search. One call answers one position on one thread.
"""

from __future__ import annotations

import importlib
import time
from collections.abc import Callable, Iterator
from typing import Any

from plyground import _engine
from plyground.bench.clock import Speed
from plyground.bench.connect4_sets import sets
from plyground.bench.result import Result
from plyground.errors import PlygroundError
from plyground.games import game

MEBIBYTES = 128
OBVIOUS = "112233"
"""A game that the side to move wins at once."""


class SolverSets:
    """Positions a second, a result for each kind; the scores of both must agree."""

    name = "connect4-solver"
    peers = ("bitbully",)

    def run(self, peer: str | None) -> Iterator[Result]:
        """Kind after kind, every position once."""
        theirs = BitBully() if peer is not None else None
        connect4 = game("connect4")
        solver = _engine.Solver(connect4, mebibytes=MEBIBYTES)
        for kind, games in sets().items():
            our_times, their_times, nodes = _Times(), _Times(), 0
            for text in games:
                position = connect4.position(text)
                solver.clear()
                solver.solve(connect4.position(OBVIOUS))
                found = our_times.of(solver.solve, position)
                assert found is not None  # noqa: S101 - nobody stops it
                nodes += found["nodes"]
                if theirs is not None:
                    board = theirs.board(text)
                    theirs.clear()
                    theirs.score(theirs.board(OBVIOUS))
                    score = their_times.of(theirs.score, board)
                    if score != found["score"]:
                        raise PlygroundError(f"{text}: our score is {found['score']}, that of {peer} {score}")
            details: dict[str, float | str] = {
                "positions": len(games),
                "ours_nodes": nodes / len(games),
                "ours_milliseconds": 1e3 * our_times.cpu / len(games),
            }
            if theirs is not None:
                details["peer_milliseconds"] = 1e3 * their_times.cpu / len(games)
            speed = their_times.speed(len(games)) if theirs is not None else None
            yield Result(self.name, kind, our_times.speed(len(games)), peer, speed, details)


class BitBully:
    """BitBully (Markus Thill), its null-window search inside its C++."""

    def __init__(self, *, book: bool = False) -> None:
        """With its book it knows the scores of the first twelve plies."""
        try:
            self._core: Any = importlib.import_module("bitbully.bitbully_core")
            books: Any = importlib.import_module("bitbully_databases")
        except ImportError as error:
            raise PlygroundError("BitBully is not installed; it comes with: pip install bitbully") from error
        path = (books.BitBullyDatabases.get_database_path("12-ply-dist"),) if book else ()
        self._solver = self._core.BitBullyCore(*path)

    def board(self, text: str) -> Any:
        """The position after these columns."""
        board = self._core.BoardCore()
        board.play([int(column) - 1 for column in text])
        return board

    def clear(self) -> None:
        """Empty its table."""
        self._solver.resetTranspositionTable()

    def score(self, board: Any) -> int:
        """For the side to move; its convention is ours."""
        return int(self._solver.mtdf(board, 0))


class _Times:
    """CPU and wall seconds, added up."""

    def __init__(self) -> None:
        self.cpu = self.wall = 0.0

    def of(self, work: Callable[[Any], Any], what: Any) -> Any:
        wall, cpu = time.perf_counter(), time.process_time()
        result = work(what)
        self.cpu += time.process_time() - cpu
        self.wall += time.perf_counter() - wall
        return result

    def speed(self, positions: int) -> Speed:
        return Speed(positions / max(self.cpu, 1e-9), positions / max(self.wall, 1e-9))
