"""Tournaments: creating, playing and showing them."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable
from functools import partial
from typing import Any

from plyground.arena.roster import Roster, entrants, lineup, rosters, split_name
from plyground.arena.scheduled_game import Rules
from plyground.arena.standings import Standings
from plyground.arena.tournament import Plan, Tournament, free_name
from plyground.arena.workers import LocalExecutor
from plyground.errors import UnknownNameError
from plyground.games import game
from plyground.learn.checkpoints import register_run_weights
from plyground.server.errors import TooManyError
from plyground.server.jobs.queue import JOB_NICE, JobProgress, JobQueue
from plyground.server.jobs.results import TournamentResults
from plyground.server.jobs.tournament_models import (
    CrossCell,
    EntrantView,
    LeaderboardView,
    RosterView,
    StandingView,
    TournamentBrief,
    TournamentGame,
    TournamentGames,
    TournamentRequest,
    TournamentView,
)
from plyground.server.library.views import game_title
from plyground.server.search.players import PlayerFactory
from plyground.server.settings import Settings
from plyground.store import Store
from plyground.store import Tournament as StoredTournament


class TournamentQueue(JobQueue[TournamentView]):
    """Plays tournaments in worker processes."""

    kind = "tournament"

    def __init__(self, store: Store, settings: Settings, players: PlayerFactory) -> None:
        super().__init__(store, settings)
        self._players = players
        self._results = TournamentResults(store)

    def run(self, progress: JobProgress) -> None:
        """Play the remaining games; each is stored before its progress is reported."""
        tournament = Tournament(self.store, progress.key)
        prepare = partial(_prepare_process, self.settings.prepare, self.settings.store)
        executor = LocalExecutor(
            self.settings.processes,
            prepare,
            max_move_seconds=self.settings.move_seconds,
            is_stopped=lambda: progress.should_stop,
        )
        done = tournament.games - len(tournament.remaining())
        progress.step(done, tournament.games)
        with contextlib.closing(tournament.play(executor)) as finished:  # type: ignore[type-var]
            for _ in finished:
                done += 1
                progress.step(done, tournament.games)
        progress.check()

    def extent(self, key: str) -> tuple[int, int]:
        """Return the number of finished and of scheduled games."""
        stored = self.store.tournaments.get(key)
        return stored.finished, stored.games

    def rosters(self) -> list[RosterView]:
        """Return all rosters; those that every game may have appear once per game."""
        return [_roster_view(name, found) for name, found in rosters()]

    def create(self, visitor: str, request: TournamentRequest) -> TournamentView:
        """Schedule a tournament and queue it."""
        self.check_quota(visitor)
        plan, default_name = self._plan(request)
        scheduled = len(plan.schedule().pairings()) * plan.games
        if scheduled > self.settings.tournament_games:
            raise TooManyError(
                f"a tournament must have at most {self.settings.tournament_games} games, got {scheduled}"
            )
        name = free_name(self.store, request.name or default_name)
        Tournament.create(self.store, name, plan)
        self.submit(name, visitor)
        return self.show(visitor, name)

    def _plan(self, request: TournamentRequest) -> tuple[Plan, str]:
        """Return the plan of a tournament and its default name."""
        spec = None if request.game is None else game(request.game).spec
        chosen = lineup(spec, request.players, request.roster, quick=request.quick, baselines=request.baselines)
        plan = Plan(
            Rules(chosen.game),
            entrants(chosen.game, [self._check_player(chosen.game, text) for text in chosen.players]),
            games=request.games or chosen.games,
            kind="gauntlet" if request.gauntlet else "round robin",
            seed=request.seed,
        )
        return plan, chosen.name

    def _check_player(self, game_spec: str, text: str) -> str:
        """Check a visitor's player; a checkpoint is replaced by its agent spec, which any process can use."""
        name, player = split_name(text)
        if (checkpoint := self._players.checkpoint(game_spec, player)) is not None:
            full_name, spec = checkpoint
            return f"{full_name if name is None else name}={spec}"
        self._players.make(game_spec, player)
        return text

    def briefs(self, visitor: str) -> list[TournamentBrief]:
        """Return all tournaments, newest first."""
        return [TournamentBrief(**self._brief(visitor, stored)) for stored in self.store.tournaments.all()]

    def _brief(self, visitor: str, stored: StoredTournament) -> dict[str, Any]:
        return {
            "name": stored.name,
            "game": stored.game,
            "title": game_title(stored.game),
            "created": stored.created.isoformat(),
            "players": [one["name"] for one in stored.settings.get("agents", [])],
            "games": stored.games,
            "job": self.job_view(visitor, stored.name, (stored.finished, stored.games)),
        }

    def show(self, visitor: str, key: str) -> TournamentView:
        """Return a tournament with its standings."""
        stored = self.store.tournaments.get(key)
        table = self._results.standings(stored)
        return TournamentView(
            **self._brief(visitor, stored),
            kind=str(stored.settings["kind"]),
            seed=str(stored.settings["seed"]),
            openings=stored.settings["openings"],
            standings=_standing_views(table),
            cross=[
                [None if cell is None else CrossCell(wins=cell[0], draws=cell[1], losses=cell[2]) for cell in row]
                for row in table.cross
            ],
            first_move=list(table.first_move),
            draw_rate=table.draw_rate,
        )

    def games(self, name: str, first: str | None, second: str | None, start: int, limit: int) -> TournamentGames:
        """Return the games of a tournament, optionally only those of one player or between two players."""
        tournament = Tournament(self.store, name)
        names = [entrant.name for entrant in tournament.entrants]
        for player in (first, second):
            if player is not None and player not in names:
                raise UnknownNameError(f"unknown player {player[:80]!r}; players of {name}: {', '.join(names)}")
        sides = game(tournament.game).sides
        found = []
        for played in self._results.games(self.store.tournaments.get(name)):
            pair = [names[index] for index in played.payload["agents"]]
            if any(player is not None and player not in pair for player in (first, second)):
                continue
            winner = played.outcome.winner if played.outcome else None
            found.append(
                TournamentGame(
                    record_id=played.public_id,
                    first=pair[0],
                    second=pair[1],
                    winner=None if winner is None else pair[sides.index(winner)],
                    reason=played.outcome.reason if played.outcome else "unfinished",
                    plies=played.plies,
                )
            )
        return TournamentGames(games=found[start : start + limit], total=len(found))

    def leaderboard(self) -> LeaderboardView:
        """Return the standings of the latest tournament with a finished game; empty if there is none."""
        for stored in self.store.tournaments.all():
            if stored.finished:
                table = self._results.standings(stored)
                return LeaderboardView(tournament=stored.name, game=stored.game, leaderboard=_standing_views(table))
        return LeaderboardView(tournament=None, game=None, leaderboard=[])

    def delete_results(self, key: str) -> None:
        """Delete a tournament; its games stay in the library."""
        self.store.tournaments.delete(key)


def _roster_view(name: str, found: Roster) -> RosterView:
    return RosterView(
        name=name,
        game=found.game,
        description=found.description,
        players=[EntrantView(name=label, spec=text) for label, text in found.players.items()],
        games=found.games,
        quick_games=found.quick_games,
    )


def _standing_views(table: Standings) -> list[StandingView]:
    fields = StandingView.model_fields.keys()
    return [StandingView(**{field: getattr(row, field) for field in fields}) for row in table.agents]


def _prepare_process(prepare: Callable[[], object] | None, store: str | None) -> None:
    """Initialise a worker process: learned weights, priority and user games."""
    register_run_weights(store)
    with contextlib.suppress(OSError, AttributeError):
        os.nice(JOB_NICE)
    if prepare is not None:
        prepare()
