"""Matches and tournaments in one call. Tournaments are played in memory unless a store is given.

>>> import plyground as pg
>>> result = pg.match("tictactoe", "alphabeta(depth=9)", "random", games=10, seed=1)
>>> result.losses, result.score > 0.5
(0, True)
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from plyground._engine import Game, Outcome
from plyground.agents import Agent, Limit
from plyground.arena.elo import Difference, difference
from plyground.arena.executors import Executor
from plyground.arena.game import MAX_PLIES
from plyground.arena.match import Match, MatchGame
from plyground.arena.openings import openings as deck
from plyground.arena.openings import shuffled
from plyground.arena.plan import Plan
from plyground.arena.players import Player, make_executor, parse_players
from plyground.arena.roster import split_name
from plyground.arena.schedule import Kind
from plyground.arena.scheduled_game import Rules, ScheduledGame
from plyground.arena.standings import Standings, standings
from plyground.errors import ParseError
from plyground.games import game as make_game
from plyground.levels import player
from plyground.notebook import signed, table
from plyground.progress import progress_bar
from plyground.records import Record

if TYPE_CHECKING:
    import pandas

    from plyground.store import Store

MAX_GAMES = 1_000_000


@dataclass(frozen=True)
class MatchResult:
    """The result of a match between A and B, from A's point of view."""

    a: str
    """The name of player A."""
    b: str
    """The name of player B."""
    points: tuple[float, ...]
    """A's points in each game: 1 for a win, 0.5 for a draw, 0 for a loss."""
    records: list[Record] = field(repr=False)
    """The games in order; A moves first in games 0, 2, 4 and so on."""

    @property
    def wins(self) -> int:
        """Number of games that A won."""
        return self.points.count(1)

    @property
    def draws(self) -> int:
        """Number of drawn games."""
        return self.points.count(0.5)

    @property
    def losses(self) -> int:
        """Number of games that A lost."""
        return self.points.count(0)

    @property
    def score(self) -> float:
        """A's points per game, from 0 to 1."""
        return sum(self.points) / len(self.points)

    @property
    def elo(self) -> float:
        """A's Elo difference from B; infinite if A won or lost every game."""
        estimate = self._difference.elo
        return (math.inf if self.score > 0.5 else -math.inf) if estimate is None else estimate

    @property
    def interval(self) -> tuple[float, float]:
        """The 95% interval of `elo`, with bounds that may be infinite; both games of an opening are one observation."""
        low, high = self._difference.low, self._difference.high
        return (-math.inf if low is None else low), (math.inf if high is None else high)

    @property
    def duplicates(self) -> int:
        """Number of games with the same moves as an earlier one. Repeated games make the interval too narrow."""
        return len(self.records) - len({(record.start, record.moves) for record in self.records})

    @property
    def _difference(self) -> Difference:
        return difference(self.points)

    def to_dict(self) -> dict[str, Any]:
        """Return the result as JSON data, without the games; infinite values become None."""
        found = self._difference
        return {
            "a": self.a,
            "b": self.b,
            "games": len(self.points),
            "wins": self.wins,
            "draws": self.draws,
            "losses": self.losses,
            "score": self.score,
            "elo": found.elo,
            "interval": [found.low, found.high],
            "duplicates": self.duplicates,
        }

    def __str__(self) -> str:
        low, high = map(signed, self.interval)
        text = (
            f"{self.a} v {self.b}: {self.wins} wins, {self.draws} draws, {self.losses} losses, "
            f"score {self.score:.1%}, {signed(self.elo)} Elo (95% interval {low} to {high})"
        )
        repeats = "game repeats an earlier one" if self.duplicates == 1 else "games repeat earlier ones"
        return f"{text}; {self.duplicates} {repeats}" if self.duplicates else text

    def _repr_html_(self) -> str:
        """Show the result as a table."""
        low, high = map(signed, self.interval)
        header = ["A", "B", "Wins", "Draws", "Losses", "Score", "Elo", "95% interval", "Repeated games"]
        row = [self.a, self.b, self.wins, self.draws, self.losses, f"{self.score:.1%}", signed(self.elo)]
        return table(header, [[*row, f"{low} to {high}", self.duplicates]])


@dataclass(frozen=True)
class TournamentResult:
    """The standings and the games of a tournament."""

    standings: Standings
    records: list[Record] = field(repr=False)
    """The games, in the order of the schedule."""
    name: str | None = None
    """The name of the tournament in the store; None if it was played in memory."""

    def to_pandas(self) -> pandas.DataFrame:
        """Return the standings as a data frame with a row for each player. Requires pandas."""
        return self.standings.to_pandas()

    def to_dict(self) -> dict[str, Any]:
        """Return the standings as JSON data."""
        return self.standings.to_data()

    def __str__(self) -> str:
        header, rows = self.standings.text_rows()
        widths = [max(map(len, column)) for column in zip(header, *rows, strict=True)]
        lines = (
            "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in [header, *rows]
        )
        return "\n".join(line.rstrip() for line in lines)

    def _repr_html_(self) -> str:
        """Show the standings as a table."""
        return self.standings._repr_html_()


@dataclass(frozen=True)
class _Played:
    """A game played in memory, with the fields that `standings` requires."""

    payload: Mapping[str, Any]
    outcome: Outcome | None
    plies: int
    headers: Mapping[str, str]


def match(
    game: str | Game,
    a: Player,
    b: Player,
    games: int = 100,
    *,
    seed: int = 0,
    limit: Limit | None = None,
    openings: str | None = None,
    max_plies: int = MAX_PLIES,
    adjudication: str = "none",
    clock: str | None = None,
    processes: int = 1,
    progress: bool | None = None,
) -> MatchResult:
    """Play a match between two players, each a level, a preset, an agent spec or an agent.

    The players alternate sides, and each opening is played twice. `openings` is ``deck``, ``start`` or a file; the
    default is the deck of the game if there is one. `limit` replaces the limits of both players. `clock` is the base
    time per game plus the increment per move, in seconds, for example ``60+0.5``. With several `processes`, games are
    played in parallel; an agent with a Python function as an option requires ``processes=1``. `progress` shows or hides
    the progress bar.
    """
    chosen = _game(game)
    _rules(chosen, limit, max_plies, adjudication, clock).check()
    agents = {index: one for index, one in enumerate((a, b)) if isinstance(one, Agent)}
    first, second = (one if isinstance(one, Agent) else player(chosen.spec, split_name(one)[1]) for one in (a, b))
    planned = Match(
        chosen,
        first,
        second,
        _checked_games(games),
        seed,
        limit or Limit(),
        max_plies,
        shuffled(deck(chosen, openings), seed),
        adjudication,
        clock,
    )
    played: list[MatchGame] = []
    with progress_bar("Games", games, progress) as show:
        for one in planned.play_on(make_executor(chosen, agents, processes)):
            played.append(one)
            show(len(played))
    return MatchResult(first.spec, second.spec, tuple(one.points for one in played), [one.record for one in played])


def tournament(
    game: str | Game,
    players: Sequence[Player] | Mapping[str, Player],
    games: int = 20,
    *,
    seed: int = 0,
    kind: Kind = "round robin",
    limit: Limit | None = None,
    openings: str | None = None,
    max_plies: int = MAX_PLIES,
    adjudication: str = "none",
    clock: str | None = None,
    anchor: str | None = None,
    store: Store | str | Path | None = None,
    name: str | None = None,
    processes: int = 1,
    progress: bool | None = None,
) -> TournamentResult:
    """Play a tournament with `games` games per pairing.

    Players are levels, presets, agent specs or agents, in a list or keyed by name. The other parameters are as in
    `match`; `kind` is ``round robin`` or ``gauntlet``, and `anchor` is ``NAME=RATING``. The tournament is played in
    memory, or in a store: a `Store`, the path of an SQLite file or the URL of a PostgreSQL database. If the store
    already has a tournament with this `name` and the same settings, only its remaining games are played.
    """
    chosen = _game(game)
    found, agents = parse_players(chosen, players)
    rules = _rules(chosen, limit, max_plies, adjudication, clock)
    plan = Plan(rules, found, _checked_games(games), kind, openings, seed, anchor)
    if store is not None:
        return _play_in_store(plan, make_executor(chosen, agents, processes), store, name, progress)
    played = _play_in_memory(plan, make_executor(chosen, agents, processes), progress)
    finished = [
        _Played(scheduled.to_payload(), record.outcome, len(record.moves), record.headers)
        for scheduled, record in played
    ]
    return TournamentResult(standings(found, chosen.spec, finished, anchor), [record for _, record in played])


def _play_in_memory(plan: Plan, executor: Executor, progress: bool | None) -> list[tuple[ScheduledGame, Record]]:
    """Play all games of a plan and return them in the order of the schedule."""
    scheduled = list(plan.schedule().scheduled_games())
    order = {one.key: index for index, one in enumerate(scheduled)}
    played = []
    with progress_bar("Games", len(scheduled), progress) as show:
        for one in executor.run(scheduled):
            played.append(one)
            show(len(played))
    return sorted(played, key=lambda one: order[one[0].key])


def _play_in_store(
    plan: Plan, executor: Executor, given: Store | str | Path, name: str | None, progress: bool | None
) -> TournamentResult:
    from plyground.arena.tournament import free_name, open_tournament
    from plyground.store import Store

    with ExitStack() as stack:
        store = given if isinstance(given, Store) else stack.enter_context(Store(str(given)))
        chosen_name = free_name(store, plan.rules.game.partition("(")[0]) if name is None else name
        opened = open_tournament(store, chosen_name, plan)
        completed = opened.games - len(opened.remaining())
        with progress_bar("Games", opened.games, progress) as show:
            for number, _ in enumerate(opened.play(executor), start=completed + 1):
                show(number)
        records = [store.records.get(one.record_id).record for one in opened.finished_games()]
        return TournamentResult(opened.standings(), records, opened.name)


def _game(game: str | Game) -> Game:
    return make_game(game) if isinstance(game, str) else game


def _rules(game: Game, limit: Limit | None, max_plies: int, adjudication: str, clock: str | None) -> Rules:
    fields = {name: value for name, value in vars(limit or Limit()).items() if value is not None}
    return Rules(game.spec, fields, max_plies, adjudication, clock)


def _checked_games(games: int) -> int:
    if not 1 <= games <= MAX_GAMES:
        raise ParseError(f"games must be between 1 and {MAX_GAMES}, got {games}")
    return games
