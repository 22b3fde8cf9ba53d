"""Temporal-difference learning: TD(lambda) (Sutton 1988) and TDLeaf(lambda) (Baxter, Tridgell and Weaver 1998).

>>> learner = TdLearner("tictactoe", TdSettings(games=4, depth=1), seed=1)
>>> learner.play()
>>> learner.games_played, learner.metrics().keys() >= {"error", "plies", "score"}
(1, True)
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from plyground import _engine
from plyground._engine import features, play_game, split_seed
from plyground.errors import ParseError, WeightsError
from plyground.games import game as make_game
from plyground.learn.settings import VISITOR_DEPTH, check_bounds, setting
from plyground.weights import WeightSet, load
from plyground.weights.safetensors import Tensor, read, write

VARIANTS = ("td", "tdleaf")
STRENGTH_INTERVAL = 100
"""Minimum number of training games between two strength measurements."""
STRENGTH_POINTS = 25
"""Approximate maximum number of strength measurements in a run."""
STRENGTH_GAMES = 20
"""Games per strength measurement: each random opening is played twice with sides swapped."""
STRENGTH_OPENING_PLIES = 4
"""Random plies at the start of each game of a strength measurement."""
OPPONENT_METRIC = "opponent/since"
"""Name of the metric with the number of games before the last change of opponent."""


@dataclass(frozen=True)
class TdSettings:
    """Settings for temporal-difference learning."""

    games: int = setting(1000, "Number of games.", 1, 10_000_000)
    variant: str = setting("td", "td learns from the positions played, tdleaf from the leaves of principal variations.")
    depth: int = setting(
        3, "Search depth of the learner and its opponent, in plies.", 1, 20, visitor_maximum=VISITOR_DEPTH
    )
    lambda_: float = setting(0.7, "Trace decay λ: how far errors propagate back through a game.", 0, 1)
    learning_rate: float = setting(0.003, "Step size of the weight updates.", 0, 10)
    epsilon: float = setting(0.1, "Probability that the learner plays a random move.", 0, 1)
    random_fraction: float = setting(0.4, "Fraction of games against a random opponent; these are played first.", 0, 1)
    refresh_games: int = setting(50, "Games between updates of the opponent, a copy of the learner.", 1, 10_000_000)
    terminal_value: float = setting(1.0, "Training target for a won game.", 0, 1000)
    opening_plies: int = setting(0, "Number of random plies at the start of each game.", 0, 100)
    start: str = setting("default", "Name or file of the initial weights.")

    def __post_init__(self) -> None:
        if self.variant not in VARIANTS:
            raise ParseError(f"variant must be {' or '.join(VARIANTS)}, got {self.variant!r}")
        check_bounds(self)


class TdLearner:
    """Learns feature weights by temporal-difference learning."""

    checkpoint_interval = 20

    def __init__(self, game: str, settings: TdSettings, seed: int) -> None:
        position = make_game(game).start()
        self.game = position.game.spec
        self.method = settings.variant
        self.seed = seed
        self.total_games = settings.games
        self._settings = settings
        self._position = position
        self._names = [name for name, _, _ in features(position)]
        if not self._names:
            raise WeightsError(f"{self.game} has no features, which temporal-difference learning requires")
        initial = load(settings.start, game)
        if initial.kind != "features":
            raise WeightsError(
                f"{settings.start!r} contains pattern weights; temporal-difference learning requires feature weights"
            )
        values = list(initial.values.values())
        self._initial = _engine.Weights.from_features(position, values)
        self._learner = self._make_learner(values, values, 0)
        self._opponent_since = 0
        self._results: list[tuple[int, str, int, float]] = []

    def _make_learner(
        self, weights: list[float], opponent_weights: list[float], games_played: int
    ) -> _engine.TdLearner:
        settings = {key: value for key, value in asdict(self._settings).items() if key != "start"}
        return _engine.TdLearner(self._position, weights, opponent_weights, games_played, seed=self.seed, **settings)

    @property
    def settings(self) -> Mapping[str, Any]:
        """The settings as JSON data."""
        return asdict(self._settings)

    @property
    def games_played(self) -> int:
        """Number of games played so far."""
        return self._learner.games_played

    @property
    def weights(self) -> dict[str, float]:
        """The current weight of each feature."""
        return dict(zip(self._names, self._learner.weights, strict=True))

    def play(self) -> None:
        """Play a game and learn from it."""
        before = self._learner.opponent_weights
        self._results.append(self._learner.play())
        if self._learner.opponent_weights != before:
            self._opponent_since = self.games_played - 1

    def metrics(self) -> dict[str, float]:
        """Return the current weights, and the mean score (0 to 1), game length and squared error since the last call.

        `OPPONENT_METRIC` is the number of games after which the current opponent replaced the previous one, 0 for the
        first opponent. ``strength`` is measured every `STRENGTH_INTERVAL` games, less often in long runs.
        """
        results, self._results = self._results, []
        count = max(len(results), 1)
        metrics = {
            "score": sum((result + 1) / 2 for result, _, _, _ in results) / count,
            "plies": sum(plies for _, _, plies, _ in results) / count,
            "error": sum(error for _, _, _, error in results) / count,
            OPPONENT_METRIC: float(self._opponent_since),
            **{f"weight/{name}": value for name, value in self.weights.items()},
        }
        interval = max(STRENGTH_INTERVAL, self.total_games // STRENGTH_POINTS)
        interval -= interval % self.checkpoint_interval
        is_due = self.games_played % interval == 0 or self.games_played == self.total_games
        return {**metrics, "strength": self.strength()} if is_due else metrics

    def strength(self) -> float:
        """Return the score against the initial weights, 0 to 1, at the search depth of the run.

        Every measurement plays the same random openings, so that differences are due to the weights.
        """
        learned = _engine.Weights.from_features(self._position, self._learner.weights)
        points = 0.0
        for index in range(STRENGTH_GAMES):
            is_first = index % 2 == 0
            first, second = (learned, self._initial) if is_first else (self._initial, learned)
            result = play_game(
                self._position,
                first,
                second,
                depth=self._settings.depth,
                opening_plies=STRENGTH_OPENING_PLIES,
                seed=split_seed(self.seed, index // 2),
            )
            points += ((result if is_first else -result) + 1) / 2
        return points / STRENGTH_GAMES

    def checkpoint(self) -> bytes:
        """Return the weights of the learner and its opponent, the games played and the last change of opponent."""
        vectors = {"weights": self._learner.weights, "opponent_weights": self._learner.opponent_weights}
        tensors = {
            name: Tensor("F64", (len(vector),), array("d", vector).tobytes()) for name, vector in vectors.items()
        }
        header = {"games_played": self.games_played, "opponent_since": self._opponent_since}
        return write(tensors, {name: json.dumps(value) for name, value in header.items()})

    def restore(self, checkpoints: Iterable[bytes]) -> None:
        """Restore the state of the last checkpoint."""
        *_, last = checkpoints
        tensors, header = read(last)
        # Older checkpoints use the names "frozen" and "played".
        opponent = tensors["opponent_weights" if "opponent_weights" in tensors else "frozen"]
        games_played = int(header["games_played" if "games_played" in header else "played"])
        self._opponent_since = int(header.get("opponent_since", 0))
        weights, opponent_weights = (list(array("d", tensor.data)) for tensor in (tensors["weights"], opponent))
        self._learner = self._make_learner(weights, opponent_weights, games_played)

    def weight_set(self) -> WeightSet:
        """Return the current weights with training metadata."""
        return WeightSet(
            self._position.game.id,
            "features",
            self.weights,
            method=self.method,
            games=self.games_played,
            seed=self.seed,
            settings=self.settings,
            description=f"{'TDLeaf' if self.method == 'tdleaf' else 'TD'}(lambda), {self.games_played} games",
        )
