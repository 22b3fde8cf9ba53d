"""Perfect play by the exact solver: the quickest win, the slowest loss.

>>> import plyground
>>> from plyground.agents import Limit, agent
>>> position = plyground.game("connect4").position("4455")
>>> analysis = agent("solver").analyse(position, Limit(), seed=0)
>>> analysis.best.move, analysis.known, analysis.distance
('6', 'win', 3)
"""

from __future__ import annotations

from plyground._engine import Position, split_seed
from plyground.agents.agent import WORTH, Analysis, Known, Limit, MoveAnalysis, Report, check_unfinished
from plyground.agents.options import truth, whole
from plyground.exact import Solution, Solver
from plyground.exact.solve import MEBIBYTES
from plyground.spec import Spec

OPTIONS = ("threads", "mebibytes", "book")


class SolverAgent:
    """Knows the score of every move. Among moves of the same score the seed decides."""

    def __init__(self, **options: str) -> None:
        self.spec = str(Spec("solver", options))
        self._threads = whole(options, "threads", 256) or 1
        self._mebibytes = whole(options, "mebibytes", 2**20) or MEBIBYTES
        self._book = truth(options, "book", default=True)
        self._solvers: dict[str, Solver] = {}

    def stop(self) -> None:
        """Make a call in another thread return with the first legal move and nothing certain."""
        for solver in self._solvers.values():
            solver.stop()

    def analyse(
        self,
        position: Position,
        limit: Limit,
        *,
        seed: int,
        report: Report = None,  # noqa: ARG002
    ) -> Analysis:
        """Every move's exact value; where `limit.seconds` end before, nothing is certain and all moves share alike."""
        check_unfinished(position)
        spec = position.game.spec
        if spec not in self._solvers:
            self._solvers[spec] = Solver(
                spec, mebibytes=limit.mebibytes or self._mebibytes, threads=self._threads, book=self._book
            )
        solver = self._solvers[spec]
        solution = solver.try_solve(position, every=True, seconds=limit.seconds)
        if solution is None:
            even = 1 / len(position.moves)
            return Analysis(
                position, tuple(MoveAnalysis(move, even) for move in position.moves), seconds=limit.seconds or 0.0
            )
        return _analysis(position, solution, solver.mebibytes, seed)


def _analysis(position: Position, solution: Solution, mebibytes: float, seed: int) -> Analysis:
    best = [index for index, move in enumerate(solution.moves) if move.score == solution.score]
    moves = tuple(
        MoveAnalysis(
            move.move,
            share=(move.score == solution.score) / len(best),
            value=_value(move.score),
            low=_value(move.score),
            high=_value(move.score),
            known=_known(move.score),
            distance=move.distance,
            line=(move.move,),
        )
        for move in solution.moves
    )
    return Analysis(
        position,
        moves,
        choice=best[split_seed(seed, position.ply) % len(best)],
        value=_value(solution.score),
        known=_known(solution.score),
        distance=solution.distance,
        seconds=solution.seconds,
        nodes=solution.nodes,
        mebibytes=mebibytes,
        depth=solution.distance,
        deepest=solution.distance,
    )


def _known(score: int) -> Known:
    return "win" if score > 0 else "loss" if score < 0 else "draw"


def _value(score: int) -> float:
    return WORTH[_known(score)]
