"""Game knowledge used by several enhancements: expected scores from evaluation, move weights and move priors."""

from __future__ import annotations

from math import floor
from typing import Any

from plyground._engine import Position, Rng, Weights
from plyground.plain.mcts import Mcts, Node


def quantise(value: float) -> float:
    """Round down to a multiple of 2**-20, the engine's unit, so that sums are exact in any order.

    >>> quantise(0.5), quantise(1 / 3) * 2**20
    (0.5, 349525.0)
    """
    return floor(value * 2**20) / 2**20


class Evaluations(Mcts):
    """Evaluates positions with the heuristic of the game or with weights."""

    def __init__(self, rng: Rng, *, weights: Weights | None = None, **options: Any) -> None:
        super().__init__(rng, **options)
        self.weights = weights

    def expected_score(self, position: Position, side: str) -> float:
        """Return the expected score of a side after pending captures, 0 to 1.

        >>> import plyground
        >>> position = plyground.game("checkers").position("W:WK3,20:B10")
        >>> search = Evaluations(plyground.Rng(1))
        >>> white, black = (search.expected_score(position, side) for side in ("white", "black"))
        >>> white > 0.7, white + black
        (True, 1.0)
        """
        return for_side(side, position.expected_score(self.weights), position)


def for_side(side: str, value: float, position: Position) -> float:
    """Convert a value for the side to move to a value for `side`; the first side's value is rounded down.

    >>> import plyground
    >>> start = plyground.game("chess").start()
    >>> for_side("white", 1 / 3, start) * 2**20, for_side("black", 1 / 3, start) * 2**20
    (349525.0, 699051.0)
    """
    first = position.game.sides[0]
    first_value = quantise(value if position.turn == first else 1 - value)
    return first_value if side == first else 1 - first_value


class MoveWeights(Mcts):
    """Move weights: captures and moves to the edge of the board may be more or less likely than others."""

    def __init__(self, rng: Rng, *, capture_weight: float = 1.0, edge_weight: float = 1.0, **options: Any) -> None:
        super().__init__(rng, **options)
        self.capture_weight = capture_weight
        self.edge_weight = edge_weight

    def weight(self, position: Position, move: str) -> float:
        """Return the relative probability of a legal move.

        >>> import plyground
        >>> search = MoveWeights(plyground.Rng(1), capture_weight=3.0, edge_weight=2.0)
        >>> position = plyground.game("chess").position("7k/8/8/8/8/1r6/8/R2K4 w - - 0 1")
        >>> [search.weight(position, move) for move in ("a1a2", "d1d2", "d1e1")]
        [2.0, 1.0, 2.0]
        """
        capture = self.capture_weight if position.captures(move) else 1.0
        edge = self.edge_weight if position.ends_on_edge(move) else 1.0
        return capture * edge


class Priors(MoveWeights):
    """Prior probabilities of moves, proportional to their weights."""

    def __init__(self, rng: Rng, **options: Any) -> None:
        super().__init__(rng, **options)
        self.prior: dict[Node, float] = {}

    def initialise(self, node: Node) -> None:
        """Set the priors of new children; they sum to almost 1 because they are rounded down."""
        super().initialise(node)
        weights = [self.weight(node.position, child.move) for child in node.children]
        total = sum(weights)
        for child, weight in zip(node.children, weights, strict=True):
            self.prior[child] = quantise(weight / total if total else 1 / len(weights))
