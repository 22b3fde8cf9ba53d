"""Is B better than A? A test that stops as soon as it knows (Wald's, on pairs of games).

Two games from one opening, sides swapped, are one observation with five possible scores of B: 0, 1/2, 1, 3/2 and 2
points. The generalised sequential probability ratio test (Van den Bergh, "The generalized sequential probability
ratio test for multinomial distributions") compares the likeliest distribution of pairs whose mean is the score of
`elo1` with the likeliest whose mean is the score of `elo0`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from plyground.arena.elo import expected
from plyground.errors import ParseError

Verdict = Literal["accepted", "rejected"]
_SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)
_UNSEEN = 1e-3
"""What a score that no pair had counts for, so that its chance is not 0."""


@dataclass(frozen=True)
class Sprt:
    """Two hypotheses on how much stronger the one that is tested is, in Elo points: `elo0`, or `elo1`."""

    elo0: float
    elo1: float
    alpha: float = 0.05
    """How often `elo1` is accepted where `elo0` is true."""
    beta: float = 0.05
    """How often it is rejected where it is true."""

    def __post_init__(self) -> None:
        if not -2000 <= self.elo0 < self.elo1 <= 2000:
            raise ParseError(f"sprt {self.elo0:g},{self.elo1:g}: accepted are ELO0,ELO1 with ELO0 below ELO1, to 2000")
        if not (0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise ParseError(f"sprt alpha={self.alpha}, beta={self.beta}: accepted are numbers between 0 and 0.5")

    @property
    def bounds(self) -> tuple[float, float]:
        """Below the first the test rejects, above the second it accepts."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def ratio(self, pairs: Sequence[int]) -> float:
        """The logarithm of the likelihood ratio, given how many pairs brought it 0, 1/2, 1, 3/2 and 2 points."""
        total = sum(pairs)
        if not total:
            return 0.0
        counts = [count or _UNSEEN for count in pairs]
        weights = [count / sum(counts) for count in counts]
        high, low = (likeliest(weights, expected(elo, 0.0)) for elo in (self.elo1, self.elo0))
        return sum(counts) * sum(
            weight * math.log(one / other) for weight, one, other in zip(weights, high, low, strict=True)
        )

    def verdict(self, pairs: Sequence[int]) -> Verdict | None:
        """What the test says of `elo1`; None while it has to go on."""
        lower, upper = self.bounds
        ratio = self.ratio(pairs)
        return "accepted" if ratio >= upper else "rejected" if ratio <= lower else None


def likeliest(weights: Sequence[float], mean: float) -> list[float]:
    """The distribution over the scores of a pair with this mean under which the observed weights are likeliest.

    It is ``weight / (1 + x * (score - mean))`` with the one x that gives the mean; the sum falls as x grows.
    """
    low, high = -1 / (1.0 - mean), 1 / mean
    for _ in range(100):
        x = (low + high) / 2
        if sum(w * (score - mean) / (1 + x * (score - mean)) for w, score in zip(weights, _SCORES, strict=True)) > 0:
            low = x
        else:
            high = x
    x = (low + high) / 2
    return [weight / (1 + x * (score - mean)) for weight, score in zip(weights, _SCORES, strict=True)]


def pair_counts(points: Sequence[float]) -> list[int]:
    """How many pairs brought 0, 1/2, 1, 3/2 and 2 points; a game left over does not count.

    >>> pair_counts([1, 0.5, 0, 0, 1])
    [1, 0, 0, 1, 0]
    """
    counts = [0] * 5
    for index in range(0, len(points) - 1, 2):
        counts[round(2 * (points[index] + points[index + 1]))] += 1
    return counts


def parse_sprt(text: str) -> Sprt:
    """Read ``ELO0,ELO1``.

    >>> parse_sprt("0,10")
    Sprt(elo0=0.0, elo1=10.0, alpha=0.05, beta=0.05)
    """
    try:
        elo0, elo1 = (float(part) for part in text.split(","))
    except ValueError as error:
        raise ParseError(f"sprt {text[:40]!r}: accepted is ELO0,ELO1 as in 0,10") from error
    return Sprt(elo0, elo1)
