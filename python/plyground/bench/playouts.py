"""Random games to the end, from the start: what Monte Carlo methods spend their time on."""

from __future__ import annotations

from plyground._engine import Game, Position
from plyground.bench.clock import Batch, Effort, alternate
from plyground.bench.openspiel import OpenSpiel, actions_per_move
from plyground.bench.result import Result


class Playouts:
    """Playouts a second; beside a peer the mean lengths of both show that the rules are the same."""

    name = "playouts"
    peers = ("openspiel",)
    games: tuple[str, ...] | None = None

    def run(self, game: Game, peer: str | None, effort: Effort) -> Result:
        """Alone, or in turns with the peer under the rules that both have."""
        if peer is None:
            ours = _Ours(game.start())
            (speed,) = alternate([ours.playouts], effort)
            return Result(self.name, game.spec, speed, details={"ours_mean_plies": ours.mean_plies})
        theirs = OpenSpiel(game)
        ours = _Ours(theirs.rules.start())
        their_speed, our_speed = alternate([theirs.playouts, ours.playouts], effort)
        actions = actions_per_move(theirs.rules.start(), effort.seed)
        details: dict[str, float | str] = {
            "rules": theirs.rules.spec,
            "ours_mean_plies": ours.mean_plies * actions,
            "peer_mean_plies": theirs.mean_plies(effort.seed),
        }
        return Result(self.name, game.spec, our_speed, peer, their_speed, details)


class _Ours:
    """Our playouts, counting their plies."""

    def __init__(self, start: Position) -> None:
        self._start = start
        self._games = self._plies = 0

    def playouts(self, count: int, seed: int) -> Batch:
        def batch() -> int:
            tally = self._start.playouts(count, seed)
            self._games += count
            self._plies += tally.plies
            return count

        return batch

    @property
    def mean_plies(self) -> float:
        """Over all the playouts made."""
        return self._plies / self._games
