"""Small thread pools for slow or blocking work, to keep it off the threads that serve other requests."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import ParamSpec, TypeVar

import anyio.to_thread
from anyio import CapacityLimiter

from plyground.server.errors import BusyError

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")


class WorkPool:
    """Runs calls in a few threads. Use it from the event loop."""

    def __init__(self, threads: int, queue_size: int, name: str) -> None:
        """`queue_size` is the maximum number of waiting calls; `name` appears in the error message."""
        self._limiter = CapacityLimiter(threads)
        self._max_calls = threads + queue_size
        self._name = name
        self._calls = 0

    async def run(
        self, call: Callable[Parameters, Result], *arguments: Parameters.args, **options: Parameters.kwargs
    ) -> Result:
        """Return the result of a call; raise `BusyError` if too many are waiting."""
        if self._calls >= self._max_calls:
            raise BusyError(f"the server is busy: {self._calls} {self._name} are running or queued; try again shortly")
        self._calls += 1
        try:
            return await anyio.to_thread.run_sync(partial(call, *arguments, **options), limiter=self._limiter)
        finally:
            self._calls -= 1


class WorkPools:
    """The thread pools of a server. All other requests use the thread pool of FastAPI."""

    def __init__(self) -> None:
        self.imports = WorkPool(1, 8, "imports")
        """Imports of large files; each waits for a worker process."""
        self.results = WorkPool(2, 50, "requests for results")
        """Requests for tournaments and training runs, which may read many games."""
        self.stops = WorkPool(4, 20, "deletions")
        """Deletions, which wait until a job has stopped."""
        self.health = WorkPool(1, 0, "health checks")
