"""What is to be sent to a tab: news at once, reports ten a second, of each kind only the latest."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Hashable

from plyground.server.messages import Told

EVERY = 0.1
"""Seconds between two reports of the same search."""
EVERY_HIDDEN = 1.0
MOST_NEWS = 200
"""Things to be told that may pile up before a tab that does not listen is given up."""

Build = Callable[[], Awaitable[Told | None]]
"""Makes a message at the moment it is sent, so that it is never old; None where there is nothing to say."""


class SlowTabError(Exception):
    """A tab that does not take what it is sent."""


class Mailbox:
    """Messages on their way to one tab."""

    def __init__(self) -> None:
        self._news: dict[Hashable, Build] = {}
        self._reports: dict[Hashable, Build] = {}
        self._changed = asyncio.Event()
        self._loop = asyncio.get_running_loop()
        self._count = 0
        self.is_hidden = False
        self.is_full = False

    def news(self, key: Hashable, build: Build) -> None:
        """Send something soon, in the place of older news under the same key. Any thread may call it."""
        self._loop.call_soon_threadsafe(self._put, self._news, key, build)

    def say(self, message: Told) -> None:
        """Send a message as it is."""
        self._count += 1

        async def build() -> Told:
            return message

        self.news(("say", self._count, id(message)), build)

    def report(self, key: Hashable, build: Build) -> None:
        """Send a report when one is due, in the place of the last one under the same key. Any thread may call it."""
        self._loop.call_soon_threadsafe(self._put, self._reports, key, build)

    def _put(self, box: dict[Hashable, Build], key: Hashable, build: Build) -> None:
        if key not in box and len(box) >= MOST_NEWS:
            self.is_full = True
        else:
            box[key] = build
        self._changed.set()

    async def deliver(self, send: Callable[[str], Awaitable[None]]) -> None:
        """Send everything in turn, until the tab goes away."""
        sequence, due = 0, 0.0
        while True:
            await self._wait(due)
            if self.is_full:
                raise SlowTabError
            batch = list(self._news.values())
            self._news.clear()
            moment = self._loop.time()
            if self._reports and moment >= due:
                batch += self._reports.values()
                self._reports.clear()
                every = EVERY_HIDDEN if self.is_hidden else EVERY
                due = max(due + every, moment + every / 2)  # a steady beat: what came late does not delay the next
            for build in batch:
                message = await build()
                if message is not None:
                    sequence += 1
                    message.sequence = sequence
                    await send(message.model_dump_json())

    async def _wait(self, due: float) -> None:
        """Until there is news, or reports and it is time for them."""
        while not self._news and not self.is_full:
            left = due - self._loop.time() if self._reports else None
            if left is not None and left <= 0:
                return
            self._changed.clear()
            try:
                await asyncio.wait_for(self._changed.wait(), left)
            except TimeoutError:
                return
