"""Time management: how long to think about a move, given the clock. All times are in seconds.

>>> allowance = allot(Clock(60.0), overhead=0.03)
>>> round(allowance.soft, 1), round(allowance.hard, 1)
(2.0, 10.0)
"""

from __future__ import annotations

from dataclasses import dataclass

MIN_SECONDS = 0.005
"""Shortest time for a move. A search without time for its first depth would play any legal move."""
EXPECTED_MOVES = 30
"""Number of moves that the remaining time must last in sudden death."""
MAX_MOVES = 50
"""With more moves until the next time control, the time is divided as if there were this many."""
INCREMENT_SHARE = 0.75
"""Fraction of the increment that is spent on a move."""
HARD_FACTOR = 5.0
"""The hard limit is at most this many times the soft limit."""
MAX_SHARE = 0.5
"""Largest fraction of the remaining time that a move may take, unless it is the last before the time control."""
LAST_MOVE_SHARE = 0.9
"""Largest fraction of the remaining time for the last move before the time control."""
PANIC_OVERHEADS = 20
"""Panic begins when the remaining time is less than this many times the overhead of a move."""
PANIC_MOVES = 25
"""In panic, the remaining time is divided among this many moves."""

NEXT_DEPTH_SHARE = 0.6
"""Another depth is not started after this fraction of the target time, because it would rarely be completed."""
UNSTABLE_FACTOR = 1.5
"""Factor of the soft limit just after the best move has changed."""
STABLE_STEP = 0.15
"""Reduction of that factor for each further report with the same best move."""
STABLE_FACTOR = 0.5
"""Smallest factor of the soft limit, for a best move that has not changed for long."""
VALUE_DROP = 0.05
"""A fall of the expected score by more than this since the previous report is a problem to solve."""
DROP_FACTOR = 1.5
"""Factor of the soft limit after such a fall."""


@dataclass(frozen=True)
class Clock:
    """The clock of the side to move."""

    remaining: float
    increment: float = 0.0
    moves_to_go: int | None = None
    """Moves until the next time control; None in sudden death."""


@dataclass(frozen=True)
class Allowance:
    """The time for a move."""

    soft: float
    """Target, which is scaled by how stable the best move is."""
    hard: float
    """Maximum."""


def allot(clock: Clock, overhead: float) -> Allowance:
    """Return the time for a move; `overhead` is the time that is lost with every move, as by the connection.

    >>> allot(Clock(0.2, 0.05), overhead=0.03).hard < 0.03  # panic
    True
    """
    usable = max(clock.remaining - overhead, 0.0)
    increment = max(clock.increment - overhead, 0.0)
    moves = EXPECTED_MOVES if clock.moves_to_go is None else min(max(clock.moves_to_go, 1), MAX_MOVES)
    if clock.remaining < PANIC_OVERHEADS * overhead and moves > 1:
        seconds = min(usable / min(moves, PANIC_MOVES) + INCREMENT_SHARE * increment, MAX_SHARE * usable)
        return Allowance(max(seconds, MIN_SECONDS), max(seconds, MIN_SECONDS))
    largest = (LAST_MOVE_SHARE if moves == 1 else MAX_SHARE) * usable
    soft = min(usable / moves + INCREMENT_SHARE * increment, largest)
    return Allowance(max(soft, MIN_SECONDS), max(min(HARD_FACTOR * soft, largest), MIN_SECONDS))


class MoveTimer:
    """Decides after each report of a search whether it has taken long enough."""

    def __init__(self, allowance: Allowance) -> None:
        self.allowance = allowance
        self._best: str | None = None
        self._value: float | None = None
        self._unchanged = 0
        self._factor = 1.0

    def observe(self, best: str, value: float | None) -> None:
        """Take note of a report: its best move and the expected score, 0 to 1."""
        self._unchanged = self._unchanged + 1 if best == self._best else 0
        self._factor = max(STABLE_FACTOR, UNSTABLE_FACTOR - STABLE_STEP * self._unchanged)
        if value is not None and self._value is not None and value < self._value - VALUE_DROP:
            self._factor *= DROP_FACTOR
        self._best, self._value = best, value

    @property
    def target(self) -> float:
        """The time for the move, given the reports so far: more if the best move is unstable, less if it is not."""
        return min(self._factor * self.allowance.soft, self.allowance.hard)

    def is_over(self, elapsed: float, *, new_depth: bool = True) -> bool:
        """Whether the search should end; `new_depth` means that going on would start another depth."""
        return elapsed >= self.target * (NEXT_DEPTH_SHARE if new_depth else 1.0)
