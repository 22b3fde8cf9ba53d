"""Teachers: what labels the positions that a network learns from with a move and a score.

>>> import plyground
>>> with make_teacher("solver", plyground.game("tictactoe").start(), nodes=1, depth=1) as teacher:
...     teacher.label(plyground.game("tictactoe").position(None, ["a1", "a2", "b1", "b2"]))
('c1', 2000)
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Self

from plyground._engine import Position, Rng
from plyground.agents import Limit, agent
from plyground.errors import IllegalMoveError, ParseError, PlygroundError
from plyground.exact import Solver
from plyground.learn.uci import UciEngine
from plyground.records import Record
from plyground.weights import BEST, has_best

TEACHERS = ("self", "solver", "tables", "uci:COMMAND")
WIN_SCORE = 2000
"""The score of a proven win in centipawns; games with at least this score are decided."""
MAX_PLIES = 300
"""Games of this length are draws."""
SOLVER_MEBIBYTES = 256
SEARCH_MEBIBYTES = 4


class Teacher(ABC):
    """Labels positions; used in a `with` block."""

    is_exact = False
    """Whether the sign of every score is the result under perfect play."""
    resigns = False
    """Whether a game is over when a score reaches `WIN_SCORE`."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def new_game(self) -> None:  # noqa: B027  optional
        """Forget the games before, so that the labels of a game depend only on that game."""

    def close(self) -> None:  # noqa: B027  optional
        """Release what the teacher uses."""

    @abstractmethod
    def label(self, position: Position) -> tuple[str, int]:
        """Return the best move and its score in centipawns for the side to move."""


class SolverTeacher(Teacher):
    """An exact solver: wins and losses are +-`WIN_SCORE`, draws 0; the move is the quickest win or slowest loss."""

    is_exact = True

    def __init__(self, start: Position) -> None:
        self._solver = Solver(start.game.spec, mebibytes=SOLVER_MEBIBYTES)

    def label(self, position: Position) -> tuple[str, int]:
        """Return a best move, in the middle of the board if there are several, and the exact result."""
        solution = self._solver.solve_moves(position)
        best = [move.move for move in solution.moves if move.score == solution.score]
        return best[len(best) // 2], WIN_SCORE * ((solution.score > 0) - (solution.score < 0))


class SearchTeacher(Teacher):
    """Alpha-beta search with the best weights.

    If it probes the checkers endgame tables, positions in the tables have exact scores.
    """

    def __init__(self, start: Position, depth: int, *, tables: bool) -> None:
        options: dict[str, object] = {"weights": BEST} if has_best(start.game.id) else {}
        self._agent = agent("alphabeta", **options, **({"tables": True} if tables else {}))
        self._limit = Limit(depth=depth, mebibytes=SEARCH_MEBIBYTES)

    def new_game(self) -> None:
        """Discard the transposition table."""
        self._agent.clear()

    def label(self, position: Position) -> tuple[str, int]:
        """Return the move and the score of the search."""
        analysis = self._agent.analyse(position, self._limit, seed=0)
        if analysis.proven is not None:
            return analysis.best.move, {"win": WIN_SCORE, "draw": 0, "loss": -WIN_SCORE}[analysis.proven]
        value = min(max(analysis.value if analysis.value is not None else 0.5, 1e-4), 1 - 1e-4)
        return analysis.best.move, round(400 * math.log10(value / (1 - value)))


class UciTeacher(Teacher):
    """A chess engine that speaks UCI."""

    resigns = True

    def __init__(self, command: str, nodes: int) -> None:
        self._engine = UciEngine(command, nodes)

    def new_game(self) -> None:
        """Clear the hash table of the engine."""
        self._engine.new_game()

    def close(self) -> None:
        """End the engine."""
        self._engine.close()

    def label(self, position: Position) -> tuple[str, int]:
        """Return the engine's best move and score."""
        return self._engine.search(position)


def check_teacher(name: str, start: Position) -> None:
    """Raise `ParseError` if the teacher does not exist or cannot teach the game."""
    kind, _, command = name.partition(":")
    if kind == "uci" and command and start.game.id == "chess":
        return
    if name == "self" or (name == "tables" and start.game.id == "checkers"):
        return
    if name == "solver" and start.game.id in ("connect4", "tictactoe"):
        return
    raise ParseError(
        f"teacher must be self, solver (Connect Four and tic-tac-toe), tables (checkers) or uci:COMMAND (chess) for "
        f"{start.game.spec}, got {name[:80]!r}"
    )


def make_teacher(name: str, start: Position, *, nodes: int, depth: int) -> Teacher:
    """Start a teacher. ``self`` searches with the best weights; it is used for recorded games."""
    check_teacher(name, start)
    kind, _, command = name.partition(":")
    if kind == "uci":
        return UciTeacher(command, nodes)
    return SolverTeacher(start) if kind == "solver" else SearchTeacher(start, depth, tables=kind == "tables")


@dataclass(frozen=True)
class LabelledGame:
    """A game and the teacher's scores."""

    moves: list[str]
    scores: list[int | None]
    """The score before each move for the side to move; None before a random move."""
    result: int
    """The result for the first side: 1, 0 or -1."""


def play_game(teacher: Teacher, start: Position, *, opening_plies: int, epsilon: float, seed: int) -> LabelledGame:
    """Let a teacher play itself.

    The game starts with `opening_plies` / 2 to `opening_plies` random moves; later, a move is random with probability
    `epsilon`.
    """
    rng = Rng(seed)
    minimum = opening_plies // 2
    random_plies = minimum + rng.below(opening_plies - minimum + 1)
    teacher.new_game()
    position, scores = start, list[int | None]()
    decided: int | None = None
    while position.outcome is None and position.ply < MAX_PLIES and decided is None:
        if position.ply < random_plies or rng.unit() < epsilon:
            position = position.play_random(rng)
            scores.append(None)
            continue
        move, score = teacher.label(position)
        if teacher.resigns and abs(score) >= WIN_SCORE:
            decided = (1 if score > 0 else -1) * (1 if position.turn == start.game.sides[0] else -1)
        try:
            position = position.play(move)
        except (ParseError, IllegalMoveError) as error:
            raise PlygroundError(f"the teacher chose an impossible move: {error}") from None
        scores.append(score)
    winner = None if position.outcome is None else position.outcome.winner
    return LabelledGame(position.history, scores, _result(start, winner) if decided is None else decided)


def label_record(teacher: Teacher, start: Position, record: Record) -> LabelledGame:
    """Let a teacher score the positions of a recorded game; the moves are those that were played."""
    teacher.new_game()
    position, scores = start, list[int | None]()
    for move in record.moves[:MAX_PLIES]:
        scores.append(teacher.label(position)[1])
        position = position.play(move)
    outcome = record.outcome or position.outcome
    return LabelledGame(position.history, scores, _result(start, None if outcome is None else outcome.winner))


def _result(start: Position, winner: str | None) -> int:
    return 0 if winner is None else 1 if winner == start.game.sides[0] else -1
