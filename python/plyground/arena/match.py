"""Two agents, some games, sides changing from game to game."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from plyground._engine import Game, Position, split_seed
from plyground.agents import Agent, Limit
from plyground.arena.adjudication import adjudicator
from plyground.arena.clock import parse_clock
from plyground.arena.executors import Executor
from plyground.arena.game import LONGEST, play_game
from plyground.arena.job import GameJob, Rules, points_of_first
from plyground.arena.openings import Opening
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
    openings: Sequence[Opening] = ((),)
    """Each is played twice, sides swapped; after the last comes the first again."""
    adjudication: str = "none"
    """A name of `plyground.arena.adjudication`."""
    clock: str | None = None
    """Seconds for a game and more for each move, as in ``60+0.5``."""

    def order(self, index: int) -> tuple[Agent, Agent]:
        """Who begins game `index` and who comes second: A begins the even ones, counted from 0."""
        return (self.a, self.b) if index % 2 == 0 else (self.b, self.a)

    def opening(self, index: int) -> Opening:
        """The first moves of game `index`."""
        return self.openings[index // 2 % len(self.openings)]

    def play(self, watch: Callable[[int, Position], None] | None = None) -> Iterator[MatchGame]:
        """Play game after game; `watch` is called with the game's index and each of its positions.

        Game k draws from ``split_seed(seed, k)``.
        """
        for index in range(self.games):
            yield self._play_one(index, watch)

    def play_on(self, executor: Executor) -> Iterator[MatchGame]:
        """The same games, several at once, by agents that are made anew for each; in the same order."""
        early: dict[int, Record] = {}
        following = 0
        for job, record in executor.run(self.jobs()):
            early[int(job.key)] = replace(record, headers={})
            while following in early:
                yield self._told(following, early.pop(following))
                following += 1

    def jobs(self) -> Iterator[GameJob]:
        """The games as plain data."""
        limit = {name: value for name, value in vars(self.limit).items() if value is not None}
        rules = Rules(self.game.spec, limit, self.max_plies, self.adjudication, self.clock)
        for index in range(self.games):
            first, second = (agent.spec for agent in self.order(index))
            seats = (0, 1) if index % 2 == 0 else (1, 0)
            seed = split_seed(self.seed, index)
            yield GameJob(str(index), rules, (first, second), seats, self.opening(index), seed)

    def _play_one(self, index: int, watch: Callable[[int, Position], None] | None) -> MatchGame:
        record = play_game(
            self.game.position(moves=self.opening(index)),
            dict(zip(self.game.sides, self.order(index), strict=True)),
            seed=split_seed(self.seed, index),
            limit=self.limit,
            max_plies=self.max_plies,
            watch=(lambda position: watch(index, position)) if watch else None,
            adjudicate=adjudicator(self.adjudication),
            clock=parse_clock(self.clock) if self.clock else None,
        )
        return self._told(index, record)

    def _told(self, index: int, record: Record) -> MatchGame:
        points = points_of_first(self.game.sides, record.outcome.winner if record.outcome else None)
        return MatchGame(record, "a", points) if index % 2 == 0 else MatchGame(record, "b", 1 - points)
