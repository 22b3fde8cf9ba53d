"""Tree reuse: the subtree reached by the moves played becomes the next tree."""

from __future__ import annotations

from typing import Any

from plyground._engine import Position, Rng
from plyground.plain.mcts import Mcts, Node


class TreeReuse(Mcts):
    """Continues with the previous tree if a position follows from its root.

    >>> import plyground
    >>> search = TreeReuse(plyground.Rng(1))
    >>> start = plyground.game("connect4").start()
    >>> visits = {child.move: child.visits for child in search.run(start, simulations=100).children}
    >>> search.run(start.play("4"), simulations=50).visits == visits["4"] + 50
    True
    """

    def __init__(self, rng: Rng, **options: Any) -> None:
        super().__init__(rng, **options)
        self.previous: tuple[Position, Node] | None = None
        """The position of the last root with its history, and the root."""

    def root(self, position: Position) -> Node:
        """Return the node of the position in the previous tree, or a new root."""
        root = self.find(position)
        if root is None:
            root = super().root(position)
        root.position, root.move = position, ""
        if root.mover == position.turn:  # a side moved twice; root rewards are for the side not to move
            root.mover = next(side for side in position.game.sides if side != position.turn)
            root.total = root.visits - root.total
        self.previous = (position, root)
        return root

    def find(self, position: Position) -> Node | None:
        """Return the node of a position in the previous tree, or None."""
        if self.previous is None:
            return None
        start, node = self.previous
        history, earlier = position.history, start.history
        if not has_same_start(position, start) or history[: len(earlier)] != earlier:
            return None
        for move in history[len(earlier) :]:
            found = next((child for child in node.children if child.move == move), None)
            if found is None:
                return None
            node = found
        return node


def has_same_start(one: Position, other: Position) -> bool:
    """Whether two games start from the same position with the same clocks and rules."""
    starts = one.replay(0), other.replay(0)
    return one.game.spec == other.game.spec and starts[0].text == starts[1].text
