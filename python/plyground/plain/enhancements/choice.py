"""Final move selection by proven values and statistics."""

from __future__ import annotations

from math import sqrt
from typing import Any

from plyground._engine import Rng
from plyground.plain.mcts import Mcts, Node


class FinalMove(Mcts):
    """Prefers the quickest proven win, then the best unproven or drawn move, then the slowest proven loss.

    `choice` determines how unproven moves are compared: by `visits`, `value` or `lower-bound`.

    >>> import plyground
    >>> from plyground.plain.mcts import Proven
    >>> start = plyground.game("tictactoe").start()
    >>> a1, b1 = Node(start, "x", "a1", visits=5, total=2.0), Node(start, "x", "b1", proven=Proven("x", 8))
    >>> root = Node(start, "o", children=[a1, b1])
    >>> search = FinalMove(plyground.Rng(1))
    >>> search.moves = lambda root: root.children
    >>> search.best(root).move
    'b1'
    >>> b1.proven = Proven(None, 8)
    >>> search.best(root).move
    'b1'
    >>> a1.total = 3.0
    >>> search.best(root).move
    'a1'
    """

    def __init__(self, rng: Rng, *, choice: str = "visits", **options: Any) -> None:
        super().__init__(rng, **options)
        self.choice = choice

    def best(self, root: Node) -> Node:
        """Return the highest-ranked child, or a proven draw if the value of that child is below 0.5."""
        moves = self.moves(root)
        best = max(moves, key=self.rank)
        draws = [child for child in moves if child.proven is not None and child.proven.winner is None]
        return draws[0] if draws and exact_mean(best) < 0.5 else best

    def rank(self, child: Node) -> tuple[int, float]:
        """Return the rank of a move: wins, then unproven and drawn moves, then losses."""
        if child.proven is None or child.proven.winner is None:
            return 1, self.merit(child)
        return (2, -child.proven.distance) if child.proven.winner == child.mover else (0, child.proven.distance)

    def merit(self, child: Node) -> float:
        """Return the number by which unproven and drawn moves are compared."""
        match self.choice:
            case "value":
                return exact_mean(child) if child.visits else -1.0
            case "lower-bound":
                return exact_mean(child) - sqrt(1 / max(child.visits, 1e-9))
            case _:
                return child.visits


def exact_mean(child: Node) -> float:
    """Return the proven value of a move, otherwise its mean reward; 0.5 without visits."""
    return child.mean if child.proven is None else child.proven.reward(child.mover)
