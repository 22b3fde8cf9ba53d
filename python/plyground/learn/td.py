"""Learning by temporal differences: TD(lambda), of Samuel's spirit in Sutton's form (1988), and TDLeaf(lambda).

>>> learner = TdLearning("tictactoe", TdSettings(games=4, depth=1), seed=1)
>>> learner.play()
>>> learner.played, sorted(learner.metrics())[:2]
(1, ['error', 'plies'])
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from plyground._engine import TdLearner, terms
from plyground.errors import ParseError, WeightsError
from plyground.games import game as make_game
from plyground.weights import WeightSet, load
from plyground.weights.safetensors import Tensor, read, write

VARIANTS = ("td", "tdleaf")


@dataclass(frozen=True)
class TdSettings:
    """How a learner learns; the defaults are the classic ones."""

    games: int = 1000
    """In all; they decide when the opponent changes."""
    variant: str = "td"
    """td learns of the positions it met, tdleaf of the leaves it expected (Baxter et al. 1998)."""
    depth: int = 3
    """Plies that learner and opponent look ahead."""
    lambda_: float = 0.7
    """How far back an error is felt."""
    rate: float = 0.003
    """How fast weights move."""
    epsilon: float = 0.1
    """How often the learner plays any move."""
    random_share: float = 0.4
    """The share of the games, the first ones, in which the opponent plays any move."""
    refresh: int = 50
    """Games after which the opponent, a copy of the learner, is copied again."""
    terminal: float = 1.0
    """What a win is worth while learning."""
    opening: int = 0
    """Random plies that open every game."""
    start: str = "default"
    """The weights it begins with."""

    def __post_init__(self) -> None:
        """Refuse what makes no sense, saying what does."""
        if self.variant not in VARIANTS:
            raise ParseError(f"variant {self.variant!r}: accepted is {' or '.join(VARIANTS)}")
        for name, least, most in BOUNDS:
            value = getattr(self, name)
            if not least <= value <= most:
                raise ParseError(f"{name.rstrip('_')}={value}: accepted is a number from {least} to {most}")


BOUNDS: tuple[tuple[str, float, float], ...] = (
    ("games", 1, 10_000_000),
    ("depth", 1, 20),
    ("lambda_", 0, 1),
    ("rate", 0, 10),
    ("epsilon", 0, 1),
    ("random_share", 0, 1),
    ("refresh", 1, 10_000_000),
    ("terminal", 0, 1000),
    ("opening", 0, 100),
)


class TdLearning:
    """A learner by temporal differences."""

    every = 20

    def __init__(self, game: str, settings: TdSettings, seed: int) -> None:
        position = make_game(game).start()
        self.game = position.game.spec
        self.method = settings.variant
        self.seed = seed
        self.total = settings.games
        self._settings = settings
        self._position = position
        self._names = [name for name, _, _ in terms(position)]
        if not self._names:
            raise WeightsError(f"{self.game} has no terms to weigh, so there is nothing to learn")
        begin = load(settings.start, game)
        if begin.kind != "terms":
            raise WeightsError(f"weights {settings.start} are of patterns; temporal differences learn weights of terms")
        values = list(begin.values.values())
        self._learner = self._made(values, values, 0)
        self._results: list[tuple[int, str, int, float]] = []

    def _made(self, weights: list[float], frozen: list[float], played: int) -> TdLearner:
        settings = {key: value for key, value in asdict(self._settings).items() if key != "start"}
        return TdLearner(self._position, weights, frozen, played, seed=self.seed, **settings)

    @property
    def settings(self) -> Mapping[str, Any]:
        """What it was told."""
        return asdict(self._settings)

    @property
    def played(self) -> int:
        """Games so far."""
        return self._learner.played

    @property
    def weights(self) -> dict[str, float]:
        """What each term is worth by now."""
        return dict(zip(self._names, self._learner.weights, strict=True))

    def play(self) -> None:
        """Play a game and learn from it."""
        self._results.append(self._learner.play())

    def metrics(self) -> dict[str, float]:
        """Of the games since the last call the mean score (0 to 1), plies and squared error; the weights now."""
        results, self._results = self._results, []
        count = max(len(results), 1)
        return {
            "score": sum((result + 1) / 2 for result, _, _, _ in results) / count,
            "plies": sum(plies for _, _, plies, _ in results) / count,
            "error": sum(error for _, _, _, error in results) / count,
            **{f"weight/{name}": value for name, value in self.weights.items()},
        }

    def checkpoint(self) -> bytes:
        """Its weights and its opponent's, and the games played."""
        vectors = {"weights": self._learner.weights, "frozen": self._learner.frozen}
        tensors = {name: Tensor("F64", (len(some),), array("d", some).tobytes()) for name, some in vectors.items()}
        return write(tensors, {"played": json.dumps(self.played)})

    def restore(self, checkpoints: Iterable[bytes]) -> None:
        """Become as at the last checkpoint."""
        *_, last = checkpoints
        tensors, header = read(last)
        weights, frozen = (list(array("d", tensors[name].data)) for name in ("weights", "frozen"))
        self._learner = self._made(weights, frozen, int(header["played"]))

    def learned(self) -> WeightSet:
        """The weights as they are now."""
        return WeightSet(
            self._position.game.id,
            "terms",
            self.weights,
            method=self.method,
            games=self.played,
            seed=self.seed,
            settings=self.settings,
            about=f"{'TDLeaf' if self.method == 'tdleaf' else 'TD'}(lambda), {self.played} games",
        )
