"""Speed of endgame table probes from Python."""

from __future__ import annotations

from plyground._engine import Game, Rng, random_endgame
from plyground.bench.result import Result
from plyground.bench.timing import Batch, Effort, interleave
from plyground.exact.tables import activate_tables

POSITIONS = 2000


class Probes:
    """Reads of `Position.proven_value` per second, in endgames with as many pieces as the tables cover."""

    name = "probes"
    peers: tuple[str, ...] = ()
    games: tuple[str, ...] | None = ("checkers",)

    def run(self, game: Game, peer: str | None, effort: Effort) -> Result:
        """Probe the same positions repeatedly, so that disk speed does not matter."""
        pieces = activate_tables().pieces

        def workload(count: int, seed: int) -> Batch:
            rng = Rng(seed)
            endgames = [game.position(random_endgame(pieces, rng.below(2**32 - 1))) for _ in range(POSITIONS)]

            def batch() -> int:
                for _ in range(count):
                    for endgame in endgames:
                        _ = endgame.proven_value
                return count * POSITIONS

            return batch

        (speed,) = interleave([workload], effort)
        return Result(self.name, game.spec, speed, peer, details={"pieces": pieces})
