"""Evaluations within the server's limits, shared by reviews, hints, the coach and draw offers."""

from __future__ import annotations

from functools import partial

from plyground._engine import Game
from plyground.agents import Limit
from plyground.review import SECONDS, Reviewer
from plyground.server.search.services import SearchServices

MIN_SOLVER_SECONDS = 0.5
"""Minimum time limit of the solver per position."""


def make_reviewer(search: SearchServices, game: Game, seconds: float = SECONDS, lines: int = 1) -> Reviewer:
    """Return a reviewer that also uses the exact values of the server; see `plyground.review.reviewer_spec`."""
    exact = partial(search.exact.review_value, seconds=solver_seconds(seconds))
    return Reviewer(game, exact, search.players.reviewer(game, lines))


def review_limit(search: SearchServices, seconds: float = SECONDS) -> Limit:
    """Return the limit of one search of a review."""
    return Limit(seconds=seconds, mebibytes=search.settings.mebibytes)


def max_seconds(searches: int, seconds: float = SECONDS) -> float:
    """Return the maximum duration of a number of searches, including their exact values, in seconds."""
    return searches * (seconds + solver_seconds(seconds)) + 1


def solver_seconds(seconds: float) -> float:
    """Return the time limit of the solver per position."""
    return max(MIN_SOLVER_SECONDS, seconds)
