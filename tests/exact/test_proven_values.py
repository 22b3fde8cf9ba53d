"""Values proven by tree search are compared with exact ones; `make measure` checks 100,000 positions."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))

from proven_values import compare


def test_proven_values_in_2000_random_positions_are_correct() -> None:
    counts = compare(2000, seed=2)
    assert counts.positions == 2000
    assert counts.proven > 4000
    assert counts.wrong == 0
    assert counts.too_short == 0
