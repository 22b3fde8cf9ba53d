"""Learning by regression: pattern weights fitted to self-play games."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from plyground._engine import SelfPlay, Weights, pattern_count
from plyground.errors import WeightsError
from plyground.games import game as make_game
from plyground.learn.settings import check_bounds, setting
from plyground.weights import WeightSet


@dataclass(frozen=True)
class FitSettings:
    """Settings for self-play and regression.

    The training target of a position is ``search_weight * search value + (1 - search_weight) * game result``. Results
    alone are noisy labels: a game provides a single result for about a hundred positions.
    """

    games: int = setting(12_000, "Number of self-play games.", 1, 1_000_000)
    generation: int = setting(
        8_000,
        "Games between fits. Each fit uses all games so far; before the first fit, games use the heuristic.",
        1,
        1_000_000,
    )
    depth: int = setting(5, "Search depth in plies.", 1, 20)
    opening_plies: int = setting(
        10, "Maximum number of random plies at the start of a game; the minimum is half of this.", 0, 100
    )
    epsilon: float = setting(0.0, "Probability of a random move after the opening.", 0, 1)
    epochs: int = setting(8, "Passes over all positions in each fit.", 1, 1000)
    learning_rate: float = setting(0.1, "Initial step size of the weight updates.", 1e-6, 10)
    weight_decay: float = setting(
        100.0, "L2 regularisation strength: the number of pseudo-observations that pull each weight towards 0.", 0, 1e6
    )
    search_weight: float = setting(
        0.9, "Weight of the search value in the training target; the rest is the game result.", 0, 1
    )

    def __post_init__(self) -> None:
        check_bounds(self)


class FitLearner:
    """Learns pattern weights by regression. Each generation plays with the weights fitted to the earlier ones."""

    method = "fit"
    checkpoint_interval = 250

    def __init__(self, game: str, settings: FitSettings, seed: int) -> None:
        position = make_game(game).start()
        self.game = position.game.spec
        self.seed = seed
        self.total_games = settings.games
        self._settings = settings
        self._position = position
        if pattern_count(position) == 0:
            raise WeightsError(f"{self.game} has no patterns, so there are no weights to fit")
        options = {key: value for key, value in asdict(settings).items() if key not in ("games", "generation")}
        self._self_play = SelfPlay(position, seed=seed, **options)
        self._saved_games = 0
        self._weights: Weights | None = None
        self._table = b""
        self._loss: float | None = None
        self._results: list[tuple[int, int]] = []
        self.on_fit: Callable[[int], object] | None = None
        """Called with the number of games before each fit, which takes a while."""

    @property
    def settings(self) -> Mapping[str, Any]:
        """The settings as JSON data."""
        return asdict(self._settings)

    @property
    def games_played(self) -> int:
        """Number of games played so far."""
        return self._self_play.games_played

    def play(self) -> None:
        """Play a game; at the end of a generation, fit the weights."""
        self._results.append(self._self_play.play(self._weights))
        if self.games_played % self._settings.generation == 0 or self.games_played == self.total_games:
            self._fit(self.games_played)

    def _fit(self, games: int) -> None:
        if self.on_fit is not None:
            self.on_fit(games)
        self._table, _, self._loss = self._self_play.fit(games)
        self._weights = Weights.from_patterns(self._position, self._table)

    def metrics(self) -> dict[str, float]:
        """Return the fractions of first-side wins and draws and the mean game length in plies since the last call.

        After the first fit, also return the loss of the latest fit.
        """
        results, self._results = self._results, []
        count = max(len(results), 1)
        metrics = {
            "first": sum(result > 0 for result, _ in results) / count,
            "draws": sum(result == 0 for result, _ in results) / count,
            "plies": sum(plies for _, plies in results) / count,
        }
        return metrics if self._loss is None else {**metrics, "loss": self._loss}

    def checkpoint(self) -> bytes:
        """Return the games since the last checkpoint."""
        first, self._saved_games = self._saved_games, self.games_played
        return self._self_play.dump(first)

    def restore(self, checkpoints: Iterable[bytes]) -> None:
        """Load the games of all checkpoints and repeat the last fit."""
        for data in checkpoints:
            self._self_play.load(data)
        self._saved_games = played = self.games_played
        fitted = played if played == self.total_games else played - played % self._settings.generation
        if fitted:
            self._fit(fitted)

    def weight_set(self) -> WeightSet:
        """Return the weights of the last fit with training metadata."""
        return WeightSet(
            self._position.game.id,
            "patterns",
            table=self._table,
            method=self.method,
            games=self.games_played,
            seed=self.seed,
            settings=self.settings,
            description=f"regression on {self.games_played} self-play games",
        )
