"""Implicit minimax backups.

Lanctot, Winands, Pepels and Sturtevant 2014, "Monte Carlo Tree Search with heuristic evaluations using implicit minimax
backups".
"""

from __future__ import annotations

from typing import Any

from plyground._engine import Rng
from plyground.plain.enhancements.knowledge import Evaluations
from plyground.plain.mcts import Node


class ImplicitMinimax(Evaluations):
    """Mixes the minimax value of the evaluations into the mean: `(1 - weight) * mean + weight * minimax`.

    >>> import plyground
    >>> search = ImplicitMinimax(plyground.Rng(1), minimax=0.75)
    >>> child = Node(plyground.game("chess").start(), "white", "e2e4", visits=4, total=1.0)
    >>> search.minimax[child] = 0.5
    >>> search.mean(child)
    0.4375
    """

    def __init__(self, rng: Rng, *, minimax: float = 0.85, **options: Any) -> None:
        super().__init__(rng, **options)
        self.minimax_weight = minimax
        self.minimax: dict[Node, float] = {}
        """Minimax value of the evaluations below each node, for its mover, 0 to 1."""

    def prepare(self, root: Node) -> None:
        """Replace the evaluations of moves that are proven before the first simulation by their proven values."""
        super().prepare(root)
        for child in root.children:
            if child.proven is not None:
                self.minimax[child] = child.proven.reward(child.mover)

    def initialise(self, node: Node) -> None:
        """Evaluate new children."""
        super().initialise(node)
        for child in node.children:
            self.minimax[child] = self.expected_score(child.position, child.mover)

    def mean(self, child: Node) -> float:
        """Return the mean mixed with the minimax value."""
        return (1 - self.minimax_weight) * super().mean(child) + self.minimax_weight * self.minimax[child]

    def back_up(self, path: list[Node], value: float) -> None:
        """Update the minimax values of the path from the leaf up; proven values replace evaluations."""
        super().back_up(path, value)
        for node in reversed(path):
            if node.proven is not None:
                self.minimax[node] = node.proven.reward(node.mover)
            elif node.children:
                best = max(self.minimax[child] for child in node.children)
                self.minimax[node] = best if node.mover == node.position.turn else 1 - best
