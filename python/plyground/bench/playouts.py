"""Speed of random games played to the end."""

from __future__ import annotations

from plyground._engine import Game, Position
from plyground.bench.openspiel import OpenSpiel, actions_per_move
from plyground.bench.result import Result
from plyground.bench.timing import Batch, Effort, interleave


class Playouts:
    """Playouts per second from the start position; equal mean lengths show that a peer plays by the same rules."""

    name = "playouts"
    peers = ("openspiel",)
    games: tuple[str, ...] | None = None

    def run(self, game: Game, peer: str | None, effort: Effort) -> Result:
        """Measure one game, alone or interleaved with the peer under the rules that both implement."""
        if peer is None:
            ours = _EnginePlayouts(game.start())
            (speed,) = interleave([ours.workload], effort)
            return Result(self.name, game.spec, speed, details={"ours_mean_plies": ours.mean_plies})
        theirs = OpenSpiel(game)
        ours = _EnginePlayouts(theirs.rules.start())
        their_speed, our_speed = interleave([theirs.playouts, ours.workload], effort)
        actions = actions_per_move(theirs.rules.start(), effort.seed)
        details: dict[str, float | str] = {
            "rules": theirs.rules.spec,
            "ours_mean_plies": ours.mean_plies * actions,
            "peer_mean_plies": theirs.mean_plies(effort.seed),
        }
        return Result(self.name, game.spec, our_speed, peer, their_speed, details)


class _EnginePlayouts:
    """Engine playouts, with a count of their plies."""

    def __init__(self, start: Position) -> None:
        self._start = start
        self._games = self._plies = 0

    def workload(self, count: int, seed: int) -> Batch:
        def batch() -> int:
            results = self._start.playouts(count, seed)
            self._games += count
            self._plies += results.plies
            return count

        return batch

    @property
    def mean_plies(self) -> float:
        """Mean length of all playouts so far, in plies."""
        return self._plies / self._games
