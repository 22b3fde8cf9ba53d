"""Worker processes on this machine. A worker that dies is replaced and its games are restarted.

Each worker is connected by a pipe. It holds at most two games, the current and the next one, so that it is never idle
and little work is lost if it dies. A worker exits immediately when its parent process exits, even during a game.
"""

from __future__ import annotations

import faulthandler
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
from pathlib import Path
from typing import Any

from plyground._engine import Position
from plyground.arena.scheduled_game import ScheduledGame, play_scheduled_game
from plyground.errors import PlygroundError, WorkerError, describe
from plyground.records import Record

Prepare = Callable[[], object]
POLL_S = 0.1
"""Interval, in seconds, at which an executor checks whether to stop."""
GRACE_S = 1.0
"""Grace period, in seconds: a worker exits if its agent has not moved this long after `max_move_seconds`."""
QUEUE_SIZE = 2
"""Maximum number of games that a worker holds."""
MAX_ATTEMPTS = 3
"""Number of worker deaths after which a game is abandoned."""


@dataclass
class _Worker:
    process: SpawnProcess
    pipe: Any
    games: dict[str, ScheduledGame] = field(default_factory=dict)
    """Games sent to the worker, the current one first."""


@dataclass(frozen=True)
class LocalExecutor:
    """Plays games in worker processes on this machine."""

    processes: int
    prepare: Prepare | None = None
    """Called in each worker before its first game, for example to register games."""
    max_move_seconds: float | None = None
    """Maximum time per move, whatever the limits of the agents. A worker whose agent exceeds it is replaced."""
    is_stopped: Callable[[], bool] = lambda: False
    """Called regularly; if it returns true, games in progress end within a fraction of a second."""

    def run(self, games: Iterable[ScheduledGame]) -> Iterator[tuple[ScheduledGame, Record]]:
        """Yield each game with its record as it finishes."""
        pool = _Pool(self, iter(games))
        try:
            yield from pool.play()
        finally:
            pool.close()


class _Pool:
    """The workers of one run and the games they hold."""

    def __init__(self, executor: LocalExecutor, games: Iterator[ScheduledGame]) -> None:
        self.executor = executor
        self.games = games
        self.returned: deque[ScheduledGame] = deque()
        """Games to reassign because their workers died."""
        self.attempts: dict[str, int] = {}
        self.workers: list[_Worker] = []

    def play(self) -> Iterator[tuple[ScheduledGame, Record]]:
        while len(self.workers) < self.executor.processes and (scheduled := self.next_game()) is not None:
            self.start_worker(scheduled)
        while any(worker.games for worker in self.workers):
            if self.executor.is_stopped():
                return
            workers = {worker.pipe: worker for worker in self.workers}
            for pipe in connection.wait(list(workers), POLL_S):
                worker = workers[pipe]
                try:
                    key, result = worker.pipe.recv()
                except (EOFError, OSError):
                    self.replace(worker)
                    continue
                if isinstance(result, BaseException):
                    raise result
                scheduled = worker.games.pop(key)
                self.fill(worker)
                yield scheduled, result

    def next_game(self) -> ScheduledGame | None:
        return self.returned.popleft() if self.returned else next(self.games, None)

    def start_worker(self, scheduled: ScheduledGame) -> None:
        """Start a worker with one game; it receives the next one when it finishes the first."""
        context = multiprocessing.get_context("spawn")
        pipe, worker_pipe = context.Pipe()
        arguments = worker_pipe, self.executor.prepare, self.executor.max_move_seconds
        process = context.Process(target=_run_worker, args=arguments, daemon=True)
        process.start()
        worker_pipe.close()
        worker = _Worker(process, pipe)
        self.workers.append(worker)
        self.send(worker, scheduled)

    def fill(self, worker: _Worker) -> None:
        while len(worker.games) < QUEUE_SIZE and (scheduled := self.next_game()) is not None:
            self.send(worker, scheduled)

    def send(self, worker: _Worker, scheduled: ScheduledGame) -> None:
        worker.games[scheduled.key] = scheduled
        with suppress(OSError):  # the worker is dead; `play` notices when it reads from the pipe
            worker.pipe.send(scheduled)

    def replace(self, worker: _Worker) -> None:
        """Reassign the games of a dead worker; the death counts as a failed attempt at its current game."""
        self.workers.remove(worker)
        worker.pipe.close()
        worker.process.join(1)
        if not worker.games:
            return
        current, *others = worker.games.values()
        self.attempts[current.key] = self.attempts.get(current.key, 0) + 1
        if self.attempts[current.key] >= MAX_ATTEMPTS:
            raise WorkerError(
                f"game {current.key} ({' against '.join(current.players)}) crashed {MAX_ATTEMPTS} worker processes, "
                f"the last one with {_exit_status(worker.process)}"
            )
        self.returned.extendleft(reversed(others))
        self.start_worker(current)

    def close(self) -> None:
        for worker in self.workers:
            worker.pipe.close()
            worker.process.kill()
        for worker in self.workers:
            worker.process.join()


def _exit_status(process: SpawnProcess) -> str:
    code = process.exitcode
    return f"signal {-code}" if code is not None and code < 0 else f"exit code {code}"


def _run_worker(pipe: Any, prepare: Prepare | None, max_move_seconds: float | None) -> None:
    """Play the games received through the pipe until it is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent also receives Ctrl-C and kills its workers
    threading.Thread(target=_exit_with_parent, daemon=True).start()
    try:
        if prepare is not None:
            prepare()
        while True:
            scheduled = pipe.recv()
            try:
                result: Record | BaseException = _play(scheduled, max_move_seconds)
            except PlygroundError as error:
                result = error
            except Exception as error:  # noqa: BLE001
                result = WorkerError(f"game {scheduled.key} failed: {describe(error)}")
            pipe.send((scheduled.key, result))
    except (EOFError, OSError):
        return


def _play(scheduled: ScheduledGame, max_move_seconds: float | None) -> Record:
    """Play a game; end the process if a move takes much longer than allowed, as Python code may."""
    if max_move_seconds is None:
        return play_scheduled_game(scheduled)
    with Path(os.devnull).open("w") as nowhere:

        def expect_move(_: Position) -> None:
            faulthandler.dump_traceback_later(max_move_seconds + GRACE_S, exit=True, file=nowhere)

        try:
            return play_scheduled_game(scheduled, max_move_seconds=max_move_seconds, watch=expect_move)
        finally:
            faulthandler.cancel_dump_traceback_later()


def _exit_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
