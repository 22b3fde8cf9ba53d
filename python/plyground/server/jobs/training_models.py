"""API models of training runs."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, StringConstraints

from plyground.server.jobs.models import JobView
from plyground.server.models import GameSpec, RequestModel, Seed, View


class SettingView(View):
    """A setting of a training method."""

    name: str
    kind: Literal["real", "integer", "text"]
    default: str
    minimum: float | None = None
    maximum: float | None = None
    choices: list[str] = []
    description: str


class MethodView(View):
    """A training method."""

    name: str
    title: str
    description: str
    games: list[str]
    """Specs of the games that the method can learn."""
    settings: list[SettingView]
    missing: str | None = None
    """How to install what the method needs; None if nothing is missing."""


class MetricCurve(View):
    """A metric over the course of a run."""

    name: str
    description: str
    steps: list[int]
    """Number of games played at each point."""
    values: list[float]


class CheckpointView(View):
    """A checkpoint of a run."""

    step: int
    player: str
    """Player text for playing against the checkpoint."""


class RunBrief(View):
    """A training run in a list."""

    id: int
    method: str
    game: str
    title: str
    created: str
    job: JobView
    checkpoints: list[CheckpointView]
    """Evenly spaced, including the last one."""


class WeightView(View):
    """The weight of a feature before and after training."""

    name: str
    description: str
    initial: float
    learned: float


class RunView(RunBrief):
    """A training run with its metrics and weights."""

    settings: dict[str, Any]
    seed: str
    curves: list[MetricCurve]
    learned: Literal["weights", "network"]
    """What the method learns."""
    opponent_changes: list[int]
    """Numbers of games after which the opponent was replaced by a newer copy of the learner."""
    weights: list[WeightView]


class RunRequest(RequestModel):
    """A training run to start."""

    method: Annotated[str, StringConstraints(max_length=100)]
    game: GameSpec
    settings: Annotated[dict[str, float | int | str], Field(max_length=50)] = {}
    seed: Seed = 0


class TrainRequest(RequestModel):
    """A short checkers training run."""

    games: Annotated[int, Field(ge=1, le=2000)] = 100
    """Number of games to learn from."""
    seed: Seed = 0


class TrainedView(View):
    """Result of a short training run."""

    run: int
    games: int
    weights: dict[str, float]
    score: float
    """Score of the learner in its last games, 0 to 1."""
