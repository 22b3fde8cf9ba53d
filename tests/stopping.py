"""Stopping a search that runs in another thread."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from typing import TypeVar

T = TypeVar("T")

LONG_S = 120.0
"""Time limit in seconds; a search reaches it only if stopping it has no effect."""
RETRY_S = 0.005


def stop_while_running(run: Callable[[], T], stop: Callable[[], None]) -> T:
    """Call `run` in another thread and `stop` in this one until `run` returns, and return its result.

    `stop` is called repeatedly because it has no effect before the search starts.
    """
    start = time.monotonic()
    with ThreadPoolExecutor(1) as pool:
        future = pool.submit(run)
        while not wait([future], timeout=RETRY_S).done:
            stop()
    assert time.monotonic() - start < LONG_S, "stop had no effect"
    return future.result()
