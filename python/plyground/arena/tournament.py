"""Tournaments: a schedule in the store, played by an executor."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from plyground.arena.executors import Executor
from plyground.arena.plan import Plan
from plyground.arena.roster import Entrant
from plyground.arena.scheduled_game import ScheduledGame
from plyground.arena.standings import Standings, standings
from plyground.errors import ParseError
from plyground.records import Record
from plyground.store import FinishedGame, Rating, Store
from plyground.store import ScheduledGame as StoredGame

__all__ = ["Plan", "Tournament", "free_name", "open_tournament"]

_VERSION = 1
"""Version of the settings and payloads that `Tournament.create` writes."""


class Tournament:
    """A tournament in a store. Several processes may play the same tournament at the same time.

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
        stored = store.tournaments.get(name)
        self.name = name
        self.game = stored.game
        self.created = stored.created
        self.games = stored.games
        """Number of scheduled games."""
        self.settings: Mapping[str, Any] = stored.settings
        if stored.settings.get("version") != _VERSION:
            raise ParseError(
                f"tournament {name!r} was not created by Plyground's arena; the version in its settings must be "
                f"{_VERSION}, got {stored.settings.get('version')!r:.80}"
            )
        self.entrants = [Entrant(one["name"], one["spec"]) for one in stored.settings["agents"]]

    @classmethod
    def create(cls, store: Store, name: str, plan: Plan) -> Tournament:
        """Store the complete schedule of a new tournament."""
        settings = _settings(plan)
        games = (StoredGame(one.key, one.to_payload()) for one in plan.schedule().scheduled_games())
        store.tournaments.create(name, plan.rules.game, settings, games)
        return cls(store, name)

    def remaining(self) -> list[ScheduledGame]:
        """Return the unfinished games."""
        return [
            ScheduledGame.from_payload(one.key, one.payload) for one in self._store.tournaments.remaining(self.name)
        ]

    def play(self, executor: Executor) -> Iterator[tuple[ScheduledGame, Record]]:
        """Play the remaining games, storing each before yielding it; at the end, store the ratings."""
        for scheduled, record in executor.run(self.remaining()):
            self._store.tournaments.finish_game(self.name, scheduled.key, record)
            yield scheduled, record
        self._store_ratings()

    def finished_games(self) -> list[FinishedGame]:
        """Return the finished games in schedule order."""
        return self._store.tournaments.results(self.name)

    def standings(self, finished: Sequence[FinishedGame] | None = None) -> Standings:
        """Return the standings after the given games, by default all finished games."""
        games = self.finished_games() if finished is None else finished
        return standings(self.entrants, self.game, games, self.settings["anchor"])

    def _store_ratings(self) -> None:
        rows = self.standings().agents
        ratings = [Rating(row.spec, row.rating, row.low, row.high, row.games) for row in rows]
        self._store.ratings.put(self.name, self.game, ratings)


def _settings(plan: Plan) -> dict[str, Any]:
    return {
        "version": _VERSION,
        "kind": plan.kind,
        "games": plan.games,
        "seed": plan.seed,
        "openings": plan.openings,
        "anchor": plan.anchor,
        "rules": vars(plan.rules),
        "agents": [vars(entrant) for entrant in plan.entrants],
    }


def open_tournament(store: Store, name: str, plan: Plan) -> Tournament:
    """Return the tournament with this name, or create it; an existing one must have the settings of the plan."""
    if all(one.name != name for one in store.tournaments.all()):
        return Tournament.create(store, name, plan)
    found = Tournament(store, name)
    if dict(found.settings) != json.loads(json.dumps(_settings(plan))) or found.game != plan.rules.game:
        raise ParseError(f"tournament {name!r} already exists with different settings; choose another name")
    return found


def free_name(store: Store, name: str) -> str:
    """Return the name or, if it is taken, the first free one of ``name-2``, ``name-3`` and so on."""
    taken = {one.name for one in store.tournaments.all()}
    if name not in taken:
        return name
    return next(free for number in range(2, len(taken) + 3) if (free := f"{name}-{number}") not in taken)
