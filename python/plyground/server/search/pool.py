"""The pool of threads that run searches, with priority for the moves of games.

Searches release the GIL, so the server responds while all threads are searching. A preemptible analysis yields its
thread to a search with a higher priority and continues later where it left off.
"""

from __future__ import annotations

import contextlib
import heapq
import os
import threading
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
    ) -> None:
        """`seconds` limits the total time of the searches, whatever the limits of their agents."""
        self.run = run
        self.priority = priority
        self.seconds = seconds
        self.future: Future[Any] = Future()
        """The result; cancelled if the task is cancelled while queued."""
        self.preemptible = preemptible
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
        self._queue: list[tuple[int, int, SearchTask]] = []
        self._order = count()
        self._changed = threading.Condition()
        self._running: list[SearchTask] = []
        self._closed = False
        self._threads = [threading.Thread(target=self._work, name=f"search-{n}", daemon=True) for n in range(threads)]
        for thread in self._threads:
            thread.start()

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
            queued = [task for _, _, task in self._queue]
            self._queue.clear()
            running = list(self._running)
            self._changed.notify_all()
        for task in queued:
            task.future.cancel()
        for task in running:
            task.cancel()
        for thread in self._threads:
            thread.join(2)

    def _remove_cancelled(self) -> None:
        for _, _, task in self._queue:
            if task.is_cancelled:
                task.future.cancel()
        self._queue = [entry for entry in self._queue if not entry[2].is_cancelled]
        heapq.heapify(self._queue)

    def _put(self, task: SearchTask) -> None:
        heapq.heappush(self._queue, (task.priority, next(self._order), task))
        self._changed.notify()

    def _preempt_for(self, task: SearchTask) -> None:
        """Preempt an analysis if all threads are busy and the task has a higher priority."""
        if task.priority is not Priority.ANALYSIS and len(self._running) >= len(self._threads):
            candidate = next((one for one in self._running if one.preemptible and not one.stop_requested), None)
            if candidate is not None:
                candidate.preempt()

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
                _, _, task = heapq.heappop(self._queue)
                if not task.is_cancelled:
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
