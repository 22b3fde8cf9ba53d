"""The memory that agents keep between searches: trees and transposition tables."""

from __future__ import annotations

import threading
import time
import weakref
from collections import OrderedDict
from typing import NamedTuple

from plyground.agents import Agent


class _Kept(NamedTuple):
    agent: weakref.ref[Agent]
    mebibytes: float
    used: float
    """Time of the last search."""


class AgentMemory:
    """Frees the memory of agents, least recently used first, if they keep too much in total or were idle too long."""

    def __init__(self, max_mebibytes: float, max_idle_s: float) -> None:
        self._max_mebibytes = max_mebibytes
        self._max_idle_s = max_idle_s
        self._kept: OrderedDict[int, _Kept] = OrderedDict()
        """By the `id()` of the agent, least recently used first."""
        self._lock = threading.Lock()

    @property
    def mebibytes(self) -> float:
        """Memory kept by all agents, in MiB."""
        with self._lock:
            return self._total()

    def record(self, agent: Agent, mebibytes: float) -> None:
        """Record the memory that an agent keeps after a search, and free that of other agents if necessary."""
        with self._lock:
            self._kept[id(agent)] = _Kept(weakref.ref(agent), mebibytes, time.monotonic())
            self._kept.move_to_end(id(agent))
        self.free_excess()

    def free_excess(self) -> None:
        """Free the memory of agents that were idle too long, and of others until the total is within the limit."""
        now = time.monotonic()
        with self._lock:
            excess = []
            while self._kept:
                key, kept = next(iter(self._kept.items()))
                is_idle = now - kept.used > self._max_idle_s
                if kept.agent() is not None and not is_idle and self._total() <= self._max_mebibytes:
                    break
                excess.append(self._kept.pop(key).agent())
        for agent in excess:
            if agent is not None:
                agent.clear()

    def free(self, agent: Agent) -> None:
        """Free the memory of an agent that is no longer needed."""
        with self._lock:
            self._kept.pop(id(agent), None)
        agent.clear()

    def _total(self) -> float:
        return sum(kept.mebibytes for kept in self._kept.values() if kept.agent() is not None)
