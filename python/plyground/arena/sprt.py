"""Sequential probability ratio test (SPRT): tests whether B is stronger than A and stops once the evidence suffices.

Two games from one opening with sides swapped are one observation with five possible scores for B: 0, 1/2, 1, 3/2 and 2
points. The generalised sequential probability ratio test (Van den Bergh, "The generalized sequential probability
ratio test for multinomial distributions") compares the most likely distribution of pair scores whose mean is the
expected score of `elo1` with the most likely one whose mean is the expected score of `elo0`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from plyground.arena.elo import expected_score
from plyground.errors import ParseError

Verdict = Literal["accepted", "rejected"]
_SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)
"""Possible mean scores of a pair of games."""
_PSEUDOCOUNT = 1e-3
"""Pseudocount for scores that have not occurred, so that their probability is not 0."""


@dataclass(frozen=True)
class Sprt:
    """A test between two hypotheses about the strength of B relative to A: `elo0` and `elo1`, in Elo points."""

    elo0: float
    elo1: float
    alpha: float = 0.05
    """Probability of accepting `elo1` if `elo0` is true."""
    beta: float = 0.05
    """Probability of rejecting `elo1` if it is true."""

    def __post_init__(self) -> None:
        if not -2000 <= self.elo0 < self.elo1 <= 2000:
            raise ParseError(
                f"sprt must be ELO0,ELO1 with -2000 <= ELO0 < ELO1 <= 2000, got {self.elo0:g},{self.elo1:g}"
            )
        if not (0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise ParseError(f"sprt alpha and beta must be between 0 and 0.5, got {self.alpha} and {self.beta}")

    @property
    def bounds(self) -> tuple[float, float]:
        """Log-likelihood ratios at which the test rejects and accepts `elo1`."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def log_likelihood_ratio(self, pairs: Sequence[int]) -> float:
        """Return the log-likelihood ratio, given the number of pairs with 0, 1/2, 1, 3/2 and 2 points for B."""
        if not sum(pairs):
            return 0.0
        counts = [count or _PSEUDOCOUNT for count in pairs]
        weights = [count / sum(counts) for count in counts]
        high, low = (constrained_distribution(weights, expected_score(elo, 0.0)) for elo in (self.elo1, self.elo0))
        return sum(counts) * sum(weight * math.log(p1 / p0) for weight, p1, p0 in zip(weights, high, low, strict=True))

    def verdict(self, pairs: Sequence[int]) -> Verdict | None:
        """Return whether `elo1` is accepted or rejected; None while undecided."""
        lower, upper = self.bounds
        ratio = self.log_likelihood_ratio(pairs)
        return "accepted" if ratio >= upper else "rejected" if ratio <= lower else None


def constrained_distribution(weights: Sequence[float], mean: float) -> list[float]:
    """Return the distribution over pair scores with a given mean under which the observed weights are most likely.

    It is ``weight / (1 + x * (score - mean))``, where x is the unique value that yields this mean, found by bisection.
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
    """Count the pairs of games with 0, 1/2, 1, 3/2 and 2 points; an unpaired last game is ignored.

    >>> pair_counts([1, 0.5, 0, 0, 1])
    [1, 0, 0, 1, 0]
    """
    counts = [0] * 5
    for index in range(0, len(points) - 1, 2):
        counts[round(2 * (points[index] + points[index + 1]))] += 1
    return counts


def parse_sprt(text: str) -> Sprt:
    """Parse ``ELO0,ELO1``.

    >>> parse_sprt("0,10")
    Sprt(elo0=0.0, elo1=10.0, alpha=0.05, beta=0.05)
    """
    try:
        elo0, elo1 = (float(part) for part in text.split(","))
    except ValueError as error:
        raise ParseError(f"sprt must be ELO0,ELO1, for example 0,10, got {text[:40]!r}") from error
    return Sprt(elo0, elo1)
