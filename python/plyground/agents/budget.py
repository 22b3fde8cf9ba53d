"""The budget of an analysis: its limit, its deadline and a stop flag, for everything the analysis calls.

An agent does its work in the `with` block of its budget. Within the block, all searches of the engine end when the
budget expires, user games are no longer called, and inner budgets (of evaluators and fallback agents) expire with it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import perf_counter
from types import TracebackType

from plyground._engine import Interrupt
from plyground.agents.analysis import Analysis, Limit, ReportCallback

FIRST_REPORT_S = 0.01
"""Seconds before the first report, as in the engine."""

REPORT_INTERVAL_S = 0.1
"""Seconds between reports."""


class Budget:
    """The limit, deadline and stop flag of an analysis; time is counted from construction.

    >>> Budget().expired
    False
    """

    def __init__(self, limit: Limit | None = None, *, report: ReportCallback = None, moves: Sequence[str] = ()) -> None:
        """`report` receives progress reports; `moves` are the moves to consider, all if empty."""
        self.limit = limit or Limit()
        self.report = report
        self.moves = moves
        self._start = perf_counter()
        self._interrupt = Interrupt(self.limit.seconds)
        self._next_report = FIRST_REPORT_S

    def with_limit(self, limit: Limit) -> Budget:
        """Return a budget with another limit and the same start time."""
        other = Budget(limit, report=self.report, moves=self.moves)
        other._start = self._start
        return other

    def stop(self) -> None:
        """Expire now. Thread-safe."""
        self._interrupt.stop()

    def __enter__(self) -> None:
        self._interrupt.__enter__()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._interrupt.__exit__(kind, error, traceback)

    @property
    def elapsed(self) -> float:
        """Seconds since construction."""
        return perf_counter() - self._start

    @property
    def expired(self) -> bool:
        """Whether the time is up or `stop` was called, for this budget or an enclosing one."""
        return self._interrupt.fired

    def report_if_due(self, make_analysis: Callable[[], Analysis]) -> None:
        """Call the report callback if a report is due."""
        if self.report is not None and self.elapsed >= self._next_report:
            self.report(make_analysis())
            self._next_report = self.elapsed + REPORT_INTERVAL_S
