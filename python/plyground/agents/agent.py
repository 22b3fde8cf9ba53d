"""The interface of an agent: `Agent.analyse` evaluates every legal move, and `pick` chooses one of them.

Agents have no difficulty setting: a weaker player is the same agent with a smaller limit or a higher temperature.
"""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

from plyground._engine import Game, Network, Position, QTable, Rng, Search
from plyground.agents.analysis import Analysis, GameResult, Limit, ReportCallback
from plyground.agents.budget import Budget
from plyground.agents.options import Option, format_value, parse_options
from plyground.errors import GameOverError, ParseError
from plyground.spec import Spec

if TYPE_CHECKING:
    from plyground.agents.thinking import Thinking

MAX_TEMPERATURE = 100
LIMIT_OPTIONS = {"simulations", "seconds", "depth", "nodes", "playouts"}
"""Options of agents that limit their work."""


class Agent(ABC):
    """A player, created by `plyground.agents.agent`.

    A subclass declares its name, description and options, and implements `_analyse`. One analysis runs at a time;
    further calls wait.
    """

    name: ClassVar[str]
    description: ClassVar[str]
    options: ClassVar[tuple[Option, ...]] = ()
    main_options: ClassVar[tuple[str, ...]] = ()
    """Names of the options that a form shows first; if empty, it shows all of them."""
    games: ClassVar[tuple[str, ...] | None] = None
    """Ids of the games that the agent can play; None means every game."""
    is_learned: ClassVar[bool] = False
    """Whether the agent plays from a trained file, which not every game has."""
    can_restrict_moves: ClassVar[bool] = False
    """Whether an analysis can be restricted to some of the legal moves."""
    for_visitors: ClassVar[bool] = True
    """Whether web visitors may use the agent."""
    runs_python: bool = False
    """Whether an analysis executes Python code that may hold the interpreter for long."""
    uses_registered_evaluator: bool = False
    """Whether an analysis needs an evaluator that was registered in this process."""
    default_limit: Limit = Limit()
    """The limit of an analysis if the caller sets none."""

    def __init__(self, **options: Any) -> None:
        """`options` are values of the declared options, as text or as Python values."""
        self.values = parse_options(self.name, self.options, options)
        """The options given, parsed."""
        self.spec = str(Spec(self.name, {key: format_value(value) for key, value in self.values.items()}))
        """The spec that creates an equal agent: ``mcts(simulations=800, c=1.4)``."""
        self._lock = threading.RLock()
        self._budget: Budget | None = None

    @abstractmethod
    def _analyse(self, position: Position, budget: Budget, seed: int) -> Analysis:
        """Analyse a position of an unfinished game within a budget, whose limit includes the agent's defaults."""

    def analyse(
        self,
        position: Position,
        limit: Limit | Budget | None = None,
        *,
        seed: int = 0,
        report: ReportCallback = None,
        moves: Sequence[str] = (),
        **limits: Any,
    ) -> Analysis:
        """Analyse a position of an unfinished game; the same seed gives the same analysis.

        The limit is a `Limit`, its fields (``seconds=1``), or a `Budget`, which another thread can stop and which
        has its own report callback and moves. Without a limit, the agent's default applies. `report` is called several
        times per second with the analysis so far. `moves` restricts the analysis to some legal moves, if the agent
        supports it.

        >>> import plyground
        >>> from plyground.agents import agent
        >>> agent("mcts").analyse(plyground.game("connect4").position("112233"), simulations=500).best.move
        '4'
        """
        check_unfinished(position)
        outer = limit if isinstance(limit, Budget) else Budget(limit_from(limit, limits), report=report, moves=moves)
        if outer.moves and not self.can_restrict_moves:
            raise ParseError(f"agent {self.name} cannot restrict its analysis to specific moves")
        with self._lock, outer:
            self._budget = budget = outer.with_limit(self.effective_limit(outer.limit))
            return self._analyse(position, budget, seed)

    def play(self, position: Position, limit: Limit | None = None, *, seed: int = 0, **limits: Any) -> str:
        """Return the best move (see `analyse`).

        >>> import plyground
        >>> from plyground.agents import agent
        >>> agent("solver").play(plyground.game("connect4").position("4455"))
        '6'
        """
        return self.analyse(position, limit, seed=seed, **limits).best.move

    def start(
        self,
        position: Position,
        limit: Limit | None = None,
        *,
        seed: int = 0,
        report: ReportCallback = None,
        **limits: Any,
    ) -> Thinking:
        """Start an analysis in the background (see `analyse`).

        >>> import plyground
        >>> from plyground.agents import agent
        >>> handle = agent("mcts").start(plyground.game("chess").start(), seconds=35)
        >>> handle.stop()
        >>> handle.result().best.move in plyground.game("chess").start().moves
        True
        """
        from plyground.agents.thinking import Thinking  # avoids a circular import

        return Thinking(self, position, Budget(limit_from(limit, limits), report=report), seed)

    @property
    def tree(self) -> Search | None:
        """The search of the last or running analysis, for inspecting its nodes; None if the agent has no tree."""
        return None

    def stop(self) -> None:
        """Make the running analysis, if any, return its current result. Thread-safe."""
        budget = self._budget
        if budget is not None:
            budget.stop()

    def clear(self) -> None:  # noqa: B027  most agents keep nothing
        """Free the memory that the agent keeps between analyses."""

    def report_result(self, result: GameResult) -> None:  # noqa: B027  most agents do not learn
        """Receive the result of a finished game for this agent's side.

        Called once per finished game and side, however the game ended, and never for aborted games.
        """

    @property
    def limits_itself(self) -> bool:
        """Whether an analysis without a limit is short: the agent has a limit of its own or takes no time limit."""
        takes_seconds = any(option.name == "seconds" for option in self.options)
        return not takes_seconds or bool(LIMIT_OPTIONS & self.values.keys())

    def can_play(self, game: Game) -> bool:
        """Whether the agent can play a game. A learned agent also needs a file for the game."""
        return self.games is None or game.id in self.games

    def engine_policy(self, position: Position) -> Network | QTable | None:  # noqa: ARG002  only learned agents have one
        """Return the engine's evaluator whose highest prior is the agent's move, or None if there is none.

        With it, playouts that the agent guides run at native speed.
        """
        return None

    def effective_limit(self, limit: Limit) -> Limit:
        """Return the limit of an analysis: the caller's, or the default where the caller sets none."""
        return limit.or_default(self.default_limit)


def limit_from(limit: Limit | None, fields: dict[str, Any]) -> Limit:
    """Return a limit with some of its fields replaced."""
    try:
        return replace(limit or Limit(), **fields)
    except TypeError as error:
        known = ", ".join(Limit.__dataclass_fields__)
        raise ParseError(f"unknown limit {', '.join(fields)}; available: {known}") from error


def check_unfinished(position: Position) -> None:
    """Raise `GameOverError` if the game is over."""
    if (outcome := position.outcome) is not None:
        raise GameOverError(f"the game is over ({outcome}); an agent needs a position with a legal move")
    _ = position.turn  # cached for user games, so that an agent can read it after its deadline


def pick(analysis: Analysis, temperature: float, seed: int) -> str:
    """Choose a move with probability proportional to ``share ** (1 / temperature)``.

    Temperature 0 plays the best move, 1 samples by share, and higher values approach uniform play.
    """
    if not 0 <= temperature <= MAX_TEMPERATURE:
        raise ParseError(f"temperature must be between 0 and {MAX_TEMPERATURE}, got {temperature}")
    if temperature == 0:
        return analysis.best.move
    largest = max(move.share for move in analysis.moves)
    weights = [(move.share / largest) ** (1 / temperature) for move in analysis.moves]
    remaining = Rng(seed).unit() * sum(weights)
    for move, weight in zip(analysis.moves, weights, strict=True):
        remaining -= weight
        if remaining < 0:
            return move.move
    return analysis.best.move
