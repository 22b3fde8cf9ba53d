"""Q-learning on afterstates (Watkins 1989): tables of positions for small games, tables of hashed tuples for others.

>>> learner = QLearner("tictactoe", QSettings(games=40), seed=1)
>>> learner.play()
>>> learner.games_played, sorted(learner.metrics())
(1, ['error', 'plies', 'random_score', 'score'])
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from plyground import _engine
from plyground.errors import ParseError
from plyground.games import game as make_game
from plyground.learn.settings import check_bounds, setting
from plyground.weights import WeightSet
from plyground.weights.safetensors import Tensor, read, write

TABLES = ("auto", "positions", "tuples")
TABULAR_FEATURES = 24
"""Games with at most this many input features, such as tic-tac-toe, have a table of positions by default."""
CHECKPOINTS = 20
"""Approximate number of checkpoints of a run, because each contains the whole table."""
RANDOM_GAMES = 40
"""Games per measurement against the random player: each random opening is played twice with sides swapped."""
RANDOM_OPENING_PLIES = 2
"""Random plies at the start of each of these games."""


@dataclass(frozen=True)
class QSettings:
    """Settings for Q-learning."""

    games: int = setting(20_000, "Number of games.", 1, 10_000_000)
    table: str = setting(
        "auto",
        "positions stores one value per position, tuples weights of hashed tuples; auto depends on the game.",
        choices=TABLES,
    )
    table_bits: int = setting(18, "Binary logarithm of the number of table entries.", 4, 22, visitor_maximum=18)
    learning_rate: float = setting(0.2, "Step size of the updates at the start.", 0, 1)
    final_rate: float = setting(0.1, "Step size at the end, as a fraction of that at the start.", 0, 1)
    epsilon: float = setting(0.2, "Probability of a random move at the start of the run.", 0, 1)
    final_epsilon: float = setting(0.1, "Probability of a random move at the end of the run.", 0, 1)
    lambda_: float = setting(0.8, "Trace decay λ: how far results propagate back through greedy moves.", 0, 1)
    discount: float = setting(0.99, "Discount γ per ply: lower values prefer quick wins more strongly.", 0.5, 1)
    random_fraction: float = setting(0.1, "Fraction of games against a random opponent.", 0, 1)
    copy_fraction: float = setting(
        0.0, "Fraction of games against an earlier copy of the learner; the rest are against itself.", 0, 1
    )
    opening_plies: int = setting(4, "Maximum number of random plies at the start of a game.", 0, 100)

    def __post_init__(self) -> None:
        if self.table not in TABLES:
            raise ParseError(f"table must be {', '.join(TABLES[:-1])} or {TABLES[-1]}, got {self.table[:80]!r}")
        check_bounds(self)
        if self.random_fraction + self.copy_fraction > 1:
            raise ParseError(
                "random_fraction and copy_fraction must add up to at most 1, "
                f"got {self.random_fraction} and {self.copy_fraction}"
            )


class QLearner:
    """Learns Q-values by playing against itself, a random opponent and earlier copies, which change at checkpoints."""

    method = "qlearning"

    def __init__(self, game: str, settings: QSettings, seed: int) -> None:
        position = make_game(game).start()
        self.game = position.game.spec
        self.seed = seed
        self.total_games = settings.games
        self.checkpoint_interval = -(-settings.games // CHECKPOINTS)
        self._settings = settings
        self._position = position
        is_tabular = settings.table == "positions"
        if settings.table == "auto":
            is_tabular = position.game.features <= TABULAR_FEATURES
        options = {key: value for key, value in asdict(settings).items() if key != "table"}
        self._learner = _engine.QLearner(
            position, is_tabular=is_tabular, copy_interval=self.checkpoint_interval, seed=seed, **options
        )
        self._results: list[tuple[int, int, float]] = []

    @property
    def settings(self) -> Mapping[str, Any]:
        """The settings as JSON data."""
        return asdict(self._settings)

    @property
    def games_played(self) -> int:
        """Number of games played so far."""
        return self._learner.games_played

    def play(self) -> None:
        """Play a game and learn from it."""
        self._results.append(self._learner.play())

    def metrics(self) -> dict[str, float]:
        """Return the mean score (0 to 1), game length and squared error since the last call.

        ``random_score`` is the score against a random player, 0 to 1, in the same openings each time.
        """
        results, self._results = self._results, []
        count = max(len(results), 1)
        return {
            "score": sum((result + 1) / 2 for result, _, _ in results) / count,
            "plies": sum(plies for _, plies, _ in results) / count,
            "error": sum(error for _, _, error in results) / count,
            "random_score": self._learner.random_score(RANDOM_GAMES, RANDOM_OPENING_PLIES),
        }

    def checkpoint(self) -> bytes:
        """Return the table and the number of games played, compressed."""
        keys, values = self._learner.dump()
        tensors = {
            "keys": Tensor("U64", (len(keys) // 8,), keys),
            "values": Tensor("F32", (len(values) // 4,), values),
        }
        return zlib.compress(write(tensors, {"games_played": json.dumps(self.games_played)}), level=1)

    def restore(self, checkpoints: Iterable[bytes]) -> None:
        """Restore the last state, and the copy from the last checkpoint at which it changed."""
        copy: tuple[bytes, bytes] | None = None
        for data in checkpoints:
            tensors, header = read(zlib.decompress(data))
            state = tensors["keys"].data, tensors["values"].data
            games_played = int(header["games_played"])
            self._learner.load(*state, copy, games_played)
            if games_played % self.checkpoint_interval == 0:
                copy = state

    def weight_set(self) -> WeightSet:
        """Return the current Q-values, rounded to 16 bits, with training metadata."""
        keys, values, scale = self._learner.quantized()
        return WeightSet(
            self._position.game.id,
            "qlearning",
            table=values,
            keys=keys,
            scale=scale,
            board=self.game,
            method=self.method,
            games=self.games_played,
            seed=self.seed,
            settings=self.settings,
            description=f"Q-learning, {self.games_played} games",
        )
