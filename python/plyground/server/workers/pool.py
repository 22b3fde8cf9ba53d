"""The server's worker processes. A worker that does not return soon after its deadline is killed and replaced."""

from __future__ import annotations

import itertools
import multiprocessing
import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from typing import Any

from plyground.agents import Budget
from plyground.errors import PlygroundError, WorkerError
from plyground.server.errors import BusyError
from plyground.server.workers.process import (
    CallMessage,
    ForgetMessage,
    QueryMessage,
    Reply,
    Setup,
    StopMessage,
    run_worker,
)

POLL_S = 0.02
"""Interval at which a waiting thread checks its budget."""
KILL_AFTER_S = 1.0
"""Time that a worker has to return after its budget has expired."""
QUERY_S = 2.0
"""Time that a worker has to answer a query."""
START_S = 60.0
"""Time that a new worker has to start; until then, its first call is neither stopped nor killed."""

Report = Callable[[Any], None]


class KilledError(PlygroundError):
    """Python code did not return in time, so its process was killed."""

    http_status = 503


class _Worker:
    """A worker process, the calls that wait for its replies, and the keys of the objects that it keeps."""

    def __init__(self, setup: Setup) -> None:
        context = multiprocessing.get_context("spawn")
        self._pipe, other = context.Pipe()
        self.process = context.Process(target=run_worker, args=(other, setup), daemon=True, name="worker")
        self.process.start()
        other.close()
        self.keys: set[str] = set()
        self.started = threading.Event()
        """Set when the process has started or failed to start."""
        self._is_killed = False
        self._waiting: dict[int, tuple[Future[Any], Report | None]] = {}
        self._lock = threading.Lock()
        threading.Thread(target=self._receive, daemon=True, name="worker replies").start()

    @property
    def is_alive(self) -> bool:
        return not self._is_killed and self.process.is_alive()

    def send(self, message: CallMessage, report: Report | None = None) -> Future[Any]:
        """Send a call and return its future result."""
        future: Future[Any] = Future()
        with self._lock:
            self._waiting[message.id] = future, report
        self.notify(message)
        if not self.is_alive:  # it may have died before the call was added
            self._fail_all()
        return future

    def notify(self, message: CallMessage | StopMessage | ForgetMessage) -> None:
        """Send a message; if the worker is dead, its calls fail in `_receive`."""
        with self._lock, suppress(OSError):
            self._pipe.send(message)

    def kill(self) -> None:
        self._is_killed = True
        self.process.kill()

    def _receive(self) -> None:
        with suppress(EOFError, OSError):
            while True:
                self._dispatch(self._pipe.recv())
        self.started.set()
        self.process.join()
        self._fail_all()

    def _dispatch(self, reply: Reply) -> None:
        self.started.set()  # the first reply announces that the process has started
        with self._lock:
            future, report = self._waiting.get(reply.id, (None, None))
            if not reply.is_report:
                self._waiting.pop(reply.id, None)
        if future is None:
            return
        if reply.is_report:
            if report is not None:
                report(reply.value)
        elif isinstance(reply.value, Exception):
            future.set_exception(reply.value)
        else:
            future.set_result(reply.value)

    def _fail_all(self) -> None:
        with self._lock:
            waiting = [future for future, _ in self._waiting.values()]
            self._waiting.clear()
        for future in waiting:
            future.set_exception(WorkerError(f"the worker process ended with exit code {self.process.exitcode}"))


class WorkerPool:
    """Up to `size` worker processes, started on demand. An object stays in the worker that created it."""

    def __init__(self, setup: Setup, size: int) -> None:
        self._setup = setup
        self._size = size
        self._idle: list[_Worker] = []
        """Idle workers, most recently used last."""
        self._busy: list[_Worker] = []
        self._changed = threading.Condition()
        self._ids = itertools.count()
        self._forgotten: deque[str] = deque()
        self._closed = False

    def prestart(self) -> None:
        """Start a worker now, so that the first call need not wait for its process to start."""
        with self._changed:
            if not (self._closed or self._idle or self._busy):
                self._idle.append(_Worker(self._setup))

    def wait_until_started(self) -> None:
        """Wait until the worker that was started in advance is ready."""
        for worker in list(self._idle):
            worker.started.wait(START_S)

    def call(
        self,
        key: str,
        create: Callable[[], Any],
        method: str,
        *arguments: Any,
        budget: Budget,
        report: Report | None = None,
    ) -> Any:
        """Call a method of the object with a key, which `create` creates if necessary, and return its result.

        When the budget expires, the method is asked to return. If it does not return within a second, its worker is
        killed and `KilledError` is raised.
        """
        while self._forgotten:
            self.forget(self._forgotten.popleft())
        worker = self._acquire(key, budget)
        try:
            message = CallMessage(next(self._ids), key, create, method, arguments)
            future = worker.send(message, report)
            started = time.monotonic()
            stopped_at: float | None = None
            while True:
                with suppress(TimeoutError):
                    return future.result(POLL_S)
                now = time.monotonic()
                if not worker.started.is_set() and now - started < START_S:
                    continue  # the process is still starting
                if stopped_at is None and budget.expired:
                    stopped_at = now
                    worker.notify(StopMessage(message.id))
                elif stopped_at is not None and now - stopped_at > KILL_AFTER_S:
                    worker.kill()
                    raise KilledError("the Python code did not return in time, so its process was restarted")
        finally:
            self._release(worker)

    def query(self, key: str, method: str, *arguments: Any) -> Any:
        """Call a method of an object even during another call; None if no worker has it or does not answer in time."""
        with self._changed:
            worker = self._holder(key)
        if worker is None:
            return None
        future = worker.send(QueryMessage(next(self._ids), key, _nothing, method, arguments))
        with suppress(TimeoutError, WorkerError):
            return future.result(QUERY_S)
        return None

    def forget(self, key: str) -> None:
        """Drop the object with a key."""
        with self._changed:
            worker = self._holder(key)
            if worker is not None:
                worker.keys.discard(key)
        if worker is not None:
            worker.notify(ForgetMessage(key))

    def forget_later(self, key: str) -> None:
        """Drop the object with a key before the next call. Can be called by the garbage collector in any thread."""
        self._forgotten.append(key)

    def close(self) -> None:
        """Kill all workers."""
        with self._changed:
            self._closed = True
            workers = [*self._idle, *self._busy]
            self._idle = []
            self._changed.notify_all()
        for worker in workers:
            worker.kill()

    def _holder(self, key: str) -> _Worker | None:
        return next((worker for worker in [*self._busy, *self._idle] if key in worker.keys), None)

    def _acquire(self, key: str, budget: Budget) -> _Worker:
        """Wait for and return the worker that keeps the object or, if none does, an idle or a new worker."""
        with self._changed:
            while not self._closed:
                self._idle = [worker for worker in self._idle if worker.is_alive]
                holder = self._holder(key)
                if holder in self._idle:
                    self._idle.remove(holder)
                    self._busy.append(holder)
                    return holder
                if holder is None and (self._idle or len(self._busy) < self._size):
                    worker = self._idle.pop() if self._idle else _Worker(self._setup)
                    worker.keys.add(key)
                    self._busy.append(worker)
                    return worker
                if budget.expired:
                    break
                self._changed.wait(POLL_S)
        raise BusyError("all worker processes are busy; try again shortly")

    def _release(self, worker: _Worker) -> None:
        with self._changed:
            self._busy.remove(worker)
            if worker.is_alive and not self._closed:
                self._idle.append(worker)
            self._changed.notify_all()


def _nothing() -> None:
    return None
