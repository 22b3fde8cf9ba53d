"""Delayed calls: time limits of searches, playback of games between agents, clocks."""

from __future__ import annotations

import heapq
import threading
import time
from collections.abc import Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from itertools import count


class Timer:
    """A delayed call that can be cancelled."""

    def __init__(self, callback: Callable[[], object]) -> None:
        self.callback: Callable[[], object] | None = callback

    def cancel(self) -> None:
        """Cancel the call."""
        self.callback = None


class Timers:
    """Delayed calls: one thread waits for the next due time, four run the callbacks."""

    def __init__(self) -> None:
        self._due: list[tuple[float, int, Timer]] = []
        self._keyed: dict[Hashable, Timer] = {}
        self._order = count()
        self._changed = threading.Condition()
        self._closed = False
        self._executor = ThreadPoolExecutor(4, "timer")
        threading.Thread(target=self._run, name="timers", daemon=True).start()

    def call_later(self, seconds: float, callback: Callable[[], object], key: Hashable = None) -> Timer:
        """Call `callback` after a delay; a pending call with the same key is cancelled."""
        timer = Timer(callback)
        with self._changed:
            if key is not None:
                if (pending := self._keyed.pop(key, None)) is not None:
                    pending.cancel()
                self._keyed[key] = timer
                timer.callback = lambda: self._call_keyed(key, timer, callback)
            heapq.heappush(self._due, (time.monotonic() + seconds, next(self._order), timer))
            self._changed.notify()
        return timer

    def cancel(self, key: Hashable) -> None:
        """Cancel the pending call of a key, if any."""
        with self._changed:
            if (timer := self._keyed.pop(key, None)) is not None:
                timer.cancel()

    def close(self) -> None:
        """Cancel everything."""
        with self._changed:
            self._closed = True
            self._changed.notify()
        self._executor.shutdown(wait=False, cancel_futures=True)

    def _call_keyed(self, key: Hashable, timer: Timer, callback: Callable[[], object]) -> None:
        with self._changed:
            if self._keyed.get(key) is timer:
                del self._keyed[key]
        callback()

    def _run(self) -> None:
        with self._changed:
            while not self._closed:
                if not self._due:
                    self._changed.wait()
                    continue
                if (remaining := self._due[0][0] - time.monotonic()) > 0:
                    self._changed.wait(remaining)
                    continue
                _, _, timer = heapq.heappop(self._due)
                if timer.callback is not None:
                    self._executor.submit(timer.callback)
