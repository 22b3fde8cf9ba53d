"""Long work: tournaments and training."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, StringConstraints

from plyground.server.views.common import GameSpec, PlayerText, Seed, View, Wish

WorkState = Literal["idle", "waiting", "running", "stopped", "done", "failed"]
"""`idle`: nobody works on it, and it is not finished."""


class WorkView(View):
    """How far some work is."""

    kind: Literal["tournament", "run", "review"]
    key: str
    """The tournament's name, the run's number, or the review's id."""
    state: WorkState
    done: int
    total: int
    per_minute: float | None = None
    seconds_left: float | None = None
    error: str | None = None
    yours: bool


class EntrantView(View):
    """A player of a roster."""

    name: str
    spec: str


class RosterView(View):
    """Players that belong together."""

    name: str
    game: str
    words: str
    players: list[EntrantView]
    games: int
    """Games of each two."""
    quick: int
    """The same, when there is little time."""


class CrossCell(View):
    """What somebody got, against one or against all."""

    wins: int
    draws: int
    losses: int


class StandingView(CrossCell):
    """How a player stands."""

    name: str
    spec: str
    games: int
    score: float
    """Points a game, 0 to 1."""
    rating: float
    low: float
    """The 95 % interval of the rating."""
    high: float
    superiority: float | None = None
    """How likely it is stronger than the next in the table."""
    plies: float
    seconds: float


class TournamentBrief(View):
    """A tournament in a list."""

    name: str
    game: str
    title: str
    created: str
    players: list[str]
    games: int
    work: WorkView


class TournamentView(TournamentBrief):
    """A tournament with its table, the best first."""

    kind: str
    seed: str
    openings: str | None = None
    standings: list[StandingView]
    cross: list[list[CrossCell | None]]
    """What each got against each, in the order of `standings`."""
    first_move: list[float]
    """What the first move is worth in Elo points, and the ends of the 95 % interval."""
    draw_rate: float


class TournamentWanted(Wish):
    """A tournament to play: players of one's own choice, or a roster."""

    game: GameSpec | None = None
    name: Annotated[str, StringConstraints(min_length=1, max_length=100, pattern=r"^[^/\\\x00-\x1f]+$")] | None = None
    roster: Annotated[str, StringConstraints(max_length=100)] | None = None
    players: Annotated[list[PlayerText], Field(max_length=50)] = []
    """Levels, specs, checkpoints of training runs, or `NAME=` before one of them."""
    games: Annotated[int, Field(ge=1, le=1000)] | None = None
    """Of each two."""
    quick: bool = False
    gauntlet: bool = False
    seed: Seed = 0


class TournamentGame(View):
    """A game behind a cell of the cross-table."""

    record: int
    first: str
    second: str
    winner: str | None
    """The name of who won; None is a draw."""
    reason: str
    plies: int


class TournamentGames(View):
    """The games of two players, or of a whole tournament."""

    games: list[TournamentGame]
    total: int


class SettingView(View):
    """Something a method of training is told."""

    name: str
    kind: Literal["number", "whole", "text"]
    default: str
    least: float | None = None
    most: float | None = None
    choices: list[str] = []
    words: str


class MethodView(View):
    """A way to learn."""

    name: str
    title: str
    words: str
    games: list[str]
    """The games it can learn."""
    settings: list[SettingView]


class MetricCurve(View):
    """A number that a run reported again and again."""

    name: str
    words: str
    steps: list[int]
    """Games played."""
    values: list[float]


class CheckpointView(View):
    """What a run had learned at a step."""

    step: int
    player: str
    """What to play against it with."""


class RunBrief(View):
    """A training run in a list."""

    id: int
    method: str
    game: str
    title: str
    created: str
    work: WorkView
    checkpoints: list[CheckpointView]
    """Evenly chosen, the last always."""


class WeightView(View):
    """What a term is worth, before and after."""

    name: str
    words: str
    before: float
    after: float


class RunView(RunBrief):
    """A training run."""

    settings: dict[str, Any]
    seed: str
    curves: list[MetricCurve]
    weights: list[WeightView]


class RunWanted(Wish):
    """A training run to begin."""

    method: Annotated[str, StringConstraints(max_length=100)]
    game: GameSpec
    settings: Annotated[dict[str, float | int | str], Field(max_length=50)] = {}
    seed: Seed = 0


class TrainWanted(Wish):
    """How many games to learn from."""

    games: Annotated[int, Field(ge=1, le=2000)] = 100
    seed: Seed = 0


class TrainedView(View):
    """What came of it."""

    run: int
    games: int
    weights: dict[str, float]
    score: float
    """Of the last games, 0 to 1."""


class LeaderboardView(View):
    """The latest tournament's table."""

    tournament: str | None
    game: str | None
    leaderboard: list[StandingView]
