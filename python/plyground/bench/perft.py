"""Counting the game tree: how fast moves are generated."""

from __future__ import annotations

from plyground._engine import Game, Position
from plyground.bench.clock import Batch, Effort, alternate
from plyground.bench.result import Result

MOST_NODES = 50_000_000
"""A count goes as deep as stays below this, so that the depth is the same on every machine."""
DEEPEST = 64


class Perft:
    """Nodes a second from the start, the last ply counted and not played."""

    name = "perft"
    peers: tuple[str, ...] = ()
    games: tuple[str, ...] | None = None

    def run(self, game: Game, peer: str | None, effort: Effort) -> Result:
        """The peers are not asked: none counts without playing every move."""
        start = game.start()
        depth = _depth(start)

        def work(count: int, seed: int) -> Batch:  # noqa: ARG001
            return lambda: sum(start.perft(depth) for _ in range(count))

        (speed,) = alternate([work], effort)
        return Result(self.name, game.spec, speed, peer, details={"depth": depth})


def _depth(start: Position) -> int:
    """The deepest count below `MOST_NODES`, each ply taken to grow the tree as the one before did."""
    before, nodes = 1, start.perft(1)
    for depth in range(1, DEEPEST):
        if nodes * nodes / before > MOST_NODES:
            return depth
        before, nodes = nodes, start.perft(depth + 1)
        if nodes == 0:
            return depth
    return DEEPEST
