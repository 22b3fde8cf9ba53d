"""Plain tree search from the start: UCT, one random playout a simulation, nothing else."""

from __future__ import annotations

from plyground._engine import Game, Position, Search, split_seed
from plyground.bench.clock import Batch, Effort, Work, alternate
from plyground.bench.openspiel import OpenSpiel
from plyground.bench.result import Result

SIMULATIONS = {"chess": 300, "checkers": 3_000}
"""Simulations of one search, the same for everybody, where the usual number would take the peer too long."""
USUAL = 20_000
C = 1.4
"""The exploration constant for rewards from -1 to 1, as in OpenSpiel; ours run from 0 to 1 and take half of it."""


class TreeSearch:
    """Simulations a second."""

    name = "search"
    peers = ("openspiel",)
    games: tuple[str, ...] | None = None

    def run(self, game: Game, peer: str | None, effort: Effort) -> Result:
        """Alone, or in turns with the peer under the rules that both have."""
        simulations = SIMULATIONS.get(game.id, USUAL)
        details: dict[str, float | str] = {"simulations_a_search": simulations}
        if peer is None:
            (speed,) = alternate([_ours(game.start(), simulations, C)], effort)
            return Result(self.name, game.spec, speed, details=details)
        theirs = OpenSpiel(game)
        ours = _ours(theirs.rules.start(), simulations, C / 2)
        their_speed, our_speed = alternate([theirs.searches(simulations, C), ours], effort)
        details["rules"] = theirs.rules.spec
        return Result(self.name, game.spec, our_speed, peer, their_speed, details)


def _ours(start: Position, simulations: int, c: float) -> Work:
    off = ("solver", "decisive", "playout_decisive", "playout_estimate")
    options = [*((name, "false") for name in off), ("minimax", "0"), ("playout_plies", "1000000"), ("c", str(c))]

    def work(count: int, seed: int) -> Batch:
        # One search that forgets its tree, as the peer's bot does.
        search = Search(start, options)

        def batch() -> int:
            for index in range(count):
                search.clear()
                search.run(simulations=simulations, seed=split_seed(seed, index))
            return count * simulations

        return batch

    return work
