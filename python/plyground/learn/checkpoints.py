"""Makes the weights and networks of training runs at their checkpoints available to agents by name.

After `register_run_weights`, ``alphabeta(weights=run-3-200)`` uses the weights of run 3 after 200 games, and
``dqn(network=run-4-200)`` the network of run 4.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cached_property, lru_cache, partial
from typing import Generic, TypeVar

from plyground import networks, weights
from plyground.errors import UnknownNameError, WeightsError
from plyground.learn.methods import METHODS, make_learner
from plyground.learn.training import restore
from plyground.networks import CompactNetwork
from plyground.store import Run, Store
from plyground.weights import RUN_PREFIX, WeightSet

Learned = TypeVar("Learned")

_NAME = re.compile(rf"{RUN_PREFIX}-(\d{{1,15}})-(\d{{1,15}})")


def weights_name(run: int, step: int) -> str:
    """Return the name of the weights of a run after `step` games.

    >>> weights_name(3, 200)
    'run-3-200'
    """
    return f"{RUN_PREFIX}-{run}-{step}"


def checkpoint_weights(store: Store, run: int, step: int) -> WeightSet:
    """Return the weights of a run at a checkpoint."""
    _check_checkpoint(store, run, step)
    found = _restored(store, run, step)
    if not isinstance(found, WeightSet):
        raise WeightsError(f"run {run} trains a network and has no weights; use the option network")
    if not found.values and not found.table:
        raise WeightsError(f"run {run} has no weights at step {step} because the first fit comes later")
    return found


def checkpoint_network(store: Store, run: int, step: int) -> CompactNetwork:
    """Return the network of a run at a checkpoint."""
    stored = _check_checkpoint(store, run, step)
    read_network = METHODS[stored.method].read_network if stored.method in METHODS else None
    if read_network is not None:
        data = store.runs.checkpoint(run, step).data or b""
        return read_network(data, stored.game, stored.settings, stored.seed)
    network = _restored(store, run, step)
    if not isinstance(network, CompactNetwork):
        raise WeightsError(f"run {run} learns weights and has no network; use the option weights")
    if not network.tensors:
        raise WeightsError(f"run {run} has no network at step {step} because the first fit comes later")
    return network


def _check_checkpoint(store: Store, run: int, step: int) -> Run:
    """Return a run; raise `UnknownNameError` if it has no checkpoint at a step."""
    stored = store.runs.get(run)
    if step not in store.runs.steps(run):
        raise UnknownNameError(f"run {run} has no checkpoint at step {step}")
    return stored


def _restored(store: Store, run: int, step: int) -> WeightSet | CompactNetwork:
    stored = store.runs.get(run)
    learner = make_learner(stored.method, stored.game, stored.settings, stored.seed)
    restore(learner, store, run, step)
    return learner.weight_set()


def register_run_weights(store: str | Store | None) -> None:
    """Let agents in this process use the weights and networks of runs by name.

    A store given by location is opened on first use.
    """
    opened = _LazyStore((lambda: store) if isinstance(store, Store) else partial(Store, store))
    weights.register_source(RUN_PREFIX, _RunSource(opened, checkpoint_weights))
    networks.register_source(RUN_PREFIX, _RunSource(opened, checkpoint_network))


class _LazyStore:
    """A store that is opened on first use."""

    def __init__(self, open_store: Callable[[], Store]) -> None:
        self._open = open_store

    @cached_property
    def store(self) -> Store:
        return self._open()


class _RunSource(Generic[Learned]):
    """A source of weights or networks that caches what it has loaded."""

    def __init__(self, opened: _LazyStore, read: Callable[[Store, int, int], Learned]) -> None:
        self._opened, self._read = opened, read
        self._loaded: Callable[[str], Learned] = lru_cache(maxsize=64)(self._load)

    def __call__(self, name: str) -> Learned:
        return self._loaded(name)

    def _load(self, name: str) -> Learned:
        match = _NAME.fullmatch(name)
        if match is None:
            raise UnknownNameError(f"unknown run {name[:80]!r}; expected {RUN_PREFIX}-RUN-STEP from a training run")
        return self._read(self._opened.store, int(match[1]), int(match[2]))
