"""What the learners that fit a model to self-play games have in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict
from typing import Any

from plyground._engine import Network, Position, SelfPlay, Weights
from plyground.games import game as make_game


class SelfPlayLearner(ABC):
    """Plays games against itself. Each generation plays with the evaluation fitted to the earlier ones."""

    method: str
    checkpoint_interval = 250

    def __init__(self, game: str, settings: Any, seed: int, self_play: SelfPlay) -> None:
        self._position: Position = make_game(game).start()
        self.game = self._position.game.spec
        self.seed = seed
        self.total_games: int = settings.games
        self._settings = settings
        self._self_play = self_play
        self._saved_games = 0
        self._evaluation: Weights | Network | None = None
        self._loss: dict[str, float] = {}
        self._results: list[tuple[int, int]] = []
        self.on_fit: Callable[[int], object] | None = None
        """Called before each fit, which takes a while, with the number of games."""

    @property
    def settings(self) -> Mapping[str, Any]:
        """The settings as JSON data."""
        return asdict(self._settings)

    @property
    def games_played(self) -> int:
        """Number of games played so far."""
        return self._self_play.games_played

    def play(self) -> None:
        """Play a game; at the end of a generation, fit to all games so far."""
        if (result := self._play_game()) is not None:
            self._results.append(result)
        if self._is_time_to_fit():
            self._fit(self.games_played)

    def _is_time_to_fit(self) -> bool:
        """Whether a generation is complete."""
        return self.games_played % self._settings.generation == 0 or self.games_played == self.total_games

    def _play_game(self) -> tuple[int, int] | None:
        """Play a game; return the result for the first side and the number of plies, or None if it is known already."""
        return self._self_play.play(self._evaluation)

    def _fit(self, games: int) -> None:
        if self.on_fit is not None:
            self.on_fit(games)
        self._evaluation, self._loss = self._fit_games(games)

    @abstractmethod
    def _fit_games(self, games: int) -> tuple[Weights | Network, dict[str, float]]:
        """Fit to the first games; return the evaluation and its losses by name."""

    def metrics(self) -> dict[str, float]:
        """Return the fractions of first-side wins and of draws and the mean plies since the last call.

        After the first fit, also return the losses of the latest one.
        """
        results, self._results = self._results, []
        if not results:
            return dict(self._loss)
        count = len(results)
        metrics = {
            "first": sum(result > 0 for result, _ in results) / count,
            "draws": sum(result == 0 for result, _ in results) / count,
            "plies": sum(plies for _, plies in results) / count,
        }
        return {**metrics, **self._loss}

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
