"""Training runs: starting, resuming and showing them."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, TypeVar

from plyground import networks, weights
from plyground._engine import features
from plyground.errors import UnknownNameError, WeightsError
from plyground.games import game
from plyground.learn import train
from plyground.learn.checkpoints import weights_name
from plyground.learn.methods import METHODS, make_learner
from plyground.learn.td import OPPONENT_METRIC
from plyground.learn.training import read_curve
from plyground.networks.network import CompactNetwork
from plyground.networks.network import to_bytes as network_bytes
from plyground.server.jobs.process import run_job
from plyground.server.jobs.queue import JOB_NICE, JobProgress, JobQueue
from plyground.server.jobs.training_methods import PYTORCH_MEBIBYTES, make_visitor_learner, method_views
from plyground.server.jobs.training_models import (
    CheckpointView,
    MethodView,
    MetricCurve,
    RunBrief,
    RunRequest,
    RunView,
    TrainedView,
    WeightView,
)
from plyground.server.settings import Settings
from plyground.server.workers.process import Setup
from plyground.spec import Spec
from plyground.store import Run, Store
from plyground.weights import WeightSet, load
from plyground.weights.sets import to_bytes as weights_bytes

T = TypeVar("T")

MAX_CHECKPOINTS, MAX_BRIEF_CHECKPOINTS = 50, 5
"""Maximum number of checkpoints shown for a run on its own, and for a run in a list."""
MAX_POINTS = 1000
"""Maximum number of points of a curve."""
TRAIN_SECONDS = 300
"""Maximum time that a request waits for a run to end."""
POLL_S = 0.5
"""Interval at which to check whether the client is still connected."""
METRIC_DESCRIPTIONS = {
    "score": "Score of the learner in the games since the previous point, 0 to 1.",
    "strength": "Score against the initial weights in games with fixed openings, 0 to 1.",
    "random_score": "Score against a random player in games with fixed openings, 0 to 1.",
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
        method = METHODS.get(self._get(progress.key).method)
        needs_pytorch = method is not None and method.needs_pytorch
        memory = settings.training_mebibytes + (PYTORCH_MEBIBYTES if needs_pytorch else 0)
        setup = Setup(settings.prepare, settings.store, memory, 0, JOB_NICE)
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
        return method_views(self._max_games)

    def create(self, visitor: str, request: RunRequest) -> RunView:
        """Start a run."""
        self.check_quota(visitor)
        learner = make_visitor_learner(request, self._max_games)
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
            learned=METHODS[run.method].option if run.method in METHODS else "weights",
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
        steps = _playable_steps(run, self.store.runs.steps(run.id))
        return [CheckpointView(step=step, player=f"checkpoint {run.id}/{step}") for step in _thin_out(steps, maximum)]

    def player(self, game_spec: str, run_id: int, step: int | None) -> tuple[int, Spec]:
        """Return the step of a checkpoint, by default the last one, and the agent that plays with it."""
        run = self.store.runs.get(run_id)
        chosen = self._latest_step(run) if step is None else step
        name = weights_name(run_id, chosen)
        _learned(run, name, game_spec)  # raises if the checkpoint is missing or for another game
        return chosen, METHODS[run.method].player_spec(name)

    def weights_file(self, run_id: int, step: int | None) -> tuple[bytes, str]:
        """Return the weights or the network at a checkpoint, by default the last one, and a name for the file."""
        run = self.store.runs.get(run_id)
        chosen = self._latest_step(run) if step is None else step
        name = f"{run.game.partition('(')[0]}-{run.method}-{run_id}-{chosen}.safetensors"
        found = _learned(run, weights_name(run_id, chosen), run.game)
        return weights_bytes(found) if isinstance(found, WeightSet) else network_bytes(found), name

    def _latest_step(self, run: Run) -> int:
        """Return the step of a run's last checkpoint that can play."""
        steps = _playable_steps(run, self.store.runs.steps(run.id))
        if not steps:
            raise UnknownNameError(f"run {run.id} has no checkpoint yet")
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


def _playable_steps(run: Run, steps: list[int]) -> list[int]:
    """Return the checkpoints with weights or a network: those from the first fit on, or those of each fit."""
    generation, games = int(run.settings.get("generation", 0)), run.settings.get("games")
    if run.method != "network":
        return [step for step in steps if step >= generation or step == games]
    pairs = zip([0, *steps], steps, strict=False)
    return [step for before, step in pairs if step // generation > before // generation or step == games]


def _learned(run: Run, name: str, game_spec: str) -> WeightSet | CompactNetwork:
    """Return the weights or the network of a run by name."""
    method = METHODS.get(run.method)
    if method is None:
        raise UnknownNameError(f"run {run.id} was trained by {run.method}, which this version does not know")
    if method.option == "network":
        return networks.load(name, game_spec)
    found = weights.load(name, game_spec)
    if found.board not in ("", game(game_spec).spec):
        raise WeightsError(f"{name}: expected Q-values for {game_spec}, got Q-values for {found.board}")
    return found


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
