"""Conversion of stored games to API models."""

from __future__ import annotations

from plyground.errors import PlygroundError, UnknownNameError
from plyground.games import game
from plyground.opening_names import opening_of
from plyground.records import Record
from plyground.server.library.models import RecordBrief, RecordView, TournamentRef
from plyground.server.positions.trees import tree_data
from plyground.server.positions.views import opening_view, outcome_view
from plyground.store import StoredRecord


def record_view(
    record: Record,
    stored: StoredRecord | None = None,
    visitor: str | None = None,
    tournament: TournamentRef | None = None,
) -> RecordView:
    """Return a game with its moves; `stored` adds its ID, tags, owner and creation time."""
    position = record.to_position()
    return RecordView(
        id=None if stored is None else stored.public_id,
        game=record.game,
        title=position.game.title,
        start=record.start,
        moves=position.history,
        notations=position.history_notation,
        opening=opening_view(opening_of(record.game, record.start, record.moves)),
        tree=tree_data(record),
        players=dict(record.players),
        outcome=outcome_view(record.outcome),
        seed=None if record.seed is None else str(record.seed),
        started=record.started,
        headers=dict(record.headers),
        tags=[] if stored is None else list(stored.tags),
        created=None if stored is None else stored.created.isoformat(),
        is_owner=stored is not None and stored.owner is not None and stored.owner == visitor,
        tournament=tournament,
    )


def record_brief(stored: StoredRecord, visitor: str) -> RecordBrief:
    """Return a game as a list entry."""
    record = stored.record
    return RecordBrief(
        id=stored.public_id,
        game=record.game,
        title=game_title(record.game),
        players=dict(record.players),
        outcome=outcome_view(record.outcome),
        plies=len(record.moves),
        opening=opening_view(opening_of(record.game, record.start, record.moves)),
        tags=list(stored.tags),
        created=stored.created.isoformat(),
        is_owner=stored.owner == visitor,
    )


def check_registered(record: Record) -> None:
    """Raise if the record's game is a user game that is not registered."""
    try:
        game(record.game)
    except PlygroundError as error:
        raise UnknownNameError(f"the game cannot be shown: {error}") from error


def game_title(spec: str) -> str:
    """Return the title of a game, or the spec of a user game that is not registered."""
    try:
        return game(spec).title
    except PlygroundError:
        return spec
