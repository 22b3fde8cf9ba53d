"""The whole interface of an agent: it analyses; whoever asked picks.

Playing is two steps. `Agent.analyse` says what the agent thinks of every legal move; `pick` takes one of them. So no
agent has a notion of difficulty of its own: a weaker player is the same agent with a smaller limit or a higher
temperature.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from plyground._engine import Position, Rng
from plyground.errors import GameOverError, ParseError

Known = Literal["win", "draw", "loss"]
WORTH: dict[Known, float] = {"win": 1.0, "draw": 0.5, "loss": 0.0}
"""What is certain as a value."""


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

    def over(self, other: Limit) -> Limit:
        """This limit, or another one where this sets neither simulations, seconds nor depth; memory apart."""
        own = self if any((self.simulations, self.seconds, self.depth)) else other
        return Limit(own.simulations, own.seconds, own.depth, self.mebibytes or other.mebibytes)


@dataclass(frozen=True)
class MoveAnalysis:
    """What an agent thinks of one legal move. Values are for the side to move: 1 a win, 0.5 a draw, 0 a loss."""

    move: str
    share: float
    """How much of its trust the agent gives this move, 0 to 1; all moves together make 1."""
    value: float | None = None
    """What the side to move may expect from it."""
    low: float | None = None
    """The lower end of the 95 % interval of `value`."""
    high: float | None = None
    """The upper end."""
    visits: int = 0
    """Simulations that began with it."""
    prior: float | None = None
    """How likely the agent held it before any simulation, 0 to 1."""
    known: Known | None = None
    """What is certain."""
    distance: int | None = None
    """Plies from the position to the end that is certain."""
    line: tuple[str, ...] = ()
    """Best play of both sides, this move first."""


@dataclass(frozen=True)
class Analysis:
    """What an agent thinks of a position: every legal move, in the order of `Position.moves`."""

    position: Position
    moves: tuple[MoveAnalysis, ...]
    choice: int | None = None
    """Index of the move the agent would play, where that is not the one with the largest share."""
    value: float | None = None
    """What the side to move may expect: 1 a win, 0.5 a draw, 0 a loss; None where the agent has no opinion."""
    known: Known | None = None
    """What is certain for the side to move."""
    distance: int | None = None
    """Plies to the end that is certain."""
    seconds: float = 0.0
    """Time spent."""
    simulations: int = 0
    """Simulations made."""
    nodes: int = 0
    """Nodes held (tree search) or visited (other searches)."""
    mebibytes: float = 0.0
    """Memory of the tree."""
    depth: float = 0.0
    """Plies looked ahead, on average."""
    deepest: int = 0
    """Plies looked ahead at most."""
    results: tuple[int, int, int] = (0, 0, 0)
    """Playouts won by the first side, by the second, and by neither."""
    lengths: tuple[int, ...] = field(default=())
    """Playouts by length, ten plies a bin, the last bin for all longer ones."""

    @property
    def best(self) -> MoveAnalysis:
        """The move the agent would play."""
        if self.choice is not None:
            return self.moves[self.choice]
        return max(self.moves, key=lambda move: move.share)

    @property
    def line(self) -> tuple[str, ...]:
        """Best play of both sides from here."""
        return self.best.line or (self.best.move,)


Report = Callable[[Analysis], None] | None
"""Who is told now and then what an agent thinks so far; None: nobody."""


class Agent(Protocol):
    """A player. Agents are made by `plyground.agents.agent(spec)`."""

    @property
    def spec(self) -> str:
        """The text that makes the same agent again: ``mcts(simulations=800, c=1.4)``."""

    def analyse(self, position: Position, limit: Limit, *, seed: int, report: Report = None) -> Analysis:
        """Think about an unfinished game until the limit; the same seed gives the same analysis.

        `report` is called now and then with what the agent thinks so far.
        """


def check_unfinished(position: Position) -> None:
    """An error that says how the game ended, if it did: there is nothing left to think about."""
    if (outcome := position.outcome) is not None:
        raise GameOverError(f"the game is over ({outcome}); an agent needs a position with a legal move")


def interval(value: float, trials: int) -> tuple[float, float]:
    """The 95 % interval of a mean of rewards from 0 to 1 by Hoeffding's bound, ``1.36 / sqrt(trials)`` each way.

    >>> interval(0.5, 100)
    (0.364, 0.636)
    """
    if trials == 0:
        return 0.0, 1.0
    reach = 1.36 / trials**0.5
    return max(0.0, value - reach), min(1.0, value + reach)


def known_by(proof: Mapping[str, Any] | None, turn: str) -> tuple[Known | None, int | None]:
    """What a proof of the engine means for the side to move, and in how many plies."""
    if proof is None:
        return None, None
    winner = proof["winner"]
    return "draw" if winner is None else "win" if winner == turn else "loss", proof["distance"]


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
