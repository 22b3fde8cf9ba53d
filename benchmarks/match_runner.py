"""Matches that measure strength: paired games from a deck, and confidence intervals."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from plyground import Game, Position, split_seed
from plyground.agents import Agent, Limit
from plyground.arena import Score, play_game
from plyground.arena.elo import wilson_interval
from plyground.arena.openings import openings, shuffled

MAX_PLIES = 400
"""Games are drawn after this many plies; decisive games are much shorter."""


@cache
def opening_positions(game: Game, seed: int) -> list[Position]:
    """Return the positions of the game's deck in random order."""
    return [game.position(moves=moves) for moves in shuffled(openings(game), seed)]


@dataclass(frozen=True)
class PairedMatch:
    """A match between two agents that play every opening twice, once from each side."""

    game: Game
    a: Agent
    b: Agent
    limit: Limit
    seed: int = 0
    max_plies: int = MAX_PLIES
    starts: tuple[Position, ...] = ()
    """The openings; by default, those of the game's deck."""

    def play(self, games: int) -> Iterator[Score]:
        """Yield A's score after each game."""
        score = Score()
        for index in range(games):
            score = add_points(score, self._points(index))
            yield score

    def _points(self, index: int) -> float:
        starts = self.starts or opening_positions(self.game, self.seed)
        start = starts[index // 2 % len(starts)]
        order = (self.a, self.b) if index % 2 == 0 else (self.b, self.a)
        players = dict(zip(self.game.sides, order, strict=True))
        seed = split_seed(self.seed, index)
        outcome = play_game(start, players, seed=seed, limit=self.limit, max_plies=self.max_plies).outcome
        if outcome is None or outcome.winner is None:
            return 0.5
        return float(players[outcome.winner] is self.a)


def add_points(score: Score, points: float) -> Score:
    """Return the score after another game with 0, 0.5 or 1 points."""
    return Score(score.wins + (points == 1), score.draws + (points == 0.5), score.losses + (points == 0))


def format_score(score: Score) -> str:
    """Return wins, draws, losses, score and interval: ``120-20-60, 65% (58-71)``."""
    low, high = (f"{100 * end:.0f}" for end in wilson_interval(score.share, score.games))
    return f"{score.wins}-{score.draws}-{score.losses}, {100 * score.share:.0f}% ({low}\N{EN DASH}{high})"
