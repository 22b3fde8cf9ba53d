"""Transpositions (Childs, Brodeur and Kocsis 2008, "Transpositions and Move Groups in Monte Carlo Tree Search").

Positions reached by different moves share their children, so that the tree becomes a directed acyclic graph. A move
keeps its own visits, but its value is recomputed from the moves below it, which other paths may have updated.
Repetition depends on the path, so it proves nothing.
"""

from __future__ import annotations

from typing import Any

from plyground._engine import Position, Rng
from plyground.plain.mcts import Mcts, Node

UNITS = 2**20
"""Number of units in a reward of 1. Means are rounded down to whole units."""


class Transpositions(Mcts):
    """Shares children between equal positions with the same number of reversible plies and of plies from the start.

    Comparing the plies from the start rules out cycles in every game.
    """

    def __init__(self, rng: Rng, **options: Any) -> None:
        super().__init__(rng, **options)
        self.blocks: dict[Key, list[Node]] = {}
        """The children of every expanded position."""
        self.start: Position
        """The position of the root, with its history."""
        self.line: Position
        """The position at the end of the path, with its history."""

    def prepare(self, root: Node) -> None:
        """Forget the positions that are not below the root."""
        self.start = root.position
        self.blocks = {}
        remaining = [(root, root.position.ply)]
        while remaining:
            node, ply = remaining.pop()
            if node.children and self.blocks.setdefault(key(node, ply), node.children) is node.children:
                remaining += [(child, ply + 1) for child in node.children if child.children]
        super().prepare(root)

    def simulate(self, root: Node) -> list[Node]:
        """Run one simulation."""
        self.line = self.start
        return super().simulate(root)

    def step(self, path: list[Node], child: Node) -> None:
        """Append a child to the path and play its move."""
        super().step(path, child)
        self.line = self.line.play(child.move)

    @property
    def repeats(self) -> bool:
        """Whether the path ends with a draw by repetition."""
        outcome = self.line.outcome
        return outcome is not None and outcome.reason == "repetition"

    def descends(self, path: list[Node]) -> bool:
        """Stop at a repetition."""
        return super().descends(path) and not self.repeats

    def expand(self, path: list[Node]) -> None:
        """Expand the last node unless it is a repetition."""
        if not self.repeats:
            super().expand(path)

    def evaluate_leaf(self, leaf: Node) -> float:
        """Return the value of a leaf; a repetition is a draw in this simulation only."""
        return 0.5 if leaf.proven is None and self.repeats else super().evaluate_leaf(leaf)

    def open(self, path: list[Node]) -> None:
        """Share the children of an equal position; its leading children with visits count as tried."""
        node = path[-1]
        node.position = node.position.without_history()
        found = key(node, self.start.ply + len(path) - 1)
        if (children := self.blocks.get(found)) is None:
            super().open(path)
            self.blocks[found] = node.children
            return
        node.children = children
        while node.tried < len(children) and children[node.tried].visits:
            node.tried += 1

    def simulations(self, node: Node) -> int:
        """Return the number of simulations through the children by any path, including the current one."""
        return sum(child.visits for child in node.children) + 1

    def back_up(self, path: list[Node], value: float) -> None:
        """Recompute the mean of every expanded node of the path from its children, from the leaf up."""
        super().back_up(path, value)
        for node in reversed(path):
            visits = sum(child.visits for child in node.children)
            if visits:
                turn = node.position.turn
                rewards = sum(int(total(child) * UNITS) for child in node.children)
                mean = rewards // visits / UNITS
                node.total = node.visits * (mean if node.mover == turn else 1 - mean)


Key = tuple[Position, int, int]
"""A position, its reversible plies, and the plies from the start of the game."""


def key(node: Node, ply: int) -> Key:
    """Return the key of a node; nodes with equal keys share their children."""
    return node.position, node.position.reversible_plies, ply


def total(child: Node) -> float:
    """Return the sum of the rewards of a child, based on its proven value if there is one."""
    return child.total if child.proven is None else child.visits * child.proven.reward(child.mover)
