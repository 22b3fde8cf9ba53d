"""Games of visitors of the page, and links under which others may look at them."""

from __future__ import annotations

import json
import threading
from datetime import UTC, datetime

from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session

from plyground.errors import StoreError, UnknownNameError
from plyground.records import Record
from plyground.store.database import Database, to_json
from plyground.store.entries import Play
from plyground.store.models import PlayRow, RecordRow, ShareRow
from plyground.store.records import add_records, replace_record


class Plays:
    """Keeping games move by move. Threads of one program write in turn: waiting for SQLite would be less fair."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._turn = threading.Lock()

    def add(self, play: Play) -> Play:
        """A new game."""
        now = datetime.now(UTC)
        with self._turn, self._database.writing() as session:
            session.add(
                PlayRow(
                    id=play.id,
                    owner=play.owner,
                    game=play.game,
                    is_watched=play.is_watched,
                    is_over=play.is_over,
                    state=to_json(dict(play.state)),
                    created=now,
                    updated=now,
                )
            )
        return play

    def save(self, play: Play, record: Record | None = None) -> int | None:
        """Keep a game as it stands now, on disk when this returns; a record goes among the records with it.

        The number of the game among the records, if it is there.
        """
        with self._turn, self._database.writing() as session:
            row = _row(session, play.id)
            row.state = to_json(dict(play.state))
            row.is_watched, row.is_over, row.updated = play.is_watched, play.is_over, datetime.now(UTC)
            if record is not None:
                row.record_id = _keep(session, row, record)
            return row.record_id

    def get(self, id: str) -> Play:  # noqa: A002
        """A game by its id, whoever's it is."""
        with self._database.reading() as session:
            return _told(_row(session, id))

    def find(
        self,
        owner: str,
        *,
        game: str | None = None,
        over: bool | None = None,
        watched: bool | None = None,
        limit: int = 50,
    ) -> list[Play]:
        """A visitor's games, the latest changed first."""
        query = select(PlayRow).where(PlayRow.owner == owner)
        if game is not None:
            query = query.where(PlayRow.game == game)
        if over is not None:
            query = query.where(PlayRow.is_over == over)
        if watched is not None:
            query = query.where(PlayRow.is_watched == watched)
        with self._database.reading() as session:
            return [_told(row) for row in session.scalars(query.order_by(PlayRow.updated.desc()).limit(limit))]

    def count(self, owner: str) -> int:
        """How many games a visitor has."""
        with self._database.reading() as session:
            return session.scalar(select(func.count(PlayRow.id)).where(PlayRow.owner == owner)) or 0

    def delete(self, ids: list[str]) -> None:
        """Forget games; what ended stays among the records."""
        with self._turn, self._database.writing() as session:
            session.execute(delete(PlayRow).where(PlayRow.id.in_(ids)))

    def share(self, digest: str, *, play: str | None = None, record: int | None = None) -> None:
        """Let whoever has the token with this digest look at a game."""
        with self._turn, self._database.writing() as session:
            session.add(ShareRow(digest=digest, play_id=play, record_id=record, created=datetime.now(UTC)))

    def shared(self, digest: str) -> tuple[str | None, int | None]:
        """What a link shows: the id of a game, or the number of a record."""
        with self._database.reading() as session:
            row = session.get(ShareRow, digest)
            if row is None:
                raise UnknownNameError("no such link; whoever made it may have deleted the game")
            return row.play_id, row.record_id


def _keep(session: Session, row: PlayRow, record: Record) -> int:
    if row.record_id is not None and session.get(RecordRow, row.record_id) is not None:
        try:
            replace_record(session, row.record_id, record)
        except StoreError:  # the very same game is kept under another number
            return row.record_id
        return row.record_id
    return add_records(session, [record], row.owner)[0].id


def _row(session: Session, id: str) -> PlayRow:  # noqa: A002
    row = session.get(PlayRow, id)
    if row is None:
        raise UnknownNameError("there is no such game")
    return row


def _told(row: PlayRow) -> Play:
    return Play(
        row.id,
        row.owner,
        row.game,
        json.loads(row.state),
        row.is_watched,
        row.is_over,
        row.record_id,
        row.updated,
    )
