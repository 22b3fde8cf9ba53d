"""Monte Carlo Tree Search with UCT (Kocsis and Szepesvári 2006), with one method for each of the four phases.

With the same random number generator, it grows the same tree as the engine's `mcts(solver=false, decisive=false,
playout_decisive=false)`, node for node. `plyground.plain.enhancements` adds the engine's other options.

>>> import plyground
>>> search = Mcts(plyground.Rng(1))
>>> root = search.run(plyground.game("connect4").position("112233"), simulations=200)
>>> search.best(root).move, root.visits
('4', 200)

To change a phase, override its method. This search evaluates every unfinished leaf as even instead of running playouts:

>>> class EvenLeaves(Mcts):
...     def evaluate(self, position):
...         return super().evaluate(position) if position.outcome else 0.5
>>> search = EvenLeaves(plyground.Rng(1))
>>> search.best(search.run(plyground.game("connect4").position("112233"), simulations=200)).move
'4'
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from math import log, sqrt
from typing import NamedTuple

from plyground._engine import Position, Rng
from plyground.plain.playout import PLIES, legal_moves, playout, reward


class Proven(NamedTuple):
    """The exact value of a node."""

    winner: str | None
    """The side that wins; None for a draw."""
    distance: int = 0
    """Plies to the end of the game."""

    def reward(self, side: str) -> float:
        """Return the reward of a side: 1 for a win, 0.5 for a draw, 0 for a loss."""
        return 0.5 if self.winner is None else float(self.winner == side)


@dataclass(eq=False)
class Node:
    """A move in the tree, with the statistics of the simulations through it."""

    before: Position
    """The position before the move; for the root, its own position."""
    mover: str
    """The side that makes the move; for the root, the side that is not to move."""
    move: str = ""
    """Empty for the root."""
    visits: int = 0
    total: float = 0.0
    """Sum of the rewards for `mover`: 1 for a win, 0.5 for a draw, 0 for a loss."""
    children: list[Node] = field(default_factory=list)
    """One for each legal move, in the order in which they are tried; empty before expansion."""
    tried: int = 0
    """Number of children that have been tried."""
    proven: Proven | None = None
    """The exact value, if the game is over here or a solver has proven it."""

    @cached_property
    def position(self) -> Position:
        """The position after the move, computed on first use."""
        return self.before.play(self.move) if self.move else self.before

    @property
    def mean(self) -> float:
        """Mean reward for `mover`; 0.5 before the first visit."""
        return self.total / self.visits if self.visits else 0.5


def uct(w: float, n: int, N: int, c: float) -> float:  # noqa: N803
    """Return the UCT value of a child: its mean reward plus an exploration bonus.

    `w` is the child's sum of rewards for the side to move, `n` its visits, `N` the simulations through its parent
    including the current one, and `c` the exploration constant.

    >>> round(uct(w=3, n=4, N=10, c=1), 4)
    1.5087
    """
    return w / n + c * sqrt(log(N)) * (1 / sqrt(n))


class Mcts:
    """A tree search whose phases can be overridden: `select`, `expand`, `evaluate`, `back_up`."""

    def __init__(self, rng: Rng, c: float = 0.5, playout_plies: int = PLIES) -> None:
        self.rng = rng
        self.c = c
        self.playout_plies = playout_plies

    def run(self, position: Position, simulations: int) -> Node:
        """Grow a tree from a position and return its root."""
        root = self.root(position)
        self.prepare(root)
        for _ in range(simulations):
            if self.finished(root):
                break
            self.simulate(root)
        return root

    def root(self, position: Position) -> Node:
        """Return the root of a new tree; raise `GameOverError` if the game is over."""
        legal_moves(position)
        first, second = position.game.sides
        return Node(position, mover=second if position.turn == first else first)

    def prepare(self, root: Node) -> None:
        """Prepare the root for a run: create its children."""
        if not root.children:
            self.open([root])

    def finished(self, root: Node) -> bool:  # noqa: ARG002
        """Whether more simulations would be pointless."""
        return False

    def simulate(self, root: Node) -> list[Node]:
        """Run one simulation through all four phases and return its path."""
        path = self.select(root)
        self.expand(path)
        self.back_up(path, self.evaluate_leaf(path[-1]))
        return path

    # Selection

    def select(self, root: Node) -> list[Node]:
        """**Selection**: descend by `score` to a node with untried moves or to the end of the game."""
        path = [root]
        while self.descends(path):
            self.step(path, self.choose(path))
        return path

    def descends(self, path: list[Node]) -> bool:
        """Whether the selection continues below the last node."""
        node = path[-1]
        return bool(node.children) and node.tried >= len(self.candidates(node))

    def candidates(self, node: Node) -> list[Node]:
        """Return the children that may be tried and selected."""
        return node.children

    def choose(self, path: list[Node]) -> Node:
        """Return the highest-scoring child of the last node; ties go to the first."""
        parent = path[-1]
        return max(self.candidates(parent), key=lambda child: self.score(parent, child))

    def score(self, parent: Node, child: Node) -> float:
        """Return the selection score of a child for the side to move."""
        return self.mean(child) + self.exploration(parent, child) + self.bias(child)

    def mean(self, child: Node) -> float:
        """Return the first part of the score: the mean reward."""
        return child.total / child.visits if child.visits else 0.0

    def exploration(self, parent: Node, child: Node) -> float:
        """Return the second part of the score: the exploration bonus."""
        return uct(0, child.visits, self.simulations(parent), self.c) if child.visits else 0.0

    def bias(self, child: Node) -> float:  # noqa: ARG002
        """Return the third part of the score: a bonus for moves that game knowledge favours."""
        return 0.0

    def simulations(self, node: Node) -> int:
        """Return the number of simulations through a node of the path, including the current one."""
        return node.visits + 1

    def step(self, path: list[Node], child: Node) -> None:
        """Append a child to the path."""
        path.append(child)

    # Expansion

    def expand(self, path: list[Node]) -> None:
        """**Expansion**: try the next untried move of the last node, unless it is new or the game is over there."""
        node = path[-1]
        if node.proven or (node.visits == 0 and len(path) > 1):
            return
        if not node.children:
            self.open(path)
        if node.tried < len(self.candidates(node)):
            node.tried += 1
            self.step(path, node.children[node.tried - 1])

    def open(self, path: list[Node]) -> None:
        """Create the children of the last node."""
        node = path[-1]
        turn = node.position.turn
        node.children = [Node(node.position, turn, move) for move in self.order(node.position)]
        self.initialise(node)

    def order(self, position: Position) -> list[str]:
        """Return the legal moves in the order of expansion: a Fisher-Yates shuffle."""
        moves = position.moves
        for last in range(len(moves) - 1, 0, -1):
            other = self.rng.below(last + 1)
            moves[last], moves[other] = moves[other], moves[last]
        return moves

    def initialise(self, node: Node) -> None:
        """Initialise the statistics of new children."""

    # Evaluation

    def evaluate_leaf(self, leaf: Node) -> float:
        """Return the reward for the side to move at a leaf: exact if the game is over, otherwise from `evaluate`."""
        if leaf.proven is None and (outcome := leaf.position.outcome) is not None:
            leaf.proven = Proven(outcome.winner)
        return leaf.proven.reward(leaf.position.turn) if leaf.proven else self.evaluate(leaf.position)

    def evaluate(self, position: Position) -> float:
        """**Evaluation**: return the reward for the side to move, 0 to 1, from a playout."""
        end = playout(position, self.rng, self.playout_plies, self.playout_move)
        return reward(end, position.turn) if end.outcome else self.cut_off(end, position.turn)

    def playout_move(self, position: Position) -> Position:
        """Return the position after a random move of a playout."""
        return position.play_random(self.rng)

    def cut_off(self, position: Position, side: str) -> float:  # noqa: ARG002
        """Return the reward of a side for a playout that was cut off at a position."""
        return 0.5

    # Backpropagation

    def back_up(self, path: list[Node], value: float) -> None:
        """**Backpropagation**: add the value, given for the side to move at the end of the path, to every node."""
        turn = path[-1].position.turn
        for index, node in enumerate(path):
            node.visits += 1
            node.total += self.reward(index, value if node.mover == turn else 1 - value)

    def reward(self, index: int, value: float) -> float:  # noqa: ARG002
        """Return the reward of the node at `index` in the path, where `value` is the result of the simulation."""
        return value

    # Decision

    def best(self, root: Node) -> Node:
        """Return the most visited child; ties go to the first in the order of `Position.moves`."""
        return max(self.moves(root), key=lambda child: child.visits)

    def moves(self, root: Node) -> list[Node]:
        """Return the children of the root in the order of `Position.moves`."""
        order = {move: index for index, move in enumerate(root.position.moves)}
        return sorted(root.children, key=lambda child: order[child.move])
