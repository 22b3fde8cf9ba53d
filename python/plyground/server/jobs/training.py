"""Training runs: starting, resuming and showing them."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, Literal, TypeVar

from plyground._engine import features
from plyground.errors import ParseError, UnknownNameError
from plyground.games import game, games
from plyground.learn import train
from plyground.learn.checkpoints import weights_name
from plyground.learn.methods import METHODS, make_learner
from plyground.learn.settings import declared_settings
from plyground.learn.td import OPPONENT_METRIC
from plyground.learn.training import read_curve
from plyground.server.errors import TooManyError
from plyground.server.jobs.process import run_job
from plyground.server.jobs.queue import JOB_NICE, JobProgress, JobQueue
from plyground.server.jobs.training_models import (
    CheckpointView,
    MethodView,
    MetricCurve,
    RunBrief,
    RunRequest,
    RunView,
    SettingView,
    TrainedView,
    WeightView,
)
from plyground.server.search.players import names_file
from plyground.server.settings import Settings
from plyground.server.workers.process import Setup
from plyground.store import Run, Store
from plyground.weights import load
from plyground.weights.sets import to_bytes

T = TypeVar("T")

MAX_CHECKPOINTS, MAX_BRIEF_CHECKPOINTS = 50, 5
"""Maximum number of checkpoints shown for a run on its own, and for a run in a list."""
MAX_POINTS = 1000
"""Maximum number of points of a curve."""
MAX_DEPTH = 6
"""Maximum search depth of a visitor's run, in plies."""
TRAIN_SECONDS = 300
"""Maximum time that a request waits for a run to end."""
POLL_S = 0.5
"""Interval at which to check whether the client is still connected."""
_KINDS: dict[type, Literal["integer", "real", "text"]] = {int: "integer", float: "real", str: "text"}
METRIC_DESCRIPTIONS = {
    "score": "Score of the learner in the games since the previous point, 0 to 1.",
    "strength": "Score against the initial weights in games with fixed openings, 0 to 1.",
    "plies": "Mean number of plies per game.",
    "error": "Mean squared error of the predicted values.",
    "loss": "Loss on the validation games.",
    "first": "Fraction of games won by the first player.",
    "draws": "Fraction of drawn games.",
}


class TrainingQueue(JobQueue[RunView]):
    """Runs training in separate processes."""

    kind = "training"

    def __init__(self, store: Store, settings: Settings) -> None:
        super().__init__(store, settings)
        self._max_games = settings.training_games

    def run(self, progress: JobProgress) -> None:
        """Continue from the last checkpoint in a separate process."""
        settings = self.settings
        setup = Setup(settings.prepare, settings.store, settings.training_mebibytes, 0, JOB_NICE)
        for played, total in run_job(setup, partial(_train, settings.store, int(progress.key)), progress):
            progress.step(played, total)

    def extent(self, key: str) -> tuple[int, int]:
        """Return the number of games played at the last checkpoint, and in total."""
        run = self._get(key)
        total = int(run.settings.get("games", 0))
        steps = self.store.runs.steps(run.id)
        return (total if run.finished is not None else steps[-1] if steps else 0), total

    def methods(self) -> list[MethodView]:
        """Return all training methods."""
        return [
            MethodView(
                name=method.name,
                title=method.title,
                description=method.description,
                games=[one.spec for one in games() if method.can_learn(one.spec)],
                settings=[
                    SettingView(
                        name=setting.name,
                        kind=_KINDS[type(setting.default)],
                        default=str(setting.default),
                        minimum=setting.minimum,
                        maximum=self._maximum(setting.name, setting.maximum),
                        description=setting.description,
                    )
                    for setting in method.options()
                    if not setting.is_local
                ],
            )
            for method in METHODS.values()
            if not method.needs_pytorch
        ]

    def _maximum(self, name: str, maximum: float | None) -> float | None:
        """Return the maximum of a setting for visitors."""
        limit = {"games": self._max_games, "depth": MAX_DEPTH}.get(name)
        return maximum if limit is None or maximum is None else min(limit, maximum)

    def create(self, visitor: str, request: RunRequest) -> RunView:
        """Start a run."""
        self.check_quota(visitor)
        for name, value in request.settings.items():
            if isinstance(value, str) and names_file(value):
                raise ParseError(f"{name[:80]} must be the name of a weight set, not a file, got {value[:80]!r}")
        if request.method in METHODS and METHODS[request.method].needs_pytorch:
            raise ParseError(f"the method {request.method} is available on the command line only")
        declared = declared_settings(METHODS[request.method].settings) if request.method in METHODS else {}
        for name in request.settings:
            if name in declared and declared[name].is_local:
                raise ParseError(f"setting {name} is available on the command line only")
        learner = make_learner(request.method, request.game, request.settings, request.seed)
        if int(learner.settings.get("depth", 1)) > MAX_DEPTH:
            raise ParseError(f"depth must be at most {MAX_DEPTH}, got {learner.settings['depth']}")
        if learner.total_games > self._max_games:
            raise TooManyError(f"a training run must have at most {self._max_games} games, got {learner.total_games}")
        run = self.store.runs.create(learner.method, learner.game, learner.settings, learner.seed)
        self.submit(str(run.id), visitor)
        return self.show(visitor, str(run.id))

    def start_td(self, visitor: str, played: int, seed: int) -> int:
        """Start a run that learns checkers weights by TD learning; return its ID."""
        request = RunRequest(method="td", game="checkers", settings={"games": played}, seed=seed)
        return self.create(visitor, request).id

    def trained(self, visitor: str, run_id: int) -> TrainedView:
        """Return the weights that a run has learned so far."""
        shown = self.show(visitor, str(run_id))
        score = next((curve.values[-1] for curve in shown.curves if curve.name == "score"), 0.5)
        weights = {weight.name: weight.learned for weight in shown.weights}
        return TrainedView(run=run_id, games=shown.job.done, weights=weights, score=score)

    async def wait(self, run_id: int, is_needed: Callable[[], Awaitable[bool]]) -> bool:
        """Wait up to `TRAIN_SECONDS` for a run to end without blocking a thread; return False once `is_needed` does."""
        progress = self._jobs.get(str(run_id))
        if progress is None:
            return True
        loop, changed = asyncio.get_running_loop(), asyncio.Event()

        def subscriber() -> None:
            loop.call_soon_threadsafe(changed.set)

        deadline = loop.time() + TRAIN_SECONDS
        progress.subscribers.add(subscriber)
        try:
            while not progress.ended.is_set() and loop.time() < deadline:
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(changed.wait(), POLL_S)
                changed.clear()
                if not await is_needed():
                    return False
        finally:
            progress.subscribers.discard(subscriber)
        return True

    def briefs(self, visitor: str) -> list[RunBrief]:
        """Return all runs, newest first."""
        return [RunBrief(**self._brief(visitor, run, MAX_BRIEF_CHECKPOINTS)) for run in self.store.runs.all()]

    def show(self, visitor: str, key: str) -> RunView:
        """Return a run with its curves, weights and checkpoints."""
        run = self._get(key)
        metrics = read_curve(self.store, run.id)
        steps = sorted(metrics)
        names = dict.fromkeys(name for step in steps for name in metrics[step])
        changes = {int(metrics[step][OPPONENT_METRIC]) for step in steps if OPPONENT_METRIC in metrics[step]}
        names.pop(OPPONENT_METRIC, None)
        return RunView(
            **self._brief(visitor, run, MAX_CHECKPOINTS),
            settings=dict(run.settings),
            seed=str(run.seed),
            curves=[
                _curve(name, [(step, metrics[step][name]) for step in steps if name in metrics[step]]) for name in names
            ],
            opponent_changes=_thin_out(sorted(changes - {0}), MAX_POINTS),
            weights=_weights(run, metrics[steps[-1]] if steps else {}),
        )

    def _brief(self, visitor: str, run: Run, max_checkpoints: int) -> dict[str, Any]:
        return {
            "id": run.id,
            "method": run.method,
            "game": run.game,
            "title": METHODS[run.method].title if run.method in METHODS else run.method,
            "created": run.created.isoformat(),
            "job": self.job_view(visitor, str(run.id)),
            "checkpoints": self._checkpoints(run, max_checkpoints),
        }

    def _checkpoints(self, run: Run, maximum: int) -> list[CheckpointView]:
        steps = self.store.runs.steps(run.id)
        if run.method == "fit":  # there are no weights before the first generation is fitted
            first = int(run.settings.get("generation", 1))
            steps = [step for step in steps if step >= first or step == run.settings["games"]]
        return [CheckpointView(step=step, player=f"checkpoint {run.id}/{step}") for step in _thin_out(steps, maximum)]

    def weights_file(self, run_id: int, step: int | None) -> tuple[bytes, str]:
        """Return the weights at a checkpoint, by default the last one, and a name for the file."""
        run = self.store.runs.get(run_id)
        chosen = self.latest_step(run_id) if step is None else step
        name = f"{run.game.partition('(')[0]}-{run.method}-{run_id}-{chosen}.safetensors"
        return to_bytes(load(weights_name(run_id, chosen), run.game)), name

    def latest_step(self, run_id: int) -> int:
        """Return the step of a run's last checkpoint."""
        steps = self.store.runs.steps(self.store.runs.get(run_id).id)
        if not steps:
            raise UnknownNameError(f"run {run_id} has no checkpoint yet")
        return steps[-1]

    def delete_results(self, key: str) -> None:
        """Delete a run and its checkpoints."""
        self.store.runs.delete(int(key))

    def _get(self, key: str) -> Run:
        return self.store.runs.get(int(key) if key.isdecimal() else 0)


def _train(store: str | None, run_id: int, report: Callable[[tuple[int, int]], None]) -> None:
    """Train in the process of a job; `report` sends the number of games played and the total."""
    with Store(store) as opened:
        run = opened.runs.get(run_id)
        learner = make_learner(run.method, run.game, run.settings, run.seed)
        train(learner, opened, number=run.id, report=lambda played, _: report((played, learner.total_games)))


def _curve(name: str, points: list[tuple[int, float]]) -> MetricCurve:
    chosen = _thin_out(points, MAX_POINTS)
    default = f"Weight of {name[7:]}." if name.startswith("weight/") else name
    return MetricCurve(
        name=name,
        description=METRIC_DESCRIPTIONS.get(name, default),
        steps=[step for step, _ in chosen],
        values=[value for _, value in chosen],
    )


def _weights(run: Run, latest: dict[str, float]) -> list[WeightView]:
    descriptions = {name: description for name, description, _ in features(game(run.game).start())}
    if not descriptions or "start" not in run.settings:
        return []
    initial = load(str(run.settings["start"]), run.game).values
    return [
        WeightView(
            name=name, description=descriptions[name], initial=value, learned=latest.get(f"weight/{name}", value)
        )
        for name, value in initial.items()
    ]


def _thin_out(items: list[T], maximum: int) -> list[T]:
    """Return at most `maximum` evenly spaced items, including the last one."""
    if len(items) <= maximum:
        return items
    return [items[(index + 1) * len(items) // maximum - 1] for index in range(maximum)]
