"""Time and reports of an agent that thinks in many small steps."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter

from plyground.agents.agent import Analysis, Report

FIRST = 0.01
"""Seconds before the first report, as in the engine."""

EVERY = 0.1
"""Seconds between two reports."""


class Pace:
    """Started with the thinking: says when time is up, and reports when a report is due.

    >>> Pace(seconds=None).is_over
    False
    """

    def __init__(self, seconds: float | None, report: Report = None) -> None:
        self._began = perf_counter()
        self._seconds = seconds
        self._report = report
        self._due = FIRST
        self._stopped = False

    def stop(self) -> None:
        """Ends the time now; another thread may call it."""
        self._stopped = True

    @property
    def elapsed(self) -> float:
        """Seconds since the thinking began."""
        return perf_counter() - self._began

    @property
    def is_over(self) -> bool:
        """Whether the time is up or somebody asked to stop; never otherwise."""
        return self._stopped or (self._seconds is not None and self.elapsed >= self._seconds)

    def tell(self, analysis: Callable[[], Analysis]) -> None:
        """Reports what is thought so far, if it is time to."""
        if self._report is not None and self.elapsed >= self._due:
            self._report(analysis())
            self._due = self.elapsed + EVERY


class Paced:
    """An agent that thinks at a `Pace`, and so can be stopped."""

    _pace: Pace | None = None

    def start(self, seconds: float | None, report: Report = None) -> Pace:
        """The pace of a thinking that begins now."""
        self._pace = Pace(seconds, report)
        return self._pace

    def stop(self) -> None:
        """Make a thinking that goes on in another thread return what it has so far."""
        if self._pace is not None:
            self._pace.stop()
