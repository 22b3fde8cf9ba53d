"""Minimax to a fixed depth, with and without alpha-beta pruning (Knuth and Moore 1975).

Values are for the side to move, whoever that is: no step relies on the sides taking turns.

>>> import plyground
>>> position = plyground.game("connect4").position("112233")
>>> Minimax(depth=3).run(position).move, Minimax(depth=3).run(position).nodes
('4', 115)
>>> Minimax(depth=3, pruning=False).run(position).nodes
343
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from plyground._engine import Position
from plyground.plain.playout import legal_moves

WIN = 1_000_000.0
"""A won game; above every evaluation. A win with plies to spare counts one more for each of them."""

WORTH = {"pawn": 1, "knight": 3, "bishop": 3, "rook": 5, "queen": 9, "man": 1, "king": 2}
"""What pieces count, by name; those not listed (discs, marks) count nothing. Kings of chess are always both there."""


def material(position: Position) -> float:
    """The worth of the mover's pieces minus that of the opponent's.

    >>> import plyground
    >>> material(plyground.game("checkers").position("W:WK3,20:B10"))
    2.0
    """
    pieces, turn, sum_ = position.game.pieces, position.turn, 0.0
    for letter in position.cells.values():
        side, name = pieces[letter]
        sum_ += WORTH.get(name, 0) if side == turn else -WORTH.get(name, 0)
    return sum_


@dataclass
class Result:
    """What a search came to; values are for the side to move in its position."""

    move: str = ""
    """The best move, of equals the first."""
    value: float = -2 * WIN
    """Its value: above `WIN` a sure win, below `-WIN` a sure loss, else an evaluation so many plies on."""
    values: dict[str, float] = field(default_factory=dict)
    """The value of each legal move; with pruning, of moves that are no better than one before, an upper bound."""
    nodes: int = 0
    """Positions looked at, the first one not counted."""
    cutoffs: int = 0
    """How often the other moves of a position could be left out."""


class Minimax:
    """A search to a fixed depth; override `end` or `order`, or pass another evaluation."""

    def __init__(self, depth: int, *, pruning: bool = True, evaluate: Callable[[Position], float] = material) -> None:
        self.depth = depth
        self.pruning = pruning
        self.evaluate = evaluate

    def run(self, position: Position) -> Result:
        """The value of every legal move, and the best; an error where the game is over."""
        self.result = Result()
        legal_moves(position)
        for move in self.order(position):
            value = self.after(position, move, self.depth, self.result.value, 2 * WIN)
            self.result.values[move] = value
            if value > self.result.value:
                self.result.move, self.result.value = move, value
        return self.result

    def search(self, position: Position, depth: int, alpha: float, beta: float) -> float:
        """The value of a position. The mover has `alpha` for sure elsewhere; above `beta` the opponent avoids it."""
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
        """The value of a move for the side that makes it."""
        child = position.play(move)
        if child.turn == position.turn:
            return self.search(child, depth - 1, alpha, beta)
        return -self.search(child, depth - 1, -beta, -alpha)

    def end(self, position: Position, depth: int) -> float:
        """The value of a finished game for the side that would move, with `depth` plies to spare."""
        outcome = position.outcome
        if outcome is None or outcome.winner is None:
            return 0.0
        return WIN + depth if outcome.winner == position.turn else -WIN - depth

    def order(self, position: Position) -> list[str]:
        """The moves in the order in which they are looked at: the better ones first, the more is pruned."""
        return position.moves
