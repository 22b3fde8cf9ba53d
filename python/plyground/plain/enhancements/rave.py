"""RAVE and GRAVE: statistics of moves played at any later time (all moves as first, AMAF)."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import Any

from plyground._engine import Position, Rng
from plyground.plain.mcts import Mcts, Node


@dataclass
class Amaf:
    """Statistics of the simulations in which a move was played at any later time by the same side."""

    visits: int = 0
    total: float = 0.0
    """Sum of the rewards for the side that makes the move."""


def beta(n: int, m: int, bias: float) -> float:
    """Return the weight of the AMAF mean of a child with `n` visits and `m` AMAF visits.

    >>> beta(n=0, m=5, bias=0.01), beta(n=10, m=30, bias=0.0), beta(n=100, m=300, bias=0.001)
    (1.0, 0.75, 0.6976744186046512)
    """
    return m / (m + n + bias * m * n)


class Rave(Mcts):
    """RAVE (Gelly and Silver 2011, "Monte-Carlo tree search and rapid action value estimation in computer Go").

    >>> import plyground
    >>> search = Rave(plyground.Rng(1), rave=0.0)
    >>> start = plyground.game("connect4").start()
    >>> child = Node(start, "red", "4", visits=10, total=2.0)
    >>> search.action[child], search.amaf[child] = 3, Amaf(visits=30, total=18.0)
    >>> search.reference = [child]
    >>> round(search.mean(child), 9)
    0.5
    """

    def __init__(self, rng: Rng, *, rave: float = 0.001, **options: Any) -> None:
        super().__init__(rng, **options)
        self.rave = rave
        self.action: dict[Node, int] = {}
        self.amaf: defaultdict[Node, Amaf] = defaultdict(Amaf)
        self.actions: list[tuple[str, int]] = []
        """Side and action of every move of the current simulation, in the tree and in the playout."""
        self.reference: list[Node] = []
        """The children whose AMAF statistics the current selection uses."""

    def initialise(self, node: Node) -> None:
        """Store the actions of new children."""
        super().initialise(node)
        for child in node.children:
            self.action[child] = node.position.action(child.move)

    def simulate(self, root: Node) -> list[Node]:
        """Run one simulation."""
        self.actions = []
        return super().simulate(root)

    def step(self, path: list[Node], child: Node) -> None:
        """Record a move in the tree."""
        super().step(path, child)
        self.actions.append((child.mover, self.action[child]))

    def playout_move(self, position: Position) -> Position:
        """Record a move of the playout."""
        after = super().playout_move(position)
        self.actions.append((position.turn, position.action(after.history[-1])))
        return after

    def choose(self, path: list[Node]) -> Node:
        """Choose a child, using the AMAF statistics of the reference node's children."""
        self.reference = self.reference_node(path).children
        return super().choose(path)

    def reference_node(self, path: list[Node]) -> Node:
        """Return the node whose children's AMAF statistics are used."""
        return path[-1]

    def mean(self, child: Node) -> float:
        """Mix the AMAF mean of the same action into the mean, with less weight as visits grow."""
        mean = super().mean(child)
        same = next((other for other in self.reference if self.action[other] == self.action[child]), None)
        if same is None or not (amaf := self.amaf[same]).visits:
            return mean
        weight = beta(child.visits, amaf.visits, self.rave)
        return (1 - weight) * mean + weight * (amaf.total / amaf.visits)

    def back_up(self, path: list[Node], value: float) -> None:
        """Update the AMAF statistics of the children whose action the same side played there or later."""
        super().back_up(path, value)
        turn = path[-1].position.turn
        for index, node in enumerate(path):
            side, later = node.position.turn, set(self.actions[index:])
            for child in node.children:
                if (side, self.action[child]) in later:
                    self.amaf[child].visits += 1
                    self.amaf[child].total += self.reward(index + 1, value if side == turn else 1 - value)


class Grave(Rave):
    """GRAVE (Cazenave 2015, "Generalized Rapid Action Value Estimation")."""

    def __init__(self, rng: Rng, *, grave: int = 50, **options: Any) -> None:
        super().__init__(rng, **options)
        self.grave = grave

    def reference_node(self, path: list[Node]) -> Node:
        """Of the nodes with the same side to move as the last one, return the last with enough visits, else the first.

        >>> import plyground
        >>> start = plyground.game("connect4").start()
        >>> red, yellow = start, start.play("4")
        >>> path = [Node(red, "", visits=99), Node(yellow, "", visits=70), Node(red, "", visits=60), Node(yellow, "")]
        >>> search = Grave(plyground.Rng(1), grave=50)
        >>> [path.index(search.reference_node(path[:length])) for length in (1, 2, 3, 4)]
        [0, 1, 2, 1]
        """
        same = [node for node in path if node.position.turn == path[-1].position.turn]
        return next((node for node in reversed(same) if node.visits + 1 >= self.grave), same[0])
