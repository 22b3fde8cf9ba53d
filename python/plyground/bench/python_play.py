"""Speed of playing moves from Python."""

from __future__ import annotations

from plyground._engine import Game, Rng
from plyground.bench.result import Result
from plyground.bench.timing import Batch, Effort, interleave


class PythonPlay:
    """Calls to `Position.play` per second in complete random games."""

    name = "python-play"
    peers: tuple[str, ...] = ()
    games: tuple[str, ...] | None = None

    def run(self, game: Game, peer: str | None, effort: Effort) -> Result:
        """Measure one game; the random games are drawn before the clock starts."""
        start = game.start()

        def workload(count: int, seed: int) -> Batch:
            rng = Rng(seed)
            histories = [_random_game(game, rng) for _ in range(count)]

            def batch() -> int:
                calls = 0
                for history in histories:
                    position = start
                    for move in history:
                        position = position.play(move)
                    calls += len(history)
                return calls

            return batch

        (speed,) = interleave([workload], effort)
        return Result(self.name, game.spec, speed, peer)


def _random_game(game: Game, rng: Rng) -> list[str]:
    position = game.start()
    while position.outcome is None:
        position = position.play_random(rng)
    return position.history
