"""Two agents, some games, sides changing from game to game."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Literal

from plyground._engine import Game, Position, split_seed
from plyground.agents import Agent, Limit
from plyground.arena.game import LONGEST, play_game
from plyground.records import Record


@dataclass(frozen=True)
class MatchGame:
    """One game of a match."""

    record: Record
    first: Literal["a", "b"]
    """Which agent began."""
    points: float
    """What A got: 1 for a win, 0.5 for a draw, 0 for a loss."""


@dataclass(frozen=True)
class Score:
    """How a match stands, seen by A."""

    wins: int = 0
    draws: int = 0
    losses: int = 0

    def after(self, game: MatchGame) -> Score:
        """The score with one more game."""
        return Score(
            self.wins + (game.points == 1),
            self.draws + (game.points == 0.5),
            self.losses + (game.points == 0),
        )

    @property
    def games(self) -> int:
        """Games played."""
        return self.wins + self.draws + self.losses

    @property
    def share(self) -> float:
        """A's points a game, from 0 to 1; 0.5 before the first game."""
        return (self.wins + self.draws / 2) / self.games if self.games else 0.5


@dataclass(frozen=True)
class Match:
    """Who plays what, how often and from which seed: the same match is the same games."""

    game: Game
    a: Agent
    b: Agent
    games: int = 2
    seed: int = 0
    limit: Limit = field(default_factory=Limit)
    max_plies: int = LONGEST

    def order(self, index: int) -> tuple[Agent, Agent]:
        """Who begins game `index` and who comes second: A begins the even ones, counted from 0."""
        return (self.a, self.b) if index % 2 == 0 else (self.b, self.a)

    def play(self, watch: Callable[[int, Position], None] | None = None) -> Iterator[MatchGame]:
        """Play game after game; `watch` is called with the game's index and each of its positions.

        Game k draws from ``split_seed(seed, k)``.
        """
        for index in range(self.games):
            yield self._play_one(index, watch)

    def _play_one(self, index: int, watch: Callable[[int, Position], None] | None) -> MatchGame:
        players = dict(zip(self.game.sides, self.order(index), strict=True))
        record = play_game(
            self.game.start(),
            players,
            seed=split_seed(self.seed, index),
            limit=self.limit,
            max_plies=self.max_plies,
            watch=(lambda position: watch(index, position)) if watch else None,
        )
        winner = record.outcome.winner if record.outcome else None
        side_of_a = self.game.sides[index % 2]
        points = 0.5 if winner is None else float(winner == side_of_a)
        return MatchGame(record, "a" if index % 2 == 0 else "b", points)
