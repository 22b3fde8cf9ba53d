"""Supervised training of compact networks on self-play games; requires PyTorch (extra `learn`)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from plyground._engine import Network, Position, SelfPlay, Weights, play_game, split_seed
from plyground.errors import ParseError, WeightsError
from plyground.games import game as make_game
from plyground.learn.lessons import Lessons
from plyground.learn.pytorch import require_pytorch
from plyground.learn.self_play import SelfPlayLearner
from plyground.learn.settings import VISITOR_DEPTH, check_bounds, setting
from plyground.networks import CompactNetwork, engine_network
from plyground.networks import load as load_network
from plyground.networks import names as network_names
from plyground.networks.network import from_bytes, make_engine_network, to_bytes
from plyground.weights import BEST, engine_weights, has_best
from plyground.weights.safetensors import Tensor, read, write

WIDTH_STEP = 16
SELF = "self"
"""The teacher that is the network itself, with a search."""


@dataclass(frozen=True)
class NetworkSettings:
    """Settings for self-play and supervised training of a network.

    The network learns the result of each game, the search value of each position and the move that the search chose.
    """

    games: int = setting(4_000, "Number of games.", 1, 1_000_000)
    generation: int = setting(
        4_000,
        "Games between fits if the teacher is `self`. Each fit uses all games so far; before the first fit, games use "
        "the best weights. With another teacher, there is one fit after the last game.",
        1,
        1_000_000,
    )
    teacher: str = setting(
        SELF,
        "What labels positions with a score and a move: self (alpha-beta search), solver (Connect Four and "
        "tic-tac-toe), tables (checkers: search with endgame tables) or uci:COMMAND (a chess engine).",
        is_local=True,
    )
    depth: int = setting(
        5, "Search depth in plies of the teachers self and tables.", 1, 20, visitor_maximum=VISITOR_DEPTH
    )
    nodes: int = setting(200, "Nodes per position of a UCI engine.", 1, 1_000_000, is_local=True)
    data: str = setting(
        "",
        "File that keeps the labelled games of a teacher other than self; games already in it are not repeated.",
        is_local=True,
    )
    opening_plies: int = setting(
        10, "Maximum number of random plies at the start of a game; the minimum is half of this.", 0, 100
    )
    epsilon: float = setting(0.05, "Probability of a random move after the opening.", 0, 1)
    width: int = setting(64, "Width of the accumulators, a multiple of 16.", 16, 1024, visitor_maximum=256)
    hidden: int = setting(32, "Number of hidden values of the policy; 0 trains no policy.", 0, 256, visitor_maximum=64)
    bucket_pieces: int = setting(8, "Number of pieces per bucket of the value head.", 1, 1024)
    epochs: int = setting(8, "Passes over all positions in each fit.", 1, 1000, visitor_maximum=50)
    batch: int = setting(1024, "Positions per update.", 1, 65_536, visitor_maximum=8192)
    learning_rate: float = setting(0.002, "Initial step size of the Adam optimiser; it falls to 0.", 1e-6, 1)
    search_weight: float = setting(
        0.7, "Weight of the search value in the target of the value; the rest is the game result.", 0, 1
    )
    noisy_weight: float = setting(
        0.0,
        "Weight in the value of positions in check or with a capture as the chosen move, relative to quiet positions; "
        "alpha-beta search evaluates only quiet positions, Monte Carlo tree search all of them.",
        0,
        1,
    )
    spread: float = setting(
        0.1,
        "Standard deviation of the initial feature weights. Rare features keep them, which adds noise to the value of "
        "games with many features, such as chess.",
        0.001,
        1,
    )
    records: str = setting(
        "",
        "Source of games to learn from, instead of games of the teacher: a game file (.json, .pdn, .pgn), an SQLite "
        "store or the URL of a PostgreSQL store. The teacher scores the positions; the moves are those played.",
        is_local=True,
    )
    match_games: int = setting(
        20,
        "Games of a match after each fit: against the previous network, at first the shipped one, or against the "
        "weights or the heuristic if there is none.",
        0,
        10_000,
        visitor_maximum=200,
    )

    def __post_init__(self) -> None:
        check_bounds(self)
        if self.width % WIDTH_STEP:
            raise ParseError(f"width must be a multiple of {WIDTH_STEP}, got {self.width}")
        if self.data and self.teacher == SELF and not self.records:
            raise ParseError("data requires records or another teacher than self, whose games depend on the network")


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
    """Trains a compact network. With the teacher self, each generation plays with the network fitted before."""

    method = "network"
    _settings: NetworkSettings

    def __init__(self, game: str, settings: NetworkSettings, seed: int) -> None:
        require_pytorch()
        start = make_game(game).start()
        games = training_games(start, settings.depth, settings.opening_plies, settings.epsilon, seed)
        super().__init__(game, settings, seed, games)
        self._network: CompactNetwork | None = None
        self._is_new = False
        """Whether the network was fitted since the last checkpoint."""
        self._lessons: Lessons | None = None
        if settings.teacher != SELF or settings.records:
            self._lessons = Lessons(games, start, settings, seed)
            self.total_games = self._lessons.total
        elif has_best(start.game.id):
            self._evaluation = engine_weights(BEST, start)

    @property
    def games_played(self) -> int:
        """Number of games played or read from the data file so far."""
        return super().games_played if self._lessons is None else self._lessons.count

    def _is_time_to_fit(self) -> bool:
        return self.games_played == self.total_games if self._lessons is not None else super()._is_time_to_fit()

    def _play_game(self) -> tuple[int, int] | None:
        return super()._play_game() if self._lessons is None else self._lessons.next_game()

    def checkpoint(self) -> bytes:
        """Return the games since the last checkpoint, or the number of games if a data file keeps them.

        If the network was fitted since then, it is included.
        """
        games = super().checkpoint() if self._lessons is None else self._lessons.checkpoint()
        tensors = {"games": _bytes_tensor(games)}
        if self._network is not None and self._is_new:
            tensors["network"] = _bytes_tensor(to_bytes(self._network))
        self._is_new = False
        return write(tensors, {"losses": json.dumps(self._loss)})

    def restore(self, checkpoints: Iterable[bytes]) -> None:
        """Load the games of all checkpoints and the last network."""
        for data in checkpoints:
            tensors, header = read(data)
            if self._lessons is None:
                self._self_play.load(tensors["games"].data)
            else:
                self._lessons.restore(tensors["games"].data)
            if "network" in tensors:
                self._network = from_bytes(tensors["network"].data)
            self._loss = json.loads(header["losses"])
        self._saved_games = self.games_played
        if self._network is not None:
            self._evaluation = make_engine_network(self._network, self._position)

    def _fit_games(self, games: int) -> tuple[Weights | Network, dict[str, float]]:
        from plyground.learn.network_model import Samples, train

        samples = Samples(self._self_play.samples(games), self._position)
        if self._lessons is not None and self._lessons.is_exact:
            samples.use_scores_as_results()
        settings = asdict(self._settings)
        tensors, losses = train(samples, seed=self.seed, **{name: settings[name] for name in TRAINING_SETTINGS})
        teacher = "self-play" if self._settings.teacher == SELF else f"{self._settings.teacher} teacher"
        self._network = CompactNetwork(
            self.game,
            tensors,
            self._settings.bucket_pieces,
            method=self.method,
            games=games,
            seed=self.seed,
            settings=self.settings,
            description=f"trained on {len(samples)} positions of {games} games ({teacher})",
        )
        self._is_new = True
        network = make_engine_network(self._network, self._position)
        return network, {**losses, **self._match(network)}

    def _match(self, network: Network) -> dict[str, float]:
        """Return the score (0 to 1) against the previous network at the depth of the run."""
        count = self._settings.match_games
        if count == 0:
            return {}
        opponent = self._evaluation or self._first_opponent()
        points = 0.0
        for index in range(count):
            first, second = (network, opponent) if index % 2 == 0 else (opponent, network)
            seed = split_seed(self.seed, index // 2)
            plies = self._settings.opening_plies
            result = play_game(
                self._position, first, second, depth=self._settings.depth, opening_plies=plies, seed=seed
            )
            points += (1 + (result if index % 2 == 0 else -result)) / 2
        return {"match": points / count}

    def _first_opponent(self) -> Network | Weights | str:
        game = self._position.game.id
        if BEST in network_names(game) and load_network(BEST, game).game == self.game:
            return engine_network(BEST, self._position)
        return engine_weights(BEST, self._position) if has_best(game) else "heuristic"

    def weight_set(self) -> CompactNetwork:
        """Return the network of the last fit with training metadata."""
        if self._network is None:
            return CompactNetwork(self.game, {}, method=self.method, seed=self.seed, settings=self.settings)
        return self._network


def checkpoint_network(data: bytes, game: str, settings: Mapping[str, Any], seed: int) -> CompactNetwork:  # noqa: ARG001
    """Return the network that was fitted since the previous checkpoint; raise `WeightsError` if there is none."""
    found = read(data)[0].get("network")
    if found is None:
        raise WeightsError("this checkpoint has no network, because the network was fitted earlier or later")
    return from_bytes(found.data)


def _bytes_tensor(data: bytes) -> Tensor:
    return Tensor("U8", (len(data),), data)


TRAINING_SETTINGS = (
    "width", "hidden", "bucket_pieces", "epochs", "batch", "learning_rate", "search_weight", "noisy_weight", "spread",
)  # fmt: skip
"""The settings of the fit itself."""
