"""Ratings, compared with choix for games without draws and with the true strengths of simulated tournaments."""

from __future__ import annotations

import math
import random
import subprocess
import sys

import choix
import pytest
from scipy.optimize import minimize

from plyground import ParseError, UnknownNameError
from plyground.arena.elo import difference, elo_from_score, expected_score, online_ratings
from plyground.arena.rating import ELO, Fit, count_results, fit, parse_anchor

STRENGTHS = [-1.0, -0.4, 0.0, 0.5, 0.9]


def fit_simulated(strengths: list[float], per_pair: int, seed: int, advantage: float = 0.3, nu: float = 0.6) -> Fit:
    """Simulate a round robin and fit ratings to its results."""
    return fit(len(strengths), count_results(simulate(strengths, per_pair, seed, advantage, nu)))


def simulate(
    strengths: list[float], per_pair: int, seed: int, advantage: float, nu: float
) -> list[tuple[int, int, float]]:
    rng, found = random.Random(seed), []
    for first, one in enumerate(strengths):
        for second, other in enumerate(strengths):
            if first != second:
                apart = one - other + advantage
                weights = [math.exp(apart / 2), nu, math.exp(-apart / 2)]
                found += [(first, second, points) for points in rng.choices([1, 0.5, 0], weights, k=per_pair)]
    return found


@pytest.mark.parametrize("seed", range(5))
def test_agrees_with_choix_without_draws_or_advantage(seed: int) -> None:
    played = simulate(STRENGTHS, 20, seed, advantage=0.0, nu=0.0)
    found = fit(len(STRENGTHS), count_results(played), advantage=False)
    won = [(first, second) if points == 1 else (second, first) for first, second, points in played]
    peer = choix.opt_pairwise(len(STRENGTHS), won, alpha=0, method="Newton-CG", tol=1e-12)
    again = choix.mm_pairwise(len(STRENGTHS), won, max_iter=100_000, tol=1e-13)
    for other in (peer, again):
        assert max(abs(a - (b - sum(other) / len(other))) for a, b in zip(found.strengths, other, strict=True)) < 1e-6
    assert not found.prior


def test_maximises_the_likelihood_with_draws_and_advantage() -> None:
    played = simulate(STRENGTHS, 20, 3, advantage=0.4, nu=0.7)
    results = count_results(played)
    found = fit(len(STRENGTHS), results)

    def negative_log_likelihood(point: list[float]) -> float:
        *strengths, advantage, nu = point
        total = 0.0
        for (first, second), counts in results.items():
            apart = strengths[first] - strengths[second] + advantage
            weights = [math.exp(apart / 2), math.exp(nu), math.exp(-apart / 2)]
            total -= sum(count * math.log(weight / sum(weights)) for count, weight in zip(counts, weights, strict=True))
        return total

    ours = [*found.strengths, found.advantage, math.log(found.draws)]
    best = minimize(negative_log_likelihood, [0.0] * 7, method="BFGS", options={"gtol": 1e-9})
    middle = sum(best.x[:5]) / 5
    assert [*(one - middle for one in best.x[:5]), *best.x[5:]] == pytest.approx(ours, abs=1e-4)
    assert negative_log_likelihood(ours) <= best.fun + 1e-9


def test_intervals_cover_the_true_ratings_in_95_percent_of_tournaments() -> None:
    covered = first_move_covered = 0
    tournaments = 1000
    true = [1500 + ELO * (one - sum(STRENGTHS) / len(STRENGTHS)) for one in STRENGTHS]
    for seed in range(tournaments):
        found = fit_simulated(STRENGTHS, per_pair=20, seed=seed)
        covered += sum(low <= one <= high for one, (_, low, high) in zip(true, found.ratings(), strict=True))
        _, low, high = found.first_move()
        first_move_covered += low <= ELO * 0.3 <= high
    assert 0.93 <= covered / (tournaments * len(STRENGTHS)) <= 0.97
    assert 0.93 <= first_move_covered / tournaments <= 0.97


def test_superiority_grows_with_the_number_of_games() -> None:
    few, many = (
        sum(fit_simulated([0.0, 0.15, 0.3], per_pair, seed).superiority(2, 0) for seed in range(100)) / 100
        for per_pair in (5, 50)
    )
    assert 0.55 < few < many - 0.1 < 0.9
    found = fit_simulated([0.0, 0.15, 0.3], 10, 1)
    assert found.superiority(0, 2) == pytest.approx(1 - found.superiority(2, 0))


def test_an_anchor_has_a_fixed_rating_without_an_interval() -> None:
    found = fit_simulated(STRENGTHS, per_pair=10, seed=1)
    ratings = found.ratings(anchor=2, value=1000.0)
    assert ratings[2] == pytest.approx((1000.0, 1000.0, 1000.0))
    plain = [rating for rating, _, _ in found.ratings()]
    assert [one - plain[2] for one in plain] == pytest.approx([rating - 1000 for rating, _, _ in ratings])
    assert sum(plain) / 5 == pytest.approx(1500)


@pytest.mark.parametrize(
    "results",
    [
        {},
        {(0, 1): (10, 0, 0)},
        {(0, 1): (5, 0, 0), (1, 0): (5, 0, 0)},
        {(0, 1): (0, 9, 0)},
        {(0, 1): (3, 2, 1), (1, 0): (2, 2, 2)},  # the third agent has no games
        {(0, 1): (3, 2, 1), (0, 2): (6, 0, 0), (1, 2): (6, 0, 0)},
        {(0, 1): (10**6, 0, 0)},
    ],
)
def test_ratings_use_a_prior_if_the_likelihood_has_no_maximum(
    results: dict[tuple[int, int], tuple[int, int, int]],
) -> None:
    found = fit(3, results)
    assert found.prior
    for rating, low, high in found.ratings():
        assert low < rating < high
        assert abs(rating) < 10_000


def test_an_agent_without_points_is_last_with_a_wide_interval() -> None:
    found = fit(3, {(0, 1): (6, 4, 4), (1, 0): (6, 4, 4), (0, 2): (20, 0, 0), (1, 2): (20, 0, 0)}).ratings()
    assert found[2][0] < found[0][0] - 300
    assert found[2][2] - found[2][1] > found[0][2] - found[0][1]


def test_results_of_unknown_agents_are_rejected() -> None:
    with pytest.raises(ParseError, match="two different indices below 2, got 0 and 2"):
        fit(2, {(0, 2): (1, 0, 0)})
    with pytest.raises(ParseError, match="two different indices"):
        fit(2, {(1, 1): (1, 0, 0)})


def test_parses_anchors() -> None:
    names = ["Default", "alphabeta(depth=3)"]
    assert parse_anchor(names, "alphabeta(depth=3)") == (1, 1500.0)
    assert parse_anchor(names, "alphabeta(depth=3)=900") == (1, 900.0)
    with pytest.raises(UnknownNameError, match="available: Default"):
        parse_anchor(names, "Nobody=1000")
    with pytest.raises(ParseError, match="NAME=RATING"):
        parse_anchor(names, "Default=much")


def test_online_ratings_follow_the_elo_update_rule() -> None:
    ratings = online_ratings(3, [(0, 1, 0.75), (1, 2, 0.5)])
    assert ratings[0] == 1508.0
    assert ratings[1] == pytest.approx(1492 + 32 * (0.5 - expected_score(1492, 1500)))
    assert sum(ratings) == pytest.approx(4500)


def test_a_perfect_score_still_has_a_lower_bound() -> None:
    won = difference([1.0] * 10)
    assert won.elo is won.high is None
    assert won.low is not None
    assert won.low > 100
    assert won.superiority > 0.99
    even = difference([1, 0] * 50)
    assert (even.elo, even.superiority) == (0.0, 0.5)
    assert even.low is not None
    assert even.low == pytest.approx(-even.high)  # type: ignore[operator]
    assert difference([]).superiority == 0.5
    assert elo_from_score(expected_score(1600, 1500)) == pytest.approx(100)


def test_match_intervals_cover_the_true_difference() -> None:
    rng, covered = random.Random(5), 0
    true_difference = elo_from_score(0.6)
    assert true_difference is not None
    for _ in range(600):
        found = difference(rng.choices([1, 0.5, 0], [0.4, 0.4, 0.2], k=100))
        covered += found.low <= true_difference <= found.high  # type: ignore[operator]
    assert 0.92 <= covered / 600 <= 0.98


def test_importing_the_arena_does_not_import_numpy() -> None:
    code = (
        "import plyground.arena, plyground.arena.rating, plyground.arena.standings, sys\n"
        "imported = 'numpy' in sys.modules; plyground.arena.rating.fit(2, {(0, 1): (1, 0, 1)})\n"
        "print(imported, 'numpy' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False True\n"
