"""Which visitors are present: those with an open tab, a request in progress or a recent request."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from cachetools import TTLCache

MAX_VISITORS = 100_000
"""Maximum number of visitors whose last request is remembered."""
ADDRESS_SECONDS = 3600.0
"""Time for which a visitor's address is remembered."""


class Presence:
    """Tracks the connections of visitors."""

    def __init__(self, absence_seconds: float) -> None:
        """A visitor is present until `absence_seconds` after their last connection ended."""
        self._connections: Counter[str] = Counter()
        self._addresses: TTLCache[str, str] = TTLCache(MAX_VISITORS, ADDRESS_SECONDS)
        self._left: TTLCache[str, bool] = TTLCache(MAX_VISITORS, absence_seconds)
        self._lock = threading.Lock()

    @contextmanager
    def connected(self, visitor: str, address: str) -> Iterator[None]:
        """Count a request or an open tab from an address during the `with` block."""
        with self._lock:
            self._connections[visitor] += 1
            self._addresses[visitor] = address
        try:
            yield
        finally:
            with self._lock:
                self._left[visitor] = True
                self._connections[visitor] -= 1
                if not self._connections[visitor]:
                    del self._connections[visitor]

    def is_present(self, visitor: str) -> bool:
        """Whether a visitor is connected or was until recently."""
        with self._lock:
            return visitor in self._connections or visitor in self._left

    def address(self, visitor: str) -> str:
        """Return the address of a visitor's last connection; empty if it was long ago."""
        with self._lock:
            return self._addresses.get(visitor, "")
