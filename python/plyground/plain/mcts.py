"""Monte Carlo Tree Search with UCT (Kocsis and Szepesvári 2006), the four phases a method each.

With the same generator it grows the engine's tree node for node: that of
`mcts(solver=false, decisive=false, playout_decisive=false)`.

>>> import plyground
>>> search = Mcts(plyground.Rng(1))
>>> root = search.run(plyground.game("connect4").position("112233"), simulations=200)
>>> search.best(root).move, root.visits
('4', 200)

To change a phase, override it. Here leaves are not played out; all of them are taken to be even:

>>> class Guess(Mcts):
...     def evaluate(self, position):
...         return super().evaluate(position) if position.outcome else 0.5
>>> search = Guess(plyground.Rng(1))
>>> search.best(search.run(plyground.game("connect4").position("112233"), simulations=200)).move
'4'
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import log, sqrt

from plyground._engine import Position, Rng
from plyground.plain.playout import PLIES, legal_moves, playout, reward


@dataclass
class Node:
    """A position in the tree, and how the simulations that went through it ended."""

    position: Position
    mover: str
    """The side that moved to it; for the root, the side that does not move."""
    move: str = ""
    """The move that leads to it; empty for the root."""
    visits: int = 0
    total: float = 0.0
    """Sum of the rewards of these visits for `mover`, each 1 for a win, 0.5 for a draw, 0 for a loss."""
    children: list[Node] = field(default_factory=list)
    """Those already tried, in the order in which they were."""
    untried: list[str] | None = None
    """Moves still to be tried, the next one first; None before the node is opened."""

    @property
    def mean(self) -> float:
        """The mean reward for `mover`; 0.5 before the first visit."""
        return self.total / self.visits if self.visits else 0.5


def uct(w: float, n: int, N: int, c: float) -> float:  # noqa: N803
    """The value of a child: its mean reward, and more the less it was tried.

    `w` and `n` are the child's sum of rewards for the side to move and its visits, `N` counts the simulations through
    its parent, the one under way included, and `c` says how much to explore.

    >>> round(uct(w=3, n=4, N=10, c=1), 4)
    1.5087
    """
    return w / n + c * sqrt(log(N) / n)


class Mcts:
    """A tree search whose phases can be overridden: `select`, `expand`, `evaluate`, `back_up`."""

    def __init__(self, rng: Rng, c: float = 0.5, playout_plies: int = PLIES) -> None:
        self.rng = rng
        self.c = c
        self.playout_plies = playout_plies

    def run(self, position: Position, simulations: int) -> Node:
        """Grows a tree from a position by so many simulations; its root."""
        root = self.root(position)
        for _ in range(simulations):
            self.simulate(root)
        return root

    def root(self, position: Position) -> Node:
        """A tree of one node; an error where the game is over."""
        legal_moves(position)
        first, second = position.game.sides
        return Node(position, mover=second if position.turn == first else first)

    def simulate(self, root: Node) -> list[Node]:
        """One simulation: down the tree, one node further, a guess at its value, and back; the path it took."""
        path = self.select(root)
        self.expand(path)
        value = self.evaluate(path[-1].position)
        self.back_up(path, value)
        return path

    def select(self, root: Node) -> list[Node]:
        """**Selection**: from the root by the formula down to a node with untried moves, or to an end of the game."""
        path = [root]
        while path[-1].children and not path[-1].untried:
            parent = path[-1]
            path.append(max(parent.children, key=lambda child: self.score(parent, child)))
        return path

    def score(self, parent: Node, child: Node) -> float:
        """How good it looks to try a child again; `select` follows the highest, of equals the first."""
        return uct(child.total, child.visits, parent.visits + 1, self.c)

    def expand(self, path: list[Node]) -> None:
        """**Expansion**: one untried move of the last node leads to a new one; where the game is over, none does."""
        parent = path[-1]
        if parent.untried is None:
            parent.untried = self.order(parent.position)
        if parent.untried:
            move = parent.untried.pop(0)
            child = Node(parent.position.play(move), mover=parent.position.turn, move=move)
            parent.children.append(child)
            path.append(child)

    def order(self, position: Position) -> list[str]:
        """The legal moves in the order in which they will be tried: shuffled (Fisher and Yates)."""
        moves = position.moves
        for last in range(len(moves) - 1, 0, -1):
            other = self.rng.below(last + 1)
            moves[last], moves[other] = moves[other], moves[last]
        return moves

    def evaluate(self, position: Position) -> float:
        """**Evaluation**: what the side to move may expect, 0 to 1: exact at an end, else how a playout came out."""
        end = position if position.outcome else playout(position, self.rng, self.playout_plies)
        return reward(end, position.turn)

    def back_up(self, path: list[Node], value: float) -> None:
        """**Back-up**: the value, for the side to move at the end of the path, counts for every node on it."""
        turn = path[-1].position.turn
        for node in path:
            node.visits += 1
            node.total += value if node.mover == turn else 1 - value

    def best(self, root: Node) -> Node:
        """The child to play: the most visited, of equals the first in the order of `Position.moves`."""
        order = root.position.moves.index
        return max(root.children, key=lambda child: (child.visits, -order(child.move)))
