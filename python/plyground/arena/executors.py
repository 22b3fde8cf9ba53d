"""Where games are played: in this process, on processes of this machine, or on a cluster of Ray.

An executor takes jobs and gives their records in the order in which they end. A job decides everything about its
game, so that every executor gives the same games.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Protocol

from plyground.arena.job import GameJob, play_job
from plyground.arena.workers import LocalExecutor, Prepare
from plyground.errors import UnknownNameError, WorkerError
from plyground.records import Record


class Executor(Protocol):
    """Plays jobs."""

    def run(self, jobs: Iterable[GameJob]) -> Iterator[tuple[GameJob, Record]]:
        """Each job with its record, as they end; closing the iterator ends the work."""


@dataclass(frozen=True)
class SerialExecutor:
    """Plays one game after the other, here."""

    def run(self, jobs: Iterable[GameJob]) -> Iterator[tuple[GameJob, Record]]:
        """In the order of the jobs."""
        for job in jobs:
            yield job, play_job(job)


@dataclass(frozen=True)
class RayExecutor:
    """Plays games on the machines of a Ray cluster: the one that RAY_ADDRESS names, else one that is started here."""

    processes: int | None = None
    """Games at once, and the size of a cluster that is started here; None: as many as there are cores."""
    prepare: Prepare | None = None

    def run(self, jobs: Iterable[GameJob]) -> Iterator[tuple[GameJob, Record]]:
        """As they end; Ray plays the games of a worker or a machine that is lost again."""
        ray = _ray()
        ours = not ray.is_initialized()
        if ours:
            address = os.environ.get("RAY_ADDRESS")
            size = {} if address else {"num_cpus": self.processes or os.cpu_count(), "include_dashboard": False}
            ray.init(address=address, log_to_driver=False, logging_level="error", **size)
        try:
            yield from self._play(ray, jobs)
        finally:
            if ours:
                ray.shutdown()

    def _play(self, ray: Any, jobs: Iterable[GameJob]) -> Iterator[tuple[GameJob, Record]]:
        remote = ray.remote(num_cpus=1, max_retries=3)(_prepared)
        at_once = 2 * int(self.processes or ray.cluster_resources().get("CPU", 1))
        waiting = iter(jobs)
        held: dict[Any, GameJob] = {}
        more = True
        while more or held:
            while more and len(held) < at_once:
                job = next(waiting, None)
                more = job is not None
                if job is not None:
                    held[remote.remote(job, self.prepare)] = job
            if not held:
                return
            ended, _ = ray.wait(list(held))
            for one in ended:
                job = held.pop(one)
                try:
                    yield job, ray.get(one)
                except ray.exceptions.RayTaskError as error:
                    raise error.cause from error
                except ray.exceptions.RayError as error:
                    raise WorkerError(f"the game {job.key}: {error}") from error


_ready: set[bool] = set()
"""Not empty once this process of Ray's is prepared."""


def _prepared(job: GameJob, prepare: Prepare | None) -> Record:
    if prepare is not None and not _ready:
        prepare()
        _ready.add(True)
    return play_job(job)


def _ray() -> Any:
    try:
        import ray
    except ImportError as error:
        raise UnknownNameError("the executor ray needs a package more: pip install 'plyground[cluster]'") from error
    return ray


EXECUTORS: dict[str, Callable[[int | None, Prepare | None], Executor]] = {
    "local": lambda processes, prepare: LocalExecutor(processes or os.cpu_count() or 1, prepare),
    "ray": RayExecutor,
    "serial": lambda _, __: SerialExecutor(),
}
"""THE list of executors, each made with a number of processes and what they do first."""


def executor(name: str, processes: int | None = None, prepare: Prepare | None = None) -> Executor:
    """The executor of a name."""
    if name not in EXECUTORS:
        raise UnknownNameError(f"no executor is called {name[:80]!r}; there are: {', '.join(EXECUTORS)}")
    return EXECUTORS[name](processes, prepare)
