"""Speed of a compact network for chess on one core, inside alpha-beta and alone.

The network has random weights, so that the figures do not depend on the shipped one. Its search visits other nodes than
that with the hand-written evaluation; the speed is in nodes per second.
"""

from __future__ import annotations

from array import array
from math import prod

from figures import Figures
from plyground import Position, Rng, game
from plyground._engine import AlphaBeta, Network
from plyground.bench.timing import Batch, Effort, Workload, interleave

WIDTH, BUCKETS, HIDDEN = 256, 8, 32
POSITIONS = 16
OPENING_PLIES = 10
NODES = 50_000
"""Nodes per alpha-beta search."""


def network_speed(effort: float) -> Figures:
    """Return how much slower alpha-beta is with the network than with the hand-written evaluation, and its speed."""
    positions = _positions()
    network = _random_network(positions[0])
    rounds = max(3, round(9 * effort))
    heuristic, searches, predictions = interleave(
        [_searches(positions, None), _searches(positions, network), _predictions(positions, network)],
        Effort(0.5, rounds),
    )
    return {
        "alpha-beta, slowdown": heuristic.per_second / searches.per_second,
        "alpha-beta, nodes": searches.per_second,
        "predictions from scratch": predictions.per_second,
    }


def _positions() -> list[Position]:
    """Return unfinished positions after random moves."""
    rng, found = Rng(1), list[Position]()
    while len(found) < POSITIONS:
        position = game("chess").start()
        while position.ply < OPENING_PLIES and position.outcome is None:
            position = position.play_random(rng)
        if position.outcome is None:
            found.append(position)
    return found


def _random_network(start: Position) -> Network:
    shapes = {
        "features.weight": (start.game.features, WIDTH),
        "features.bias": (WIDTH,),
        "value.weight": (BUCKETS, 3, 2 * WIDTH),
        "value.bias": (BUCKETS, 3),
        "hidden.weight": (HIDDEN, 2 * WIDTH),
        "hidden.bias": (HIDDEN,),
        "policy.weight": (start.game.actions, HIDDEN),
        "policy.bias": (start.game.actions,),
    }
    rng = Rng(1)
    tensors = [
        (name, shape, array("f", (0.4 * rng.unit() - 0.2 for _ in range(prod(shape)))).tobytes())
        for name, shape in shapes.items()
    ]
    return Network(start, tensors, bucket_pieces=32 // BUCKETS)


def _searches(positions: list[Position], network: Network | None) -> Workload:
    """Return searches of the same positions in every round; the unit of work is a node."""

    def workload(count: int, seed: int) -> Batch:  # noqa: ARG001
        def batch() -> int:
            nodes = 0
            for index in range(count):
                search = AlphaBeta(positions[index % len(positions)], [], weights=network, mebibytes=4, threads=1)
                nodes += search.run(nodes=NODES)["nodes"]
            return nodes

        return batch

    return workload


def _predictions(positions: list[Position], network: Network) -> Workload:
    """Return predictions of results and moves without accumulators of an earlier position."""

    def workload(count: int, seed: int) -> Batch:  # noqa: ARG001
        def batch() -> int:
            for index in range(count):
                network.predict(positions[index % len(positions)])
            return count

        return batch

    return workload
