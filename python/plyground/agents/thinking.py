"""Analyses that run in a background thread."""

from __future__ import annotations

from concurrent.futures import Future
from threading import Thread

from plyground._engine import Position
from plyground.agents.agent import Agent
from plyground.agents.analysis import Analysis
from plyground.agents.budget import Budget


class Thinking:
    """An analysis in the background (see `Agent.start`)."""

    def __init__(self, agent: Agent, position: Position, budget: Budget, seed: int) -> None:
        self._future: Future[Analysis] = Future()
        self._budget = budget

        def analyse() -> None:
            try:
                self._future.set_result(agent.analyse(position, budget, seed=seed))
            except BaseException as error:  # noqa: BLE001  re-raised by `result`
                self._future.set_exception(error)

        Thread(target=analyse, name=f"analysis by {agent.name}", daemon=True).start()

    @property
    def is_thinking(self) -> bool:
        """Whether the analysis is in progress."""
        return not self._future.done()

    def stop(self) -> None:
        """Make the analysis return its current result."""
        self._budget.stop()

    def result(self, timeout: float | None = None) -> Analysis:
        """Wait for the analysis and return it; raise `TimeoutError` after `timeout` seconds."""
        return self._future.result(timeout)
