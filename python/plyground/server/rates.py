"""How often somebody may ask: a bucket of so many requests, filled again at a steady rate."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict

from plyground.server.errors import TooManyError

REMEMBERED = 10_000
"""Visitors whose buckets are remembered; who was not heard of for longest is forgotten first."""


class Rates:
    """A bucket for each visitor."""

    def __init__(self, rate: float, burst: int) -> None:
        self._rate, self._burst = rate, burst
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()
        self._lock = threading.Lock()

    def take(self, who: str) -> None:
        """One request; an error where there have been too many."""
        now = time.monotonic()
        with self._lock:
            left, since = self._buckets.pop(who, (float(self._burst), now))
            left = min(self._burst, left + (now - since) * self._rate)
            enough = left >= 1
            self._buckets[who] = left - 1 if enough else left, now
            while len(self._buckets) > REMEMBERED:
                self._buckets.popitem(last=False)
        if not enough:
            raise TooManyError(f"too many requests; accepted are {self._rate:g} a second: wait a moment")
