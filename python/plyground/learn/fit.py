"""Learning by regression: the weights of patterns under which the results of many games of self-play are likeliest."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from plyground._engine import SelfPlay, Weights, count_patterns
from plyground.errors import ParseError, WeightsError
from plyground.games import game as make_game
from plyground.weights import WeightSet


@dataclass(frozen=True)
class FitSettings:
    """How a program plays itself and learns from it."""

    games: int = 12_000
    """In all."""
    generation: int = 8_000
    """Games after which the weights are fitted anew, to all games so far, and play the next ones; the first
    generation judges by the game's rule of thumb."""
    depth: int = 5
    """Plies the players look ahead."""
    opening: int = 10
    """Random plies that open a game, at most; at least half as many."""
    epsilon: float = 0.0
    """How often a player plays any move later."""
    epochs: int = 8
    """Times that every position is learned from."""
    rate: float = 0.1
    """The first step of a weight."""
    decay: float = 100.0
    """How strongly weights are drawn to 0: as if each had been seen to be worth nothing so many times."""
    blend: float = 0.9
    """The share of what the search thought in what a position is said to have been worth; the rest is the result.
    Results alone say little of a single position: a game is one result for a hundred of them."""

    def __post_init__(self) -> None:
        """Refuse what makes no sense, saying what does."""
        for name, least, most in BOUNDS:
            value = getattr(self, name)
            if not least <= value <= most:
                raise ParseError(f"{name}={value}: accepted is a number from {least} to {most}")


BOUNDS: tuple[tuple[str, float, float], ...] = (
    ("games", 1, 1_000_000),
    ("generation", 1, 1_000_000),
    ("depth", 1, 20),
    ("opening", 0, 100),
    ("epsilon", 0, 1),
    ("epochs", 1, 1000),
    ("rate", 1e-6, 10),
    ("decay", 0, 1e6),
    ("blend", 0, 1),
)


class FitLearner:
    """A learner by regression. Game n is played by what the generations before its own taught."""

    method = "fit"
    every = 250

    def __init__(self, game: str, settings: FitSettings, seed: int) -> None:
        position = make_game(game).start()
        self.game = position.game.spec
        self.seed = seed
        self.total = settings.games
        self._settings = settings
        self._position = position
        if count_patterns(position) == 0:
            raise WeightsError(f"{self.game} has no patterns to weigh, so there is nothing to fit")
        told = {key: value for key, value in asdict(settings).items() if key not in ("games", "generation")}
        self._games = SelfPlay(position, seed=seed, **told)
        self._kept = 0
        self._weights: Weights | None = None
        self._table = b""
        self._loss: float | None = None
        self._results: list[tuple[int, int]] = []

    @property
    def settings(self) -> Mapping[str, Any]:
        """What it was told."""
        return asdict(self._settings)

    @property
    def played(self) -> int:
        """Games so far."""
        return self._games.played

    def play(self) -> None:
        """Play a game; at the end of a generation, fit."""
        self._results.append(self._games.play(self._weights))
        if self.played % self._settings.generation == 0 or self.played == self.total:
            self._fit(self.played)

    def _fit(self, games: int) -> None:
        self._table, _, self._loss = self._games.fit(games)
        self._weights = Weights.of_patterns(self._position, self._table)

    def metrics(self) -> dict[str, float]:
        """Shares of first wins and draws, plies; once a generation ended, the loss of its fit."""
        results, self._results = self._results, []
        count = max(len(results), 1)
        metrics = {
            "first": sum(result > 0 for result, _ in results) / count,
            "draws": sum(result == 0 for result, _ in results) / count,
            "plies": sum(plies for _, plies in results) / count,
        }
        return metrics if self._loss is None else {**metrics, "loss": self._loss}

    def checkpoint(self) -> bytes:
        """The games since the last checkpoint."""
        kept, self._kept = self._kept, self.played
        return self._games.dump(kept)

    def restore(self, checkpoints: Iterable[bytes]) -> None:
        """Take the games of all checkpoints, and fit as at the end of the last whole generation."""
        for data in checkpoints:
            self._games.load(data)
        self._kept = self.played
        whole = self.played if self.played == self.total else self.played - self.played % self._settings.generation
        if whole:
            self._fit(whole)

    def learned(self) -> WeightSet:
        """The weights of the last fit."""
        return WeightSet(
            self._position.game.id,
            "patterns",
            table=self._table,
            method=self.method,
            games=self.played,
            seed=self.seed,
            settings=self.settings,
            about=f"regression on {self.played} games of self-play",
        )
