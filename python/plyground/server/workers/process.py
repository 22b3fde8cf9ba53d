"""The main loop of a worker process.

A worker keeps objects (agents, games) by key and calls their methods, one call after another. A second thread receives
the messages, so that a running call can be stopped and objects can be queried while they work.
"""

from __future__ import annotations

import contextlib
import importlib
import multiprocessing
import os
import queue
import resource
import signal
import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from plyground.errors import PlygroundError, WorkerError, describe
from plyground.learn.checkpoints import register_run_weights

MAX_OBJECTS = 256
"""Maximum number of objects that a worker keeps; the least recently used is dropped first."""


@dataclass(frozen=True)
class Setup:
    """How to initialise a worker process."""

    prepare: Callable[[], object] | None
    """Registers user games and evaluators."""
    store: str | None
    """Database with learned weights."""
    mebibytes: int
    """Maximum data memory of the process (RLIMIT_DATA), in MiB."""
    kept_mebibytes: int
    """Maximum memory of the objects kept between calls, in MiB, according to their `mebibytes` attributes."""
    nice: int
    modules: tuple[str, ...] = ()
    """Modules to import before the process announces that it has started."""


@dataclass(frozen=True)
class CallMessage:
    """Asks a worker to call `method` of the object with `key`; if there is none yet, `create` creates it."""

    id: int
    key: str
    create: Callable[[], Any]
    method: str
    arguments: tuple[Any, ...]


@dataclass(frozen=True)
class QueryMessage(CallMessage):
    """A call that is answered even during another call. Creates no object; without one, the result is None."""


@dataclass(frozen=True)
class StopMessage:
    """Asks a worker to return the current result of a call."""

    id: int


@dataclass(frozen=True)
class ForgetMessage:
    """Asks a worker to drop an object."""

    key: str


@dataclass(frozen=True)
class Reply:
    """A progress report, a result or an error of a call."""

    id: int
    value: Any
    is_report: bool = False


READY = -1
"""ID of the reply with which a process announces that it has started."""


@dataclass
class Call:
    """The running call, passed to methods as their first argument."""

    id: int
    report: Callable[[Any], None]
    """Sends a progress report."""
    _stop: Callable[[], None] | None = None
    _is_stopped: bool = False
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def on_stop(self, stop: Callable[[], None]) -> None:
        """Set the function that makes the method return; it is called at once if the call is already stopped."""
        with self._lock:
            self._stop = stop
            if self._is_stopped:
                stop()

    def stop(self) -> None:
        """Make the method return its current result."""
        with self._lock:
            self._is_stopped = True
            if self._stop is not None:
                self._stop()


def run_worker(pipe: Any, setup: Setup) -> None:
    """Serve calls until the pipe is closed."""
    set_up(setup)
    _Loop(pipe, setup.kept_mebibytes).run()


def set_up(setup: Setup) -> None:
    """Initialise this process and make it exit when its parent does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server receives Ctrl-C as well and ends its workers
    threading.Thread(target=_exit_with_parent, daemon=True).start()
    limit = setup.mebibytes << 20
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))
    with contextlib.suppress(OSError):
        os.nice(setup.nice)
    register_run_weights(setup.store)
    for module in setup.modules:
        importlib.import_module(module)
    if setup.prepare is not None:
        setup.prepare()


class _Loop:
    def __init__(self, pipe: Any, kept_mebibytes: int) -> None:
        self._pipe = pipe
        self._kept_mebibytes = kept_mebibytes
        self._send_lock = threading.Lock()
        self._calls: queue.SimpleQueue[CallMessage | None] = queue.SimpleQueue()
        self._objects: OrderedDict[str, Any] = OrderedDict()
        self._current: Call | None = None
        self._stopped: set[int] = set()
        """IDs of calls that were stopped before they began."""
        self._lock = threading.Lock()

    def run(self) -> None:
        threading.Thread(target=self._receive, daemon=True).start()
        self._send(Reply(READY, None))
        while (message := self._calls.get()) is not None:
            self._answer(message)

    def _receive(self) -> None:
        with contextlib.suppress(EOFError, OSError):
            while True:
                message = self._pipe.recv()
                if isinstance(message, QueryMessage):
                    self._query(message)
                elif isinstance(message, CallMessage):
                    self._calls.put(message)
                elif isinstance(message, StopMessage):
                    self._stop(message.id)
                else:
                    with self._lock:
                        self._objects.pop(message.key, None)
        os._exit(0)

    def _stop(self, call_id: int) -> None:
        with self._lock:
            current = self._current
            if current is None or current.id != call_id:
                self._stopped.add(call_id)
                return
        current.stop()

    def _answer(self, message: CallMessage) -> None:
        call = Call(message.id, lambda value: self._send(Reply(message.id, value, is_report=True)))
        with self._lock:
            self._current = call
            is_stopped = message.id in self._stopped
            self._stopped.clear()
        if is_stopped:
            call.stop()
        try:
            value = getattr(self._object(message), message.method)(call, *message.arguments)
        except Exception as error:  # noqa: BLE001  raised again in the server
            value = _portable(error)
        with self._lock:
            self._current = None
            self._drop_excess()
        self._send(Reply(message.id, value))

    def _drop_excess(self) -> None:
        """Drop the least recently used objects if there are too many or if they use too much memory."""
        memory = {key: getattr(one, "mebibytes", 0.0) for key, one in self._objects.items()}
        while len(self._objects) > MAX_OBJECTS or (
            len(self._objects) > 1 and sum(memory.values()) > self._kept_mebibytes
        ):
            key, _ = self._objects.popitem(last=False)
            del memory[key]

    def _query(self, message: QueryMessage) -> None:
        with self._lock:
            found = self._objects.get(message.key)
        try:
            value = None if found is None else getattr(found, message.method)(*message.arguments)
        except Exception as error:  # noqa: BLE001  raised again in the server
            value = _portable(error)
        self._send(Reply(message.id, value))

    def _object(self, message: CallMessage) -> Any:
        with self._lock:
            found = self._objects.get(message.key)
        if found is None:
            found = message.create()
        with self._lock:
            self._objects[message.key] = found
            self._objects.move_to_end(message.key)
        return found

    def _send(self, reply: Reply) -> None:
        with self._send_lock, contextlib.suppress(OSError):  # the server closed the pipe: this process ends soon
            self._pipe.send(reply)


def _portable(error: Exception) -> Exception:
    """Return an exception that can be sent to the server, whatever the class of the original."""
    return error if isinstance(error, PlygroundError) else WorkerError(describe(error))


def _exit_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
