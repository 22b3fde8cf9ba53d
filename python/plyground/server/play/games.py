"""The games of all visitors."""

from __future__ import annotations

import asyncio
import secrets
import threading
import time

from plyground.errors import UnknownNameError
from plyground.games import game as make_game
from plyground.server.play.live import HumanMoveHook, LiveGame, stored_game
from plyground.server.play.models import GameBrief, NewGameRequest
from plyground.server.play.new_games import new_state, rematch_state
from plyground.server.play.state import GameState
from plyground.server.play.views import game_brief
from plyground.server.search.services import SearchServices
from plyground.store import Store, VisitorGame

MAX_LIVE_GAMES = 2000
"""Number of games in memory above which the least recently used idle ones are unloaded."""


class Games:
    """Creates, loads and deletes games. `get` returns only a visitor's own games."""

    def __init__(self, store: Store, search: SearchServices, on_human_move: HumanMoveHook) -> None:
        self._store = store
        self._search = search
        self._on_human_move = on_human_move
        self._live: dict[str, LiveGame] = {}
        self._lock = threading.Lock()

    def create(self, owner: str, request: NewGameRequest) -> LiveGame:
        """Start and store a new game."""
        return self._add(owner, new_state(request, self._search.players))

    def rematch(self, owner: str, game_id: str) -> LiveGame:
        """Start a game between the same players with sides swapped."""
        return self._add(owner, rematch_state(self.get(owner, game_id).state))

    def get(self, owner: str, game_id: str) -> LiveGame:
        """Return a visitor's game."""
        live = self.find(game_id)
        if live.owner != owner:
            raise UnknownNameError("game not found")
        return live

    def find(self, game_id: str) -> LiveGame:
        """Return any visitor's game. If it is loaded from the store, its agent starts thinking again."""
        with self._lock:
            live = self._live.get(game_id)
        if live is None:
            live = self._load(self._store.visitor_games.get(game_id))
        live.last_used = time.monotonic()
        return live

    def briefs(self, owner: str, game: str | None, over: bool | None, limit: int) -> list[GameBrief]:
        """Return a visitor's games, most recently changed first."""
        found = self._store.visitor_games.find(owner, game=game, over=over, limit=limit)
        return [game_brief(stored) for stored in found]

    def current(self, owner: str, game: str) -> LiveGame | None:
        """Return the visitor's most recently changed game with a human player."""
        spec = make_game(game).spec
        found = self._store.visitor_games.find(owner, game=spec, watched=False, limit=1)
        return self.find(found[0].id) if found else None

    def delete(self, owner: str, game_id: str) -> None:
        """Delete a game."""
        live = self.get(owner, game_id)
        with live.lock:
            live.agents.cancel()
            self._store.visitor_games.delete([game_id])
            with self._lock:
                self._live.pop(game_id, None)
        live.notify(changed=True)

    def exists(self, live: LiveGame) -> bool:
        """Whether a game has not been deleted."""
        with self._lock:
            return self._live.get(live.id) is live

    async def wait_for_agent(self, live: LiveGame, seconds: float) -> None:
        """Wait until no agent is about to move, or until the time is up."""
        loop, changed = asyncio.get_running_loop(), asyncio.Event()

        def subscriber(_: LiveGame, is_change: bool) -> None:
            if is_change:
                loop.call_soon_threadsafe(changed.set)

        live.subscribe(subscriber)
        try:
            deadline = loop.time() + seconds
            while live.is_thinking and (remaining := deadline - loop.time()) > 0:
                changed.clear()
                if live.is_thinking:
                    try:
                        await asyncio.wait_for(changed.wait(), remaining)
                    except TimeoutError:
                        return
        finally:
            live.unsubscribe(subscriber)

    def _add(self, owner: str, state: GameState) -> LiveGame:
        self._enforce_quota(owner)
        is_over = state.position().outcome is not None
        stored = stored_game(secrets.token_urlsafe(9), owner, state, is_over=is_over)
        self._store.visitor_games.add(stored)
        return self._load(stored)

    def _load(self, stored: VisitorGame) -> LiveGame:
        live = LiveGame(stored, self._store, self._search, self._on_human_move)
        with self._lock:
            live = self._live.setdefault(stored.id, live)
            if len(self._live) > MAX_LIVE_GAMES:
                self._unload_idle()
        live.activate()
        return live

    def _unload_idle(self) -> None:
        """Unload the least recently used idle games. Call it under the lock."""
        idle = [live for live in self._live.values() if live.is_idle]
        for live in sorted(idle, key=lambda live: live.last_used)[: MAX_LIVE_GAMES // 10]:
            del self._live[live.id]

    def _enforce_quota(self, owner: str) -> None:
        """Delete a visitor's oldest games to make room for a new one; finished ones stay in the library."""
        games, quota = self._store.visitor_games, self._search.settings.games
        if games.count(owner) >= quota:
            oldest = games.find(owner, limit=quota + 100)[quota - 1 :]
            games.delete([stored.id for stored in oldest])
            with self._lock:
                for stored in oldest:
                    self._live.pop(stored.id, None)
