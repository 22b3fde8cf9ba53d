"""The services that other features need to run searches."""

from __future__ import annotations

from dataclasses import dataclass, replace

from plyground._engine import Position
from plyground.agents import Agent, Analysis, Limit
from plyground.agents.analysis import ReportCallback
from plyground.server.search.exact import ExactValues
from plyground.server.search.memory import AgentMemory
from plyground.server.search.players import PlayerFactory
from plyground.server.search.pool import SearchPool, SearchTask
from plyground.server.search.results import RecentResults
from plyground.server.search.timers import Timers
from plyground.server.security.presence import Presence
from plyground.server.settings import Settings
from plyground.server.workers.agents import WorkerAgent
from plyground.server.workers.pool import WorkerPool


@dataclass(frozen=True)
class SearchServices:
    """Everything needed to run a search."""

    settings: Settings
    pool: SearchPool
    worker_pool: SearchPool
    """Threads that wait for worker processes, so that Python code that blocks does not hold up other searches."""
    workers: WorkerPool
    timers: Timers
    players: PlayerFactory
    exact: ExactValues
    results: RecentResults
    memory: AgentMemory
    presence: Presence

    def pool_for(self, agent: Agent) -> SearchPool:
        """Return the pool for the searches of an agent."""
        return self.worker_pool if isinstance(agent, WorkerAgent) else self.pool

    def analyse(
        self,
        task: SearchTask,
        agent: Agent,
        position: Position,
        limit: Limit | None = None,
        *,
        seed: int,
        report: ReportCallback = None,
    ) -> Analysis:
        """Analyse a position within the time limit of a task and the memory limit of the server."""
        limit = limit or Limit()
        if limit.mebibytes is None:
            limit = replace(limit, mebibytes=self.settings.mebibytes)
        with task.searching():
            analysis = agent.analyse(position, limit, seed=seed, report=report)
        self.memory.record(agent, analysis.mebibytes)
        return analysis
