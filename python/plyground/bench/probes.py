"""Endgame tables asked from Python."""

from __future__ import annotations

from plyground._engine import Game, Rng, random_ending
from plyground.bench.clock import Batch, Effort, alternate
from plyground.bench.result import Result
from plyground.exact.tables import use

POSITIONS = 2000


class Probes:
    """Answers of `Position.exact` a second, at endings with as many pieces as the tables have."""

    name = "probes"
    peers: tuple[str, ...] = ()
    games: tuple[str, ...] | None = ("checkers",)

    def run(self, game: Game, peer: str | None, effort: Effort) -> Result:
        """The same positions again and again: what is measured is the asking, not the disk."""
        pieces = use().pieces

        def work(count: int, seed: int) -> Batch:
            rng = Rng(seed)
            endings = [game.position(random_ending(pieces, rng.below(2**32 - 1))) for _ in range(POSITIONS)]

            def batch() -> int:
                for _ in range(count):
                    for ending in endings:
                        _ = ending.exact
                return count * POSITIONS

            return batch

        (speed,) = alternate([work], effort)
        return Result(self.name, game.spec, speed, peer, details={"pieces": pieces})
