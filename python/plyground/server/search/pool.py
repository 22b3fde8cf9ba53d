"""The pool of threads that run searches, with priority for the moves of games.

Searches release the GIL, so the server responds while all threads are searching. A preemptible analysis yields its
thread to a search with a higher priority and continues later where it left off. Clients with fewer searches come first,
and while a search of another client is waiting, agents move after a short time.
"""

from __future__ import annotations

import contextlib
import heapq
import os
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from enum import IntEnum
from itertools import count
from typing import Any

from plyground.agents import Budget, Limit
from plyground.server.errors import BusyError

SEARCH_NICE = 5
"""Niceness of search threads, so that the operating system prefers the threads that serve requests."""

MIN_SECONDS = 0.01
"""Minimum time limit of a search."""

FAIR_SECONDS = 0.5
"""Time after which an agent moves if the search for another client's move is waiting for a thread."""
CHECK_S = 0.05
"""Interval at which to look for such searches."""


class Priority(IntEnum):
    """Order of queued searches; lower values run first."""

    MOVE = 0
    """The move of an agent in a game."""
    REPLY = 1
    """A search that a request waits for, such as a hint."""
    ANALYSIS = 2
    """A search that reports its progress, such as an analysis or a review."""


class Preempted(Exception):  # noqa: N818
    """Raised by a preempted task that wants to continue later."""


class SearchTask:
    """A search to run in the pool. `run` is called again after each `Preempted`."""

    def __init__(
        self,
        run: Callable[[SearchTask], Any],
        priority: Priority,
        *,
        seconds: float,
        preemptible: bool = False,
        client: str = "",
    ) -> None:
        """`seconds` limits the total time of the searches, whatever the limits of their agents.

        `client` identifies whom the search is for, so that the pool can treat clients equally.
        """
        self.run = run
        self.priority = priority
        self.seconds = seconds
        self.future: Future[Any] = Future()
        """The result; cancelled if the task is cancelled while queued."""
        self.preemptible = preemptible
        self.client = client
        self.started: float | None = None
        """When a thread began the task, as a `time.monotonic` value."""
        self.is_stopped = False
        """Whether the task should end early with its current result."""
        self.is_cancelled = False
        """Whether the result is no longer needed."""
        self.is_preempted = False
        """Whether the task should yield its thread."""
        self.seconds_used = 0.0
        """Search time used so far."""
        self._budget: Budget | None = None
        self._lock = threading.Lock()

    @contextlib.contextmanager
    def searching(self) -> Iterator[None]:
        """Limit searches in the `with` block to the remaining time; stopping or preempting the task ends them early."""
        budget = Budget(Limit(seconds=max(MIN_SECONDS, self.seconds - self.seconds_used)))
        with self._lock:
            self._budget = budget
            if self.stop_requested:
                budget.stop()
        try:
            with budget:
                yield
        finally:
            self.seconds_used += budget.elapsed

    def stop(self) -> None:
        """End the search early with its current result."""
        with self._lock:
            self.is_stopped = True
            self._end_search()

    def cancel(self) -> None:
        """End the search early and discard its result."""
        self.is_cancelled = True
        self.stop()

    def preempt(self) -> None:
        """Make the search yield its thread."""
        with self._lock:
            self.is_preempted = True
            self._end_search()

    def _end_search(self) -> None:
        if self._budget is not None:
            self._budget.stop()

    @property
    def stop_requested(self) -> bool:
        """Whether the current search should end."""
        return self.is_stopped or self.is_preempted


class SearchPool:
    """Search threads and their priority queue."""

    def __init__(self, threads: int, queue_size: int) -> None:
        self._queue_size = queue_size
        self._queue: list[tuple[int, int, int, SearchTask]] = []
        """Priority, number of earlier searches of the client, order of arrival, task."""
        self._order = count()
        lock = threading.Lock()
        self._changed = threading.Condition(lock)
        self._waiting = threading.Condition(lock)
        """Notified when a task is queued."""
        self._running: list[SearchTask] = []
        self._closed = False
        self._threads = [threading.Thread(target=self._work, name=f"search-{n}", daemon=True) for n in range(threads)]
        for thread in self._threads:
            thread.start()
        threading.Thread(target=self._end_long_searches, name="search-limits", daemon=True).start()

    def submit(self, task: SearchTask) -> SearchTask:
        """Queue a task; raise `BusyError` if the queue is full."""
        with self._changed:
            if len(self._queue) >= self._queue_size:
                self._remove_cancelled()
            if self._closed or len(self._queue) >= self._queue_size:
                raise BusyError(
                    f"the server is busy: {len(self._running)} searches running, {len(self._queue)} queued; "
                    "try again shortly"
                )
            self._put(task)
            self._preempt_for(task)
        return task

    def close(self) -> None:
        """Cancel all tasks and end the threads."""
        with self._changed:
            self._closed = True
            queued = [entry[-1] for entry in self._queue]
            self._queue.clear()
            running = list(self._running)
            self._changed.notify_all()
            self._waiting.notify_all()
        for task in queued:
            task.future.cancel()
        for task in running:
            task.cancel()
        for thread in self._threads:
            thread.join(2)

    def _remove_cancelled(self) -> None:
        for *_, task in self._queue:
            if task.is_cancelled:
                task.future.cancel()
        self._queue = [entry for entry in self._queue if not entry[-1].is_cancelled]
        heapq.heapify(self._queue)

    def _put(self, task: SearchTask) -> None:
        tasks = [*self._running, *(entry[-1] for entry in self._queue)]
        earlier = sum(one.client == task.client for one in tasks)
        heapq.heappush(self._queue, (task.priority, earlier, next(self._order), task))
        self._changed.notify()
        self._waiting.notify()

    def _preempt_for(self, task: SearchTask) -> None:
        """Preempt an analysis if all threads are busy and the task has a higher priority."""
        if task.priority is not Priority.ANALYSIS and len(self._running) >= len(self._threads):
            candidate = next((one for one in self._running if one.preemptible and not one.stop_requested), None)
            if candidate is not None:
                candidate.preempt()

    def _end_long_searches(self) -> None:
        """While the search for another client's move is waiting, end searches for moves that have had their time."""
        with self._waiting:
            while not self._closed:
                if not self._queue:
                    self._waiting.wait()
                    continue
                first = self._queue[0][-1]
                since = time.monotonic() - FAIR_SECONDS
                for task in self._running:
                    is_long = task.started is not None and task.started < since
                    if is_long and task.priority is first.priority is Priority.MOVE and task.client != first.client:
                        task.stop()
                self._waiting.wait(CHECK_S)

    def _work(self) -> None:
        with contextlib.suppress(OSError, AttributeError):  # not every system has per-thread priorities
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), SEARCH_NICE)
        while (task := self._next()) is not None:
            try:
                result = task.run(task)
            except Preempted:
                self._requeue(task)
            except Exception as error:  # noqa: BLE001  raised where the result is awaited
                self._finish(task)
                task.future.set_exception(error)
            else:
                self._finish(task)
                task.future.set_result(result)

    def _next(self) -> SearchTask | None:
        """Wait for the next task; None when the pool is closed."""
        with self._changed:
            while not self._closed:
                if not self._queue:
                    self._changed.wait()
                    continue
                task = heapq.heappop(self._queue)[-1]
                if not task.is_cancelled:
                    task.started = time.monotonic()
                    self._running.append(task)
                    return task
                task.future.cancel()
        return None

    def _requeue(self, task: SearchTask) -> None:
        with self._changed:
            self._running.remove(task)
            task.is_preempted = False
            if self._closed or task.is_cancelled:
                task.future.cancel()
            else:
                self._put(task)

    def _finish(self, task: SearchTask) -> None:
        with self._changed:
            self._running.remove(task)
