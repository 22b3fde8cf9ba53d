"""Ratings: against choix on games without draws, against the truth in simulated tournaments."""

from __future__ import annotations

import math
import random

import choix
import pytest
from scipy.optimize import minimize

from plyground import ParseError, UnknownNameError
from plyground.arena.elo import difference, elo_of, expected, online
from plyground.arena.rating import ELO, Fit, anchor_of, counted, fit

TRUTH = [-1.0, -0.4, 0.0, 0.5, 0.9]


def games(strengths: list[float], per_pair: int, seed: int, advantage: float = 0.3, nu: float = 0.6) -> Fit:
    """The fit of a round robin drawn from the model."""
    return fit(len(strengths), counted(drawn(strengths, per_pair, seed, advantage, nu)))


def drawn(
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
def test_without_draws_and_advantage_it_is_what_choix_finds(seed: int) -> None:
    played = drawn(TRUTH, 20, seed, advantage=0.0, nu=0.0)
    found = fit(len(TRUTH), counted(played), advantage=False)
    won = [(first, second) if points == 1 else (second, first) for first, second, points in played]
    peer = choix.opt_pairwise(len(TRUTH), won, alpha=0, method="Newton-CG", tol=1e-12)
    again = choix.mm_pairwise(len(TRUTH), won, max_iter=100_000, tol=1e-13)
    for other in (peer, again):
        assert max(abs(a - (b - sum(other) / len(other))) for a, b in zip(found.strengths, other, strict=True)) < 1e-6
    assert not found.prior


def test_with_draws_and_advantage_no_other_strengths_are_likelier() -> None:
    played = drawn(TRUTH, 20, 3, advantage=0.4, nu=0.7)
    results = counted(played)
    found = fit(len(TRUTH), results)

    def unlikely(point: list[float]) -> float:
        *strengths, advantage, nu = point
        total = 0.0
        for (first, second), counts in results.items():
            apart = strengths[first] - strengths[second] + advantage
            weights = [math.exp(apart / 2), math.exp(nu), math.exp(-apart / 2)]
            total -= sum(count * math.log(weight / sum(weights)) for count, weight in zip(counts, weights, strict=True))
        return total

    ours = [*found.strengths, found.advantage, math.log(found.draws)]
    best = minimize(unlikely, [0.0] * 7, method="BFGS", options={"gtol": 1e-9})
    middle = sum(best.x[:5]) / 5
    assert [*(one - middle for one in best.x[:5]), *best.x[5:]] == pytest.approx(ours, abs=1e-4)
    assert unlikely(ours) <= best.fun + 1e-9


def test_intervals_hold_the_truth_in_95_of_100_tournaments() -> None:
    held = first = 0
    tournaments = 1000
    true = [1500 + ELO * (one - sum(TRUTH) / len(TRUTH)) for one in TRUTH]
    for seed in range(tournaments):
        found = games(TRUTH, per_pair=20, seed=seed)
        held += sum(low <= one <= high for one, (_, low, high) in zip(true, found.ratings(), strict=True))
        _, low, high = found.first_move()
        first += low <= ELO * 0.3 <= high
    assert 0.93 <= held / (tournaments * len(TRUTH)) <= 0.97
    assert 0.93 <= first / tournaments <= 0.97


def test_the_stronger_is_held_for_likelier_stronger_and_more_so_after_more_games() -> None:
    few, many = (
        sum(games([0.0, 0.15, 0.3], per_pair, seed).superiority(2, 0) for seed in range(100)) / 100
        for per_pair in (5, 50)
    )
    assert 0.55 < few < many - 0.1 < 0.9
    found = games([0.0, 0.15, 0.3], 10, 1)
    assert found.superiority(0, 2) == pytest.approx(1 - found.superiority(2, 0))


def test_an_anchor_has_the_rating_it_is_given_and_no_interval() -> None:
    found = games(TRUTH, per_pair=10, seed=1)
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
        {(0, 1): (3, 2, 1), (1, 0): (2, 2, 2)},  # the third agent has not played
        {(0, 1): (3, 2, 1), (0, 2): (6, 0, 0), (1, 2): (6, 0, 0)},
        {(0, 1): (10**6, 0, 0)},
    ],
)
def test_results_without_a_maximum_get_finite_ratings_and_say_so(
    results: dict[tuple[int, int], tuple[int, int, int]],
) -> None:
    found = fit(3, results)
    assert found.prior
    for rating, low, high in found.ratings():
        assert low < rating < high
        assert abs(rating) < 10_000


def test_an_agent_that_lost_everything_is_last_and_loosely_rated() -> None:
    found = fit(3, {(0, 1): (6, 4, 4), (1, 0): (6, 4, 4), (0, 2): (20, 0, 0), (1, 2): (20, 0, 0)}).ratings()
    assert found[2][0] < found[0][0] - 300
    assert found[2][2] - found[2][1] > found[0][2] - found[0][1]


def test_results_of_agents_that_are_not_there_are_refused() -> None:
    with pytest.raises(ParseError, match="different ones below 2"):
        fit(2, {(0, 2): (1, 0, 0)})
    with pytest.raises(ParseError, match="different"):
        fit(2, {(1, 1): (1, 0, 0)})


def test_anchors_are_read() -> None:
    names = ["Default", "alphabeta(depth=3)"]
    assert anchor_of(names, "alphabeta(depth=3)") == (1, 1500.0)
    assert anchor_of(names, "alphabeta(depth=3)=900") == (1, 900.0)
    with pytest.raises(UnknownNameError, match="there are: Default"):
        anchor_of(names, "Nobody=1000")
    with pytest.raises(ParseError, match="NAME=RATING"):
        anchor_of(names, "Default=much")


def test_online_ratings_move_by_what_was_not_expected() -> None:
    ratings = online(3, [(0, 1, 0.75), (1, 2, 0.5)])
    assert ratings[0] == 1508.0
    assert ratings[1] == pytest.approx(1492 + 32 * (0.5 - expected(1492, 1500)))
    assert sum(ratings) == pytest.approx(4500)


def test_the_difference_of_a_match_has_an_interval_even_after_wins_only() -> None:
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
    assert elo_of(expected(1600, 1500)) == pytest.approx(100)


def test_intervals_of_matches_hold_the_truth() -> None:
    rng, held = random.Random(5), 0
    truth = elo_of(0.6)
    assert truth is not None
    for _ in range(600):
        found = difference(rng.choices([1, 0.5, 0], [0.4, 0.4, 0.2], k=100))
        held += found.low <= truth <= found.high  # type: ignore[operator]
    assert 0.92 <= held / 600 <= 0.98
