"""What a game played from Python costs."""

from __future__ import annotations

from plyground._engine import Game, Rng
from plyground.bench.clock import Batch, Effort, alternate
from plyground.bench.result import Result


class PythonPlay:
    """Calls of `Position.play` a second, in whole random games."""

    name = "python-play"
    peers: tuple[str, ...] = ()
    games: tuple[str, ...] | None = None

    def run(self, game: Game, peer: str | None, effort: Effort) -> Result:
        """The games are drawn before the clock runs."""
        start = game.start()

        def work(count: int, seed: int) -> Batch:
            rng = Rng(seed)
            histories = [_random_game(game, rng) for _ in range(count)]

            def batch() -> int:
                plays = 0
                for history in histories:
                    position = start
                    for move in history:
                        position = position.play(move)
                    plays += len(history)
                return plays

            return batch

        (speed,) = alternate([work], effort)
        return Result(self.name, game.spec, speed, peer)


def _random_game(game: Game, rng: Rng) -> list[str]:
    position = game.start()
    while position.outcome is None:
        position = position.play_random(rng)
    return position.history
