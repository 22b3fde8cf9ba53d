"""Supervised training of compact networks on self-play games; requires PyTorch (extra `learn`)."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from plyground._engine import Network, Position, SelfPlay, Weights
from plyground.errors import ParseError
from plyground.games import game as make_game
from plyground.learn.pytorch import require_pytorch
from plyground.learn.self_play import SelfPlayLearner
from plyground.learn.settings import check_bounds, setting
from plyground.networks import CompactNetwork
from plyground.networks.network import make_engine_network
from plyground.weights import BEST, engine_weights, has_best

WIDTH_STEP = 16


@dataclass(frozen=True)
class NetworkSettings:
    """Settings for self-play and supervised training of a network.

    The network learns the result of each game, the search value of each position and the move that the search chose.
    """

    games: int = setting(4_000, "Number of self-play games.", 1, 1_000_000)
    generation: int = setting(
        4_000, "Games between fits. Each fit uses all games so far; before the first fit, games use the best weights.",
        1, 1_000_000,
    )  # fmt: skip
    depth: int = setting(5, "Search depth in plies.", 1, 20)
    opening_plies: int = setting(
        10, "Maximum number of random plies at the start of a game; the minimum is half of this.", 0, 100
    )
    epsilon: float = setting(0.05, "Probability of a random move after the opening.", 0, 1)
    width: int = setting(64, "Width of the accumulators, a multiple of 16.", 16, 1024)
    hidden: int = setting(32, "Number of hidden values of the policy; 0 trains no policy.", 0, 256)
    bucket_pieces: int = setting(8, "Number of pieces per bucket of the value head.", 1, 1024)
    epochs: int = setting(8, "Passes over all positions in each fit.", 1, 1000)
    batch: int = setting(1024, "Positions per update.", 1, 65_536)
    learning_rate: float = setting(0.002, "Initial step size of the Adam optimiser; it falls to 0.", 1e-6, 1)
    search_weight: float = setting(
        0.7, "Weight of the search value in the target of the value; the rest is the game result.", 0, 1
    )

    def __post_init__(self) -> None:
        check_bounds(self)
        if self.width % WIDTH_STEP:
            raise ParseError(f"width must be a multiple of {WIDTH_STEP}, got {self.width}")


def training_games(start: Position, depth: int, opening_plies: int, epsilon: float, seed: int) -> SelfPlay:
    """Return self-play without games, as training data for networks."""
    return SelfPlay(
        start,
        depth=depth,
        opening_plies=opening_plies,
        epsilon=epsilon,
        seed=seed,
        # These are used only by the regression of patterns.
        epochs=1,
        learning_rate=0.1,
        weight_decay=0.0,
        search_weight=1.0,
    )


class NetworkLearner(SelfPlayLearner):
    """Trains a compact network. Each generation plays with the network fitted to the earlier ones."""

    method = "network"

    def __init__(self, game: str, settings: NetworkSettings, seed: int) -> None:
        require_pytorch()
        start = make_game(game).start()
        games = training_games(start, settings.depth, settings.opening_plies, settings.epsilon, seed)
        super().__init__(game, settings, seed, games)
        self._network: CompactNetwork | None = None
        if has_best(start.game.id):
            self._evaluation = engine_weights(BEST, start)

    def _fit_games(self, games: int) -> tuple[Weights | Network, dict[str, float]]:
        from plyground.learn.network_model import Samples, train

        samples = Samples(self._self_play.samples(games), self._position)
        settings = asdict(self._settings)
        tensors, losses = train(samples, seed=self.seed, **{name: settings[name] for name in TRAINING_SETTINGS})
        self._network = CompactNetwork(
            self.game,
            tensors,
            self._settings.bucket_pieces,
            method=self.method,
            games=games,
            seed=self.seed,
            settings=self.settings,
            description=f"trained on {games} self-play games",
        )
        return make_engine_network(self._network, self._position), losses

    def weight_set(self) -> CompactNetwork:
        """Return the network of the last fit with training metadata."""
        if self._network is None:
            return CompactNetwork(self.game, {}, method=self.method, seed=self.seed, settings=self.settings)
        return self._network


TRAINING_SETTINGS = (
    "width", "hidden", "bucket_pieces", "epochs", "batch", "learning_rate", "search_weight",
)  # fmt: skip
"""The settings of the fit itself."""
