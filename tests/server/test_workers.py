"""Worker processes of the server."""

from __future__ import annotations

import multiprocessing
import os

from plyground.agents import Budget, Limit
from plyground.server.workers.pool import WorkerPool
from plyground.server.workers.process import Call, Setup


class ProcessId:
    """An object in a worker process."""

    def get(self, call: Call) -> int:  # noqa: ARG002
        """Return the ID of the process."""
        return os.getpid()


def test_a_worker_started_in_advance_answers_the_first_call() -> None:
    others = {child.pid for child in multiprocessing.active_children()}
    pool = WorkerPool(Setup(None, None, mebibytes=1024, kept_mebibytes=64, nice=0), 2)
    try:
        pool.prestart()
        started = {child.pid for child in multiprocessing.active_children()} - others
        answered = pool.call("id", ProcessId, "get", budget=Budget(Limit(seconds=60)))
        assert started == {answered}
    finally:
        pool.close()
