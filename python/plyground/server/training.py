"""Training runs of the page: begun, followed, shown, and played against."""

from __future__ import annotations

import contextlib
import os
import threading
from typing import Any, Literal, TypeVar

from starlette.concurrency import run_in_threadpool

from plyground._engine import terms
from plyground.errors import ParseError, UnknownNameError
from plyground.games import game, games
from plyground.learn import Learner, train
from plyground.learn.checkpoints import learned
from plyground.learn.methods import METHODS, make_learner
from plyground.learn.training import read_curve
from plyground.server.errors import TooManyError
from plyground.server.settings import Settings
from plyground.server.views.work import (
    CheckpointView,
    MethodView,
    MetricCurve,
    RunBrief,
    RunView,
    RunWanted,
    SettingView,
    TrainedView,
    WeightView,
)
from plyground.server.works import GENTLE, Progress, WorkLine
from plyground.store import Run, Store
from plyground.weights import load
from plyground.weights.sets import to_bytes

T = TypeVar("T")

MOST_CHECKPOINTS, SOME_CHECKPOINTS = 50, 5
"""Checkpoints that are listed, evenly chosen: with a run, and in the list of runs."""
MOST_POINTS = 1000
"""Points of a curve that are sent, evenly chosen."""
DEEPEST = 6
"""Plies that the players of a visitor's run may look ahead."""
PATIENCE = 300
"""Seconds that `train_and_wait` waits."""
_KINDS: dict[type, Literal["whole", "number", "text"]] = {int: "whole", float: "number", str: "text"}
METRIC_WORDS = {
    "score": "Points of the learner in the games since the last point, 0 to 1.",
    "plies": "Moves of a game, on average.",
    "error": "Mean squared error of what it expected.",
    "loss": "Loss of the fit on games kept apart.",
    "first": "Share of games that the side that begins won.",
    "draws": "Share of drawn games.",
}


class Training(WorkLine[RunView]):
    """Lets programs learn in a thread of its own."""

    kind = "run"

    def __init__(self, store: Store, settings: Settings) -> None:
        super().__init__(store, settings.works)
        self._most_games = settings.training_games

    def work(self, progress: Progress) -> None:
        """Play the games that are left, checkpoint after checkpoint."""
        with contextlib.suppress(OSError, AttributeError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), GENTLE)
        run = self.store.runs.get(int(progress.key))
        learner = self._learner(run)
        train(learner, self.store, number=run.id, report=lambda played, _: progress.step(played, learner.total))

    def extent(self, key: str) -> tuple[int, int]:
        """Games played by the last checkpoint, and in all."""
        run = self._kept(key)
        total = int(run.settings.get("games", 0))
        steps = self.store.runs.steps(run.id)
        return (total if run.finished is not None else steps[-1] if steps else 0), total

    def methods(self) -> list[MethodView]:
        """Ways to learn."""
        return [
            MethodView(
                name=one.name,
                title=one.title,
                words=one.about,
                games=[each.spec for each in games() if one.can_learn(each.spec)],
                settings=[
                    SettingView(
                        name=setting.name,
                        kind=_KINDS[type(setting.default)],
                        default=str(setting.default),
                        least=setting.least,
                        most=self._bound(setting.name, setting.most),
                        words=setting.about,
                    )
                    for setting in one.options()
                ],
            )
            for one in METHODS.values()
        ]

    def _bound(self, name: str, most: float | None) -> float | None:
        """The largest number that a visitor may choose."""
        bound = {"games": self._most_games, "depth": DEEPEST}.get(name)
        return most if bound is None or most is None else min(bound, most)

    def begin_wanted(self, visitor: str, wanted: RunWanted) -> RunView:
        """Begin a run and have it done."""
        self.check_room(visitor)
        if any(
            isinstance(value, str) and ("/" in value or value.endswith(".safetensors"))
            for value in wanted.settings.values()
        ):
            raise ParseError("settings: here accepted are names of weights, not files")
        learner = make_learner(wanted.method, wanted.game, wanted.settings, wanted.seed)
        if int(learner.settings.get("depth", 1)) > DEEPEST:
            raise ParseError(f"depth={learner.settings['depth']}: here accepted are depths up to {DEEPEST}")
        if learner.total > self._most_games:
            raise TooManyError(f"a run of {learner.total} games; accepted are {self._most_games}")
        run = self.store.runs.begin(learner.method, learner.game, learner.settings, learner.seed)
        self.begin(str(run.id), visitor)
        return self.show(visitor, str(run.id))

    async def train_and_wait(self, visitor: str, played: int, seed: int) -> TrainedView:
        """A run of checkers by TD, and what came of it."""
        wanted = RunWanted(method="td", game="checkers", settings={"games": played}, seed=seed)
        run = await run_in_threadpool(self.begin_wanted, visitor, wanted)
        await run_in_threadpool(self.wait, str(run.id), PATIENCE)
        shown = await run_in_threadpool(self.show, visitor, str(run.id))
        score = next((curve.values[-1] for curve in shown.curves if curve.name == "score"), 0.5)
        weights = {one.name: one.after for one in shown.weights}
        return TrainedView(run=run.id, games=shown.work.done, weights=weights, score=score)

    def briefs(self, visitor: str) -> list[RunBrief]:
        """Every run, the newest first."""
        return [RunBrief(**self._brief(visitor, run, SOME_CHECKPOINTS)) for run in self.store.runs.all()]

    def show(self, visitor: str, key: str) -> RunView:
        """A run with its curves, weights and checkpoints."""
        run = self._kept(key)
        curve = read_curve(self.store, run.id)
        steps = sorted(curve)
        names = dict.fromkeys(name for step in steps for name in curve[step])
        return RunView(
            **self._brief(visitor, run, MOST_CHECKPOINTS),
            settings=dict(run.settings),
            seed=str(run.seed),
            curves=[
                _curve(name, [(step, curve[step][name]) for step in steps if name in curve[step]]) for name in names
            ],
            weights=_weights(run, curve[steps[-1]] if steps else {}),
        )

    def _brief(self, visitor: str, run: Run, most: int) -> dict[str, Any]:
        return {
            "id": run.id,
            "method": run.method,
            "game": run.game,
            "title": METHODS[run.method].title if run.method in METHODS else run.method,
            "created": run.created.isoformat(),
            "work": self.view(visitor, str(run.id)),
            "checkpoints": self._checkpoints(run, most),
        }

    def _checkpoints(self, run: Run, most: int) -> list[CheckpointView]:
        steps = self.store.runs.steps(run.id)
        if run.method == "fit":  # there is nothing to play with before the first generation is fitted
            steps = [
                step
                for step in steps
                if step >= int(run.settings.get("generation", 1)) or step == run.settings["games"]
            ]
        return [CheckpointView(step=step, player=f"checkpoint {run.id}/{step}") for step in _even(steps, most)]

    def weights_file(self, number: int, step: int | None) -> tuple[bytes, str]:
        """What a run had learned at a step, or last, and a name for the file."""
        run = self.store.runs.get(number)
        chosen = self.latest(number) if step is None else step
        name = f"{run.game.partition('(')[0]}-{run.method}-{number}-{chosen}.safetensors"
        return to_bytes(learned(self.store, number, chosen)), name

    def latest(self, number: int) -> int:
        """The step of a run's last checkpoint."""
        steps = self.store.runs.steps(self.store.runs.get(number).id)
        if not steps:
            raise UnknownNameError(f"run {number} has no checkpoint yet")
        return steps[-1]

    def erase(self, key: str) -> None:
        """Forget a run and what it learned."""
        self.store.runs.delete(int(key))

    def _kept(self, key: str) -> Run:
        return self.store.runs.get(int(key) if key.isdecimal() else 0)

    def _learner(self, run: Run) -> Learner:
        return make_learner(run.method, run.game, run.settings, run.seed)


def _curve(name: str, points: list[tuple[int, float]]) -> MetricCurve:
    chosen = _even(points, MOST_POINTS)
    words = METRIC_WORDS.get(name) or (f"What {name[7:]} is worth." if name.startswith("weight/") else name)
    return MetricCurve(
        name=name, words=words, steps=[step for step, _ in chosen], values=[value for _, value in chosen]
    )


def _weights(run: Run, latest: dict[str, float]) -> list[WeightView]:
    about = {name: words for name, words, _ in terms(game(run.game).start())}
    if not about or "start" not in run.settings:
        return []
    before = load(str(run.settings["start"]), run.game).values
    return [
        WeightView(name=name, words=about[name], before=value, after=latest.get(f"weight/{name}", value))
        for name, value in before.items()
    ]


def _even(items: list[T], most: int) -> list[T]:
    """At most so many of them, evenly chosen, the last always."""
    if len(items) <= most:
        return items
    return [items[(place + 1) * len(items) // most - 1] for place in range(most)]
