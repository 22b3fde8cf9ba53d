"""Imports of large files in a worker process, because parsing thousands of games can hold the GIL for a minute."""

from __future__ import annotations

import asyncio
import threading
from functools import partial
from typing import TypeVar

from starlette.requests import Request

from plyground.agents import Budget, Limit
from plyground.server.errors import TooLargeError
from plyground.server.library import parsing
from plyground.server.library.library import Library
from plyground.server.library.models import ImportReport, ImportRequest, ParseRequest, ParseResult
from plyground.server.pools import WorkPool
from plyground.server.settings import Settings
from plyground.server.workers.pool import KilledError, WorkerPool
from plyground.server.workers.process import Call
from plyground.store import Store

Result = TypeVar("Result", ImportReport, ParseResult)
KEY = "importer"
"""Key of the importer in its worker process."""
POLL_S = 0.25
"""Interval at which to check whether the client is still connected."""


class Importer:
    """Reads and stores games; runs in a worker process."""

    def __init__(self, store: str | None, max_games: int) -> None:
        self._library = Library(Store(store), max_games)

    def import_files(self, call: Call, visitor: str, request: ImportRequest) -> ImportReport:
        """Import files; end early if the call is stopped."""
        stopped = threading.Event()
        call.on_stop(stopped.set)
        return self._library.import_files(visitor, request, is_stopped=stopped.is_set)

    def parse(self, _: Call, request: ParseRequest) -> ParseResult:
        """Return the games in a text."""
        return parsing.parse_text(request)


class Imports:
    """Runs imports in a worker process, ending them early if the client disconnects or the time limit is reached."""

    def __init__(self, settings: Settings, workers: WorkerPool, pool: WorkPool) -> None:
        self._seconds = settings.import_seconds
        self._create = partial(Importer, settings.store, settings.library_games)
        self._workers = workers
        self._pool = pool

    async def import_files(self, client: Request, visitor: str, request: ImportRequest) -> ImportReport:
        """Import files. Games stored before an interruption are kept."""
        return await self._run(client, "import_files", visitor, request, kind=ImportReport)

    async def parse(self, client: Request, request: ParseRequest) -> ParseResult:
        """Return the games in a text."""
        return await self._run(client, "parse", request, kind=ParseResult)

    async def _run(self, client: Request, method: str, *arguments: object, kind: type[Result]) -> Result:
        budget = Budget(Limit(seconds=self._seconds))
        call = partial(self._workers.call, KEY, self._create, method, *arguments, budget=budget)
        running = asyncio.create_task(self._pool.run(call))
        try:
            while not running.done():
                await asyncio.wait({running}, timeout=POLL_S)
                if await client.is_disconnected():
                    budget.stop()
            result = await running
        except KilledError as error:
            message = f"the text could not be read within {self._seconds:g} seconds; send fewer games at a time"
            raise TooLargeError(message) from error
        finally:
            budget.stop()
        assert isinstance(result, kind)  # noqa: S101  guaranteed by the methods of `Importer`
        return result
