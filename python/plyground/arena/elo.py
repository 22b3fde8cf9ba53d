"""Online Elo ratings, and the Elo difference implied by a match score."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import NormalDist

from plyground.arena.rating import Z_95

START = 1500.0
"""Rating before the first match."""
K = 32.0
"""Maximum rating change per match."""


def expected_score(rating: float, other: float) -> float:
    """Return the expected score per game against an opponent, from 0 to 1.

    >>> expected_score(1500, 1500), round(expected_score(1700, 1500), 2)
    (0.5, 0.76)
    """
    return float(1 / (1 + 10 ** ((other - rating) / 400)))


def online_ratings(agents: int, matches: Iterable[tuple[int, int, float]]) -> list[float]:
    """Return the ratings after a series of matches, each given as two agent indices and the mean score of the first.

    >>> online_ratings(2, [(0, 1, 1.0)])
    [1516.0, 1484.0]
    """
    ratings = [START] * agents
    for a, b, score in matches:
        gain = K * (score - expected_score(ratings[a], ratings[b]))
        ratings[a] += gain
        ratings[b] -= gain
    return ratings


@dataclass(frozen=True)
class Difference:
    """The Elo difference between the players A and B of a match, from A's point of view."""

    elo: float | None
    """None if A won or lost every game, because the estimate is then infinite."""
    low: float | None
    """Lower bound of the 95% interval; None if it is infinite or there are no games."""
    high: float | None
    """Upper bound of the 95% interval; None if it is infinite or there are no games."""
    superiority: float
    """Likelihood that A is stronger than B, from 0 to 1; 0.5 without games. It is computed from the same model as
    the interval, so it exceeds 0.975 if and only if the whole interval is above 0."""


def difference(points: Sequence[float]) -> Difference:
    """Estimate the Elo difference from A's points in each game; the two games of an opening must be adjacent.

    The interval is Wilson's score interval, which is also valid for scores of 0 and 1. A pair of games from one
    opening is one observation. With an odd number of games, or fewer than four, each game is one observation.

    >>> found = difference([1, 0.5] * 10)
    >>> round(found.elo), found.low < 191 < found.high
    (191, True)
    >>> difference([1, 1]).elo is None
    True
    """
    if not points:
        return Difference(0.0, None, None, 0.5)
    score = sum(points) / len(points)
    games = _effective_games(points, score)
    low, high = wilson_interval(score, games)
    # The interval excludes 0.5 if and only if this is below 2.5% or above 97.5%.
    superiority = NormalDist().cdf((2 * score - 1) * math.sqrt(games))
    return Difference(elo_from_score(score), elo_from_score(low), elo_from_score(high), superiority)


def elo_from_score(score: float) -> float | None:
    """Return the Elo difference implied by a score; None for scores of 0 and 1."""
    return 400 * math.log10(score / (1 - score)) if 1e-12 < score < 1 - 1e-12 else None


def wilson_interval(score: float, games: float) -> tuple[float, float]:
    """Return Wilson's 95% score interval (1927) for a score from 0 to 1; it is conservative if there are draws.

    >>> [round(bound, 3) for bound in wilson_interval(0.5, 200)]
    [0.431, 0.569]
    """
    if games == 0:
        return 0.0, 1.0
    z = Z_95
    center = (score + z * z / (2 * games)) / (1 + z * z / games)
    margin = z / (1 + z * z / games) * math.sqrt(score * (1 - score) / games + z * z / (4 * games * games))
    return max(0.0, center - margin), min(1.0, center + margin)


def _effective_games(points: Sequence[float], score: float) -> float:
    """Return the number of independent games without draws whose mean score would have the same variance.

    Draws and pairs of opposite results reduce the variance, which increases this number.
    """
    games = len(points)
    is_paired = games % 2 == 0 and games >= 4
    observations = [points[index] + points[index + 1] for index in range(0, games, 2)] if is_paired else list(points)
    mean = 2 * score if is_paired else score
    variance = sum((observation - mean) ** 2 for observation in observations) / max(1, len(observations) - 1)
    if is_paired:
        variance /= 2  # per game
    binomial_variance = score * (1 - score)
    return games * min(4.0, binomial_variance / variance) if variance > 0 and binomial_variance > 0 else float(games)
