"""The health check, which tests that the server responds and can query its database."""

from __future__ import annotations

import asyncio
import time

from plyground import __version__
from plyground.server.pools import WorkPool
from plyground.store import Store

CHECK_INTERVAL_S = 1.0
"""Minimum time between two queries, so that health checks cannot overload the database."""


class Health:
    """Checks the database. Requests within `CHECK_INTERVAL_S` of a successful check share its result."""

    def __init__(self, store: Store, pool: WorkPool) -> None:
        self._store = store
        self._pool = pool
        self._lock = asyncio.Lock()
        self._checked = float("-inf")

    async def check(self) -> dict[str, str]:
        """Return the status of the server; raise `StoreError` if the database does not respond."""
        async with self._lock:
            if time.monotonic() - self._checked >= CHECK_INTERVAL_S:
                await self._pool.run(self._store.check)
                self._checked = time.monotonic()
        return {"status": "ok", "version": __version__}
