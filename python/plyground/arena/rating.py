"""Ratings fitted to all games at once: the Bradley-Terry model with draws and a first-move advantage.

Davidson (1970) adds draws to the Bradley-Terry model; Davidson and Beaver (1977) add the order of play. With
``d = strength of the first - strength of the second + advantage``, the first player wins, draws and loses with
probabilities proportional to ``exp(d / 2) : nu : exp(-d / 2)``. Without draws nu is 0, which is the Bradley-Terry
model. Newton's method finds the maximum of the likelihood; 95% intervals are computed from the information matrix at
the maximum. Strengths are on a natural-logarithm scale; multiply by ``400 / ln 10`` for Elo points.

If a player has a perfect or zero score, the likelihood has no maximum. In that case, a normal prior with a standard
deviation of 800 Elo points is added, and `Fit.prior` is true.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING

from plyground.errors import ParseError, unknown_name

if TYPE_CHECKING:
    from plyground.arena.likelihood import Array

ELO = 400 / math.log(10)
"""Elo points per unit of strength."""
Z_95 = NormalDist().inv_cdf(0.975)
"""Half-width of the 95% interval of a normal distribution, in standard deviations."""
_PRIOR = (ELO / 800) ** 2
"""Inverse variance of the prior, in units of strength."""

Results = Mapping[tuple[int, int], tuple[int, int, int]]
"""Wins, draws and losses of the first player, keyed by the indices of the first and the second player."""


@dataclass(frozen=True, eq=False)
class Fit:
    """The most likely strengths and their uncertainty."""

    strengths: Array
    """On a natural-logarithm scale, with a sum of 0."""
    advantage: float
    """First-move advantage, on the same scale."""
    draws: float
    """The parameter nu of the model: the odds of a draw between equal players are nu : 2."""
    covariance: Array
    """Covariance matrix of the strengths, then the advantage and log(nu) if they were fitted."""
    prior: bool
    """Whether a prior was needed because the likelihood has no maximum."""
    fitted_advantage: bool = True

    def ratings(self, anchor: int | None = None, value: float = 1500.0) -> list[tuple[float, float, float]]:
        """Return the rating of each agent and its 95% interval, in Elo points.

        The anchor, by default the average, has the rating `value`. Intervals are relative to the anchor, so its own
        interval has zero width.
        """
        import numpy as np

        count = len(self.strengths)
        reference = np.full(count, 1 / count) if anchor is None else np.eye(count)[anchor]
        contrasts = np.eye(count) - reference
        ratings = value + ELO * contrasts @ self.strengths
        variances = ((contrasts @ self.covariance[:count, :count]) * contrasts).sum(axis=1)
        margins = ELO * Z_95 * np.sqrt(np.maximum(variances, 0.0))
        return list(zip(ratings.tolist(), (ratings - margins).tolist(), (ratings + margins).tolist(), strict=True))

    def superiority(self, a: int, b: int) -> float:
        """Return the likelihood that A is stronger than B, from 0 to 1; 0.5 if they are the same agent."""
        covariance = self.covariance
        variance = float(covariance[a, a] + covariance[b, b] - 2 * covariance[a, b])
        if variance <= 0:
            return 0.5
        return NormalDist().cdf(float(self.strengths[a] - self.strengths[b]) / math.sqrt(variance))

    def first_move(self) -> tuple[float, float, float]:
        """Return the first-move advantage and its 95% interval, in Elo points."""
        index = len(self.strengths)
        margin = Z_95 * math.sqrt(max(0.0, float(self.covariance[index, index]))) if self.fitted_advantage else 0.0
        return ELO * self.advantage, ELO * (self.advantage - margin), ELO * (self.advantage + margin)


def count_results(games: Iterable[tuple[int, int, float]]) -> dict[tuple[int, int], tuple[int, int, int]]:
    """Count results of games given as first player, second player and the first player's points (1, 0.5 or 0)."""
    results: dict[tuple[int, int], tuple[int, int, int]] = {}
    for first, second, points in games:
        wins, draws, losses = results.get((first, second), (0, 0, 0))
        results[first, second] = (wins + (points == 1), draws + (points == 0.5), losses + (points == 0))
    return results


def fit(agents: int, results: Results, *, advantage: bool = True) -> Fit:
    """Fit the strengths of `agents` players; without `advantage`, the first-move advantage is fixed at 0.

    >>> found = fit(2, {(0, 1): (3, 0, 1), (1, 0): (1, 0, 3)})
    >>> [round(rating) for rating, low, high in found.ratings()]
    [1595, 1405]
    """
    import numpy as np

    from plyground.arena.likelihood import Model

    for first, second in results:
        if not (0 <= first < agents and 0 <= second < agents and first != second):
            raise ParseError(
                f"the players of a result must be two different indices below {agents}, got {first} and {second}"
            )
    played = {pair: counts for pair, counts in results.items() if sum(counts)}
    has_draws = any(draws for _, draws, _ in played.values())
    model = Model(agents, played, advantage=advantage, draws=has_draws)
    maximum = model.maximize(prior=0.0)
    needs_prior = maximum is None
    maximum = maximum or model.maximize(prior=_PRIOR)
    if maximum is None:
        raise ParseError("ratings cannot be computed: the results are too numerous or too extreme")
    point, information = maximum
    strengths = point[:agents] - point[:agents].mean()
    return Fit(
        strengths=strengths,
        advantage=float(point[agents]) if advantage else 0.0,
        draws=math.exp(point[-1]) if has_draws else 0.0,
        covariance=np.asarray(np.linalg.inv(information), dtype=np.float64),
        prior=needs_prior,
        fitted_advantage=advantage,
    )


def parse_anchor(names: list[str], text: str | None) -> tuple[int | None, float]:
    """Parse ``NAME`` or ``NAME=RATING``; return the index of the player (None if `text` is None) and its rating.

    >>> parse_anchor(["Default", "Random"], "Random=1000")
    (1, 1000.0)
    """
    if text is None:
        return None, 1500.0
    name, equals, value = (text, "", "") if text in names else text.rpartition("=")
    if name not in names:
        raise unknown_name("anchor", name or text, names)
    try:
        rating = float(value) if equals else 1500.0
    except ValueError:
        rating = math.nan
    if not abs(rating) <= 1e6:
        raise ParseError(f"anchor must be NAME or NAME=RATING, got {text!r}")
    return names.index(name), rating
