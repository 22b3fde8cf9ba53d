"""Makes the weights of training runs at their checkpoints available to agents by name.

After `register_run_weights`, ``alphabeta(weights=run-3-200)`` uses the weights of run 3 after 200 games.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cached_property, lru_cache, partial

from plyground.errors import UnknownNameError, WeightsError
from plyground.learn.methods import make_learner
from plyground.learn.training import restore
from plyground.store import Store
from plyground.weights import RUN_PREFIX, WeightSet, register_source

_NAME = re.compile(rf"{RUN_PREFIX}-(\d{{1,15}})-(\d{{1,15}})")


def weights_name(run: int, step: int) -> str:
    """Return the name of the weights of a run after `step` games.

    >>> weights_name(3, 200)
    'run-3-200'
    """
    return f"{RUN_PREFIX}-{run}-{step}"


def checkpoint_weights(store: Store, run: int, step: int) -> WeightSet:
    """Return the weights of a run at a checkpoint."""
    stored = store.runs.get(run)
    if step not in store.runs.steps(run):
        raise UnknownNameError(f"run {run} has no checkpoint at step {step}")
    learner = make_learner(stored.method, stored.game, stored.settings, stored.seed)
    restore(learner, store, run, step)
    weights = learner.weight_set()
    if not isinstance(weights, WeightSet):
        raise WeightsError(f"run {run} trains a network and has no weights")
    if not weights.values and not weights.table:
        raise WeightsError(f"run {run} has no weights at step {step} because the first fit comes later")
    return weights


def register_run_weights(store: str | Store | None) -> None:
    """Let agents in this process use the weights of runs by name; a store given by location is opened on first use."""
    register_source(RUN_PREFIX, _RunWeights((lambda: store) if isinstance(store, Store) else partial(Store, store)))


class _RunWeights:
    """A source of weights that caches the sets it has loaded."""

    def __init__(self, open_store: Callable[[], Store]) -> None:
        self._open_store = open_store
        self._cached = lru_cache(maxsize=64)(self._load)

    @cached_property
    def _store(self) -> Store:
        return self._open_store()

    def __call__(self, name: str) -> WeightSet:
        return self._cached(name)

    def _load(self, name: str) -> WeightSet:
        match = _NAME.fullmatch(name)
        if match is None:
            raise UnknownNameError(f"unknown weights {name[:80]!r}; expected {RUN_PREFIX}-RUN-STEP from a training run")
        return checkpoint_weights(self._store, int(match[1]), int(match[2]))
