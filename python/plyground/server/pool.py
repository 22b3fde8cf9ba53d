"""Where searches run: as many at once as the machine has cores, the moves of games first.

A search holds no lock of the interpreter, so the server answers while all workers think. An analysis that could go on
for long stands aside when the move of a game has to wait, and goes on later from its tree.
"""

from __future__ import annotations

import contextlib
import heapq
import os
import threading
from collections.abc import Callable
from concurrent.futures import Future
from enum import IntEnum
from itertools import count
from typing import Any

from plyground.server.errors import BusyError

GENTLE = 5
"""How much less urgent than the server's own threads a search is to the system (nice)."""


class Urgency(IntEnum):
    """Who goes first: the opponent's move; what a visitor waits for; what a visitor looks on at."""

    MOVE = 0
    ANSWER = 1
    ANALYSIS = 2


class Aside(Exception):  # noqa: N818
    """Raised by a job that stood aside and is to go on when there is room again."""


class Job:
    """Something to think about. `think` is called in a worker, perhaps more than once if it stands aside."""

    def __init__(
        self,
        think: Callable[[Job], Any],
        urgency: Urgency,
        *,
        stop: Callable[[], None] | None = None,
        patient: bool = False,
    ) -> None:
        self.think = think
        self.urgency = urgency
        self.done: Future[Any] = Future()
        """What came of it; cancelled where it never began."""
        self.patient = patient
        """Whether it may be asked to stand aside."""
        self.is_stopped = False
        """Whether it is to end with what it has."""
        self.is_unwanted = False
        """Whether nobody wants what comes of it any more."""
        self.is_aside = False
        """Whether it is to stand aside, or did."""
        self.spent = 0.0
        """Seconds that it thought before it stood aside."""
        self._stop = stop

    def stop(self) -> None:
        """Make it end soon with what it has."""
        self.is_stopped = True
        self.hurry()

    def drop(self) -> None:
        """Make it end soon; nobody wants what comes of it."""
        self.is_unwanted = True
        self.stop()

    def hurry(self) -> None:
        """Tell the search again that it is to end: it may have begun only now."""
        if self._stop is not None:
            self._stop()

    @property
    def is_wanted_to_end(self) -> bool:
        """Whether a search should look for its end."""
        return self.is_stopped or self.is_aside


class Pool:
    """Workers and the queue before them."""

    def __init__(self, workers: int, queue: int) -> None:
        self._room = queue
        self._waiting: list[tuple[int, int, Job]] = []
        self._order = count()
        self._changed = threading.Condition()
        self._running: list[Job] = []
        self._closed = False
        self._threads = [threading.Thread(target=self._work, name=f"search-{n}", daemon=True) for n in range(workers)]
        for thread in self._threads:
            thread.start()

    @property
    def running(self) -> int:
        """Searches that run."""
        return len(self._running)

    @property
    def waiting(self) -> int:
        """Searches that wait."""
        return len(self._waiting)

    def submit(self, job: Job) -> Job:
        """Let a job run when it is its turn; an error that says so where too many wait already."""
        with self._changed:
            if len(self._waiting) >= self._room:
                self._forget_unwanted()
            if self._closed or len(self._waiting) >= self._room:
                raise BusyError(
                    f"the server is busy: {len(self._running)} searches run and {len(self._waiting)} wait; "
                    "try again in a moment"
                )
            self._put(job)
            self._make_room(job)
        return job

    def close(self) -> None:
        """End everything."""
        with self._changed:
            self._closed = True
            dropped = [job for _, _, job in self._waiting]
            self._waiting.clear()
            running = list(self._running)
            self._changed.notify_all()
        for job in dropped:
            job.done.cancel()
        for job in running:
            job.drop()
        for thread in self._threads:
            thread.join(2)

    def _forget_unwanted(self) -> None:
        for _, _, job in self._waiting:
            if job.is_unwanted:
                job.done.cancel()
        self._waiting = [entry for entry in self._waiting if not entry[2].is_unwanted]
        heapq.heapify(self._waiting)

    def _put(self, job: Job) -> None:
        heapq.heappush(self._waiting, (job.urgency, next(self._order), job))
        self._changed.notify()

    def _make_room(self, job: Job) -> None:
        if job.urgency is not Urgency.ANALYSIS and len(self._running) >= len(self._threads):
            patient = [one for one in self._running if one.patient and not one.is_wanted_to_end]
            if patient:
                patient[0].is_aside = True
                patient[0].hurry()

    def _work(self) -> None:
        with contextlib.suppress(OSError, AttributeError):  # where a thread cannot be made less urgent
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), GENTLE)
        while (job := self._next()) is not None:
            try:
                result = job.think(job)
            except Aside:
                self._go_on_later(job)
            except Exception as error:  # noqa: BLE001  who waits for the job hears of it
                self._end(job)
                job.done.set_exception(error)
            else:
                self._end(job)
                job.done.set_result(result)

    def _next(self) -> Job | None:
        """The job to begin with; None when everything ends."""
        with self._changed:
            while not self._closed:
                if not self._waiting:
                    self._changed.wait()
                    continue
                _, _, job = heapq.heappop(self._waiting)
                if not job.is_unwanted:
                    self._running.append(job)
                    return job
                job.done.cancel()
        return None

    def _go_on_later(self, job: Job) -> None:
        with self._changed:
            self._running.remove(job)
            job.is_aside = False
            if self._closed or job.is_unwanted:
                job.done.cancel()
            else:
                self._put(job)

    def _end(self, job: Job) -> None:
        with self._changed:
            self._running.remove(job)
