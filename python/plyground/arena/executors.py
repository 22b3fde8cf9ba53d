"""Executors play scheduled games: in this process, in local worker processes or on a Ray cluster.

An executor yields records in the order in which games finish. A scheduled game fully determines how it is played, so
all executors play the same games.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from plyground.agents import Agent
from plyground.arena.scheduled_game import ScheduledGame, play_scheduled_game
from plyground.arena.workers import LocalExecutor, Prepare
from plyground.errors import UnknownNameError, WorkerError, unknown_name
from plyground.records import Record


class Executor(Protocol):
    """Plays scheduled games."""

    def run(self, games: Iterable[ScheduledGame]) -> Iterator[tuple[ScheduledGame, Record]]:
        """Yield each game with its record as it finishes; closing the iterator cancels the remaining games."""


@dataclass(frozen=True)
class SerialExecutor:
    """Plays games one at a time in this process."""

    agents: Mapping[int, Agent] = field(default_factory=dict)
    """Agents to use in all games, keyed by player index; for other players, new agents are created for each game."""

    def run(self, games: Iterable[ScheduledGame]) -> Iterator[tuple[ScheduledGame, Record]]:
        """Yield each game with its record, in the given order."""
        for scheduled in games:
            yield scheduled, play_scheduled_game(scheduled, self.agents)


@dataclass(frozen=True)
class RayExecutor:
    """Plays games on a Ray cluster: the one at RAY_ADDRESS, or a new one on this machine."""

    processes: int | None = None
    """Number of concurrent games, and the size of a new cluster; by default the number of cores."""
    prepare: Prepare | None = None
    """Called once in each worker process before its first game."""

    def run(self, games: Iterable[ScheduledGame]) -> Iterator[tuple[ScheduledGame, Record]]:
        """Yield each game with its record as it finishes; Ray restarts the games of lost workers and machines."""
        ray = _import_ray()
        is_owner = not ray.is_initialized()
        if is_owner:
            address = os.environ.get("RAY_ADDRESS")
            size = {} if address else {"num_cpus": self.processes or os.cpu_count(), "include_dashboard": False}
            ray.init(address=address, log_to_driver=False, logging_level="error", **size)
        try:
            yield from self._play(ray, games)
        finally:
            if is_owner:
                ray.shutdown()

    def _play(self, ray: Any, games: Iterable[ScheduledGame]) -> Iterator[tuple[ScheduledGame, Record]]:
        play = ray.remote(num_cpus=1, max_retries=3)(_play_prepared)
        max_submitted = 2 * int(self.processes or ray.cluster_resources().get("CPU", 1))
        remaining = iter(games)
        submitted: dict[Any, ScheduledGame] = {}
        while True:
            while len(submitted) < max_submitted and (scheduled := next(remaining, None)) is not None:
                submitted[play.remote(scheduled, self.prepare)] = scheduled
            if not submitted:
                return
            finished, _ = ray.wait(list(submitted))
            for reference in finished:
                scheduled = submitted.pop(reference)
                try:
                    yield scheduled, ray.get(reference)
                except ray.exceptions.RayTaskError as error:
                    raise error.cause from error
                except ray.exceptions.RayError as error:
                    raise WorkerError(f"game {scheduled.key} failed: {error}") from error


_is_prepared = False
"""Whether `prepare` has been called in this process."""


def _play_prepared(scheduled: ScheduledGame, prepare: Prepare | None) -> Record:
    global _is_prepared
    if prepare is not None and not _is_prepared:
        prepare()
        _is_prepared = True
    return play_scheduled_game(scheduled)


def _import_ray() -> Any:
    try:
        import ray
    except ImportError as error:
        raise UnknownNameError(
            "the ray executor requires the `cluster` extra: pip install 'plyground[cluster]'"
        ) from error
    return ray


EXECUTORS: dict[str, Callable[[int | None, Prepare | None], Executor]] = {
    "local": lambda processes, prepare: LocalExecutor(processes or os.cpu_count() or 1, prepare),
    "ray": RayExecutor,
    "serial": lambda _, __: SerialExecutor(),
}
"""Executor factories by name. Their arguments are the number of processes and the `prepare` function of each."""


def executor(name: str, processes: int | None = None, prepare: Prepare | None = None) -> Executor:
    """Return an executor by name."""
    if name not in EXECUTORS:
        raise unknown_name("executor", name, EXECUTORS)
    return EXECUTORS[name](processes, prepare)
