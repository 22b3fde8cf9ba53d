"""A plain implementation of batched PUCT with an evaluator, for comparison with the engine's trees."""

from __future__ import annotations

import math
import struct
from collections.abc import Callable
from dataclasses import dataclass, field

from plyground import Position

ONE = 1 << 20
"""The reward of a win; rewards are fixed-point integers."""

Evaluate = Callable[[Position], tuple[float, list[float]]]


def to_float32(value: float) -> float:
    """Round to single precision."""
    return float(struct.unpack("f", struct.pack("f", value))[0])


@dataclass
class Node:
    position: Position
    move: str = ""
    prior: float = 0.0
    visits: int = 0
    total: int = 0
    children: list[Node] = field(default_factory=list)


def grow(start: Position, evaluate: Evaluate, simulations: int, batch: int, c: float, first_play: float) -> Node:
    """Grow a tree in batches; a pending visit counts as a loss (virtual loss)."""
    root = Node(start)
    done = 0
    while done < simulations:
        pending: list[list[Node]] = []
        batch_start = done
        # The engine takes simulations from the budget one batch at a time.
        batch_size = min(batch, simulations - done)
        while done - batch_start + len(pending) < batch_size:
            path = descend(root, c, first_play)
            leaf = path[-1]
            if leaf.position.outcome is not None:
                winner = leaf.position.outcome.winner
                first = leaf.position.game.sides[0]
                back_up(path, ONE // 2 if winner is None else ONE * (winner == first))
                done += 1
            elif any(other[-1] is leaf for other in pending):
                for node in path:
                    node.visits -= 1
                break
            else:
                pending.append(path)
        for path in pending:
            position = path[-1].position
            value, priors = evaluate(position)
            pairs = sorted(zip(position.moves, priors, strict=True), key=lambda pair: -pair[1])
            path[-1].children = [
                Node(position.play(move), move, to_float32(prior / sum(priors))) for move, prior in pairs
            ]
            value = value if position.turn == position.game.sides[0] else 1 - value
            back_up(path, int(value * ONE))
            done += 1
    return root


def descend(root: Node, c: float, first_play: float) -> list[Node]:
    root.visits += 1
    path = [root]
    while path[-1].children:
        parent = path[-1]

        def score(child: Node, visits: int = parent.visits) -> float:
            mean = child.total / ONE / child.visits if child.visits else first_play
            return mean + c * child.prior * math.sqrt(visits) / (1 + child.visits)

        best = max(parent.children, key=score)
        best.visits += 1
        path.append(best)
    return path


def back_up(path: list[Node], first: int) -> None:
    """Back up the first side's reward; each node stores it from the point of view of the side that moved there."""
    for parent, node in zip([None, *path], path, strict=False):
        sides = node.position.game.sides
        mover = parent.position.turn if parent else next(side for side in sides if side != node.position.turn)
        node.total += first if mover == sides[0] else ONE - first
