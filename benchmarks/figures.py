"""Figures that benchmarks return, and statistics of samples."""

from __future__ import annotations

from collections.abc import Sequence

Figures = dict[str, float]
"""Measured values by name, in the unit given in thresholds.toml."""


def percentile(values: Sequence[float], percent: float) -> float:
    """Return the smallest value that at least `percent`% of the values do not exceed, or 0 if there are no values.

    >>> percentile(range(1, 101), 99)
    99
    """
    if not values:
        return 0.0
    rank = -(-len(values) * percent // 100)
    return sorted(values)[max(0, int(rank) - 1)]


def scaled(count: int, effort: float, minimum: int = 1) -> int:
    """Return a number of trials scaled by the effort.

    >>> scaled(1000, 0.01, minimum=20)
    20
    """
    return max(minimum, round(count * effort))
