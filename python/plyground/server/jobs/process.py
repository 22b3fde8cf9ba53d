"""Runs a job in its own process, which can be killed at any time."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

from plyground.errors import PlygroundError, WorkerError, describe
from plyground.server.jobs.queue import JobProgress
from plyground.server.workers.process import Setup, set_up

POLL_S = 0.1
"""Interval at which a job checks whether to stop."""

Work = Callable[[Callable[[Any], None]], None]
"""The work of a job, called with a function that reports progress."""


def run_job(setup: Setup, work: Work, progress: JobProgress) -> Iterator[Any]:
    """Run the work in a new process and yield its progress reports. If the job should stop, the process is killed."""
    context = multiprocessing.get_context("spawn")
    pipe, other = context.Pipe(duplex=False)
    process = context.Process(target=_run, args=(other, setup, work), daemon=True, name="job")
    process.start()
    other.close()
    try:
        while True:
            progress.check()
            if not pipe.poll(POLL_S):
                continue
            try:
                kind, value = pipe.recv()
            except (EOFError, OSError) as error:
                process.join()
                raise WorkerError(f"the job process ended with exit code {process.exitcode}") from error
            if kind == "error":
                raise value
            if kind == "done":
                return
            yield value
    finally:
        process.kill()
        process.join()
        pipe.close()


def _run(pipe: Any, setup: Setup, work: Work) -> None:
    with suppress(OSError):
        try:
            set_up(setup)
            work(lambda value: pipe.send(("report", value)))
            pipe.send(("done", None))
        except PlygroundError as error:
            pipe.send(("error", error))
        except Exception as error:  # noqa: BLE001  shown to the owner of the job
            pipe.send(("error", WorkerError(describe(error))))
