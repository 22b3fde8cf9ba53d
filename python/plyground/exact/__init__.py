"""Exact play: a solver for Connect Four and small tic-tac-toe boards, and endgame tables for checkers and chess.

>>> import plyground
>>> from plyground.exact import Solver
>>> solution = Solver("connect4").solve(plyground.game("connect4").position("4444443265"))
>>> solution.score, solution.distance
(1, 31)
"""

from plyground.exact.book import build_book, shipped_book
from plyground.exact.solve import MoveScore, Solution, Solver, solve_many

__all__ = ["MoveScore", "Solution", "Solver", "build_book", "shipped_book", "solve_many"]
