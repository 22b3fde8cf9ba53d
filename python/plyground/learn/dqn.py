"""Deep Q-learning (Mnih et al. 2015) of compact networks that play without search; requires PyTorch (extra `learn`).

A network plays rounds of games without search, mostly against itself, and learns from the positions of recent games
between the rounds. Both sides learn: the value of a move is the negated value of the opponent's best reply.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from math import cos, pi
from typing import TYPE_CHECKING, Any

from plyground._engine import Network, Rng, play_episode, split_seed
from plyground.errors import ParseError
from plyground.games import game as make_game
from plyground.learn.pytorch import require_pytorch
from plyground.learn.settings import VISITOR_DEPTH, check_bounds, setting
from plyground.networks import CompactNetwork
from plyground.networks.network import make_engine_network
from plyground.weights.safetensors import MAX_FILE_BYTES, Tensor, read, write

if TYPE_CHECKING:  # slow to import
    from plyground.learn.dqn_model import Trainer, Update
    from plyground.learn.replay import ReplayBuffer

WIDTH_STEP = 16
MAX_PLIES = 300
"""Maximum length of a game."""
CHECKPOINTS = 20
"""Approximate number of checkpoints of a run."""
MEASURED_GAMES = 40
"""Games per measured score."""
MEASURED_OPENING_PLIES = 4
"""Random plies at the start of the games against an earlier copy, which would otherwise be equal."""
_SELECTION, _MEASUREMENT, _UPDATES = 1, 2, 3
"""Streams of random numbers; the games themselves use stream 0."""


@dataclass(frozen=True)
class DqnSettings:
    """Settings for deep Q-learning."""

    games: int = setting(4_000, "Number of games.", 1, 10_000_000)
    round_games: int = setting(50, "Games between training steps of the network.", 1, 1000)
    width: int = setting(64, "Width of the accumulators, a multiple of 16.", 16, 256)
    hidden: int = setting(32, "Number of hidden values of the policy.", 1, 128, visitor_maximum=64)
    bucket_pieces: int = setting(8, "Number of pieces per bucket of the value head.", 1, 1024)
    buckets: int = setting(4, "Number of buckets of the value head; the last one is for all larger numbers.", 1, 32)
    discount: float = setting(0.98, "Discount per ply: results further away count less.", 0.1, 1)
    steps: int = setting(
        4, "Plies after which a return uses the network's value. Returns end before random moves.", 1, 100
    )
    epsilon: float = setting(0.5, "Probability of a random move at the start of the run.", 0, 1)
    final_epsilon: float = setting(0.1, "Probability of a random move after the exploration.", 0, 1)
    exploration: float = setting(0.6, "Fraction of the run in which the probability of a random move falls.", 0, 1)
    opening_plies: int = setting(0, "Number of random plies at the start of each game.", 0, 100)
    random_fraction: float = setting(0.1, "Fraction of games against a random opponent.", 0, 1)
    pool_fraction: float = setting(0.3, "Fraction of games against an earlier copy from the pool.", 0, 1)
    pool: int = setting(3, "Number of earlier copies in the pool; a new one replaces the oldest.", 1, 8)
    pool_games: int = setting(500, "Games between copies added to the pool.", 1, 10_000_000)
    buffer: int = setting(
        100_000, "Number of recent positions in the replay buffer.", 1000, 1_000_000, visitor_maximum=100_000
    )
    priority: float = setting(0.6, "Exponent of the errors in the priorities of replay; 0 replays uniformly.", 0, 1)
    replays: float = setting(
        8.0, "Number of times that a position is replayed on average.", 0.01, 1000, visitor_maximum=50
    )
    batch: int = setting(256, "Positions per update.", 1, 65_536, visitor_maximum=8192)
    learning_rate: float = setting(0.002, "Initial step size of the Adam optimiser; it falls to 0.", 1e-6, 1)
    target_updates: int = setting(250, "Updates between copies to the target network.", 1, 1_000_000)
    teacher_depth: int = setting(4, "Search depth of the teacher in plies.", 1, 20, visitor_maximum=VISITOR_DEPTH)
    teacher_fraction: float = setting(
        0.0, "Probability that the teacher, an alpha-beta search with the game's heuristic, chooses a move.", 0, 1
    )
    teacher_weight: float = setting(0.5, "Weight of the loss on the teacher's moves.", 0, 100)

    def __post_init__(self) -> None:
        check_bounds(self)
        if self.width % WIDTH_STEP:
            raise ParseError(f"width must be a multiple of {WIDTH_STEP}, got {self.width}")
        if self.buffer < MAX_PLIES * self.round_games:
            raise ParseError(
                f"buffer must be at least {MAX_PLIES} x round_games = {MAX_PLIES * self.round_games}, so that it holds "
                f"a round, got {self.buffer}"
            )


class DqnLearner:
    """Learns by deep Q-learning."""

    method = "dqn"

    def __init__(self, game: str, settings: DqnSettings, seed: int) -> None:
        require_pytorch()
        self._start = make_game(game).start()
        self.game = self._start.game.spec
        self.seed = seed
        self.total_games = settings.games
        rounds = settings.games // CHECKPOINTS // settings.round_games
        self.checkpoint_interval = max(1, rounds) * settings.round_games
        self._settings = settings
        self._check_size()
        self._trainer, self._buffer = self._new_state()
        self._pool: list[CompactNetwork] = []
        self._games_played = self._positions = self._updates = 0
        self._losses: list[tuple[float, float]] = []
        """The loss and the mean Q of each update since the last call of `metrics`."""
        self._plies: list[int] = []
        """The length of each game since then."""

    def _check_size(self) -> None:
        """Raise `ParseError` if checkpoints would be too large to be read."""
        settings, facts = self._settings, self._start.game
        parameters = (
            (facts.features + 1) * settings.width
            + 2 * settings.width * (3 * settings.buckets + settings.hidden)
            + facts.actions * (settings.hidden + 1)
        )
        if 4 * parameters * (4 + settings.pool) > MAX_FILE_BYTES // 2:
            raise ParseError(
                f"the network is too large for {self.game}: about {parameters} parameters and a pool of "
                f"{settings.pool}; reduce width, hidden or pool"
            )

    def _new_state(self) -> tuple[Trainer, ReplayBuffer]:
        from plyground.learn.dqn_model import Trainer
        from plyground.learn.replay import ReplayBuffer

        settings, facts = self._settings, self._start.game
        sizes = {"width": settings.width, "buckets": settings.buckets, "hidden": settings.hidden}
        trainer = Trainer(facts.features, facts.actions, seed=self.seed, **sizes)
        buffer = ReplayBuffer(self._start, settings.buffer, steps=settings.steps, discount=settings.discount)
        return trainer, buffer

    @property
    def settings(self) -> Mapping[str, Any]:
        """The settings as JSON data."""
        return asdict(self._settings)

    @property
    def games_played(self) -> int:
        """Number of games played so far."""
        return self._games_played

    @property
    def epsilon(self) -> float:
        """The probability of a random move in the next game."""
        settings = self._settings
        length = settings.exploration * settings.games
        fraction = 1.0 if length == 0 else min(1.0, self._games_played / length)
        return settings.epsilon + fraction * (settings.final_epsilon - settings.epsilon)

    def play(self) -> None:
        """Play a round of games and learn from recent positions."""
        settings = self._settings
        network = self._engine_network(self.weight_set())
        pool = [self._engine_network(copy) for copy in self._pool]
        count = min(settings.round_games, self.total_games - self._games_played)
        first = self._games_played
        episodes = [self._play_game(number, network, pool) for number in range(first, first + count)]
        positions = self._buffer.append(episodes)
        self._plies += [int.from_bytes(episode[1:3], "little") for episode in episodes]
        self._positions += positions
        self._games_played += count
        self._learn()
        if first // settings.pool_games != self._games_played // settings.pool_games:
            self._pool = [*self._pool, self.weight_set()][-settings.pool :]

    def _play_game(self, number: int, network: Network, pool: list[Network]) -> bytes:
        """Play a game; the network has the first side in games with even numbers."""
        settings, rng = self._settings, Rng(split_seed(split_seed(self.seed, _SELECTION), number))
        opponent: Network | None = network
        kind = rng.unit()
        if kind < settings.random_fraction:
            opponent = None
        elif pool and kind < settings.random_fraction + settings.pool_fraction:
            opponent = pool[rng.below(len(pool))]
        first, second = (network, opponent) if number % 2 == 0 else (opponent, network)
        return play_episode(
            self._start,
            first,
            second,
            epsilon=self.epsilon,
            opening_plies=settings.opening_plies,
            teacher_depth=settings.teacher_depth,
            teacher_fraction=settings.teacher_fraction,
            seed=split_seed(self.seed, number),
        )

    def _learn(self) -> None:
        """Update the network until positions have been replayed often enough."""
        import numpy as np

        from plyground.learn.dqn_model import reproducible

        settings = self._settings
        seed = split_seed(split_seed(self.seed, _UPDATES), self._games_played)
        random, update = np.random.default_rng(seed), self._update_settings()
        with reproducible():
            while self._updates * settings.batch < self._positions * settings.replays:
                self._losses.append(self._trainer.update(self._buffer, random, update))
                self._updates += 1
                if self._updates % settings.target_updates == 0:
                    self._trainer.copy_to_target()

    def _update_settings(self) -> Update:
        from plyground.learn.dqn_model import Update

        settings, progress = self._settings, self._games_played / self.total_games
        return Update(
            batch=settings.batch,
            bucket_pieces=settings.bucket_pieces,
            priority=settings.priority,
            teacher_weight=settings.teacher_weight,
            learning_rate=settings.learning_rate * (1 + cos(pi * progress)) / 2,
            progress=progress,
        )

    def metrics(self) -> dict[str, float]:
        """Return the mean loss, Q and game length since the last call, and the scores of the current network, 0 to 1.

        ``random`` is the score against random play. ``pool`` is the score against the latest copy in the pool, once
        there is one, from random openings.
        """
        losses, lengths = self._losses, self._plies
        self._losses, self._plies = [], []
        found = {
            "loss": sum(loss for loss, _ in losses) / max(len(losses), 1),
            "mean_q": sum(value for _, value in losses) / max(len(losses), 1),
            "epsilon": self.epsilon,
            "plies": sum(lengths) / max(len(lengths), 1),
            "random": self._score(None, 0),
        }
        if self._pool:
            found["pool"] = self._score(self._engine_network(self._pool[-1]), MEASURED_OPENING_PLIES)
        return found

    def _score(self, opponent: Network | None, opening_plies: int) -> float:
        """Return the score of the current network, 0 to 1, against an opponent; the same games in every measurement."""
        network, points = self._engine_network(self.weight_set()), 0.0
        for index in range(MEASURED_GAMES):
            is_first = index % 2 == 0
            first, second = (network, opponent) if is_first else (opponent, network)
            seed = split_seed(split_seed(self.seed, _MEASUREMENT), index // 2)
            episode = play_episode(self._start, first, second, opening_plies=opening_plies, seed=seed)
            result = int.from_bytes(episode[:1], "little", signed=True)
            points += ((result if is_first else -result) + 1) / 2
        return points / MEASURED_GAMES

    def checkpoint(self) -> bytes:
        """Return the whole state: networks, optimiser, pool, recent games and their priorities."""
        episodes, priorities, buffer = self._buffer.save()
        tensors = {
            **self._trainer.save(),
            **{f"pool.{index}.{name}": tensor for index, copy in enumerate(self._pool)
               for name, tensor in copy.tensors.items()},
            "episodes": Tensor("U8", (len(episodes),), episodes),
            "priorities": Tensor("F32", (len(priorities) // 4,), priorities),
        }  # fmt: skip
        counts = {"games": self._games_played, "positions": self._positions, "updates": self._updates}
        state = {"pool": len(self._pool), "buffer": buffer, **counts}
        return write(tensors, {name: json.dumps(value) for name, value in state.items()})

    def restore(self, checkpoints: Iterable[bytes]) -> None:
        """Restore the state of the last checkpoint."""
        *_, last = checkpoints
        tensors, header = read(last)
        self._trainer, self._buffer = self._new_state()
        self._trainer.load(tensors)
        self._buffer.load(tensors["episodes"].data, tensors["priorities"].data, json.loads(header["buffer"]))
        self._games_played, self._positions, self._updates = (
            int(header[name]) for name in ("games", "positions", "updates")
        )
        pieces = self._settings.bucket_pieces
        self._pool = [
            CompactNetwork(self.game, _with_prefix(tensors, f"pool.{index}."), pieces)
            for index in range(int(header["pool"]))
        ]

    def weight_set(self) -> CompactNetwork:
        """Return the current network with training metadata."""
        tensors = self._trainer.model.tensors()
        return _describe(tensors, self.game, self.settings, self.seed, self._games_played)

    def _engine_network(self, network: CompactNetwork) -> Network:
        return make_engine_network(network, self._start)


def checkpoint_network(checkpoint: bytes, game: str, settings: Mapping[str, Any], seed: int) -> CompactNetwork:
    """Return the network of a checkpoint of a run; this does not require PyTorch."""
    tensors, header = read(checkpoint)
    return _describe(_with_prefix(tensors, "network."), game, settings, seed, int(header["games"]))


def _with_prefix(tensors: Mapping[str, Tensor], prefix: str) -> dict[str, Tensor]:
    """Return the arrays whose names begin with a prefix, without it."""
    return {name.removeprefix(prefix): array for name, array in tensors.items() if name.startswith(prefix)}


def _describe(
    tensors: Mapping[str, Tensor], game: str, settings: Mapping[str, Any], seed: int, games: int
) -> CompactNetwork:
    """Return a network with training metadata."""
    return CompactNetwork(
        game,
        tensors,
        int(settings["bucket_pieces"]),
        method=DqnLearner.method,
        games=games,
        seed=seed,
        settings=settings,
        description=f"deep Q-learning, {games} games",
    )
