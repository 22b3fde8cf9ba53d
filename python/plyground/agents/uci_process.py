"""Processes of external UCI engines, through python-chess's asynchronous client.

One background thread runs the event loop of all engines. It is a daemon thread, so that a forgotten engine does not
keep the interpreter from exiting, and every process is terminated at exit at the latest.
"""

from __future__ import annotations

import asyncio
import os
import shlex
import subprocess
import threading
import weakref
from collections.abc import Callable, Coroutine, Mapping, Sequence
from concurrent.futures import CancelledError, Future, wait
from dataclasses import dataclass
from time import monotonic
from typing import Any, TypeVar

import chess
import chess.engine

from plyground.errors import UciEngineError

T = TypeVar("T")

START_S = 30.0
"""Seconds that an engine may take to start, to be configured and to begin a search."""
STOP_S = 5.0
"""Seconds that an engine may take to answer `stop`."""
SILENCE_S = 60.0
"""Seconds after which an engine that neither reports nor answers is considered hung."""
QUIT_S = 1.0
"""Seconds that an engine may take to quit before it is killed."""
POLL_S = 0.004
"""Seconds between checks of the budget."""

Lines = list[dict[str, Any]]
"""The engine's latest information about each of the best moves (MultiPV), best first."""


class _EventLoop:
    """An event loop in a daemon thread."""

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        self.loop.set_exception_handler(self._keep_failure)
        self.failures: weakref.WeakKeyDictionary[object, BaseException] = weakref.WeakKeyDictionary()
        """Errors in the output of engines, by protocol; python-chess passes them only to the exception handler."""
        self.process_id = os.getpid()
        self.thread = threading.Thread(target=self.loop.run_forever, name="UCI engines", daemon=True)
        self.thread.start()

    def _keep_failure(self, _: asyncio.AbstractEventLoop, context: Mapping[str, Any]) -> None:
        protocol, error = context.get("protocol"), context.get("exception")
        if protocol is not None and error is not None:
            self.failures[protocol] = error


_lock = threading.Lock()
_current: _EventLoop | None = None


def _event_loop() -> _EventLoop:
    """Return the event loop of this process; a forked process gets its own."""
    global _current
    with _lock:
        if _current is None or _current.process_id != os.getpid():
            _current = _EventLoop()
        return _current


@dataclass(frozen=True)
class Found:
    """The result of a search."""

    best: chess.Move
    lines: Lines


class UciProcess:
    """A running engine. All methods raise `UciEngineError` if it fails; it must not be used after that."""

    def __init__(self, command: str, options: Mapping[str, bool | int | str]) -> None:
        """Start the engine and set its options."""
        self.command = command
        self._events = _event_loop()
        try:
            words = shlex.split(command)
        except ValueError as error:
            raise self._error(f"has an invalid command: {error}") from error
        if not words:
            raise self._error("has an empty command")
        self._transport, self._protocol = self._call(_start(words, options), START_S, "did not start")
        self._finalizer = weakref.finalize(self, _terminate, self._events, self._transport, self._protocol)

    @property
    def options(self) -> Mapping[str, chess.engine.Option]:
        """The options that the engine offers."""
        return self._protocol.options

    @property
    def is_alive(self) -> bool:
        """Whether the engine runs and was started by this process, not by one that this process was forked from."""
        return self._events.process_id == os.getpid() and self._transport.get_returncode() is None

    def configure(self, options: Mapping[str, bool | int | str]) -> None:
        """Set options of the engine."""
        self._call(self._protocol.configure(dict(options)), START_S, "did not accept its options")

    def close(self) -> None:
        """Terminate the process."""
        self._finalizer()

    def search(
        self,
        board: chess.Board,
        limit: chess.engine.Limit,
        *,
        lines: int,
        moves: Sequence[chess.Move],
        game: object,
        is_over: Callable[[], bool],
        report: Callable[[Lines], None],
    ) -> Found:
        """Search until a limit of the engine is reached or `is_over()`; `report` gets all new information."""
        search = _Search()
        run = search.run(self._protocol, board, limit, lines=lines, moves=moves, game=game)
        future = asyncio.run_coroutine_threadsafe(run, self._events.loop)
        try:
            best = self._wait(search, future, is_over, report)
        except BaseException as error:
            future.cancel()
            self.close()
            if isinstance(error, chess.engine.EngineError | OSError):
                raise self._error(f"failed: {error or type(error).__name__}") from error
            raise
        if best is None:
            raise self._error("did not return a move")
        return Found(best, search.lines)

    def _wait(
        self,
        search: _Search,
        future: Future[chess.Move | None],
        is_over: Callable[[], bool],
        report: Callable[[Lines], None],
    ) -> chess.Move | None:
        """Wait for the best move; stop the search once it is over, and raise an error if the engine hangs."""
        seen, changed, stopped = 0, monotonic(), None
        while not future.done():
            wait([future], POLL_S)
            now = monotonic()
            if search.updates != seen:
                seen, changed = search.updates, now
                report(search.lines)
            if stopped is None and is_over():
                stopped = now
                self._events.loop.call_soon_threadsafe(search.stop)
            if (failure := self._events.failures.get(self._protocol)) is not None:
                raise self._error(f"failed: {failure}")
            if now - changed > SILENCE_S or (stopped is not None and now - stopped > STOP_S):
                raise self._error("does not respond")
        return future.result()

    def _call(self, coroutine: Coroutine[Any, Any, T], seconds: float, failure: str) -> T:
        future = asyncio.run_coroutine_threadsafe(asyncio.wait_for(coroutine, seconds), self._events.loop)
        try:
            return future.result()
        except FileNotFoundError as error:
            raise self._error("was not found; give the command of an installed UCI engine") from error
        except PermissionError as error:
            raise self._error("is not executable; give the command of an installed UCI engine") from error
        except TimeoutError as error:
            raise self._error(f"{failure} within {seconds:g} s; give the command of a UCI engine") from error
        except (chess.engine.EngineError, OSError) as error:
            raise self._error(f"failed: {error}") from error

    def _error(self, what: str) -> UciEngineError:
        return UciEngineError(f"the UCI engine {self.command[:80]!r} {what}")


class _Search:
    """A search as seen by the event loop; other threads may read its attributes."""

    def __init__(self) -> None:
        self.lines: Lines = []
        self.updates = 0
        self._analysis: chess.engine.AnalysisResult | None = None
        self._is_stopped = False

    async def run(
        self,
        protocol: chess.engine.UciProtocol,
        board: chess.Board,
        limit: chess.engine.Limit,
        *,
        lines: int,
        moves: Sequence[chess.Move],
        game: object,
    ) -> chess.Move | None:
        """Search and return the best move."""
        start = protocol.analysis(
            board, limit, multipv=lines if lines > 1 else None, root_moves=moves or None, game=game
        )
        self._analysis = await asyncio.wait_for(start, START_S)
        if self._is_stopped:
            self._analysis.stop()
        async for _ in self._analysis:
            self.lines = [dict(line) for line in self._analysis.multipv]
            self.updates += 1
        return (await self._analysis.wait()).move

    def stop(self) -> None:
        """Ask the engine to answer."""
        self._is_stopped = True
        if self._analysis is not None:
            self._analysis.stop()


async def _start(
    words: list[str], options: Mapping[str, bool | int | str]
) -> tuple[asyncio.SubprocessTransport, chess.engine.UciProtocol]:
    transport, protocol = await chess.engine.popen_uci(words, setpgrp=True, stderr=subprocess.DEVNULL)
    try:
        if "UCI_ShowWDL" in protocol.options:
            options = {"UCI_ShowWDL": True, **options}
        await protocol.configure(dict(options))
    except BaseException:
        transport.close()
        raise
    return transport, protocol


def _terminate(events: _EventLoop, transport: asyncio.SubprocessTransport, protocol: chess.engine.UciProtocol) -> None:
    """Let the engine quit, or kill it if it does not."""
    if events.process_id != os.getpid() or not events.thread.is_alive():
        return

    async def terminate() -> None:
        try:
            await asyncio.wait_for(protocol.quit(), QUIT_S)
        except (chess.engine.EngineError, TimeoutError, OSError):
            pass
        finally:
            transport.close()

    future = asyncio.run_coroutine_threadsafe(terminate(), events.loop)
    if threading.current_thread() is not events.thread:
        try:
            future.result(2 * QUIT_S)
        except (TimeoutError, CancelledError):
            transport.kill()
