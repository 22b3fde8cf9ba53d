"""Training runs: kept in the store as they go, and gone on with after a break as if there had been none."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from plyground.errors import UnknownNameError
from plyground.store import Checkpoint, Metric, Run, Store
from plyground.weights import WeightSet

Curve = dict[int, dict[str, float]]
"""For each step (games played) the numbers that were reported, by name."""


class Learner(Protocol):
    """Something that learns from one game after the other; between games, what it knows can be kept."""

    method: str
    game: str
    seed: int
    total: int
    """Games in all."""
    every: int
    """Games between two checkpoints."""

    @property
    def settings(self) -> Mapping[str, Any]:
        """What it was told, as JSON writes it: a run goes on only with the same."""

    @property
    def played(self) -> int:
        """Games so far."""

    def play(self) -> None:
        """Play a game and learn from it."""

    def metrics(self) -> dict[str, float]:
        """Numbers of the games since the last call."""

    def checkpoint(self) -> bytes:
        """What the learner must keep of the time since the last checkpoint."""

    def restore(self, checkpoints: Iterable[bytes]) -> None:
        """Become as at the last of these checkpoints, which are all of a run."""

    def learned(self) -> WeightSet:
        """What it learned."""


@dataclass(frozen=True)
class Trained:
    """A run that ended."""

    weights: WeightSet
    run: int
    """Its number in the store."""
    curve: Curve
    resumed: int = 0
    """Games that an earlier run had played already."""


def train(
    learner: Learner,
    store: Store,
    *,
    resume: bool = False,
    number: int | None = None,
    report: Callable[[int, dict[str, float]], None] | None = None,
) -> Trained:
    """Let a learner play all its games. With `resume`, a broken-off run with the same settings is gone on with.

    With `number` it is that run which is gone on with, or begun. What `report` raises ends the training after a
    checkpoint, from which it can be gone on with.
    """
    run = store.runs.get(number) if number is not None else _unfinished(learner, store) if resume else None
    if run is None:
        run = store.runs.begin(learner.method, learner.game, learner.settings, learner.seed)
    else:
        restore(learner, store, run.id)
    resumed = learner.played
    while learner.played < learner.total:
        for _ in range(min(learner.every - learner.played % learner.every, learner.total - learner.played)):
            learner.play()
        metrics = learner.metrics()
        # The checkpoint comes last: what was reported after the last one is reported again.
        store.runs.report(run.id, [Metric(learner.played, name, value) for name, value in metrics.items()])
        store.runs.keep(run.id, Checkpoint(learner.played, {"method": learner.method}, data=learner.checkpoint()))
        if report is not None:
            report(learner.played, metrics)
    learned = learner.learned()
    store.runs.finish(run.id)
    return Trained(learned, run.id, read_curve(store, run.id), resumed)


def restore(learner: Learner, store: Store, run: int, step: int | None = None) -> None:
    """Make a learner as it was at the last checkpoint of a run, or at an earlier one; new, where there is none."""
    steps = [one for one in store.runs.steps(run) if step is None or one <= step]
    if steps:
        learner.restore(store.runs.checkpoint(run, one).data or b"" for one in steps)


def read_curve(store: Store, run: int) -> Curve:
    """What a run reported."""
    curve: Curve = {}
    for metric in store.runs.metrics(run):
        curve.setdefault(metric.step, {})[metric.name] = metric.value
    return curve


def _unfinished(learner: Learner, store: Store) -> Run | None:
    asked = (learner.method, learner.game, dict(learner.settings), learner.seed)
    for run in store.runs.all():
        if run.finished is None and (run.method, run.game, dict(run.settings), run.seed) == asked:
            try:
                store.runs.checkpoint(run.id)
            except UnknownNameError:  # broken off before anything was kept
                continue
            return run
    return None
