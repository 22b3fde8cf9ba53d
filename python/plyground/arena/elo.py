"""Elo ratings that go up and down with each match, and what the score of one match says."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from plyground.arena.rating import NORMAL_95, normal_share

START = 1500.0
"""The rating before the first match."""
K = 32.0
"""Points that a match lost against an equal costs twice over: the most that one match can move a rating."""


def expected(rating: float, other: float) -> float:
    """The points a game that one may expect against another, 0 to 1.

    >>> expected(1500, 1500), round(expected(1700, 1500), 2)
    (0.5, 0.76)
    """
    return float(1 / (1 + 10 ** ((other - rating) / 400)))


def online(agents: int, matches: Iterable[tuple[int, int, float]]) -> list[float]:
    """Ratings after matches one after the other: who met whom, and the first one's share of the points.

    >>> online(2, [(0, 1, 1.0)])
    [1516.0, 1484.0]
    """
    ratings = [START] * agents
    for a, b, share in matches:
        gain = K * (share - expected(ratings[a], ratings[b]))
        ratings[a] += gain
        ratings[b] -= gain
    return ratings


@dataclass(frozen=True)
class Difference:
    """What the score of a match says of how far two agents are apart, in Elo points seen by A."""

    elo: float | None
    """None where A won or lost every game: then any number is too small."""
    low: float | None
    """The lower end of the 95 % interval; None where there is none."""
    high: float | None
    superiority: float
    """How likely A is stronger than B: 0.5 where nothing is known."""


def difference(points: Sequence[float]) -> Difference:
    """From A's points in each game, two games from one opening standing together.

    The interval is Wilson's, for a share of points: it holds at 0 and 1 too. The games of a pair are one
    observation, since they share their opening; without pairs, or a game left over, every game is one.

    >>> found = difference([1, 0.5] * 10)
    >>> round(found.elo), found.low < 191 < found.high
    (191, True)
    >>> difference([1, 1]).elo is None
    True
    """
    if not points:
        return Difference(0.0, None, None, 0.5)
    share = sum(points) / len(points)
    low, high = _wilson(share, _effective(points, share))
    wins, losses = sum(one == 1 for one in points), sum(one == 0 for one in points)
    superiority = normal_share((wins - losses) / math.sqrt(wins + losses)) if wins + losses else 0.5
    return Difference(elo_of(share), elo_of(low), elo_of(high), superiority)


def elo_of(share: float) -> float | None:
    """How many Elo points a share of the points is worth; None at 0 and 1, where there is no such number."""
    return 400 * math.log10(share / (1 - share)) if 1e-12 < share < 1 - 1e-12 else None


def _effective(points: Sequence[float], share: float) -> float:
    """Won-or-lost games that would be as certain: draws, and pairs that cancel out, say more than those."""
    games = len(points)
    paired = games % 2 == 0 and games >= 4
    sums = [points[index] + points[index + 1] for index in range(0, games, 2)] if paired else list(points)
    middle = 2 * share if paired else share
    variance = sum((one - middle) ** 2 for one in sums) / max(1, len(sums) - 1)  # of a pair, or of a game
    if paired:
        variance /= 2  # of a game, were games independent
    coin = share * (1 - share)
    return games * min(4.0, coin / variance) if variance > 0 and coin > 0 else float(games)


def _wilson(share: float, games: float) -> tuple[float, float]:
    z = NORMAL_95
    middle = (share + z * z / (2 * games)) / (1 + z * z / games)
    reach = z / (1 + z * z / games) * math.sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    return max(0.0, middle - reach), min(1.0, middle + reach)
