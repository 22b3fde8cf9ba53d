"""Tournaments of the page: begun, followed and shown."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable
from functools import partial
from typing import Any

from plyground.arena.job import Rules
from plyground.arena.roster import ROSTERS, entrants, roster
from plyground.arena.standings import Standings
from plyground.arena.tournament import Plan, Tournament, free_name
from plyground.arena.workers import LocalExecutor
from plyground.errors import ParseError, UnknownNameError
from plyground.games import game, games
from plyground.learn.checkpoints import use_runs
from plyground.server.errors import TooManyError
from plyground.server.players import Players
from plyground.server.record_views import game_title
from plyground.server.settings import Settings
from plyground.server.views.work import (
    CrossCell,
    EntrantView,
    LeaderboardView,
    RosterView,
    StandingView,
    TournamentBrief,
    TournamentGame,
    TournamentGames,
    TournamentView,
    TournamentWanted,
)
from plyground.server.works import GENTLE, Progress, WorkLine
from plyground.store import Store
from plyground.store import Tournament as Kept

GAMES, QUICK = 20, 4
"""Games of each two where nobody says how many."""
ROSTER_WORDS = {
    "samuel": "Seven players of checkers with learned or hand-set weights, three plies deep (about a minute).",
    "levels": "Every level of a game against every other.",
}


class Tournaments(WorkLine[TournamentView]):
    """Plays tournaments in processes of their own."""

    kind = "tournament"

    def __init__(self, store: Store, settings: Settings, players: Players) -> None:
        super().__init__(store, settings.works)
        self._settings = settings
        self._players = players

    def work(self, progress: Progress) -> None:
        """Play what is left; each game is on disk before the next step."""
        tournament = Tournament(self.store, progress.key)
        executor = LocalExecutor(
            self._settings.processes, partial(_prepare, self._settings.prepare, self._settings.store)
        )
        done = tournament.jobs - len(tournament.left())
        progress.step(done, tournament.jobs)
        with contextlib.closing(tournament.play(executor)) as games:  # type: ignore[type-var]
            for _ in games:
                done += 1
                progress.step(done, tournament.jobs)

    def extent(self, key: str) -> tuple[int, int]:
        """Games played, and in all."""
        kept = self.store.tournaments.get(key)
        return kept.finished, kept.jobs

    def rosters(self) -> list[RosterView]:
        """Players that belong together; levels for every game."""
        found = []
        for name in ROSTERS:
            for spec in [None] if name != "levels" else [one.spec for one in games()]:
                made = roster(name, spec)
                players = [EntrantView(name=label, spec=text) for label, text in made.players.items()]
                found.append(
                    RosterView(
                        name=name,
                        game=made.game,
                        words=ROSTER_WORDS.get(name, name),
                        players=players,
                        games=made.games,
                        quick=made.quick,
                    )
                )
        return found

    def begin_wanted(self, visitor: str, wanted: TournamentWanted) -> TournamentView:
        """Write a tournament's schedule down and have it played."""
        self.check_room(visitor)
        plan, name = self._plan(wanted)
        games = len(plan.schedule().pairings()) * plan.games
        if games > self._settings.tournament_games:
            raise TooManyError(f"a tournament of {games} games; accepted are {self._settings.tournament_games}")
        called = free_name(self.store, name)
        Tournament.create(self.store, called, plan)
        self.begin(called, visitor)
        return self.show(visitor, called)

    def _plan(self, wanted: TournamentWanted) -> tuple[Plan, str]:
        texts, spec = list(wanted.players), wanted.game
        each = QUICK if wanted.quick else GAMES
        if wanted.roster is not None:
            made = roster(wanted.roster, None if spec is None else game(spec).spec)
            texts = [f"{name}={text}" for name, text in made.players.items()] + texts
            spec, each = made.game, made.quick if wanted.quick else made.games
        if spec is None or len(texts) < 2:
            raise ParseError("a tournament needs a game and two players or more, or a roster")
        spec = game(spec).spec
        plan = Plan(
            Rules(spec),
            entrants(spec, [self._checked(spec, text) for text in texts]),
            games=wanted.games or each,
            kind="gauntlet" if wanted.gauntlet else "round robin",
            seed=wanted.seed,
        )
        default = wanted.roster if wanted.roster not in (None, "levels") else f"{spec.partition('(')[0]}"
        return plan, wanted.name or str(default)

    def _checked(self, spec: str, text: str) -> str:
        """The text of a player, if a stranger may let it play; of a checkpoint, the agent that any process can make."""
        name, equals, rest = text.partition("=")
        is_named = bool(equals) and "(" not in name
        player = rest if is_named else text
        if (found := self._players.checkpoint(spec, player)) is not None:
            called, agent = found
            return f"{name if is_named else called}={agent}"
        self._players.player(spec, player)
        return text

    def briefs(self, visitor: str) -> list[TournamentBrief]:
        """Every tournament, the newest first."""
        return [TournamentBrief(**self._brief(visitor, kept)) for kept in self.store.tournaments.all()]

    def _brief(self, visitor: str, kept: Kept) -> dict[str, Any]:
        return {
            "name": kept.name,
            "game": kept.game,
            "title": game_title(kept.game),
            "created": kept.created.isoformat(),
            "players": [one["name"] for one in kept.settings.get("agents", [])],
            "games": kept.jobs,
            "work": self.view(visitor, kept.name, (kept.finished, kept.jobs)),
        }

    def show(self, visitor: str, key: str) -> TournamentView:
        """A tournament with its table."""
        kept = self.store.tournaments.get(key)
        tournament = Tournament(self.store, key)
        table = tournament.standings()
        return TournamentView(
            **self._brief(visitor, kept),
            kind=str(kept.settings["kind"]),
            seed=str(kept.settings["seed"]),
            openings=kept.settings["openings"],
            standings=_standings(table),
            cross=[
                [None if cell is None else CrossCell(wins=cell[0], draws=cell[1], losses=cell[2]) for cell in row]
                for row in table.cross
            ],
            first_move=list(table.first_move),
            draw_rate=table.draw_rate,
        )

    def games(self, name: str, first: str | None, second: str | None, start: int, limit: int) -> TournamentGames:
        """The games of one player or of two, by name."""
        tournament = Tournament(self.store, name)
        names = [one.name for one in tournament.entrants]
        for wanted in (first, second):
            if wanted is not None and wanted not in names:
                raise UnknownNameError(f"nobody is called {wanted[:80]!r}; there are: {', '.join(names)}")
        sides = game(tournament.game).sides
        found = []
        for played in tournament.played():
            pair = [names[number] for number in played.payload["agents"]]
            if any(wanted is not None and wanted not in pair for wanted in (first, second)):
                continue
            winner = played.outcome.winner if played.outcome else None
            found.append(
                TournamentGame(
                    record=played.record_id,
                    first=pair[0],
                    second=pair[1],
                    winner=None if winner is None else pair[sides.index(winner)],
                    reason=played.outcome.reason if played.outcome else "unfinished",
                    plies=played.plies,
                )
            )
        return TournamentGames(games=found[start : start + limit], total=len(found))

    def latest(self, wanted: str) -> LeaderboardView:
        """The table of the latest tournament of a game; empty where there is none."""
        for kept in self.store.tournaments.all():
            if kept.game == wanted and kept.finished:
                table = Tournament(self.store, kept.name).standings()
                return LeaderboardView(tournament=kept.name, game=kept.game, leaderboard=_standings(table))
        return LeaderboardView(tournament=None, game=None, leaderboard=[])

    def erase(self, key: str) -> None:
        """Forget a tournament; its games stay."""
        self.store.tournaments.delete(key)


def _standings(table: Standings) -> list[StandingView]:
    keys = StandingView.model_fields.keys()
    return [StandingView(**{key: getattr(one, key) for key in keys}) for one in table.agents]


def _prepare(prepare: Callable[[], object] | None, store: str | None) -> None:
    """What a process that plays games does first."""
    use_runs(store)
    with contextlib.suppress(OSError, AttributeError):
        os.nice(GENTLE)
    if prepare is not None:
        prepare()
