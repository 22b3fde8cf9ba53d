"""Ratings from all games at once, by the model of Bradley and Terry with draws and the advantage of the first move.

Davidson (1970) adds draws to the model of Bradley and Terry, Davidson and Beaver (1977) the order of play. With
``d = strength of the first - strength of the second + advantage``, the first player wins, draws and loses with
chances in the proportion ``exp(d / 2) : nu : exp(-d / 2)``. Without draws nu is 0 and the model is Bradley's and
Terry's. The likelihood has one maximum, found by Newton's method; 95 % intervals come from the information matrix
there. Strengths are natural logarithms; times ``400 / ln 10`` they are Elo points.

Where somebody lost every game there is no maximum: the more points apart, the likelier. Then, and only then, strengths
are drawn to the middle by a normal prior of 800 Elo points, and `Fit.prior` says so.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from plyground.arena.matrix import Matrix, inverse, solve
from plyground.errors import ParseError, UnknownNameError

ELO = 400 / math.log(10)
"""Elo points of a natural logarithm."""
NORMAL_95 = 1.959963984540054
"""Standard deviations each way that hold 95 % of a normal distribution."""
_FARTHEST = 15.0
"""No maximum lies farther out, in natural logarithms (2600 Elo points): where Newton goes there, there is none."""
_PRIOR = (ELO / 800) ** 2
"""One over the variance of the prior, in natural logarithms."""
_ROUNDS = 100

Results = Mapping[tuple[int, int], tuple[int, int, int]]
"""For each two agents, the one that began first: games it won, drew and lost."""


@dataclass(frozen=True)
class Fit:
    """The strengths that explain results best, and how certain they are."""

    strengths: tuple[float, ...]
    """Natural logarithms; their sum is 0."""
    advantage: float
    """What the first move is worth, in natural logarithms."""
    draws: float
    """How likely draws are among equals: nu of the model."""
    covariance: Matrix
    """Of the strengths and then, where they were fitted, the advantage and the logarithm of nu."""
    prior: bool
    """Whether strengths were drawn to the middle because the results alone have no maximum."""
    fitted_advantage: bool = True

    def ratings(self, anchor: int | None = None, value: float = 1500.0) -> list[tuple[float, float, float]]:
        """Rating and 95 % interval of each agent in Elo points; the anchor, or the average, has the value.

        What is known of an agent is how far it is from the anchor, so an anchor's own interval is a point.
        """
        count = len(self.strengths)
        base = [1 / count] * count if anchor is None else [float(index == anchor) for index in range(count)]
        found = []
        for agent in range(count):
            apart = [float(index == agent) - weight for index, weight in enumerate(base)]
            rating = value + ELO * sum(weight * one for weight, one in zip(apart, self.strengths, strict=True))
            reach = ELO * NORMAL_95 * math.sqrt(max(0.0, self._variance(apart)))
            found.append((rating, rating - reach, rating + reach))
        return found

    def superiority(self, a: int, b: int) -> float:
        """How likely A is stronger than B, given the results: 0.5 where nothing is known."""
        spread = self.covariance
        deviation = math.sqrt(max(0.0, spread[a][a] + spread[b][b] - 2 * spread[a][b]))
        return normal_share((self.strengths[a] - self.strengths[b]) / deviation) if deviation > 0 else 0.5

    def first_move(self) -> tuple[float, float, float]:
        """What the first move is worth in Elo points, and its 95 % interval."""
        place = len(self.strengths)
        reach = NORMAL_95 * math.sqrt(max(0.0, self.covariance[place][place])) if self.fitted_advantage else 0.0
        return ELO * self.advantage, ELO * (self.advantage - reach), ELO * (self.advantage + reach)

    def _variance(self, weights: list[float]) -> float:
        return sum(
            one * other * self.covariance[row][column]
            for row, one in enumerate(weights)
            for column, other in enumerate(weights)
        )


def normal_share(deviations: float) -> float:
    """The share of a normal distribution below so many standard deviations.

    >>> normal_share(0.0), round(normal_share(1.96), 3)
    (0.5, 0.975)
    """
    return 0.5 * (1 + math.erf(deviations / math.sqrt(2)))


def counted(games: Iterable[tuple[int, int, float]]) -> dict[tuple[int, int], tuple[int, int, int]]:
    """Results from single games: who began, who came second, and the points of the first: 1, 0.5 or 0."""
    results: dict[tuple[int, int], tuple[int, int, int]] = {}
    for first, second, points in games:
        wins, draws, losses = results.get((first, second), (0, 0, 0))
        results[first, second] = (wins + (points == 1), draws + (points == 0.5), losses + (points == 0))
    return results


def fit(agents: int, results: Results, *, advantage: bool = True) -> Fit:
    """The strengths of so many agents; without `advantage` the first move is taken to be worth nothing.

    >>> found = fit(2, {(0, 1): (3, 0, 1), (1, 0): (1, 0, 3)})
    >>> [round(rating) for rating, low, high in found.ratings()]
    [1595, 1405]
    """
    for first, second in results:
        if not (0 <= first < agents and 0 <= second < agents and first != second):
            raise ParseError(f"a result of agents {first} and {second}: accepted are two different ones below {agents}")
    played = {pair: counts for pair, counts in results.items() if sum(counts)}
    with_draws = any(draws for _, draws, _ in played.values())
    model = _Model(agents, played, advantage, with_draws)
    best = model.climb(prior=0.0)
    prior = best is None
    best = best or model.climb(prior=_PRIOR)
    if best is None:
        raise ParseError("the results are too many or too extreme to be rated")
    point, information = best
    middle = sum(point[:agents]) / agents
    return Fit(
        strengths=tuple(one - middle for one in point[:agents]),
        advantage=point[agents] if advantage else 0.0,
        draws=math.exp(point[-1]) if with_draws else 0.0,
        covariance=inverse(information),
        prior=prior,
        fitted_advantage=advantage,
    )


@dataclass(frozen=True)
class _Model:
    """The likelihood of results as a function of strengths, advantage and logarithm of nu, in this order."""

    agents: int
    results: Results
    advantage: bool
    with_draws: bool

    @property
    def size(self) -> int:
        return self.agents + self.advantage + self.with_draws

    def climb(self, prior: float) -> tuple[list[float], Matrix] | None:
        """The place of the maximum and the information there; None where there is no maximum."""
        point = [0.0] * self.size
        height = self.height(point, prior)
        for _ in range(_ROUNDS):
            slope, information = self.slope(point, prior)
            step = solve(information, slope)
            if step is None or max(map(abs, point)) > _FARTHEST:
                return None
            if max(map(abs, step)) < 1e-9:  # the next one would be its square
                return point, information
            share = 1.0
            while True:
                there = [one + share * more for one, more in zip(point, step, strict=True)]
                new = self.height(there, prior)
                if new >= height or share < 1e-6:
                    break
                share /= 2
            if share < 1e-6:  # as high as numbers of this size can tell
                return point, information
            point, height = there, new
        return None

    def height(self, point: list[float], prior: float) -> float:
        """The logarithm of the likelihood, less what the prior takes, less what holds the strengths' sum at 0."""
        total = -prior / 2 * sum(one * one for one in point) - sum(point[: self.agents]) ** 2 / 2
        for (first, second), counts in self.results.items():
            chances = self.chances(point, first, second)
            total += sum(count * math.log(chance) for count, chance in zip(counts, chances, strict=True) if count)
        return total

    def chances(self, point: list[float], first: int, second: int) -> tuple[float, float, float]:
        apart = point[first] - point[second] + (point[self.agents] if self.advantage else 0.0)
        logs = (apart / 2, point[-1], -apart / 2) if self.with_draws else (apart / 2, -math.inf, -apart / 2)
        largest = max(logs)
        win, draw, loss = (math.exp(one - largest) for one in logs)
        total = win + draw + loss
        return max(win / total, 1e-300), max(draw / total, 1e-300), max(loss / total, 1e-300)

    def slope(self, point: list[float], prior: float) -> tuple[list[float], Matrix]:
        """The gradient and the information matrix (the second derivative, negated)."""
        size, agents = self.size, self.agents
        held = sum(point[:agents])
        slope = [-prior * one - (held if index < agents else 0.0) for index, one in enumerate(point)]
        information = [
            [prior * (row == column) + float(row < agents and column < agents) for column in range(size)]
            for row in range(size)
        ]
        for (first, second), (wins, draws, losses) in self.results.items():
            games = wins + draws + losses
            win, draw, loss = self.chances(point, first, second)
            # d/2 is won, lost or neither: its expectation, its variance, and how it goes with draws
            push = (wins - losses) / 2 - games * (win - loss) / 2
            spread = games * ((win + loss) - (win - loss) ** 2) / 4
            moved = [(first, 1.0), (second, -1.0)] + ([(agents, 1.0)] if self.advantage else [])
            for row, sign in moved:
                slope[row] += sign * push
                for column, other in moved:
                    information[row][column] += sign * other * spread
            if self.with_draws:
                slope[-1] += draws - games * draw
                information[-1][-1] += games * draw * (1 - draw)
                both = -games * draw * (win - loss) / 2
                for row, sign in moved:
                    information[row][-1] += sign * both
                    information[-1][row] += sign * both
        return slope, information


def anchor_of(names: list[str], text: str | None) -> tuple[int | None, float]:
    """The anchor that ``NAME`` or ``NAME=VALUE`` says: its index, and its rating, 1500 where none is given.

    >>> anchor_of(["Default", "Random"], "Random=1000")
    (1, 1000.0)
    """
    if text is None:
        return None, 1500.0
    name, equals, value = (text, "", "") if text in names else text.rpartition("=")
    if name not in names:
        raise UnknownNameError(f"the anchor {name or text!r} does not play; there are: {', '.join(names)}")
    try:
        number = float(value) if equals else 1500.0
    except ValueError:
        number = math.nan
    if not abs(number) <= 1e6:
        raise ParseError(f"anchor {text!r}: accepted is NAME or NAME=RATING")
    return names.index(name), number
