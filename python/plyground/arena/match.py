"""Matches: games between two agents with alternating sides."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from plyground._engine import Game, Position, split_seed
from plyground.agents import Agent, Limit
from plyground.arena.adjudication import adjudicator
from plyground.arena.clock import parse_clock
from plyground.arena.executors import Executor
from plyground.arena.game import MAX_PLIES, play_game
from plyground.arena.openings import Opening
from plyground.arena.scheduled_game import Rules, ScheduledGame, points_of_first
from plyground.records import Record


@dataclass(frozen=True)
class MatchGame:
    """One game of a match."""

    record: Record
    first: Literal["a", "b"]
    """The agent that played the first side."""
    points: float
    """A's points: 1 for a win, 0.5 for a draw, 0 for a loss."""


def repeated_games(games: Iterable[MatchGame]) -> int:
    """Return the number of games with the same moves and the same sides as an earlier one.

    Deterministic agents may repeat games, which adds no information about their strength.
    """
    distinct, count = set(), 0
    for game in games:
        distinct.add((game.first, game.record.start, game.record.moves))
        count += 1
    return count - len(distinct)


@dataclass(frozen=True)
class Score:
    """The score of a match, from A's point of view."""

    wins: int = 0
    draws: int = 0
    losses: int = 0

    def after(self, game: MatchGame) -> Score:
        """Return the score including another game."""
        return Score(
            self.wins + (game.points == 1),
            self.draws + (game.points == 0.5),
            self.losses + (game.points == 0),
        )

    @property
    def games(self) -> int:
        """Number of games."""
        return self.wins + self.draws + self.losses

    @property
    def share(self) -> float:
        """A's points per game, from 0 to 1; 0.5 without games."""
        return (self.wins + self.draws / 2) / self.games if self.games else 0.5


@dataclass(frozen=True)
class Match:
    """A match between two agents; equal matches consist of the same games."""

    game: Game
    a: Agent
    b: Agent
    games: int = 2
    seed: int = 0
    limit: Limit = field(default_factory=Limit)
    max_plies: int = MAX_PLIES
    openings: Sequence[Opening] = ((),)
    """Each opening is played twice with sides swapped; after the last one, the first is used again."""
    adjudication: str = "none"
    """A name in `plyground.arena.adjudication.ADJUDICATORS`."""
    clock: str | None = None
    """Seconds per game and increment per move, for example ``60+0.5``."""

    def order(self, index: int) -> tuple[Agent, Agent]:
        """Return the agents of game `index` in playing order: A has the first move in games 0, 2, 4 and so on."""
        return (self.a, self.b) if index % 2 == 0 else (self.b, self.a)

    def opening(self, index: int) -> Opening:
        """Return the opening of game `index`."""
        return self.openings[index // 2 % len(self.openings)]

    def play(self, watch: Callable[[int, Position], None] | None = None) -> Iterator[MatchGame]:
        """Play the games one at a time; `watch` is called with the index of the game and each position.

        Game k uses ``split_seed(seed, k)``.
        """
        for index in range(self.games):
            yield self._play_one(index, watch)

    def play_on(self, executor: Executor) -> Iterator[MatchGame]:
        """Play the same games concurrently, each with new agents; yield them in the same order."""
        waiting: dict[int, Record] = {}
        following = 0
        for scheduled, record in executor.run(self.scheduled_games()):
            waiting[int(scheduled.key)] = replace(record, headers={})
            while following in waiting:
                yield self._match_game(following, waiting.pop(following))
                following += 1

    def scheduled_games(self) -> Iterator[ScheduledGame]:
        """Yield the games in a form that executors can play."""
        limit = {name: value for name, value in vars(self.limit).items() if value is not None}
        rules = Rules(self.game.spec, limit, self.max_plies, self.adjudication, self.clock)
        for index in range(self.games):
            first, second = (agent.spec for agent in self.order(index))
            seats = (0, 1) if index % 2 == 0 else (1, 0)
            seed = split_seed(self.seed, index)
            yield ScheduledGame(str(index), rules, (first, second), seats, self.opening(index), seed)

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
        return self._match_game(index, record)

    def _match_game(self, index: int, record: Record) -> MatchGame:
        points = points_of_first(self.game.sides, record.outcome.winner if record.outcome else None)
        return MatchGame(record, "a", points) if index % 2 == 0 else MatchGame(record, "b", 1 - points)
