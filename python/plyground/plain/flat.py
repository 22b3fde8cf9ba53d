"""Flat Monte Carlo: random playouts of every legal move, without a tree.

>>> import plyground
>>> scores = flat(plyground.game("connect4").position("112233"), plyground.Rng(1))
>>> best(scores).move, best(scores).sum
('4', 100)
"""

from __future__ import annotations

from dataclasses import dataclass

from plyground._engine import Position, Rng
from plyground.plain.playout import legal_moves, playout, reward

PLAYOUTS = 100
"""Default number of playouts per move."""


@dataclass
class Score:
    """Playout results of one move, for the side that makes it."""

    move: str
    wins: int = 0
    draws: int = 0
    losses: int = 0

    @property
    def playouts(self) -> int:
        """Total number of playouts."""
        return self.wins + self.draws + self.losses

    @property
    def sum(self) -> int:
        """Wins minus draws and losses."""
        return self.wins - self.draws - self.losses

    @property
    def mean(self) -> float:
        """Mean reward, with 1 for a win and 0.5 for a draw; 0.5 before the first playout."""
        return (self.wins + self.draws / 2) / self.playouts if self.playouts else 0.5


def flat(position: Position, rng: Rng, playouts: int = PLAYOUTS) -> list[Score]:
    """Run `playouts` playouts of each legal move and return the scores in the order of `Position.moves`."""
    scores = [Score(move) for move in legal_moves(position)]
    for score in scores:
        for _ in range(playouts):
            sample(position, score, rng)
    return scores


def sample(position: Position, score: Score, rng: Rng) -> None:
    """Run one playout of a move and add its result to the score."""
    match reward(playout(position.play(score.move), rng), position.turn):
        case 1.0:
            score.wins += 1
        case 0.0:
            score.losses += 1
        case _:
            score.draws += 1


def best(scores: list[Score]) -> Score:
    """Return the score with the highest sum; ties go to the one with more draws, then to the first.

    >>> best([Score("a1", wins=2, losses=3), Score("b1", wins=3, losses=2), Score("c1", wins=3, losses=2)]).move
    'b1'
    """
    return max(scores, key=lambda score: (score.sum, score.draws))
