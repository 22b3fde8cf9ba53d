"""Enhancements of the selection formula that need only the statistics of a node and its priors."""

from __future__ import annotations

from collections import defaultdict
from math import ceil, log, sqrt
from typing import Any

from plyground._engine import Rng
from plyground.plain.enhancements.knowledge import Priors, quantise
from plyground.plain.mcts import Mcts, Node


def ucb1_tuned(w: float, squares: float, n: int, N: int, c: float) -> float:  # noqa: N803
    """Return the UCB1-Tuned exploration bonus: UCT with an upper bound on the variance of the rewards, at most 1/4.

    `w` is the sum of the rewards of a child, `squares` the sum of their squares, `n` its visits, `N` the simulations
    through its parent including the current one, and `c` the exploration constant.

    Four wins: variance 0, bound sqrt(2 ln 10 / 4) = 1.073, so 1/4 applies and the bonus is sqrt(ln 10 / 4 / 4).

    >>> round(ucb1_tuned(w=4, squares=4, n=4, N=10, c=1), 4), round(sqrt(log(10) / 4 / 4), 4)
    (0.3794, 0.3794)

    With 400 draws the bound is sqrt(2 ln 1000 / 400) = 0.186.

    >>> round(ucb1_tuned(w=200, squares=100, n=400, N=1000, c=1), 4), round(sqrt(log(1000) / 400 * 0.18585), 4)
    (0.0567, 0.0567)
    """
    mean = w / n
    variance = max(0.0, squares / n - mean * mean + sqrt(2 * log(N) / n))
    return c * sqrt(log(N) / n * min(0.25, variance))


class Ucb1Tuned(Mcts):
    """UCB1-Tuned (Auer, Cesa-Bianchi and Fischer 2002, "Finite-time Analysis of the Multiarmed Bandit Problem")."""

    def __init__(self, rng: Rng, **options: Any) -> None:
        super().__init__(rng, **options)
        self.squares: defaultdict[Node, float] = defaultdict(float)
        """Sum of the squared rewards of each node."""

    def exploration(self, parent: Node, child: Node) -> float:
        """Return the UCB1-Tuned bonus."""
        if not child.visits:
            return 0.0
        return ucb1_tuned(child.total, self.squares[child], child.visits, self.simulations(parent), self.c)

    def back_up(self, path: list[Node], value: float) -> None:
        """Add the squares of the rewards."""
        super().back_up(path, value)
        turn = path[-1].position.turn
        for index, node in enumerate(path):
            reward = self.reward(index, value if node.mover == turn else 1 - value)
            self.squares[node] += quantise(reward * reward)


def puct(prior: float, n: int, N: int, c: float) -> float:  # noqa: N803
    """Return the PUCT exploration bonus of a child with a prior probability.

    >>> puct(prior=0.25, n=3, N=16, c=1.5)
    0.375
    """
    return c * sqrt(N) * prior / (1 + n)


class Puct(Priors):
    """PUCT (Rosin 2011; Silver et al. 2017, "Mastering the game of Go without human knowledge")."""

    def exploration(self, parent: Node, child: Node) -> float:
        """Return the PUCT bonus."""
        return puct(self.prior[child], child.visits, self.simulations(parent), self.c)


class ProgressiveBias(Priors):
    """Progressive bias (Chaslot et al. 2008, "Progressive Strategies for Monte-Carlo Tree Search")."""

    def __init__(self, rng: Rng, *, bias: float = 1.0, **options: Any) -> None:
        super().__init__(rng, **options)
        self.bias_weight = bias

    def bias(self, child: Node) -> float:
        """Return the weighted prior, which fades as visits grow.

        >>> import plyground
        >>> search = ProgressiveBias(plyground.Rng(1), bias=2.0)
        >>> child = Node(plyground.game("connect4").start(), "red", "4", visits=3)
        >>> search.prior[child] = 0.5
        >>> search.bias(child)
        0.25
        """
        return super().bias(child) + self.bias_weight * self.prior[child] / (child.visits + 1)


class FirstPlayUrgency(Mcts):
    """First-play urgency (Gelly and Wang 2006, "Exploration exploitation in Go: UCT for Monte-Carlo Go").

    Once a node is expanded, untried children compete with the others and have a fixed mean.
    """

    def __init__(self, rng: Rng, *, first_play: float = 0.5, **options: Any) -> None:
        super().__init__(rng, **options)
        self.first_play = first_play

    def descends(self, path: list[Node]) -> bool:
        """Whether the last node is expanded."""
        return bool(path[-1].children)

    def mean(self, child: Node) -> float:
        """Return the mean reward, or `first_play` for a child without visits."""
        return super().mean(child) if child.visits else self.first_play


class ProgressiveWidening(Mcts):
    """Progressive widening (Coulom 2007, "Computing Elo Ratings of Move Patterns in the Game of Go").

    A node considers more children as its visits grow, here in proportion to the square root of the visits.
    """

    def __init__(self, rng: Rng, *, widening: float = 1.0, **options: Any) -> None:
        super().__init__(rng, **options)
        self.widening = widening

    def candidates(self, node: Node) -> list[Node]:
        """Return the children considered so far.

        >>> import plyground
        >>> start = plyground.game("connect4").start()
        >>> children = [Node(start, "red", move) for move in start.moves]
        >>> search = ProgressiveWidening(plyground.Rng(1), widening=1.5)
        >>> [len(search.candidates(Node(start, "", visits=visits, children=children))) for visits in (0, 2, 7, 14, 99)]
        [3, 3, 5, 6, 7]
        """
        limit = ceil(self.widening * sqrt(node.visits + 2))
        return super().candidates(node)[: max(1, limit)]
