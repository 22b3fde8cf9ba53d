"""What the measurements of strength share: openings, games in pairs, and how sure a score is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from math import log10, sqrt

from plyground import Game, Position, split_seed
from plyground.agents import Agent, Limit
from plyground.arena import Score, play_game
from plyground.arena.openings import openings, shuffled

LONGEST = 400
"""Plies after the opening that end a game as a draw: far more than a game needs to be decided."""


@cache
def deck(game: Game, seed: int) -> list[Position]:
    """The openings of a game's deck, in an order drawn from the seed."""
    return [game.position(moves=moves) for moves in shuffled(openings(game), seed)]


@dataclass(frozen=True)
class Contest:
    """Two agents who play every opening of the deck twice, once from each side."""

    game: Game
    a: Agent
    b: Agent
    limit: Limit
    seed: int = 0
    longest: int = LONGEST

    def play(self, games: int) -> Iterator[Score]:
        """The score after each game, seen by A."""
        score = Score()
        for index in range(games):
            points = self._points(index)
            score = Score(score.wins + (points == 1), score.draws + (points == 0.5), score.losses + (points == 0))
            yield score

    def _points(self, index: int) -> float:
        starts = deck(self.game, self.seed)
        start = starts[index // 2 % len(starts)]
        order = (self.a, self.b) if index % 2 == 0 else (self.b, self.a)
        players = dict(zip(self.game.sides, order, strict=True))
        record = play_game(start, players, seed=split_seed(self.seed, index), limit=self.limit, max_plies=self.longest)
        outcome = record.outcome
        if outcome is None or outcome.winner is None:
            return 0.5
        return float(players[outcome.winner] is self.a)


def wilson(share: float, games: int) -> tuple[float, float]:
    """The 95 % interval of a score (Wilson 1927), 0 to 1; with draws it is wider than need be, never narrower.

    >>> [round(end, 3) for end in wilson(0.5, 200)]
    [0.431, 0.569]
    """
    if games == 0:
        return 0.0, 1.0
    square = 1.96**2
    centre = (share + square / (2 * games)) / (1 + square / games)
    reach = 1.96 * sqrt(share * (1 - share) / games + square / (4 * games**2)) / (1 + square / games)
    return centre - reach, centre + reach


def elo(share: float) -> float:
    """The difference in rating points that a score stands for.

    >>> round(elo(0.75))
    191
    """
    share = min(max(share, 0.001), 0.999)
    return 400 * log10(share / (1 - share))


def in_words(score: Score) -> str:
    """Wins, draws, losses, score and interval: ``120-20-60, 65 % (58-71)``."""
    low, high = (f"{100 * end:.0f}" for end in wilson(score.share, score.games))
    return f"{score.wins}-{score.draws}-{score.losses}, {100 * score.share:.0f} % ({low}\N{EN DASH}{high})"
