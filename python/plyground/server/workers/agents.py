"""Agents whose analyses run in a worker process."""

from __future__ import annotations

import itertools
import weakref
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from plyground._engine import Position
from plyground.agents import Agent, Analysis, Budget, Limit
from plyground.agents.analysis import GameResult
from plyground.games import position as make_position
from plyground.levels import agent as make_agent
from plyground.levels import player
from plyground.server.workers.pool import WorkerPool
from plyground.server.workers.process import Call

_keys = itertools.count()


@dataclass(frozen=True)
class Recipe:
    """How to create an agent in another process."""

    game: str
    text: str
    """A level of the game or a spec."""
    options: tuple[tuple[str, str], ...] = ()
    """Options that replace those of the spec."""

    def create(self) -> Agent:
        """Create the agent."""
        return make_agent(self.text, **dict(self.options)) if self.options else player(self.game, self.text)


@dataclass(frozen=True)
class Line:
    """A position as plain data."""

    game: str
    start: str
    moves: tuple[str, ...]

    @classmethod
    def of(cls, position: Position) -> Line:
        """Return the line that leads to a position."""
        return cls(position.game.spec, position.replay(0).text, tuple(position.history))

    def position(self) -> Position:
        """Return the position."""
        return make_position(self.game, self.start, self.moves)


@dataclass(frozen=True)
class TreeTop:
    """The most visited nodes of a search tree."""

    rows: list[dict[str, Any]]
    """As `Search.top_nodes` returns them."""
    nodes: int
    """Number of nodes in the tree."""
    options: dict[str, str]
    """The options of the search."""


class AgentHost:
    """An agent in a worker process."""

    def __init__(self, recipe: Recipe) -> None:
        self._agent = recipe.create()
        self._results = 0
        """Number of game results reported to the agent."""
        self.mebibytes = 0.0
        """Memory that the agent keeps, in MiB."""

    def analyse(
        self, call: Call, line: Line, limit: Limit, seed: int, moves: Sequence[str], results: Sequence[GameResult]
    ) -> Analysis:
        """Analyse a position; the result omits the position, which the caller already has."""
        for result in results[self._results :]:
            self._agent.report_result(result)
        self._results = len(results)
        budget = Budget(limit, report=lambda analysis: call.report(_without_position(analysis)), moves=moves)
        call.on_stop(budget.stop)
        analysis = self._agent.analyse(line.position(), budget, seed=seed)
        self.mebibytes = analysis.mebibytes
        return _without_position(analysis)

    def tree_top(self, max_nodes: int) -> TreeTop | None:
        """Return the top of the agent's tree, if it has one."""
        return tree_top(self._agent, max_nodes)


class WorkerAgent(Agent):
    """Proxy for an agent in a worker process, which also keeps its search tree there."""

    name = "worker"
    description = "an agent in a worker process"
    can_restrict_moves = True

    def __init__(self, workers: WorkerPool, recipe: Recipe) -> None:
        super().__init__()
        local = recipe.create()  # only for its attributes; never searches
        self.spec, self.default_limit, self.runs_python = local.spec, local.default_limit, local.runs_python
        self._limits_itself = local.limits_itself
        self._workers = workers
        self._recipe = recipe
        self._key = f"agent {next(_keys)}"
        self._results: list[GameResult] = []
        weakref.finalize(self, workers.forget_later, self._key)

    @property
    def limits_itself(self) -> bool:
        """Whether an analysis without a limit is short."""
        return self._limits_itself

    def effective_limit(self, limit: Limit) -> Limit:
        """Return the caller's limit, because the agent's default is applied in the worker."""
        return limit

    def report_result(self, result: GameResult) -> None:
        """Record a game result to send to the worker with the next analysis."""
        self._results.append(result)

    def clear(self) -> None:
        """Drop the agent and its tree; the next analysis creates the agent again."""
        self._workers.forget(self._key)

    def tree_top(self, max_nodes: int) -> TreeTop | None:
        """Return the top of the agent's tree, if it has one."""
        found: TreeTop | None = self._workers.query(self._key, "tree_top", max_nodes)
        return found

    def _analyse(self, position: Position, budget: Budget, seed: int) -> Analysis:
        report = budget.report
        analysis: Analysis = self._workers.call(
            self._key,
            partial(AgentHost, self._recipe),
            "analyse",
            Line.of(position),
            budget.limit,
            seed,
            tuple(budget.moves),
            tuple(self._results),
            budget=budget,
            report=None if report is None else lambda analysis: report(replace(analysis, position=position)),
        )
        return replace(analysis, position=position)


def tree_top(agent: Agent, max_nodes: int) -> TreeTop | None:
    """Return the most visited nodes of an agent's tree, or None if it has none. The search may still be running."""
    if isinstance(agent, WorkerAgent):
        return agent.tree_top(max_nodes)
    search = agent.tree
    rows = [] if search is None else search.top_nodes(max_nodes)
    if search is None or not rows:
        return None
    return TreeTop(rows, search.analysis()["nodes"], search.options)


def _without_position(analysis: Analysis) -> Analysis:
    return replace(analysis, position=None)  # type: ignore[arg-type]
