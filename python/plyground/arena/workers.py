"""Processes on this machine that play games. One that dies is replaced, and its games are played again.

Each worker is started once and has a pipe to us. It holds at most two games, the one it plays and the next, so that it
never waits and little is lost with it. A worker whose starter is gone ends at once, in the middle of a game.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing import connection
from multiprocessing.context import SpawnProcess
from typing import Any

from plyground.arena.job import GameJob, play_job
from plyground.errors import PlygroundError, WorkerError
from plyground.records import Record

Prepare = Callable[[], object]
AHEAD = 2
"""Games that a worker holds."""
TRIES = 3
"""Workers that a game may take down before it is given up."""


@dataclass
class _Worker:
    process: SpawnProcess
    link: Any
    held: dict[str, GameJob] = field(default_factory=dict)


@dataclass(frozen=True)
class LocalExecutor:
    """Plays jobs on so many processes."""

    processes: int
    prepare: Prepare | None = None
    """What each process does first, such as registering games."""

    def run(self, jobs: Iterable[GameJob]) -> Iterator[tuple[GameJob, Record]]:
        """The games in the order in which they end."""
        crew = _Crew(self, iter(jobs))
        try:
            yield from crew.play()
        finally:
            crew.dismiss()


class _Crew:
    """The workers of one run and the games they hold."""

    def __init__(self, plan: LocalExecutor, jobs: Iterator[GameJob]) -> None:
        self.plan = plan
        self.jobs = jobs
        self.again: deque[GameJob] = deque()
        """Games of workers that died."""
        self.tries: dict[str, int] = {}
        self.workers: list[_Worker] = []

    def play(self) -> Iterator[tuple[GameJob, Record]]:
        while len(self.workers) < self.plan.processes and (job := self.following()) is not None:
            self.hire(job)
        while any(worker.held for worker in self.workers):
            links = {worker.link: worker for worker in self.workers}
            for link in connection.wait(list(links)):
                worker = links[link]
                try:
                    key, result = worker.link.recv()
                except (EOFError, OSError):
                    self.replace(worker)
                    continue
                if isinstance(result, BaseException):
                    raise result
                job = worker.held.pop(key)
                self.supply(worker)
                yield job, result

    def following(self) -> GameJob | None:
        return self.again.popleft() if self.again else next(self.jobs, None)

    def hire(self, job: GameJob) -> None:
        """Start a worker for a game; the next one it gets when all are started."""
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        process = context.Process(target=_work, args=(theirs, self.plan.prepare), daemon=True)
        process.start()
        theirs.close()
        worker = _Worker(process, ours)
        self.workers.append(worker)
        self.give(worker, job)

    def supply(self, worker: _Worker) -> None:
        while len(worker.held) < AHEAD and (job := self.following()) is not None:
            self.give(worker, job)

    def give(self, worker: _Worker, job: GameJob) -> None:
        worker.held[job.key] = job
        with suppress(OSError):  # it is dead; its end of the pipe says so to `play`
            worker.link.send(job)

    def replace(self, worker: _Worker) -> None:
        """Take back the games of a worker that died; the one it was playing counts as tried."""
        self.workers.remove(worker)
        worker.link.close()
        worker.process.join(1)
        if not worker.held:
            return
        first, *others = worker.held.values()
        self.tries[first.key] = self.tries.get(first.key, 0) + 1
        if self.tries[first.key] >= TRIES:
            told = f"the game {first.key} ({' against '.join(first.players)}) ended {TRIES} processes"
            raise WorkerError(f"{told}, the last by {_ending(worker.process)}")
        self.again.extendleft(reversed(others))
        self.hire(first)

    def dismiss(self) -> None:
        for worker in self.workers:
            worker.link.close()
            worker.process.kill()
        for worker in self.workers:
            worker.process.join()


def _ending(process: SpawnProcess) -> str:
    code = process.exitcode
    return f"signal {-code}" if code is not None and code < 0 else f"exit code {code}"


def _work(link: Any, prepare: Prepare | None) -> None:
    """What a worker does: play what comes down the pipe until it is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # who started us hears it too, and ends us
    threading.Thread(target=_end_with_starter, daemon=True).start()
    try:
        if prepare is not None:
            prepare()
        while True:
            job = link.recv()
            try:
                result: Record | BaseException = play_job(job)
            except PlygroundError as error:
                result = error
            except Exception as error:  # noqa: BLE001
                result = WorkerError(f"the game {job.key}: {type(error).__name__}: {error}")
            link.send((job.key, result))
    except (EOFError, OSError):
        return


def _end_with_starter() -> None:
    starter = multiprocessing.parent_process()
    if starter is not None:
        starter.join()
        os._exit(1)
