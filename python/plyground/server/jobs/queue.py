"""A queue of long-running jobs of one kind, which run one at a time and survive restarts of the server."""

from __future__ import annotations

import logging
import math
import threading
import time
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable
from typing import Generic, Literal, TypeVar

from plyground.errors import PlygroundError, describe
from plyground.server.errors import ForbiddenError, TooManyError
from plyground.server.jobs.models import JobState, JobView
from plyground.server.log import LOGGER
from plyground.server.settings import Settings
from plyground.store import Job, Store

LOG = logging.getLogger(LOGGER)
QueuedKind = Literal["tournament", "training"]
Shown = TypeVar("Shown")
JOB_NICE = 10
"""Niceness of job processes; search threads have 5, threads that serve requests 0."""
RATE_STEPS = 60
"""Maximum number of recent progress steps over which the rate is measured."""
DELETE_SECONDS = 30
"""Maximum time to wait for a job to stop before deleting it."""
ACTIVE: tuple[JobState, ...] = ("queued", "running")


class JobStoppedError(Exception):
    """Raised inside a job that should stop."""


class JobProgress:
    """In-memory progress of a job."""

    def __init__(self, key: str, owner: str | None, state: JobState = "queued") -> None:
        self.key = key
        self.owner = owner
        self.state = state
        self.done = 0
        self.total = 0
        self.error: str | None = None
        self.is_stopped = False
        self.is_deleted = False
        self.ended = threading.Event()
        """Set when the job is neither queued nor running."""
        self.subscribers: set[Callable[[], None]] = set()
        self.deadline = math.inf
        """When the server stops the job, as a `time.monotonic` value."""
        self._steps: deque[tuple[float, int]] = deque(maxlen=RATE_STEPS)

    def step(self, done: int, total: int) -> None:
        """Report progress; raises `JobStoppedError` if the job should stop."""
        self.done, self.total = done, total
        self._steps.append((time.monotonic(), done))
        self.notify()
        self.check()

    def check(self) -> None:
        """Raise `JobStoppedError` if the job should stop."""
        if self.should_stop:
            raise JobStoppedError

    @property
    def should_stop(self) -> bool:
        """Whether the owner stopped the job or its time is up."""
        return self.is_stopped or time.monotonic() >= self.deadline

    def notify(self) -> None:
        """Notify the subscribers."""
        for subscriber in list(self.subscribers):
            subscriber()

    @property
    def is_active(self) -> bool:
        """Whether the job is queued or running."""
        return self.state in ACTIVE

    @property
    def rate(self) -> float | None:
        """Recent progress per second; None if unknown."""
        if len(self._steps) < 2 or self.state != "running":
            return None
        (start, first), (end, last) = self._steps[0], self._steps[-1]
        return (last - first) / (end - start) if end > start and last > first else None


class JobQueue(ABC, Generic[Shown]):
    """Jobs of one kind, identified by a key. `Shown` is the API model of a job with its results."""

    kind: QueuedKind

    def __init__(self, store: Store, settings: Settings) -> None:
        self.store = store
        self.settings = settings
        self._jobs: dict[str, JobProgress] = {}
        self._queue: deque[JobProgress] = deque()
        self._changed = threading.Condition()
        self._closed = False
        self._thread: threading.Thread | None = None

    @abstractmethod
    def run(self, progress: JobProgress) -> None:
        """Do the work and call `progress.step` regularly."""

    @abstractmethod
    def extent(self, key: str) -> tuple[int, int]:
        """Return the finished and the total amount of work; raise an error if there is no such job."""

    @abstractmethod
    def show(self, visitor: str, key: str) -> Shown:
        """Return a job with its results so far."""

    @abstractmethod
    def delete_results(self, key: str) -> None:
        """Delete the stored results of a job."""

    def start(self) -> None:
        """Resume the jobs that were unfinished when the server last stopped."""
        for stored in self.store.jobs.all():
            if stored.kind == self.kind and stored.state in ACTIVE:
                try:
                    self._enqueue(stored.key, stored.owner)
                except PlygroundError:  # its results have been deleted since
                    self.store.jobs.delete(stored.kind, stored.key)

    def submit(self, key: str, owner: str) -> None:
        """Queue a job."""
        self.check_quota(owner)
        self._enqueue(key, owner)

    def check_quota(self, owner: str) -> None:
        """Raise if a visitor already has the maximum number of active jobs."""
        with self._changed:
            active = sum(job.owner == owner and job.is_active for job in self._jobs.values())
        if active >= self.settings.jobs:
            raise TooManyError(
                f"you have {active} active jobs; at most {self.settings.jobs} are allowed, so stop one first"
            )

    def stop(self, visitor: str, key: str) -> Shown:
        """Signal a running job to stop, or remove a queued one."""
        self.check_owner(key, visitor)
        self._stop(key)
        return self.show(visitor, key)

    def _stop(self, key: str) -> None:
        with self._changed:
            progress = self._jobs.get(key)
            if progress is None or not progress.is_active:
                return
            progress.is_stopped = True
            if progress in self._queue:
                self._queue.remove(progress)
                self._finish(progress, "stopped")
        progress.notify()

    def resume(self, visitor: str, key: str) -> Shown:
        """Resume an unfinished job. Anybody may resume one without an owner."""
        self.check_owner(key, visitor)
        progress = self._jobs.get(key)
        if progress is None or not progress.is_active or progress.is_stopped:
            done, total = self.extent(key)
            if done < total:
                self.submit(key, visitor)
        return self.show(visitor, key)

    def delete(self, visitor: str, key: str) -> None:
        """Stop a visitor's job and delete its results."""
        self.extent(key)
        stored = self.store.jobs.get(self.kind, key)
        if stored is None or stored.owner != visitor:
            raise ForbiddenError("only the visitor who started a job may delete it")
        self._stop(key)
        progress = self._jobs.get(key)
        if progress is not None:
            progress.is_deleted = True
            progress.ended.wait(DELETE_SECONDS)
        self._jobs.pop(key, None)
        self.store.jobs.delete(self.kind, key)
        self.delete_results(key)

    def check_owner(self, key: str, visitor: str) -> None:
        """Raise if the job belongs to another visitor."""
        stored = self.store.jobs.get(self.kind, key)
        if stored is not None and stored.owner not in (None, visitor):
            raise ForbiddenError("only the visitor who started a job may stop or resume it")

    def subscribe(self, key: str, subscriber: Callable[[], None]) -> Callable[[], None]:
        """Notify a subscriber of every step; returns a function that ends the subscription."""
        self.extent(key)
        with self._changed:
            progress = self._jobs.setdefault(key, _idle(key))
        progress.subscribers.add(subscriber)
        return lambda: progress.subscribers.discard(subscriber)

    def job_view(self, visitor: str, key: str, extent: tuple[int, int] | None = None) -> JobView:
        """Return the progress of a job; `extent` avoids reading it from the store again."""
        done, total = self.extent(key) if extent is None else extent
        progress = self._jobs.get(key)
        if progress is None or progress.state == "idle":
            stored = self.store.jobs.get(self.kind, key)
            progress = progress or _idle(key)
            progress.owner = stored.owner if stored is not None else None
            progress.error = stored.error if stored is not None else None
            unfinished: JobState = "stopped" if stored is not None and stored.state == "stopped" else "idle"
            state: JobState = "done" if done >= total else "failed" if progress.error else unfinished
        else:
            state = progress.state
        rate = progress.rate
        return JobView(
            kind=self.kind,
            key=key,
            state=state,
            done=done,
            total=total,
            per_minute=None if rate is None else round(60 * rate, 2),
            seconds_remaining=None if rate is None else round((total - done) / rate, 1),
            error=progress.error,
            is_owner=progress.owner == visitor,
        )

    def is_active(self, key: str) -> bool:
        """Whether a job is queued or running."""
        progress = self._jobs.get(key)
        return progress is not None and progress.is_active

    def close(self) -> None:
        """Interrupt the running job; it resumes when the server starts again."""
        with self._changed:
            self._closed = True
            for progress in self._jobs.values():
                progress.is_stopped = True
            for progress in self._queue:
                progress.ended.set()
            self._changed.notify()
        if self._thread is not None:
            self._thread.join(5)

    def _enqueue(self, key: str, owner: str | None) -> None:
        done, total = self.extent(key)
        with self._changed:
            previous = self._jobs.get(key)
            progress = JobProgress(key, owner)
            progress.done, progress.total = done, total
            if previous is not None:
                progress.subscribers = previous.subscribers
            self._jobs[key] = progress
            self.store.jobs.put(Job(self.kind, key, owner, "running"))
            self._queue.append(progress)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run_jobs, name=self.kind, daemon=True)
                self._thread.start()
            self._changed.notify()
        progress.notify()

    def _run_jobs(self) -> None:
        while True:
            with self._changed:
                while not self._queue and not self._closed:
                    self._changed.wait()
                if self._closed:
                    return
                progress = self._queue.popleft()
                progress.state = "running"
            progress.deadline = time.monotonic() + self.settings.job_seconds
            progress.notify()
            try:
                self.run(progress)
            except JobStoppedError:
                if not self._closed:
                    self._finish(progress, "stopped", None if progress.is_stopped else self._time_limit_message())
            except Exception as error:
                LOG.exception("job failed", extra={"fields": {"kind": self.kind, "key": progress.key}})
                self._finish(progress, "failed", describe(error))
            else:
                self._finish(progress, "done")
            progress.ended.set()
            progress.notify()

    def _time_limit_message(self) -> str:
        hours = self.settings.job_seconds / 3600
        return f"stopped after {hours:g} hours, the time limit of this server; it can be resumed"

    def _finish(self, progress: JobProgress, state: JobState, error: str | None = None) -> None:
        progress.error = error
        if not progress.is_deleted:
            self.store.jobs.put(Job(self.kind, progress.key, progress.owner, state, error))
        progress.state = state
        progress.ended.set()


def _idle(key: str) -> JobProgress:
    progress = JobProgress(key, None, "idle")
    progress.ended.set()
    return progress
