"""Exact play: what is certain of a position of Connect Four or of tic-tac-toe and its family; endgames of checkers.

>>> import plyground
>>> from plyground.exact import Solver
>>> solution = Solver("connect4").solve(plyground.game("connect4").position("4444443265"))
>>> solution.score, solution.distance
(1, 31)
"""

from plyground.exact.book import build_book, shipped_book
from plyground.exact.solve import MoveScore, Solution, Solver, solve_many

__all__ = ["MoveScore", "Solution", "Solver", "build_book", "shipped_book", "solve_many"]
