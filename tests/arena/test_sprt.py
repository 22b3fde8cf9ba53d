"""The sequential probability ratio test on pairs of games."""

from __future__ import annotations

import math
import random

import pytest
from scipy.optimize import minimize

from plyground import ParseError
from plyground.arena.elo import expected_score
from plyground.arena.sprt import Sprt, constrained_distribution, pair_counts, parse_sprt

SCORES = [0, 0.25, 0.5, 0.75, 1]


def test_the_constrained_distribution_maximises_the_likelihood() -> None:
    weights, mean = [0.1, 0.2, 0.3, 0.25, 0.15], 0.6
    found = constrained_distribution(weights, mean)
    assert sum(found) == pytest.approx(1)
    assert sum(one * score for one, score in zip(found, SCORES, strict=True)) == pytest.approx(mean)
    conditions = [
        {"type": "eq", "fun": lambda point: sum(point) - 1},
        {"type": "eq", "fun": lambda point: sum(one * score for one, score in zip(point, SCORES, strict=True)) - mean},
    ]
    best = minimize(
        lambda point: -sum(weight * math.log(max(one, 1e-9)) for weight, one in zip(weights, point, strict=True)),
        [0.2] * 5,
        bounds=[(1e-6, 1)] * 5,
        constraints=conditions,
        options={"ftol": 1e-12},
    )
    assert list(best.x) == pytest.approx(found, abs=1e-4)


def test_agrees_with_the_normal_approximation_for_many_pairs() -> None:
    pairs = [500, 2000, 5000, 2100, 520]
    total = sum(pairs)
    mean = sum(count * score for count, score in zip(pairs, SCORES, strict=True)) / total
    variance = sum(count * (score - mean) ** 2 for count, score in zip(pairs, SCORES, strict=True)) / total
    low, high = expected_score(0, 0), expected_score(5, 0)
    approximation = total * (high - low) * (2 * mean - low - high) / (2 * variance)
    assert Sprt(0, 5).log_likelihood_ratio(pairs) == pytest.approx(approximation, rel=0.01)


@pytest.mark.parametrize(("share", "wrong"), [(expected_score(0, 0), "accepted"), (expected_score(40, 0), "rejected")])
def test_error_rates_are_within_their_bounds(share: float, wrong: str) -> None:
    test, rng, errors, runs = Sprt(0, 40), random.Random(2), 0, 200
    draw = 0.3
    weights = [share - draw / 2, draw, 1 - share - draw / 2]
    for _ in range(runs):
        pairs, verdict = [0] * 5, None
        while verdict is None:
            for _ in range(10):
                pairs[round(2 * sum(rng.choices([1, 0.5, 0], weights, k=2)))] += 1
            verdict = test.verdict(pairs)
        errors += verdict == wrong
    assert errors / runs < 0.09  # nominal rate 0.05, plus 2.6 standard deviations for 200 runs


def test_is_undecided_before_the_first_pair() -> None:
    assert Sprt(0, 10).log_likelihood_ratio([0] * 5) == 0
    assert Sprt(0, 10).verdict([0] * 5) is None
    assert Sprt(0, 10).verdict([0, 0, 1, 0, 0]) is None


def test_clear_results_lead_to_a_verdict() -> None:
    assert Sprt(0, 50).verdict([0, 10, 50, 60, 80]) == "accepted"
    assert Sprt(0, 50).verdict([80, 60, 50, 10, 0]) == "rejected"


def test_counts_pairs_of_consecutive_games() -> None:
    assert pair_counts([1, 1, 0, 0, 0.5, 0, 1, 0, 1, 0.5]) == [1, 1, 1, 1, 1]


@pytest.mark.parametrize("text", ["", "5", "5,0", "0,0", "a,b", "0,1,2", "0,nan", "-9999,0"])
def test_invalid_hypotheses_are_rejected(text: str) -> None:
    with pytest.raises(ParseError, match="sprt must be ELO0,ELO1"):
        parse_sprt(text)
