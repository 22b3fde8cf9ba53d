"""What is certain: asked of the solver in Connect Four and tic-tac-toe, of the endgame tables in checkers."""

from __future__ import annotations

import asyncio
import threading
from collections import OrderedDict
from dataclasses import dataclass
from typing import Literal

from plyground._engine import Position
from plyground.agents.agent import Known, known_by
from plyground.errors import PlygroundError
from plyground.exact import Solver
from plyground.exact.tables import MOST_PIECES, use
from plyground.review import Certain
from plyground.server.pool import Job, Pool, Urgency
from plyground.server.views.positions import ExactMoves, ExactView

SECONDS = 3.0
"""The longest that a visitor waits for the solver."""
REMEMBERED = 5000
"""Positions whose values are kept at hand."""
MOST_CELLS = 16
"""Boards of tic-tac-toe's family that the solver takes."""
Source = Literal["solver", "tables"]


@dataclass(frozen=True)
class Truth:
    """What is certain of a position, for the side to move, and of its moves."""

    known: Known
    distance: int | None
    source: Source
    moves: dict[str, tuple[Known, int | None]]
    """Of each move, for the side that makes it."""

    @property
    def best(self) -> str | None:
        """The quickest win, any draw, the slowest loss."""
        rank = {"win": 2, "draw": 1, "loss": 0}
        alike = [(text, plies or 0) for text, (known, plies) in self.moves.items() if known == self.known]
        if not alike or rank[self.known] < max(rank[known] for known, _ in self.moves.values()):
            return None
        if self.known == "win" and all(plies for _, plies in alike):
            return min(alike, key=lambda move: move[1])[0]
        return max(alike, key=lambda move: move[1])[0] if self.known == "loss" else alike[0][0]

    def view(self) -> ExactView:
        """Of the position."""
        return ExactView(known=self.known, distance=self.distance, source=self.source)

    def move_views(self) -> dict[str, ExactView]:
        """Of each move."""
        return {
            text: ExactView(known=known, distance=plies, source=self.source)
            for text, (known, plies) in self.moves.items()
        }


class Exact:
    """Remembers what was certain; asks for the rest in the pool."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._found: OrderedDict[tuple[str, int], Truth] = OrderedDict()
        self._solvers: dict[str, Solver] = {}
        self._lock = threading.Lock()
        self._solving = threading.Lock()

    @staticmethod
    def knows(game_id: str, cells: int) -> bool:
        """Whether positions of a game with a board of so many cells can be asked for at all."""
        return game_id == "connect4" or (game_id == "tictactoe" and cells <= MOST_CELLS)

    def at_hand(self, position: Position) -> Truth | None:
        """What is certain without any search."""
        if position.outcome is not None:
            return None
        if position.game.id == "checkers":
            return _by_tables(position)
        with self._lock:
            return self._found.get((position.game.spec, position.key))

    def solve(self, position: Position, seconds: float = SECONDS) -> Truth | None:
        """What is certain, by the solver if need be; None where it is not known in time. Call it in a worker."""
        found = self.at_hand(position)
        if found is not None or position.outcome is not None or not self.can_solve(position):
            return found
        if not self._solving.acquire(timeout=seconds):
            return None
        try:
            solution = self._solver(position.game.spec).try_solve(position, every=True, seconds=seconds)
        finally:
            self._solving.release()
        if solution is None:
            return None
        moves: dict[str, tuple[Known, int | None]] = {
            move.move: (_known(move.score), move.distance) for move in solution.moves
        }
        truth = Truth(_known(solution.score), solution.distance, "solver", moves)
        with self._lock:
            self._found[position.game.spec, position.key] = truth
            while len(self._found) > REMEMBERED:
                self._found.popitem(last=False)
        return truth

    def can_solve(self, position: Position) -> bool:
        """Whether the solver takes the position's game."""
        return self.knows(position.game.id, position.game.rows * position.game.columns)

    def certain(self, position: Position, seconds: float = SECONDS) -> Certain | None:
        """As reviews ask: what is certain, and a best move."""
        truth = self.solve(position, seconds)
        return None if truth is None else Certain(truth.known, truth.distance, truth.source, truth.best)

    def job(self, position: Position, urgency: Urgency = Urgency.ANSWER) -> Job:
        """The question as a job whose answer is a Truth or None."""
        return Job(lambda _: self.solve(position), urgency, stop=lambda: self._stop(position.game.spec))

    async def ask(self, position: Position) -> ExactMoves:
        """What is certain of a position and its moves."""
        truth = self.at_hand(position)
        if truth is None and position.outcome is None and self.can_solve(position):
            truth = await asyncio.wrap_future(self._pool.submit(self.job(position)).done)
        if truth is None:
            return ExactMoves(moves={})
        return ExactMoves(exact=truth.view(), moves=truth.move_views())

    def _stop(self, spec: str) -> None:
        solver = self._solvers.get(spec)
        if solver is not None:
            solver.stop()

    def _solver(self, spec: str) -> Solver:
        if spec not in self._solvers:
            if len(self._solvers) >= 8:
                self._solvers.clear()
            self._solvers[spec] = Solver(spec)
        return self._solvers[spec]


def _by_tables(position: Position) -> Truth | None:
    if len(position.cells) > MOST_PIECES:
        return None
    try:
        use()
    except PlygroundError:  # tables that cannot be made or read: then nothing is certain
        return None
    known, distance = known_by(position.exact, position.turn)
    if known is None:
        return None
    moves: dict[str, tuple[Known, int | None]] = {}
    for text in position.moves:
        after = position.play(text)
        outcome = after.outcome
        proof = {"winner": outcome.winner, "distance": 0} if outcome is not None else after.exact
        of_move, plies = known_by(proof, position.turn)
        if of_move is not None:
            moves[text] = of_move, None if plies is None else plies + 1
    return Truth(known, distance, "tables", moves)


def _known(score: int) -> Known:
    return "win" if score > 0 else "loss" if score < 0 else "draw"
