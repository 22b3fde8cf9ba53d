"""Alpha-beta search, run by the engine, and plain minimax for comparison.

>>> import plyground
>>> from plyground.agents import Limit, agent
>>> position = plyground.game("chess").position("5r1k/6pp/7N/8/8/1Q6/8/6K1 w - - 0 1")
>>> analysis = agent("alphabeta").analyse(position, Limit(depth=4), seed=1)
>>> analysis.pv, analysis.proven, analysis.distance
(('b3g8', 'f8g8', 'h6f7'), 'win', 3)
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any, ClassVar

from plyground._engine import AlphaBeta, Network, Position, Weights, alphabeta_options
from plyground.agents.agent import Agent
from plyground.agents.analysis import RESULT_VALUE, Analysis, Limit, MoveAnalysis, ProvenResult
from plyground.agents.budget import Budget
from plyground.agents.engine_analysis import read_analysis
from plyground.agents.options import (
    MAX_DEPTH,
    MAX_INTEGER,
    NETWORK,
    SECONDS,
    THREADS,
    WEIGHTS,
    Option,
    depth,
    engine_options,
    format_value,
    mebibytes,
)
from plyground.errors import ParseError
from plyground.exact.tables import GAME as TABLES_GAME
from plyground.exact.tables import activate_tables
from plyground.networks import engine_network
from plyground.networks.network import checked_network
from plyground.weights import checked_weights, engine_weights

SEARCH_OPTIONS = engine_options(alphabeta_options())
"""The options of the engine's search."""

DEFAULT_MEBIBYTES = 64
AGENT_OPTIONS = (
    depth("search depth in plies, unless another limit is given", "8, or unlimited if seconds or nodes is set"),
    SECONDS,
    Option("nodes", "integer", "nodes searched per move, unless another limit is given", "", 1, MAX_INTEGER),
    mebibytes("memory of the transposition table", DEFAULT_MEBIBYTES),
    replace(
        THREADS,
        description="threads that share the transposition table; results are reproducible only with one thread",
    ),
    Option(
        "reuse",
        "choice",
        "true keeps the transposition table from move to move of a game; always keeps it between all positions of the "
        "same game, as in a review; false starts every search with an empty table",
        "true",
        choices=("true", "false", "always"),
    ),
    replace(WEIGHTS, description="evaluation weights: a name or a file, instead of the option evaluation"),
    replace(NETWORK, description="compact network that evaluates leaves: a name, such as best, or a file"),
)
"""The options of the agent itself."""

_MINIMAX_DEFAULTS = {option.name: "false" for option in SEARCH_OPTIONS if option.kind == "boolean"}
"""Search options that `minimax` switches off."""


class AlphaBetaAgent(Agent):
    """An alpha-beta search with its options. With one thread, it is deterministic: the seed has no effect.

    By default, it keeps its transposition table while the positions continue one game, and otherwise starts with an
    empty one.
    """

    name = "alphabeta"
    description = "alpha-beta search"
    options = AGENT_OPTIONS + SEARCH_OPTIONS
    main_options: ClassVar[tuple[str, ...]] = ("depth", "seconds", "threads", "weights", "reuse")
    can_restrict_moves = True
    default_depth: ClassVar[int] = 8

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        options = self.values
        own = {option.name for option in AGENT_OPTIONS}
        self._search_options = [(key, format_value(value)) for key, value in options.items() if key not in own]
        seconds, nodes = options.get("seconds"), options.get("nodes")
        self.default_limit = Limit(
            depth=options.get("depth", self.default_depth if seconds is None and nodes is None else None),
            seconds=seconds,
            nodes=nodes,
            mebibytes=options.get("mebibytes", DEFAULT_MEBIBYTES),
        )
        self._threads = options.get("threads", 1)
        self._reuse = options.get("reuse", "true")
        evaluations = [name for name in ("weights", "network", "evaluation") if name in options]
        if len(evaluations) > 1:
            raise ParseError(f"options {' and '.join(evaluations)} cannot be combined; set one of them")
        self._weights = checked_weights(options.get("weights"))
        self._network = checked_network(options.get("network"))
        self._search: AlphaBeta | None = None
        self._last: tuple[Position, int] | None = None

    def clear(self) -> None:
        """Discard the search and its transposition table."""
        self._search = None

    def effective_limit(self, limit: Limit) -> Limit:
        """Return the caller's limit or the default; a simulation limit alone counts as none."""
        return replace(limit, simulations=None).or_default(self.default_limit)

    def _analyse(self, position: Position, budget: Budget, seed: int) -> Analysis:  # noqa: ARG002
        """Search until the limit or until the value is proven."""
        if ("tables", "true") in self._search_options and position.game.id == TABLES_GAME:
            activate_tables()
        limit, report = budget.limit, budget.report
        search = self._prepare_search(position, limit.mebibytes or DEFAULT_MEBIBYTES)
        with budget:
            data = search.run(
                depth=None if limit.depth is None else min(limit.depth, MAX_DEPTH),
                nodes=limit.nodes,
                seconds=limit.seconds,
                root_moves=budget.moves,
                report=None if report is None else lambda data: report(read_search(position, data)),
            )
        return read_search(position, data)

    def _continues(self, before: Position, position: Position) -> bool:
        """Whether ``reuse=true`` keeps the table because `position` continues the game at `before`."""
        return self._reuse == "true" and position.ply > before.ply and position.replay(before.ply) == before

    def _prepare_search(self, position: Position, mebibytes: int) -> AlphaBeta:
        """Return the previous search, moved to the position, if its table is kept; otherwise a new search."""
        search, last = self._search, self._last
        self._last = position, mebibytes
        if search is not None and last is not None and last[1] == mebibytes:
            before = last[0]
            if position.game == before.game and (self._reuse == "always" or self._continues(before, position)):
                with suppress(ParseError):  # another user game with the same spec
                    search.move_to(position)
                    return search
        evaluation: Weights | Network | None = None
        if self._weights is not None:
            evaluation = engine_weights(self._weights, position)
        elif self._network is not None:
            evaluation = engine_network(self._network, position)
        options = self._search_options
        self._search = AlphaBeta(position, options, weights=evaluation, mebibytes=mebibytes, threads=self._threads)
        return self._search


class MinimaxAgent(AlphaBetaAgent):
    """Minimax to a fixed depth; with ``pruning=true``, textbook alpha-beta, which visits fewer nodes.

    >>> import plyground
    >>> from plyground.agents import Limit, agent
    >>> start = plyground.game("checkers").start()
    >>> agent("minimax").analyse(start, Limit(), seed=0).nodes
    9188
    """

    name = "minimax"
    description = "fixed-depth minimax, for teaching"
    main_options = ()
    options = (
        depth("search depth in plies, unless another limit is given", "5, or unlimited if seconds is set"),
        SECONDS,
        replace(WEIGHTS, description="evaluation weights: a name or a file, instead of the option evaluation"),
        *(
            replace(option, default="false" if option.kind == "boolean" else option.default)
            for option in SEARCH_OPTIONS
            if option.name in ("evaluation", "pruning", "quiescence")
        ),
    )
    default_depth = 5

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        options = self.values
        given = dict(self._search_options)
        defaults = dict(_MINIMAX_DEFAULTS)
        if "seconds" in options:  # iterative deepening always has a completed depth to return
            defaults["deepening"] = "true"
        self._search_options = [*(defaults | given).items()]


def read_search(position: Position, data: dict[str, Any]) -> Analysis:
    """Convert a search result of the engine to an Analysis; the best move has a share of 1."""

    def read_move(
        index: int, move: Mapping[str, Any], proven: ProvenResult | None, distance: int | None
    ) -> MoveAnalysis:
        value = _value(move["score"], proven)
        return MoveAnalysis(
            move["move"],
            share=float(index == data["best"]),
            value=value,
            low=0.0 if move["bound"] == "upper" else value,
            high=1.0 if move["bound"] == "lower" else value,
            bound=None if move["bound"] == "exact" else move["bound"],
            proven=proven,
            distance=distance,
            pv=tuple(move["pv"]),
        )

    return read_analysis(position, data, read_move, lambda proven: _value(data["score"], proven))


def expected_score(score: int) -> float:
    """Convert a score in centipawns to an expected score, 0 to 1, on the Elo scale.

    The formula is ``1 / (1 + 10 ** (-score / 400))``.

    >>> expected_score(0), round(expected_score(100), 2), expected_score(29_990)
    (0.5, 0.64, 1.0)
    """
    return float(1 / (1 + 10 ** (-score / 400)))


def _value(score: int | None, proven: ProvenResult | None) -> float | None:
    if proven is not None:
        return RESULT_VALUE[proven]
    return None if score is None else expected_score(score)
