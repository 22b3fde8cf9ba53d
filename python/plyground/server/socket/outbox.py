"""Outgoing messages of a tab. Events are sent at once, the latest report of each kind up to ten times per second."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Hashable
from itertools import count

from plyground.server.socket.messages import ServerEvent

REPORT_INTERVAL_S = 0.1
"""Time between two batches of reports."""
HIDDEN_REPORT_INTERVAL_S = 1.0
"""Time between two batches of reports to a hidden tab."""
MAX_PENDING = 200
"""Number of pending messages at which a tab that does not read them is disconnected."""

BuildMessage = Callable[[], Awaitable[ServerEvent | None]]
"""Builds a message when it is sent, so that it is up to date; None sends nothing."""


class SlowTabError(Exception):
    """The tab does not read its messages fast enough."""


class Outbox:
    """Pending messages of one tab. A message replaces a pending one with the same key."""

    def __init__(self) -> None:
        self._events: dict[Hashable, BuildMessage] = {}
        self._reports: dict[Hashable, BuildMessage] = {}
        self._changed = asyncio.Event()
        self._loop = asyncio.get_running_loop()
        self._numbers = count()
        self.is_hidden = False
        self._is_full = False

    def put_event(self, key: Hashable, build: BuildMessage) -> None:
        """Send a message as soon as possible. Thread-safe."""
        self._loop.call_soon_threadsafe(self._put, self._events, key, build)

    def put_report(self, key: Hashable, build: BuildMessage) -> None:
        """Send a message with the next batch of reports. Thread-safe."""
        self._loop.call_soon_threadsafe(self._put, self._reports, key, build)

    def send(self, message: ServerEvent) -> None:
        """Send a finished message as soon as possible. Thread-safe."""

        async def build() -> ServerEvent:
            return message

        self.put_event(("message", next(self._numbers)), build)

    def _put(self, pending: dict[Hashable, BuildMessage], key: Hashable, build: BuildMessage) -> None:
        if key not in pending and len(pending) >= MAX_PENDING:
            self._is_full = True
        else:
            pending[key] = build
        self._changed.set()

    async def deliver(self, send: Callable[[str], Awaitable[None]]) -> None:
        """Send messages until cancelled; raises `SlowTabError` if too many are pending."""
        sequence, due = 0, 0.0
        while True:
            await self._wait(due)
            if self._is_full:
                raise SlowTabError
            batch = list(self._events.values())
            self._events.clear()
            now = self._loop.time()
            if self._reports and now >= due:
                batch += self._reports.values()
                self._reports.clear()
                interval = HIDDEN_REPORT_INTERVAL_S if self.is_hidden else REPORT_INTERVAL_S
                due = max(due + interval, now + interval / 2)  # a late batch does not delay the next one
            for build in batch:
                message = await build()
                if message is not None:
                    sequence += 1
                    message.sequence = sequence
                    await send(message.model_dump_json())

    async def _wait(self, due: float) -> None:
        """Wait for an event, or for reports and their due time."""
        while not self._events and not self._is_full:
            remaining = due - self._loop.time() if self._reports else None
            if remaining is not None and remaining <= 0:
                return
            self._changed.clear()
            try:
                await asyncio.wait_for(self._changed.wait(), remaining)
            except TimeoutError:
                return
