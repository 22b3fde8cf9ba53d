"""MCTS-Solver (Winands, Björnsson and Saito 2008, "Monte-Carlo Tree Search Solver")."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from plyground._engine import Rng
from plyground.plain.mcts import Mcts, Node, Proven

MAX_DISTANCE = 255
"""Distances saturate at this number of plies."""


def value_from_children(children: Iterable[Proven | None], turn: str) -> Proven | None:
    """Return the proven value of a node from those of its children, if it follows from them.

    It is the quickest win for the side to move or, if there is none and all children are proven, the quickest draw or
    else the slowest loss.

    >>> win, draw, loss = Proven("red", 2), Proven(None, 4), Proven("yellow", 6)
    >>> value_from_children([win, Proven("red", 8), None], "red")
    Proven(winner='red', distance=3)
    >>> value_from_children([draw, loss, None], "red")
    >>> value_from_children([draw, loss], "red")
    Proven(winner=None, distance=5)
    >>> value_from_children([loss, Proven("yellow", 8)], "red")
    Proven(winner='yellow', distance=9)
    """
    values = list(children)
    wins, draws, losses = list[int](), list[int](), list[int]()
    for value in values:
        if value is not None:
            (wins if value.winner == turn else draws if value.winner is None else losses).append(value.distance)
    if wins:
        return Proven(turn, min(min(wins) + 1, MAX_DISTANCE))
    if not values or None in values:
        return None
    if draws:
        return Proven(None, min(min(draws) + 1, MAX_DISTANCE))
    loser_wins = next(value.winner for value in values if value is not None)
    return Proven(loser_wins, min(max(losses) + 1, MAX_DISTANCE))


class Solver(Mcts):
    """Proves wins, draws and losses from the leaves up, and stops when the root is proven.

    >>> import plyground
    >>> root = Solver(plyground.Rng(1)).run(plyground.game("connect4").position("3344"), simulations=2000)
    >>> root.proven, root.visits < 2000
    (Proven(winner='red', distance=3), True)
    """

    def __init__(self, rng: Rng, **options: Any) -> None:
        super().__init__(rng, **options)
        self.drawn = 0
        """Number of nodes from the start of the path for which the current simulation counts as a draw."""

    def prepare(self, root: Node) -> None:
        """Forget the proof of a reused root that does not follow from its children, so that a move can be chosen."""
        super().prepare(root)
        self.prove_from_children(root)

    def finished(self, root: Node) -> bool:
        """Whether the root is proven."""
        return root.proven is not None or super().finished(root)

    def simulate(self, root: Node) -> list[Node]:
        """Run one simulation."""
        self.drawn = 0
        return super().simulate(root)

    def descends(self, path: list[Node]) -> bool:
        """Stop at proven nodes."""
        return path[-1].proven is None and super().descends(path)

    def candidates(self, node: Node) -> list[Node]:
        """Add children while all candidates are lost for the side to move."""
        turn, count = node.position.turn, len(super().candidates(node))
        while count < len(node.children) and all(is_lost(child, turn) for child in node.children[:count]):
            count += 1
        return node.children[:count]

    def score(self, parent: Node, child: Node) -> float:
        """Return the score; a move that loses has the lowest possible one."""
        return float("-inf") if is_lost(child, parent.position.turn) else super().score(parent, child)

    def choose(self, path: list[Node]) -> Node:
        """Skip a proven draw, which needs no more search, and choose the most visited unproven child.

        The simulation counts as a draw for the nodes above.
        """
        best = super().choose(path)
        unproven = [child for child in path[-1].children if child.proven is None]
        if best.proven is None or best.proven.winner is not None or not unproven:
            return best
        self.drawn = len(path)
        return max(reversed(unproven), key=lambda child: child.visits)  # ties go to the last

    def reward(self, index: int, value: float) -> float:
        """Return the reward, which is 1/2 above a skipped draw."""
        return 0.5 if index < self.drawn else super().reward(index, value)

    def back_up(self, path: list[Node], value: float) -> None:
        """Prove the nodes above a proven leaf, as far as their values follow from their children."""
        super().back_up(path, value)
        if path[-1].proven is None:
            return
        for node in reversed(path[:-1]):
            if node.proven is not None:
                return
            self.prove_from_children(node)
            if node.proven is None:
                return

    def prove_from_children(self, node: Node) -> None:
        """Set the proven value that follows from the children, or none."""
        node.proven = value_from_children((child.proven for child in node.children), node.position.turn)


def is_lost(child: Node, turn: str) -> bool:
    """Whether a move is proven to lose for the side to move."""
    return child.proven is not None and child.proven.winner not in (None, turn)
