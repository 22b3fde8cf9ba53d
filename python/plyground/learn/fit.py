"""Learning by regression: pattern weights fitted to self-play games."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from plyground._engine import Network, SelfPlay, Weights, pattern_count
from plyground.errors import WeightsError
from plyground.games import game as make_game
from plyground.learn.self_play import SelfPlayLearner
from plyground.learn.settings import VISITOR_DEPTH, check_bounds, setting
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
    depth: int = setting(5, "Search depth in plies.", 1, 20, visitor_maximum=VISITOR_DEPTH)
    opening_plies: int = setting(
        10, "Maximum number of random plies at the start of a game; the minimum is half of this.", 0, 100
    )
    epsilon: float = setting(0.0, "Probability of a random move after the opening.", 0, 1)
    epochs: int = setting(8, "Passes over all positions in each fit.", 1, 1000, visitor_maximum=50)
    learning_rate: float = setting(0.1, "Initial step size of the weight updates.", 1e-6, 10)
    weight_decay: float = setting(
        100.0, "L2 regularisation strength: the number of pseudo-observations that pull each weight towards 0.", 0, 1e6
    )
    search_weight: float = setting(
        0.9, "Weight of the search value in the training target; the rest is the game result.", 0, 1
    )

    def __post_init__(self) -> None:
        check_bounds(self)


class FitLearner(SelfPlayLearner):
    """Learns pattern weights by regression. Each generation plays with the weights fitted to the earlier ones."""

    method = "fit"

    def __init__(self, game: str, settings: FitSettings, seed: int) -> None:
        start = make_game(game).start()
        if pattern_count(start) == 0:
            raise WeightsError(f"{start.game.spec} has no patterns, so there are no weights to fit")
        options = {key: value for key, value in asdict(settings).items() if key not in ("games", "generation")}
        super().__init__(game, settings, seed, SelfPlay(start, seed=seed, **options))
        self._table = b""

    def _fit_games(self, games: int) -> tuple[Weights | Network, dict[str, float]]:
        self._table, _, loss = self._self_play.fit(games)
        return Weights.from_patterns(self._position, self._table), {"loss": loss}

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
