"""Recent game results of each visitor against each agent, so that agents know them in the next game."""

from __future__ import annotations

import threading

from cachetools import LRUCache

from plyground.agents.analysis import GameResult
from plyground.agents.mcts import RECENT_RESULTS

MAX_OPPONENTS = 10_000
"""Maximum number of combinations of visitor, game and player whose results are kept."""


class RecentResults:
    """The last ten results per visitor, game and player text, from the agent's point of view; lost on restart."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._results: LRUCache[tuple[str, str, str], tuple[GameResult, ...]] = LRUCache(MAX_OPPONENTS)

    def add(self, owner: str, game: str, text: str, result: GameResult) -> None:
        """Add the result of a finished game."""
        with self._lock:
            earlier = self._results.get((owner, game, text), ())
            self._results[owner, game, text] = (*earlier, result)[-RECENT_RESULTS:]

    def get(self, owner: str, game: str, text: str) -> tuple[GameResult, ...]:
        """Return the results, oldest first."""
        with self._lock:
            return self._results.get((owner, game, text), ())
