"""Games of visitors of the page, and links under which others may look at them."""

from __future__ import annotations

import json
import threading
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import delete, func, select, update
from sqlalchemy.orm import Session

from plyground.errors import StoreError, UnknownNameError
from plyground.records import Record
from plyground.store.data import to_json
from plyground.store.database import Database
from plyground.store.entries import Play
from plyground.store.models import PlayRow, RecordRow, ShareRow
from plyground.store.records import add_records, replace_record


@dataclass
class _Save:
    """A game that a thread waits to have kept."""

    play: Play
    record: Record | None
    number: int | None = None
    error: Exception | None = None
    is_done: bool = False


class Plays:
    """Keeping games move by move. Threads of one program write in turn: waiting for SQLite would be less fair.

    What many threads want to keep at the same time goes to disk together, each of them waiting until it is there.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._turn = threading.Lock()
        self._gate = threading.Lock()
        self._waiting: list[_Save] = []

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
        wish = _Save(play, record)
        with self._gate:
            self._waiting.append(wish)
        with self._turn:
            if not wish.is_done:  # nobody who had the turn before took it along
                with self._gate:
                    wishes, self._waiting = self._waiting, []
                self._write(wishes)
        if wish.error is not None:
            raise wish.error
        return wish.number

    def _write(self, wishes: list[_Save]) -> None:
        """Keep all of them in one transaction; where that fails each by itself, so that each hears of its own error."""
        try:
            with self._database.writing() as session:
                for wish in wishes:
                    wish.number = _save(session, wish)
        except Exception as error:  # noqa: BLE001  raised in the thread that waits for it
            if len(wishes) == 1:
                wishes[0].error = error
            for wish in wishes if len(wishes) > 1 else ():
                self._write([wish])
        for wish in wishes:
            wish.is_done = True

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


def _save(session: Session, wish: _Save) -> int | None:
    play, number = wish.play, wish.play.record_id
    if wish.record is not None:
        number = _keep(session, _row(session, play.id), wish.record)
    change = update(PlayRow).where(PlayRow.id == play.id)
    told: Any = session.execute(
        change.values(
            state=to_json(dict(play.state)),
            is_watched=play.is_watched,
            is_over=play.is_over,
            updated=datetime.now(UTC),
            record_id=number,
        ),
        execution_options={"synchronize_session": False},
    )
    if told.rowcount != 1:
        raise UnknownNameError("there is no such game")
    return number


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
