"""Perft speed: how fast moves are generated."""

from __future__ import annotations

from plyground._engine import Game, Position
from plyground.bench.result import Result
from plyground.bench.timing import Batch, Effort, interleave

MAX_NODES = 50_000_000
"""Maximum estimated number of nodes. It determines the depth, which is therefore the same on every machine."""
MAX_DEPTH = 64


class Perft:
    """Nodes per second from the start position; moves of the last ply are counted, not played."""

    name = "perft"
    peers: tuple[str, ...] = ()
    games: tuple[str, ...] | None = None

    def run(self, game: Game, peer: str | None, effort: Effort) -> Result:
        """Measure one game; no peer counts moves without playing them."""
        start = game.start()
        depth = _depth(start)

        def workload(count: int, seed: int) -> Batch:  # noqa: ARG001
            return lambda: sum(start.perft(depth) for _ in range(count))

        (speed,) = interleave([workload], effort)
        return Result(self.name, game.spec, speed, peer, details={"depth": depth})


def _depth(start: Position) -> int:
    """Return the largest depth with at most `MAX_NODES` nodes, estimated from the growth at the previous ply."""
    previous, nodes = 1, start.perft(1)
    for depth in range(1, MAX_DEPTH):
        if nodes * nodes / previous > MAX_NODES:
            return depth
        previous, nodes = nodes, start.perft(depth + 1)
        if nodes == 0:
            return depth
    return MAX_DEPTH
