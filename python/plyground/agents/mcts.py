"""Monte Carlo Tree Search, in the engine.

>>> import plyground
>>> from plyground.agents import Limit, agent
>>> position = plyground.game("connect4").position("112233")
>>> analysis = agent("mcts").analyse(position, Limit(simulations=1000), seed=1)
>>> analysis.best.move, analysis.known
('4', 'win')
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from plyground._engine import Position, Search, Weights, search_options
from plyground.agents.agent import Analysis, Known, Limit, MoveAnalysis, Report, check_unfinished, interval
from plyground.agents.evaluators import evaluator
from plyground.agents.options import number, weights_named, whole
from plyground.agents.thought import read_thought
from plyground.agents.treefile import read_tree, save_tree
from plyground.errors import ParseError
from plyground.exact.tables import use as use_tables
from plyground.spec import Spec
from plyground.weights import BEST, engine_weights, has_best

TUNABLES = {name: (default, accepted, about) for name, default, accepted, about in search_options()}
"""Every option of the search itself: its default, what is accepted, and what it does."""

OWN = {
    "simulations": "simulations of a move where the caller sets no limit (1000)",
    "seconds": "seconds of a move where the caller sets no limit",
    "mebibytes": "the most memory its tree takes (256)",
    "threads": "threads that grow one tree together (1); more than one, and a seed no longer decides everything",
    "workers": "trees that grow apart and are added up (1)",
    "evaluator": "who values leaves, or guides playouts where guide is given: a registered name or an agent's spec",
    "weights": "the weights that judge, by name or file: best where the game has it, none for its rule of thumb",
    "reuse": "true keeps the tree from move to move; adaptive does while more than 3 of the last 10 games were won",
}
"""Options of the agent around the search."""

JUDGED = {"leaf": "evaluator", "selection": "puct", "c": "1.5", "first_play": "0.5", "minimax": "0"}
"""Tunables of a search whose leaves an evaluator values, where the spec does not say otherwise."""


class MctsAgent:
    """A tree search with its tunables; keeps its tree between moves if asked to."""

    def __init__(self, **options: str) -> None:
        self.spec = str(Spec("mcts", options))
        named = options.get("evaluator")
        self._evaluator = None if named is None else evaluator(named)
        judged = JUDGED if named is not None and "guide" not in options else {}
        tunables = {**judged, **{key: value for key, value in options.items() if key not in OWN}}
        self._tunables = list(tunables.items())
        self._limit = Limit(
            simulations=whole(options, "simulations") or (None if "seconds" in options else 1000),
            seconds=number(options, "seconds"),
            mebibytes=whole(options, "mebibytes") or 256,
        )
        self._threads = whole(options, "threads") or 1
        self._workers = whole(options, "workers") or 1
        self._weights = weights_named(options)
        self._reuse = options.get("reuse", "false")
        if self._reuse not in ("true", "false", "adaptive"):
            raise ParseError(f"option reuse={self._reuse!r}: accepted is true, false or adaptive")
        self._wins: deque[bool] = deque(maxlen=10)
        self._search: Search | None = None
        self._at: Position | None = None
        self._loaded = False

    @property
    def keeps_tree(self) -> bool:
        """Whether the next search goes on from the last one's tree."""
        if self._reuse == "adaptive":
            return sum(self._wins) > 0.3 * len(self._wins) or not self._wins
        return self._reuse == "true"

    def report_result(self, won: bool) -> None:
        """Tell the agent how a game ended for it: with ``reuse=adaptive`` its last ten games decide about its tree."""
        self._wins.append(won)
        if not self.keeps_tree:
            self.clear()

    def clear(self) -> None:
        """Forget the tree."""
        self._search = None

    def stop(self) -> None:
        """Make a search that runs in another thread return what it thinks so far."""
        if self._search is not None:
            self._search.stop()

    @property
    def tree(self) -> Search | None:
        """The search of the last `analyse`, also while it goes on in another thread: its top nodes can be seen."""
        return self._search

    def search(self, position: Position, limit: Limit) -> Search:
        """The search that `analyse` runs: the kept one moved on, or a new one."""
        check_unfinished(position)
        if ("tables", "true") in self._tunables and position.game.id == "checkers":
            use_tables()
        kept = self._search if self.keeps_tree or self._loaded else None
        if kept is not None:
            try:
                kept.move_to(position)
            except ParseError:  # another game
                kept = None
        self._search = kept or self._new_search(position, limit)
        self._loaded = False
        self._at = position
        return self._search

    def _new_search(self, position: Position, limit: Limit) -> Search:
        return Search(
            position,
            self._tunables,
            evaluator=self._evaluator,
            weights=self._judging(position),
            threads=self._threads,
            workers=self._workers,
            mebibytes=limit.mebibytes or 256,
        )

    def _judging(self, position: Position) -> Weights | None:
        name = self._weights or (BEST if has_best(position.game.id) else "none")
        return None if name == "none" else engine_weights(name, position)

    def save_tree(self, path: str | Path) -> None:
        """Write the tree of the last search to a file, from which `load_tree` of an agent of the same spec takes it."""
        if self._search is None or self._at is None:
            raise ParseError(
                "there is no tree to save; accepted is an agent that has searched and not cleared its tree"
            )
        save_tree(Path(path), self._search, self._at, self._tunables)

    def load_tree(self, path: str | Path) -> Position:
        """Take the tree of a file, from which the next search goes on; returns the position it stands at."""
        position, dumped = read_tree(Path(path), self._tunables, self._limit.mebibytes or 256)
        search = self._new_search(position, self._limit)
        search.restore(dumped)
        self._search, self._at, self._loaded = search, position, True
        return position

    def analyse(self, position: Position, limit: Limit, *, seed: int, report: Report = None) -> Analysis:
        """Search until the limit or until the value is proven; a single legal move is answered at once."""
        limit = limit.over(self._limit)
        search = self.search(position, limit)
        told = None if report is None else lambda thought: report(analysis_of(position, thought))
        return analysis_of(
            position, search.run(simulations=limit.simulations, seconds=limit.seconds, seed=seed, report=told)
        )


def analysis_of(position: Position, thought: dict[str, Any]) -> Analysis:
    """A thought of the engine as an Analysis."""
    visits = sum(move["visits"] for move in thought["moves"])
    even = 1 / len(thought["moves"])

    def read_move(_: int, move: Mapping[str, Any], known: Known | None, distance: int | None) -> MoveAnalysis:
        low, high = interval(move["value"], move["visits"]) if known is None else (move["value"], move["value"])
        return MoveAnalysis(
            move["move"],
            share=move["visits"] / visits if visits else even,
            value=move["value"] if move["visits"] or known else None,
            low=low,
            high=high,
            visits=move["visits"],
            prior=move["prior"],
            known=known,
            distance=None if distance is None else distance + 1,
            line=tuple(move["line"]),
        )

    return read_thought(position, thought, read_move, lambda known: thought["value"] if visits or known else None)
