"""Read-only share links."""

from __future__ import annotations

import secrets

from plyground.errors import UnknownNameError
from plyground.server.library.library import Library
from plyground.server.library.models import SharedView
from plyground.server.library.views import record_view
from plyground.server.play.games import Games
from plyground.server.play.live import LiveGame
from plyground.server.play.models import ShareView
from plyground.server.play.views import game_view
from plyground.server.security.tokens import token_digest
from plyground.store import Store


class Sharing:
    """Creates and opens share links."""

    def __init__(self, store: Store, games: Games, library: Library) -> None:
        self._store, self._games, self._library = store, games, library

    def share_game(self, visitor: str, game_id: str) -> ShareView:
        """Create a link that shows a visitor's game live."""
        return self._create_link(game_id=self._games.get(visitor, game_id).id)

    def share_record(self, visitor: str, record_id: str) -> ShareView:
        """Create a link to a stored game."""
        return self._create_link(record_id=self._library.get(visitor, record_id).id)

    def open(self, token: str) -> SharedView:
        """Return the game that a link shows."""
        game_id, record_id = self._store.visitor_games.shared(token_digest(token))
        if game_id is not None:
            return SharedView(game=game_view(self._games.find(game_id), read_only=True))
        if record_id is None:
            raise UnknownNameError("unknown share link; the game may have been deleted")
        stored = self._store.records.get(record_id)
        return SharedView(record=record_view(stored.record, stored, tournament=self._library.tournament(stored)))

    def open_live(self, token: str) -> LiveGame:
        """Return the game in progress that a link shows."""
        game_id, _ = self._store.visitor_games.shared(token_digest(token))
        if game_id is None:
            raise UnknownNameError("this link shows a finished game, which sends no updates")
        return self._games.find(game_id)

    def _create_link(self, *, game_id: str | None = None, record_id: int | None = None) -> ShareView:
        token = secrets.token_urlsafe(16)
        self._store.visitor_games.share(token_digest(token), visitor_game_id=game_id, record_id=record_id)
        return ShareView(token=token, address=f"/shared/{token}")
