"""Training runs, saved in the store as they progress. Resuming an interrupted run gives an identical result."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from time import monotonic
from typing import TYPE_CHECKING, Any, Protocol

from plyground.errors import ParseError
from plyground.networks import CompactNetwork
from plyground.weights import WeightSet

if TYPE_CHECKING:  # the store is slow to import
    from plyground.store import Run, Store

MAX_RUNS_SHOWN = 3
"""Maximum number of interrupted runs with other settings listed in an error message."""

SAVE_INTERVAL_S = 0.5
"""Minimum time between writes to the store."""

Curve = dict[int, dict[str, float]]
"""Metrics by name, for each step (number of games played)."""


class Learner(Protocol):
    """Learns game by game, or in rounds of several games. Its state can be saved between these."""

    method: str
    game: str
    seed: int
    total_games: int
    checkpoint_interval: int
    """Number of games between checkpoints."""

    @property
    def settings(self) -> Mapping[str, Any]:
        """The settings as JSON data; a run is resumed only with equal settings."""

    @property
    def games_played(self) -> int:
        """Number of games played so far."""

    def play(self) -> None:
        """Play a game or a round of games and learn from it."""

    def metrics(self) -> dict[str, float]:
        """Return metrics for the games since the last call."""

    def checkpoint(self) -> bytes:
        """Return the data to save; it may contain only the changes since the previous checkpoint."""

    def restore(self, checkpoints: Iterable[bytes]) -> None:
        """Restore the latest state, given all checkpoints of a run in order."""

    def weight_set(self) -> WeightSet | CompactNetwork:
        """Return the learned weights or network."""


@dataclass(frozen=True)
class TrainingResult:
    """A finished run."""

    weights: WeightSet | CompactNetwork
    run: int | None
    """Its id in the store; None if it was not stored."""
    curve: Curve
    resumed: int = 0
    """Games already played when the run was resumed; 0 for a new run."""
    is_finished: bool = True
    """Whether all games were played; otherwise the run can be resumed."""


def train(
    learner: Learner,
    store: Store,
    *,
    resume: bool = False,
    number: int | None = None,
    report: Callable[[int, dict[str, float]], None] | None = None,
    proceed: Callable[[int], bool] | None = None,
) -> TrainingResult:
    """Let a learner play all its games.

    `resume` continues an unfinished run with the same settings, and raises an error if there is none; `number`
    continues the run with that id. `report` is called after each checkpoint; if it raises an exception, the training
    is interrupted and can be resumed. `proceed` is called with the number of games played after each game; if it
    returns False, a checkpoint is saved and the training ends.
    """
    from plyground.store import Checkpoint, Metric

    run = store.runs.get(number) if number is not None else _unfinished_run(learner, store) if resume else None
    if run is None:
        run = store.runs.create(learner.method, learner.game, learner.settings, learner.seed)
    else:
        restore(learner, store, run.id)
    resumed = learner.games_played
    unsaved_metrics: list[Metric] = []
    unsaved_checkpoints: list[Checkpoint] = []

    def save() -> None:
        store.runs.save(run.id, unsaved_metrics, unsaved_checkpoints)
        unsaved_metrics.clear()
        unsaved_checkpoints.clear()

    # Fast learners make hundreds of checkpoints per second. Saving each would block other users of the store.
    next_save = monotonic()
    try:
        for step, metrics in play_games(learner, proceed):
            unsaved_metrics += [Metric(step, name, value) for name, value in metrics.items()]
            unsaved_checkpoints.append(Checkpoint(step, {"method": learner.method}, data=learner.checkpoint()))
            if monotonic() >= next_save:
                save()
                next_save = monotonic() + SAVE_INTERVAL_S
            if report is not None:
                report(step, metrics)
    finally:
        save()
    is_finished = learner.games_played == learner.total_games
    if is_finished:
        store.runs.finish(run.id)
    return TrainingResult(learner.weight_set(), run.id, read_curve(store, run.id), resumed, is_finished)


def play_games(
    learner: Learner, proceed: Callable[[int], bool] | None = None
) -> Iterator[tuple[int, dict[str, float]]]:
    """Let a learner play its remaining games; yield the number of games and the metrics at each checkpoint.

    `proceed` is called with the number of games played after each game; if it returns False, the next checkpoint is the
    last one.
    """
    is_stopped = False
    while learner.games_played < learner.total_games and not is_stopped:
        interval = learner.checkpoint_interval
        next_checkpoint = min((learner.games_played // interval + 1) * interval, learner.total_games)
        while learner.games_played < next_checkpoint:
            learner.play()
            if proceed is not None and not proceed(learner.games_played):
                is_stopped = True
                break
        yield learner.games_played, learner.metrics()


def restore(learner: Learner, store: Store, run: int, step: int | None = None) -> None:
    """Restore a learner to the last checkpoint of a run, if any; with `step`, to the last one up to that step."""
    steps = [saved for saved in store.runs.steps(run) if step is None or saved <= step]
    if steps:
        learner.restore(store.runs.checkpoint(run, saved).data or b"" for saved in steps)


def read_curve(store: Store, run: int) -> Curve:
    """Return the metrics of a run."""
    curve: Curve = {}
    for metric in store.runs.metrics(run):
        curve.setdefault(metric.step, {})[metric.name] = metric.value
    return curve


def _unfinished_run(learner: Learner, store: Store) -> Run:
    """Return the latest unfinished run of the learner; raise `ParseError` if there is none."""
    wanted = {"seed": learner.seed, **learner.settings}
    finished, others = None, []
    for run in store.runs.all():
        if (run.method, run.game) != (learner.method, learner.game):
            continue
        settings = {"seed": run.seed, **run.settings}
        if run.finished is not None:
            finished = run.id if settings == wanted else finished
        elif settings == wanted:
            return run
        else:
            changes = [
                f"{name} {settings.get(name)}, not {value}"
                for name, value in wanted.items()
                if settings.get(name) != value
            ]
            others.append(f"run {run.id} has {', '.join(changes)}")
    message = f"no interrupted {learner.method} run for {learner.game} has these settings"
    if finished is not None:
        message += f"; run {finished} with these settings is finished"
    raise ParseError("; ".join([message, *others[:MAX_RUNS_SHOWN]]))
