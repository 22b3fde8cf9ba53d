"""Things to be done later: moves of watched games, flags of clocks, ends of searches."""

from __future__ import annotations

import heapq
import threading
import time
from collections.abc import Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from plyground.server.live import LiveGame

GRACE = 0.05
"""Seconds after which a clock that ran out is looked at."""


class Timer:
    """Something to be done later, unless it is cancelled."""

    def __init__(self, act: Callable[[], object]) -> None:
        self.act: Callable[[], object] | None = act

    def cancel(self) -> None:
        """Leave it."""
        self.act = None


class Timers:
    """One thread that waits, and a few that act."""

    def __init__(self) -> None:
        self._due: list[tuple[float, int, Timer]] = []
        self._keys: dict[Hashable, Timer] = {}
        self._order = count()
        self._changed = threading.Condition()
        self._closed = False
        self._actors = ThreadPoolExecutor(4, "timer")
        threading.Thread(target=self._wait, name="timers", daemon=True).start()

    def later(self, seconds: float, act: Callable[[], object], key: Hashable = None) -> Timer:
        """Do something after so many seconds; one of the same key is put off."""
        timer = Timer(act)
        with self._changed:
            if key is not None:
                if (old := self._keys.pop(key, None)) is not None:
                    old.cancel()
                self._keys[key] = timer
                timer.act = lambda: self._act(key, timer, act)
            heapq.heappush(self._due, (time.monotonic() + seconds, next(self._order), timer))
            self._changed.notify()
        return timer

    def watch_clock(self, live: LiveGame) -> None:
        """Look at a game again when the time of the side to move should be over."""
        clocks, position = live.state.clocks, live.position
        if clocks is None:
            return
        if live.is_over or position.ply == 0:
            self.drop(("clock", live.id))
            return
        left = clocks.left[position.turn] - (time.monotonic() - live.since)
        self.later(max(0.0, left) + GRACE, lambda: self._flag(live), key=("clock", live.id))

    def drop(self, key: Hashable) -> None:
        """Leave what was to be done under a key."""
        with self._changed:
            if (timer := self._keys.pop(key, None)) is not None:
                timer.cancel()

    def close(self) -> None:
        """Leave everything."""
        with self._changed:
            self._closed = True
            self._changed.notify()
        self._actors.shutdown(wait=False, cancel_futures=True)

    def _flag(self, live: LiveGame) -> None:
        with live.lock:
            clocks, side = live.state.clocks, live.position.turn
            if clocks is None or live.is_over or live.position.ply == 0:
                return
            if time.monotonic() - live.since >= clocks.left[side]:
                live.lose_on_time(side)
            else:
                self.watch_clock(live)

    def _act(self, key: Hashable, timer: Timer, act: Callable[[], object]) -> None:
        with self._changed:
            if self._keys.get(key) is timer:
                del self._keys[key]
        act()

    def _wait(self) -> None:
        with self._changed:
            while not self._closed:
                if not self._due:
                    self._changed.wait()
                    continue
                moment = self._due[0][0]
                if (left := moment - time.monotonic()) > 0:
                    self._changed.wait(left)
                    continue
                _, _, timer = heapq.heappop(self._due)
                if timer.act is not None:
                    self._actors.submit(timer.act)
