"""Tournament results, cached until another game finishes because ratings from many games are slow to compute."""

from __future__ import annotations

import threading
from datetime import datetime

from cachetools import LRUCache

from plyground.arena.standings import Standings
from plyground.arena.tournament import Tournament
from plyground.store import FinishedGame, Store
from plyground.store import Tournament as StoredTournament

MAX_CACHED = 16
"""Maximum number of entries in each cache."""
Key = tuple[str, datetime, int]


class TournamentResults:
    """Finished games and standings, cached by tournament and number of finished games."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._games: LRUCache[Key, list[FinishedGame]] = LRUCache(MAX_CACHED)
        self._standings: LRUCache[Key, Standings] = LRUCache(MAX_CACHED)
        self._lock = threading.Lock()
        """Held while results are computed, so that each is computed only once."""

    def games(self, stored: StoredTournament) -> list[FinishedGame]:
        """Return the finished games in schedule order."""
        with self._lock:
            return self._find_games(stored)

    def standings(self, stored: StoredTournament) -> Standings:
        """Return the standings after all finished games."""
        with self._lock:
            key = _key(stored)
            table = self._standings.get(key)
            if table is None:
                table = Tournament(self._store, stored.name).standings(self._find_games(stored))
                self._standings[key] = table
            return table

    def _find_games(self, stored: StoredTournament) -> list[FinishedGame]:
        key = _key(stored)
        found = self._games.get(key)
        if found is None:
            found = self._games[key] = self._store.tournaments.results(stored.name)
        return found


def _key(stored: StoredTournament) -> Key:
    return stored.name, stored.created, stored.finished
