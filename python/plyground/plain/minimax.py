"""Minimax to a fixed depth, with and without alpha-beta pruning (Knuth and Moore 1975).

Values are for the side to move. The sides need not alternate.

>>> import plyground
>>> position = plyground.game("connect4").position("112233")
>>> Minimax(depth=3).run(position).move, Minimax(depth=3).run(position).nodes
('4', 115)
>>> Minimax(depth=3, pruning=False).run(position).nodes
343
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from plyground._engine import Position
from plyground.plain.playout import legal_moves

WIN = 1_000_000.0
"""Value of a win, above every evaluation. Each ply of remaining depth adds 1, so that quicker wins score higher."""

PIECE_VALUES = {"pawn": 1, "knight": 3, "bishop": 3, "rook": 5, "queen": 9, "man": 1, "king": 2}
"""Values in pawns or men. Other pieces count 0; the chess kings, always both present, cancel out."""


def material(position: Position, values: Mapping[str, float] = PIECE_VALUES) -> float:
    """Return the material balance for the side to move, in pawns or men, or in the unit of `values`.

    >>> import plyground
    >>> material(plyground.game("checkers").position("W:WK3,20:B10"))
    2.0
    """
    pieces, turn, balance = position.game.pieces, position.turn, 0.0
    for letter in position.cells.values():
        side, name = pieces[letter]
        balance += values.get(name, 0) if side == turn else -values.get(name, 0)
    return balance


@dataclass
class Result:
    """The result of a search; values are for the side to move at the root."""

    move: str = ""
    """The best move; ties go to the first."""
    value: float = -2 * WIN
    """Its value: at least `WIN` for a forced win, at most `-WIN` for a forced loss, otherwise an evaluation."""
    values: dict[str, float] = field(default_factory=dict)
    """The value of each legal move; with pruning, an upper bound for moves no better than an earlier one."""
    nodes: int = 0
    """Positions visited, excluding the root."""
    cutoffs: int = 0
    """Number of beta cutoffs."""


class Minimax:
    """A search to a fixed depth; override `end` or `order`, or pass another evaluation function."""

    def __init__(self, depth: int, *, pruning: bool = True, evaluate: Callable[[Position], float] = material) -> None:
        self.depth = depth
        self.pruning = pruning
        self.evaluate = evaluate

    def run(self, position: Position) -> Result:
        """Search every legal move; raise `GameOverError` if the game is over."""
        self.result = Result()
        legal_moves(position)
        for move in self.order(position):
            value = self.after(position, move, self.depth, self.result.value, 2 * WIN)
            self.result.values[move] = value
            if value > self.result.value:
                self.result.move, self.result.value = move, value
        return self.result

    def search(self, position: Position, depth: int, alpha: float, beta: float) -> float:
        """Return the value of a position for the side to move, within the window from `alpha` to `beta`."""
        self.result.nodes += 1
        if position.outcome is not None:
            return self.end(position, depth)
        if depth == 0:
            return self.evaluate(position)
        best = -2 * WIN
        for move in self.order(position):
            best = max(best, self.after(position, move, depth, alpha, beta))
            alpha = max(alpha, best)
            if self.pruning and alpha >= beta:
                self.result.cutoffs += 1
                break
        return best

    def after(self, position: Position, move: str, depth: int, alpha: float, beta: float) -> float:
        """Return the value of a move for the side that makes it."""
        child = position.play(move)
        if child.turn == position.turn:
            return self.search(child, depth - 1, alpha, beta)
        return -self.search(child, depth - 1, -beta, -alpha)

    def end(self, position: Position, depth: int) -> float:
        """Return the value of a finished game for the side to move, with `depth` plies of search depth left."""
        outcome = position.outcome
        if outcome is None or outcome.winner is None:
            return 0.0
        return WIN + depth if outcome.winner == position.turn else -WIN - depth

    def order(self, position: Position) -> list[str]:
        """Return the moves in search order; trying good moves first improves pruning."""
        return position.moves
