"""API models of tournaments."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, StringConstraints

from plyground.server.jobs.models import JobView
from plyground.server.models import GameSpec, PlayerText, RequestModel, Seed, View


class EntrantView(View):
    """A player in a roster."""

    name: str
    spec: str


class RosterView(View):
    """A predefined set of players."""

    name: str
    game: str
    description: str
    players: list[EntrantView]
    games: int
    """Games per pairing."""
    quick_games: int
    """Games per pairing of a quick tournament."""


class CrossCell(View):
    """Results of a player, against one opponent or in total."""

    wins: int
    draws: int
    losses: int


class StandingView(CrossCell):
    """A row of the standings."""

    name: str
    spec: str
    games: int
    score: float
    """Points per game, 0 to 1."""
    rating: float
    """Elo rating."""
    low: float
    """Lower bound of the rating's 95% confidence interval."""
    high: float
    """Upper bound of the rating's 95% confidence interval."""
    superiority: float | None = None
    """Likelihood of superiority over the next player in the standings, 0 to 1."""
    plies: float
    """Mean number of plies per game."""
    seconds: float
    """Mean thinking time per game."""


class TournamentBrief(View):
    """A tournament in a list."""

    name: str
    game: str
    title: str
    created: str
    players: list[str]
    games: int
    """Number of scheduled games."""
    job: JobView


class TournamentView(TournamentBrief):
    """A tournament with its standings, best player first."""

    kind: str
    seed: str
    openings: str | None = None
    standings: list[StandingView]
    cross: list[list[CrossCell | None]]
    """Head-to-head results, in the order of `standings`; null on the diagonal."""
    first_move: list[float]
    """First-move advantage in Elo points, and the bounds of its 95% confidence interval."""
    draw_rate: float
    """Fraction of drawn games, 0 to 1."""


class TournamentRequest(RequestModel):
    """A tournament between chosen players, a roster, or both."""

    game: GameSpec | None = None
    """May be omitted if the roster implies it."""
    name: Annotated[str, StringConstraints(min_length=1, max_length=100, pattern=r"^[^/\\\x00-\x1f]+$")] | None = None
    """Defaults to the name of the roster or game."""
    roster: Annotated[str, StringConstraints(max_length=100)] | None = None
    players: Annotated[list[PlayerText], Field(max_length=50)] = []
    """Levels, specs or checkpoints, each optionally prefixed with `NAME=`."""
    baselines: bool = False
    """Add the catalog's baselines, except those already among the players."""
    games: Annotated[int, Field(ge=1, le=1000)] | None = None
    """Games per pairing; defaults to the roster's number, or 20."""
    quick: bool = False
    """Play fewer games per pairing by default."""
    gauntlet: bool = False
    """Play only the first player against each of the others."""
    seed: Seed = 0


class TournamentGame(View):
    """A game of a tournament."""

    record_id: str
    first: str
    second: str
    winner: str | None
    """Name of the winner; None for a draw."""
    reason: str
    plies: int


class TournamentGames(View):
    """Games of a tournament."""

    games: list[TournamentGame]
    total: int


class LeaderboardView(View):
    """Standings of the latest tournament."""

    tournament: str | None
    game: str | None
    leaderboard: list[StandingView]
