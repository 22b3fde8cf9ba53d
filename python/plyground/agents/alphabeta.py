"""Alpha-beta search, in the engine, and plain minimax to compare it with.

>>> import plyground
>>> from plyground.agents import Limit, agent
>>> position = plyground.game("chess").position("5r1k/6pp/7N/8/8/1Q6/8/6K1 w - - 0 1")
>>> analysis = agent("alphabeta").analyse(position, Limit(depth=4), seed=1)
>>> analysis.line, analysis.known, analysis.distance
(('b3g8', 'f8g8', 'h6f7'), 'win', 3)
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from plyground._engine import AlphaBeta, Position, alphabeta_options
from plyground.agents.agent import WORTH, Analysis, Known, Limit, MoveAnalysis, Report, check_unfinished
from plyground.agents.options import number, weights_named, whole
from plyground.agents.thought import read_thought
from plyground.errors import ParseError
from plyground.exact.tables import use as use_tables
from plyground.spec import Spec
from plyground.weights import engine_weights

SWITCHES = {name: (default, accepted, about) for name, default, accepted, about in alphabeta_options()}
"""Every option of the search itself: its default, what is accepted, and what it does."""

OWN = {
    "depth": "plies to look ahead where the caller sets no limit (8, or none with seconds)",
    "seconds": "seconds of a move where the caller sets no limit",
    "mebibytes": "memory of its table of positions (64)",
    "weights": "a set of weights that judges leaves in the place of the evaluation: its name or its file",
}
"""Options of the agent around the search."""

TEACHING = ("depth", "seconds", "weights", "evaluation", "pruning", "quiescence")
"""Options of the agent `minimax`."""

_DEEPEST = 200
_PLAIN = (
    "scout",
    "aspiration",
    "table",
    "deeper",
    "killers",
    "history",
    "reductions",
    "extensions",
    "deepening",
    "tables",
)


class AlphaBetaAgent:
    """An alpha-beta search with its switches. Nothing in it is random: seeds make no difference."""

    _name = "alphabeta"
    _depth = 8

    def __init__(self, **options: str) -> None:
        self.spec = str(Spec(self._name, options))
        self._switches = [(key, value) for key, value in options.items() if key not in OWN]
        depth = whole(options, "depth", _DEEPEST)
        seconds = number(options, "seconds")
        if depth is None and seconds is None:
            depth = self._depth
        self._limit = Limit(depth=depth, seconds=seconds, mebibytes=whole(options, "mebibytes", 2**20) or 64)
        if "weights" in options and "evaluation" in options:
            raise ParseError("options weights and evaluation exclude each other; accepted is one of them")
        self._weights = weights_named(options)
        self._search: AlphaBeta | None = None
        if self._switches:
            check_switches(self._switches)

    def stop(self) -> None:
        """Make a search that runs in another thread return what it thinks so far."""
        if self._search is not None:
            self._search.stop()

    def analyse(
        self,
        position: Position,
        limit: Limit,
        *,
        seed: int,  # noqa: ARG002
        report: Report = None,
    ) -> Analysis:
        """Search until the limit or until nothing can change; a limit of simulations alone is not one of its kind."""
        check_unfinished(position)
        if ("tables", "true") in self._switches and position.game.id == "checkers":
            use_tables()
        own = self._limit
        if limit.depth is None and limit.seconds is None:
            limit = Limit(None, own.seconds, own.depth, limit.mebibytes or own.mebibytes)
        weights = None if self._weights is None else engine_weights(self._weights, position)
        search = AlphaBeta(position, self._switches, weights=weights, mebibytes=limit.mebibytes or own.mebibytes or 64)
        self._search = search
        told = None if report is None else lambda thought: report(analysis_of(position, thought))
        depth = None if limit.depth is None else min(limit.depth, _DEEPEST)
        return analysis_of(position, search.run(depth=depth, seconds=limit.seconds, report=told))


class MinimaxAgent(AlphaBetaAgent):
    """Every move to a fixed depth; with ``pruning=true``, alpha-beta as in a textbook, which visits fewer nodes.

    >>> import plyground
    >>> from plyground.agents import Limit, agent
    >>> start = plyground.game("checkers").start()
    >>> agent("minimax").analyse(start, Limit(), seed=0).nodes
    9188
    """

    _name = "minimax"
    _depth = 5

    def __init__(self, **options: str) -> None:
        super().__init__(**options)
        given = dict(self._switches)
        plain = {**dict.fromkeys(_PLAIN, "false"), "pruning": "false", "quiescence": "false"}
        if "seconds" in options:  # what is to end in time must have an answer for every depth
            plain["deepening"] = "true"
        self._switches = [*(plain | given).items()]


def check_switches(switches: list[tuple[str, str]]) -> None:
    """An error that says what is accepted, if a switch is set to something else."""
    for key, value in switches:
        _, accepted, _ = SWITCHES[key]
        words = accepted.removeprefix("one of ").replace(" or ", ", ").split(", ")
        if value not in words:
            raise ParseError(f"option {key}={value!r}: accepted is {accepted}")


def analysis_of(position: Position, thought: dict[str, Any]) -> Analysis:
    """A thought of the engine as an Analysis: all trust in the best move."""

    def read_move(index: int, move: Mapping[str, Any], known: Known | None, distance: int | None) -> MoveAnalysis:
        value = _value(move["score"], known)
        return MoveAnalysis(
            move["move"],
            share=float(index == thought["best"]),
            value=value,
            low=0.0 if move["bound"] == "upper" else value,
            high=1.0 if move["bound"] == "lower" else value,
            known=known,
            distance=distance,
            line=tuple(move["line"]),
        )

    return read_thought(position, thought, read_move, lambda known: _value(thought["score"], known))


def expectation(score: int) -> float:
    """What a score in hundredths of a man or pawn lets one expect, 0 to 1, on the scale of Elo.

    That is ``1 / (1 + 10 ** (-score / 400))``.

    >>> expectation(0), round(expectation(100), 2), expectation(29_990)
    (0.5, 0.64, 1.0)
    """
    return float(1 / (1 + 10 ** (-score / 400)))


def _value(score: int | None, known: Known | None) -> float | None:
    if known is not None:
        return WORTH[known]
    return None if score is None else expectation(score)
