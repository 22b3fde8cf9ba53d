"""Showing games to others: links that only let look, and files."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterable

from fastapi import Response

from plyground.errors import UnknownNameError
from plyground.records import Record
from plyground.records.formats import FORMATS
from plyground.server.game_views import game_view
from plyground.server.games import Games
from plyground.server.library import Library
from plyground.server.live import LiveGame
from plyground.server.record_views import record_view
from plyground.server.views.games import ShareView
from plyground.server.views.library import SharedView
from plyground.store import Store

TYPES = {"json": "application/json", "pdn": "text/plain; charset=utf-8", "pgn": "application/x-chess-pgn"}


def digest(token: str) -> str:
    """What is kept of a secret: whoever reads the store cannot use it."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


class Sharing:
    """Makes and opens links."""

    def __init__(self, store: Store, games: Games, library: Library) -> None:
        self._store, self._games, self._library = store, games, library

    def share_game(self, visitor: str, game_id: str) -> ShareView:
        """A new link to a visitor's game as it stands at every moment."""
        return self._link(play=self._games.get(visitor, game_id).id)

    def share_record(self, visitor: str, number: int) -> ShareView:
        """A new link to a kept game."""
        return self._link(record=self._library.get(visitor, number).id)

    def _link(self, *, play: str | None = None, record: int | None = None) -> ShareView:
        token = secrets.token_urlsafe(16)
        self._store.plays.share(digest(token), play=play, record=record)
        return ShareView(token=token, address=f"/shared/{token}")

    def open(self, token: str) -> SharedView:
        """What a link shows."""
        play, record = self._store.plays.shared(digest(token))
        if play is not None:
            return SharedView(game=game_view(self._games.find(play), read_only=True))
        if record is None:
            raise UnknownNameError("no such link; whoever made it may have deleted the game")
        kept = self._store.records.get(record)
        return SharedView(record=record_view(kept.record, kept))

    def open_live(self, token: str) -> LiveGame:
        """The game that a link lets follow."""
        play, _ = self._store.plays.shared(digest(token))
        if play is None:
            raise UnknownNameError("this link shows a game that is over; there is nothing to follow")
        return self._games.find(play)


def exported(records: Iterable[Record], name: str, title: str) -> Response:
    """Games as a file to keep."""
    text = FORMATS[name].write(records)
    headers = {"Content-Disposition": f'attachment; filename="{title}.{name}"'}
    return Response(text, media_type=TYPES[name], headers=headers)
