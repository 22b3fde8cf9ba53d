"""Perfect play by the exact solver: the quickest win, the slowest loss.

>>> import plyground
>>> from plyground.agents import Limit, agent
>>> position = plyground.game("connect4").position("4455")
>>> analysis = agent("solver").analyse(position, Limit(), seed=0)
>>> analysis.best.move, analysis.proven, analysis.distance
('6', 'win', 3)
"""

from __future__ import annotations

from typing import Any

from plyground._engine import Position, split_seed
from plyground.agents.agent import Agent
from plyground.agents.analysis import RESULT_VALUE, Analysis, Limit, MoveAnalysis, ProvenResult
from plyground.agents.budget import Budget
from plyground.agents.options import THREADS, Option, mebibytes
from plyground.exact import Solution, Solver
from plyground.exact.solve import DEFAULT_MEBIBYTES


class SolverAgent(Agent):
    """Computes the exact score of every move. The seed breaks ties between moves with the same score."""

    name = "solver"
    description = "plays Connect Four and small tic-tac-toe boards perfectly"
    games = ("connect4", "tictactoe")
    options = (
        THREADS,
        mebibytes("memory of the transposition table", DEFAULT_MEBIBYTES),
        Option("book", "boolean", "whether to use the opening book", "true"),
    )

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        options = self.values
        self._threads = options.get("threads", 1)
        self.default_limit = Limit(mebibytes=options.get("mebibytes", DEFAULT_MEBIBYTES))
        self._book = options.get("book", True)
        self._solvers: dict[str, Solver] = {}

    def clear(self) -> None:
        """Free the transposition tables."""
        self._solvers = {}

    def _analyse(self, position: Position, budget: Budget, seed: int) -> Analysis:
        """Solve every move. If the budget expires first, nothing is proven and all moves have equal shares."""
        spec, limit = position.game.spec, budget.limit
        if spec not in self._solvers:
            memory = limit.mebibytes or DEFAULT_MEBIBYTES
            self._solvers[spec] = Solver(spec, mebibytes=memory, threads=self._threads, book=self._book)
        solver = self._solvers[spec]
        with budget:
            solution = solver.try_solve(position, all_moves=True, seconds=limit.seconds)
        if solution is None:
            share = 1 / len(position.moves)
            return Analysis(
                position, tuple(MoveAnalysis(move, share) for move in position.moves), seconds=budget.elapsed
            )
        return _read_solution(position, solution, solver.mebibytes, seed)


def _read_solution(position: Position, solution: Solution, mebibytes: float, seed: int) -> Analysis:
    best = [index for index, move in enumerate(solution.moves) if move.score == solution.score]
    moves = tuple(
        MoveAnalysis(
            move.move,
            share=(move.score == solution.score) / len(best),
            value=_value(move.score),
            low=_value(move.score),
            high=_value(move.score),
            proven=_result(move.score),
            distance=move.distance,
            pv=(move.move,),
        )
        for move in solution.moves
    )
    return Analysis(
        position,
        moves,
        best_index=best[split_seed(seed, position.ply) % len(best)],
        value=_value(solution.score),
        proven=_result(solution.score),
        distance=solution.distance,
        seconds=solution.seconds,
        nodes=solution.nodes,
        mebibytes=mebibytes,
        mean_depth=solution.distance,
        max_depth=solution.distance,
    )


def _result(score: int) -> ProvenResult:
    return "win" if score > 0 else "loss" if score < 0 else "draw"


def _value(score: int) -> float:
    return RESULT_VALUE[_result(score)]
