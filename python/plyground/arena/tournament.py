"""Tournaments: a schedule in the store, played by an executor, game by game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from plyground.arena.executors import Executor
from plyground.arena.job import GameJob, Rules
from plyground.arena.openings import Opening, openings
from plyground.arena.rating import anchor_of
from plyground.arena.roster import Entrant
from plyground.arena.schedule import Kind, Schedule
from plyground.arena.standings import Standings, standings
from plyground.errors import ParseError
from plyground.games import game
from plyground.records import Record
from plyground.store import Job, Played, Rating, Store


@dataclass(frozen=True)
class Plan:
    """What a tournament is made of; `create` writes it down, and nothing of it can be changed later."""

    rules: Rules
    entrants: Sequence[Entrant]
    games: int = 2
    """Games of each two agents that meet."""
    kind: Kind = "round robin"
    openings: str | None = None
    """As `plyground.arena.openings.openings` takes them."""
    seed: int = 0
    anchor: str | None = None
    """``NAME`` or ``NAME=RATING``; without it the average rating is 1500."""

    def schedule(self) -> Schedule:
        """Its games."""
        self.rules.check()
        anchor_of([one.name for one in self.entrants], self.anchor)
        deck: list[Opening] = openings(game(self.rules.game), self.openings)
        specs = [one.spec for one in self.entrants]
        return Schedule(self.rules, specs, deck, self.games, self.kind, self.seed)


class Tournament:
    """A tournament in a store. Whoever opens it can go on with it, also while others do.

    >>> import tempfile
    >>> from plyground.arena import Rules, SerialExecutor, entrants
    >>> plan = Plan(Rules("tictactoe"), entrants("tictactoe", ["random", "alphabeta(depth=9)"]), games=4)
    >>> with tempfile.TemporaryDirectory() as folder, Store(f"{folder}/games.sqlite") as store:
    ...     tournament = Tournament.create(store, "small", plan)
    ...     len(list(tournament.play(SerialExecutor()))), tournament.standings().agents[0].name
    (4, 'alphabeta(depth=9)')
    """

    def __init__(self, store: Store, name: str) -> None:
        self._store = store
        kept = store.tournaments.get(name)
        self.name = name
        self.game = kept.game
        self.created = kept.created
        self.jobs = kept.jobs
        self.settings: Mapping[str, Any] = kept.settings
        if kept.settings.get("form") != _FORM:
            raise ParseError(f"the tournament {name!r} was not made by this command; its schedule cannot be read")
        self.entrants = [Entrant(one["name"], one["spec"]) for one in kept.settings["agents"]]

    @classmethod
    def create(cls, store: Store, name: str, plan: Plan) -> Tournament:
        """Write the whole schedule down; from here on it can be played."""
        settings = {
            "form": _FORM,
            "kind": plan.kind,
            "games": plan.games,
            "seed": plan.seed,
            "openings": plan.openings,
            "anchor": plan.anchor,
            "rules": vars(plan.rules),
            "agents": [vars(one) for one in plan.entrants],
        }
        jobs = (Job(job.key, job.to_payload()) for job in plan.schedule().jobs())
        store.tournaments.create(name, plan.rules.game, settings, jobs)
        return cls(store, name)

    def left(self) -> list[GameJob]:
        """The games that are still to be played."""
        return [GameJob.from_payload(job.key, job.payload) for job in self._store.tournaments.jobs_left(self.name)]

    def play(self, executor: Executor) -> Iterator[tuple[GameJob, Record]]:
        """Play what is left; each game is on disk before it is given out. At the end ratings are kept."""
        for job, record in executor.run(self.left()):
            self._store.tournaments.finish_job(self.name, job.key, record)
            yield job, record
        self._keep_ratings()

    def played(self) -> list[Played]:
        """The finished games in the order of the schedule."""
        return self._store.tournaments.results(self.name)

    def standings(self, played: Sequence[Played] | None = None) -> Standings:
        """The table, of all finished games or of these."""
        games = self.played() if played is None else played
        return standings(self.entrants, self.game, games, self.settings["anchor"])

    def _keep_ratings(self) -> None:
        table = self.standings().agents
        ratings = [Rating(one.spec, one.rating, one.low, one.high, one.games) for one in table]
        self._store.ratings.put(self.name, self.game, ratings)


_FORM = 1
"""What settings and jobs look like."""


def free_name(store: Store, wish: str) -> str:
    """The wish, or the wish with the first number that makes it new."""
    taken = {one.name for one in store.tournaments.all()}
    if wish not in taken:
        return wish
    return next(name for number in range(2, len(taken) + 3) if (name := f"{wish}-{number}") not in taken)
