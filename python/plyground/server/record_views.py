"""Kept games as the page sees them."""

from __future__ import annotations

from plyground.errors import PlygroundError, UnknownNameError
from plyground.games import game
from plyground.records import Record
from plyground.server.boards import outcome_view
from plyground.server.views.library import RecordBrief, RecordView
from plyground.store import Kept


def record_view(record: Record, kept: Kept | None = None, visitor: str | None = None) -> RecordView:
    """A game with its moves; `kept` says what the store knows of it besides."""
    position = record.to_position()
    return RecordView(
        id=None if kept is None else kept.id,
        game=record.game,
        title=position.game.title,
        start=record.start,
        moves=position.history,
        notations=position.history_notation,
        players=dict(record.players),
        outcome=outcome_view(record.outcome),
        seed=None if record.seed is None else str(record.seed),
        started=record.started,
        headers=dict(record.headers),
        tags=[] if kept is None else list(kept.tags),
        created=None if kept is None else kept.created.isoformat(),
        yours=kept is not None and kept.owner is not None and kept.owner == visitor,
    )


def record_brief(kept: Kept, visitor: str) -> RecordBrief:
    """A game in a list."""
    record = kept.record
    return RecordBrief(
        id=kept.id,
        game=record.game,
        title=game_title(record.game),
        players=dict(record.players),
        outcome=outcome_view(record.outcome),
        plies=len(record.moves),
        tags=list(kept.tags),
        created=kept.created.isoformat(),
        yours=kept.owner == visitor,
    )


def check_known(record: Record) -> None:
    """An error if the game is not registered now, so that nobody can look at it."""
    try:
        game(record.game)
    except PlygroundError as error:
        raise UnknownNameError(f"the game cannot be shown: {error}") from error


def game_title(spec: str) -> str:
    """What a game is called; the spec of one of the user's own that is not registered now."""
    try:
        return game(spec).title
    except PlygroundError:
        return spec
