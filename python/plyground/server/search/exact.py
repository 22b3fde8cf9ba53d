"""Exact values: from the solver for Connect Four and tic-tac-toe, from endgame tables for checkers."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import Future, wait
from dataclasses import dataclass
from math import inf
from typing import Literal

from cachetools import LRUCache
from starlette.concurrency import run_in_threadpool

from plyground._engine import Game, Position
from plyground.agents.analysis import RESULT_VALUE, GameResult, proven_result
from plyground.errors import PlygroundError
from plyground.exact import Solver
from plyground.exact.tables import MAX_PIECES, activate_tables
from plyground.review import ExactValue
from plyground.server.log import LOGGER
from plyground.server.search.models import ExactMoves, ExactView
from plyground.server.search.pool import Priority, SearchPool, SearchTask

LOG = logging.getLogger(LOGGER)
SOLVER_SECONDS = 3.0
"""Time limit of the solver for one position."""
TABLES_SECONDS = 60.0
"""Maximum time that a search waits for endgame tables to be loaded."""
MAX_CACHED = 5000
"""Maximum number of solved positions in the cache."""
MAX_SOLVERS = 4
"""Maximum number of solvers kept, one per game spec; each has its own transposition table."""
MAX_TICTACTOE_CELLS = 16
"""Maximum number of cells of a tic-tac-toe board for which the solver is used."""
Source = Literal["solver", "tables"]


@dataclass(frozen=True)
class ExactAnalysis:
    """Exact values of a position, for the side to move, and of its moves."""

    result: GameResult
    distance: int | None
    """Plies to the end of the game, if known."""
    source: Source
    moves: Mapping[str, tuple[GameResult, int | None]]
    """Result and distance of each move, for the side that makes it."""

    @property
    def best_moves(self) -> list[str]:
        """The fastest wins, the draws, or the slowest losses; empty if no move keeps the result."""
        ranked = self.ranked_moves
        if not ranked or self.moves[ranked[0]][0] != self.result:
            return []
        best = self._rank(ranked[0])
        return [move for move in ranked if self._rank(move) == best]

    @property
    def best(self) -> str | None:
        """One of the best moves."""
        return next(iter(self.best_moves), None)

    @property
    def ranked_moves(self) -> list[str]:
        """The moves whose values are known, best first: quick wins, draws, slow losses."""
        return sorted(self.moves, key=self._rank, reverse=True)

    def _rank(self, move: str) -> tuple[float, float]:
        result, plies = self.moves[move]
        if result == "win":
            return RESULT_VALUE[result], -(inf if plies is None else plies)
        return RESULT_VALUE[result], (plies or 0) if result == "loss" else 0

    def view(self) -> ExactView:
        """Return the value of the position."""
        return ExactView(result=self.result, distance=self.distance, source=self.source)

    def move_views(self) -> dict[str, ExactView]:
        """Return the value of each move."""
        return {
            text: ExactView(result=result, distance=plies, source=self.source)
            for text, (result, plies) in self.moves.items()
        }


def is_solvable(game_id: str, cells: int) -> bool:
    """Whether the solver supports a game with this many board cells."""
    return game_id == "connect4" or (game_id == "tictactoe" and cells <= MAX_TICTACTOE_CELLS)


class ExactValues:
    """Looks up exact values, and solves positions in the search pool."""

    def __init__(self, pool: SearchPool, mebibytes: int) -> None:
        """`mebibytes` is the memory of the transposition table of each solver."""
        self._pool = pool
        self._mebibytes = mebibytes
        self._cache: LRUCache[tuple[str, int], ExactAnalysis] = LRUCache(MAX_CACHED)
        self._solvers: LRUCache[str, Solver] = LRUCache(MAX_SOLVERS)
        self._lock = threading.Lock()
        """Guards the caches, which lookups modify as well."""
        self._solver_lock = threading.Lock()
        self._has_tables: Future[bool] = Future()
        """Resolves to whether endgame tables are available, once they are loaded or built."""

    def load_tables(self) -> None:
        """Load the endgame tables, or build them. Without them, checkers endgames are searched."""
        has_tables = False
        try:
            activate_tables()
            has_tables = True
        except (PlygroundError, OSError) as error:
            LOG.warning("no endgame tables: %s", error)
        finally:
            self._has_tables.set_result(has_tables)

    def when_loaded(self, callback: Callable[[], None]) -> None:
        """Call `callback` in another thread when the endgame tables are loaded; not at all if they already are."""
        if not self._has_tables.done():
            self._has_tables.add_done_callback(lambda _: callback())

    def lookup(self, position: Position) -> ExactAnalysis | None:
        """Return the exact value if it is available without searching or loading tables."""
        if position.outcome is not None:
            return None
        if position.game.id == "checkers":
            return _probe_tables(position) if self._has_tables.done() and self._has_tables.result() else None
        with self._lock:
            return self._cache.get((position.game.spec, position.key))

    def wait_for_tables(self, game: Game) -> None:
        """Wait up to `TABLES_SECONDS` for the endgame tables of a game, if any, to be loaded or built."""
        if game.id == "checkers":
            wait([self._has_tables], TABLES_SECONDS)

    def solve(self, position: Position, seconds: float = SOLVER_SECONDS) -> ExactAnalysis | None:
        """Return the exact value, or None if the time limit is reached. Blocks: call it in a search thread."""
        if _is_in_tables(position):
            wait([self._has_tables], seconds)
        found = self.lookup(position)
        if found is not None or position.outcome is not None or not self.can_solve(position):
            return found
        if not self._solver_lock.acquire(timeout=seconds):
            return None
        try:
            solution = self._solver(position.game.spec).try_solve(position, all_moves=True, seconds=seconds)
        finally:
            self._solver_lock.release()
        if solution is None:
            return None
        moves = {move.move: (_result(move.score), move.distance) for move in solution.moves}
        exact = ExactAnalysis(_result(solution.score), solution.distance, "solver", moves)
        with self._lock:
            self._cache[position.game.spec, position.key] = exact
        return exact

    def can_solve(self, position: Position) -> bool:
        """Whether the solver supports the position's game."""
        return is_solvable(position.game.id, position.game.rows * position.game.columns)

    def review_value(self, position: Position, seconds: float = SOLVER_SECONDS) -> ExactValue | None:
        """Return the exact value in the form `plyground.review` takes."""
        exact = self.solve(position, seconds)
        return None if exact is None else ExactValue(exact.result, exact.distance, exact.source, exact.best)

    def task(self, position: Position) -> SearchTask:
        """Return a search task that solves a position."""

        def run(task: SearchTask) -> ExactAnalysis | None:
            with task.searching():
                return self.solve(position)

        return SearchTask(run, Priority.REPLY, seconds=SOLVER_SECONDS)

    async def moves(self, position: Position) -> ExactMoves:
        """Return the exact values of a position and of its moves."""
        if _is_in_tables(position) and not self._has_tables.done():
            await asyncio.wait([asyncio.wrap_future(self._has_tables)], timeout=SOLVER_SECONDS)
        exact = await run_in_threadpool(self.lookup, position)
        if exact is None and position.outcome is None and self.can_solve(position):
            exact = await asyncio.wrap_future(self._pool.submit(self.task(position)).future)
        if exact is None:
            return ExactMoves(moves={})
        return ExactMoves(exact=exact.view(), moves=exact.move_views())

    def _solver(self, spec: str) -> Solver:
        with self._lock:
            if spec not in self._solvers:
                self._solvers[spec] = Solver(spec, mebibytes=self._mebibytes)
            return self._solvers[spec]


def _is_in_tables(position: Position) -> bool:
    return position.game.id == "checkers" and position.outcome is None and len(position.cells) <= MAX_PIECES


def _probe_tables(position: Position) -> ExactAnalysis | None:
    if not _is_in_tables(position):
        return None
    result, distance = proven_result(position.proven_value, position.turn)
    if result is None:
        return None
    moves: dict[str, tuple[GameResult, int | None]] = {}
    for text in position.moves:
        after = position.play(text)
        outcome = after.outcome
        proven = {"winner": outcome.winner, "distance": 0} if outcome is not None else after.proven_value
        move_result, plies = proven_result(proven, position.turn)
        if move_result is not None:
            moves[text] = move_result, None if plies is None else plies + 1
    return ExactAnalysis(result, distance, "tables", moves)


def _result(score: int) -> GameResult:
    return "win" if score > 0 else "loss" if score < 0 else "draw"
