"""Speed of plain UCT search: one random playout per simulation, no enhancements."""

from __future__ import annotations

from plyground._engine import Game, Position, Search, split_seed
from plyground.bench.openspiel import OpenSpiel
from plyground.bench.result import Result
from plyground.bench.timing import Batch, Effort, Workload, interleave

SIMULATIONS = {"chess": 300, "checkers": 3_000}
"""Simulations per search in games where `DEFAULT_SIMULATIONS` would take the peer too long."""
DEFAULT_SIMULATIONS = 20_000
C = 1.4
"""Exploration constant. OpenSpiel's rewards are -1 to 1 and ours 0 to 1, so in comparisons our search uses C / 2."""


class TreeSearch:
    """Simulations per second from the start position."""

    name = "search"
    peers = ("openspiel",)
    games: tuple[str, ...] | None = None

    def run(self, game: Game, peer: str | None, effort: Effort) -> Result:
        """Measure one game, alone or interleaved with the peer under the rules that both implement."""
        simulations = SIMULATIONS.get(game.id, DEFAULT_SIMULATIONS)
        details: dict[str, float | str] = {"simulations_per_search": simulations}
        if peer is None:
            (speed,) = interleave([_engine_searches(game.start(), simulations, C)], effort)
            return Result(self.name, game.spec, speed, details=details)
        theirs = OpenSpiel(game)
        ours = _engine_searches(theirs.rules.start(), simulations, C / 2)
        their_speed, our_speed = interleave([theirs.searches(simulations, C), ours], effort)
        details["rules"] = theirs.rules.spec
        return Result(self.name, game.spec, our_speed, peer, their_speed, details)


def _engine_searches(start: Position, simulations: int, c: float) -> Workload:
    off = [(name, "false") for name in ("solver", "decisive", "playout_decisive")]
    options = [
        *off,
        ("leaf", "playout"),
        ("cutoff", "draw"),
        ("minimax", "0"),
        ("playout_plies", "1000000"),
        ("c", str(c)),
    ]

    def workload(count: int, seed: int) -> Batch:
        search = Search(start, options)

        def batch() -> int:
            for index in range(count):
                # OpenSpiel's bot also starts every search with an empty tree.
                search.clear()
                search.run(simulations=simulations, seed=split_seed(seed, index))
            return count * simulations

        return batch

    return workload
