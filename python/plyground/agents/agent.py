"""The whole interface of an agent: it analyses; whoever asked picks.

Playing is two steps. `Agent.analyse` says what the agent thinks of every legal move; `pick` takes one of them. So no
agent has a notion of difficulty of its own: a weaker player is the same agent with a smaller limit or a higher
temperature.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from plyground._engine import Position, Rng
from plyground.errors import GameOverError, ParseError


@dataclass(frozen=True)
class Limit:
    """When to stop thinking; None sets no limit, and the first limit reached holds."""

    simulations: int | None = None
    seconds: float | None = None
    depth: int | None = None
    mebibytes: int | None = None

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            if value is not None and not value > 0:
                raise ParseError(f"limit {name}={value}: accepted is a number above 0")


@dataclass(frozen=True)
class MoveAnalysis:
    """What an agent thinks of one legal move."""

    move: str
    share: float
    """How much of its trust the agent gives this move, 0 to 1; all moves together make 1."""
    value: float | None = None
    """What the side to move may expect from it: 1 a win, 0.5 a draw, 0 a loss."""


@dataclass(frozen=True)
class Analysis:
    """What an agent thinks of a position: every legal move, in the order of `Position.moves`."""

    position: Position
    moves: tuple[MoveAnalysis, ...]
    value: float | None = None
    """What the side to move may expect: 1 a win, 0.5 a draw, 0 a loss; None where the agent has no opinion."""
    line: tuple[str, ...] = ()
    """The best moves of both sides from here."""
    seconds: float = 0.0

    @property
    def best(self) -> MoveAnalysis:
        """The move with the largest share; of equals the first."""
        return max(self.moves, key=lambda move: move.share)


class Agent(Protocol):
    """A player. Agents are made by `plyground.agents.agent(spec)`."""

    @property
    def spec(self) -> str:
        """The text that makes the same agent again: ``mcts(simulations=800, c=1.4)``."""

    def analyse(
        self,
        position: Position,
        limit: Limit,
        *,
        seed: int,
        report: Callable[[Analysis], None] | None = None,
    ) -> Analysis:
        """Think about an unfinished game until the limit; the same seed gives the same analysis.

        `report` is called now and then with what the agent thinks so far.
        """


def check_unfinished(position: Position) -> None:
    """An error that says how the game ended, if it did: there is nothing left to think about."""
    if (outcome := position.outcome) is not None:
        raise GameOverError(f"the game is over ({outcome}); an agent needs a position with a legal move")


def pick(analysis: Analysis, temperature: float, seed: int) -> str:
    """A move drawn by ``share ** (1 / temperature)``: 0 takes the best, 1 follows the shares, more is wilder."""
    if not 0 <= temperature <= 100:
        raise ParseError(f"temperature {temperature}: accepted is a number from 0 to 100")
    if temperature == 0:
        return analysis.best.move
    largest = max(move.share for move in analysis.moves)
    weights = [(move.share / largest) ** (1 / temperature) for move in analysis.moves]
    left = Rng(seed).unit() * sum(weights)
    for move, weight in zip(analysis.moves, weights, strict=True):
        left -= weight
        if left < 0:
            return move.move
    return analysis.best.move
