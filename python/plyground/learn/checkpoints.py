"""What training runs had learned at each checkpoint, as weights with names that every agent takes.

In a process that calls `use_runs`, ``alphabeta(weights=run-3-200)`` plays with what run 3 had learned after 200 games.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cached_property, lru_cache, partial

from plyground.errors import UnknownNameError, WeightsError
from plyground.learn.methods import make_learner
from plyground.learn.training import restore
from plyground.store import Store
from plyground.weights import RUN, WeightSet, add_source

_NAME = re.compile(rf"{RUN}-(\d{{1,15}})-(\d{{1,15}})")


def weights_name(run: int, step: int) -> str:
    """The name of the weights that a run had after so many games.

    >>> weights_name(3, 200)
    'run-3-200'
    """
    return f"{RUN}-{run}-{step}"


def learned(store: Store, run: int, step: int) -> WeightSet:
    """What a run had learned at a checkpoint."""
    kept = store.runs.get(run)
    if step not in store.runs.steps(run):
        raise UnknownNameError(f"run {run} has no checkpoint of step {step}")
    learner = make_learner(kept.method, kept.game, kept.settings, kept.seed)
    restore(learner, store, run, step)
    found = learner.learned()
    if not found.values and not found.table:
        raise WeightsError(f"run {run} had learned nothing at step {step}: its first fit comes later")
    return found


def use_runs(where: str | Store | None) -> None:
    """Let agents of this process name weights of the runs in a store, which is opened when the first one does."""
    add_source(RUN, _Source((lambda: where) if isinstance(where, Store) else partial(Store, where)))


class _Source:
    """Gives weights by name, each read once."""

    def __init__(self, opened: Callable[[], Store]) -> None:
        self._opened = opened
        self._read = lru_cache(maxsize=64)(self._learned)

    @cached_property
    def _store(self) -> Store:
        return self._opened()

    def __call__(self, name: str) -> WeightSet:
        return self._read(name)

    def _learned(self, name: str) -> WeightSet:
        named = _NAME.fullmatch(name)
        if named is None:
            raise UnknownNameError(f"no weights are called {name[:80]!r}; accepted is {RUN}-RUN-STEP of a training run")
        return learned(self._store, int(named[1]), int(named[2]))
