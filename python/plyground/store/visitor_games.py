"""Visitors' games in the web UI, and links for sharing them."""

from __future__ import annotations

import json
import threading
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import delete, func, select, update
from sqlalchemy.orm import Session

from plyground.errors import ChangedError, StoreError, UnknownNameError
from plyground.records import Record
from plyground.store.data import to_json
from plyground.store.database import Database
from plyground.store.entries import VisitorGame
from plyground.store.models import RecordRow, ShareRow, VisitorGameRow
from plyground.store.records import add_records, replace_record

NOT_FOUND = "game not found"
_WITH_RECORD = select(VisitorGameRow, RecordRow.public_id).outerjoin(RecordRow)
"""Query for games, each with the public id of its record."""


@dataclass
class _PendingSave:
    """A save that a thread is waiting for."""

    game: VisitorGame
    record: Record | None
    error: Exception | None = None
    is_done: bool = False


class VisitorGames:
    """Stores visitors' games after every move.

    Concurrent saves are combined into one transaction (group commit); each thread returns when its game is on disk.
    Threads in this process queue for a lock, which is fairer than SQLite's busy handler.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._write_lock = threading.Lock()
        self._pending_lock = threading.Lock()
        self._pending: list[_PendingSave] = []

    def add(self, game: VisitorGame) -> VisitorGame:
        """Store a new game."""
        now = datetime.now(UTC)
        with self._write_lock, self._database.writing() as session:
            session.add(
                VisitorGameRow(
                    id=game.id,
                    owner=game.owner,
                    game=game.game,
                    is_watched=game.is_watched,
                    is_over=game.is_over,
                    state=to_json(dict(game.state)),
                    version=game.version,
                    created=now,
                    updated=now,
                )
            )
        return game

    def save(self, game: VisitorGame, record: Record | None = None) -> VisitorGame:
        """Replace the previous version of a game, and add or replace its record if one is given.

        Return the game with the ids of its record. Raise `ChangedError` if the stored game is not the version before
        this one: another process has changed it meanwhile.
        """
        if record is not None:
            record.check()
        save = _PendingSave(game, record)
        with self._pending_lock:
            self._pending.append(save)
        with self._write_lock:
            if not save.is_done:  # no other thread wrote it while this one was waiting
                with self._pending_lock:
                    saves, self._pending = self._pending, []
                self._write(saves)
        if save.error is not None:
            raise save.error
        return save.game

    def _write(self, saves: list[_PendingSave]) -> None:
        """Write all saves in one transaction; if it fails, write each separately to find which save is at fault."""
        try:
            with self._database.writing() as session:
                saved = [_save(session, save) for save in saves]
        except Exception as error:  # noqa: BLE001  raised by the waiting thread
            if len(saves) == 1:
                saves[0].error = error
            else:
                for save in saves:
                    self._write([save])
        else:
            for save, game in zip(saves, saved, strict=True):
                save.game = game
        for save in saves:
            save.is_done = True

    def get(self, id: str) -> VisitorGame:  # noqa: A002
        """Return a game by id, regardless of its owner."""
        with self._database.reading() as session:
            row = session.execute(_WITH_RECORD.where(VisitorGameRow.id == id)).one_or_none()
            if row is None:
                raise UnknownNameError(NOT_FOUND)
            return _to_game(*row)

    def find(
        self,
        owner: str,
        *,
        game: str | None = None,
        over: bool | None = None,
        watched: bool | None = None,
        limit: int = 50,
    ) -> list[VisitorGame]:
        """Return a visitor's games, most recently updated first."""
        query = _WITH_RECORD.where(VisitorGameRow.owner == owner)
        if game is not None:
            query = query.where(VisitorGameRow.game == game)
        if over is not None:
            query = query.where(VisitorGameRow.is_over == over)
        if watched is not None:
            query = query.where(VisitorGameRow.is_watched == watched)
        query = query.order_by(VisitorGameRow.updated.desc()).limit(limit)
        with self._database.reading() as session:
            return [_to_game(*row) for row in session.execute(query)]

    def is_owner(self, visitor: str) -> bool:
        """Whether a visitor owns a game or a record."""
        with self._database.reading() as session:
            owned = (select(row.id).where(row.owner == visitor).limit(1) for row in (VisitorGameRow, RecordRow))
            return any(session.scalar(query) is not None for query in owned)

    def count(self, owner: str) -> int:
        """Return the number of a visitor's games."""
        with self._database.reading() as session:
            return session.scalar(select(func.count(VisitorGameRow.id)).where(VisitorGameRow.owner == owner)) or 0

    def delete(self, ids: list[str]) -> None:
        """Delete games; the records of finished games are kept."""
        with self._write_lock, self._database.writing() as session:
            session.execute(delete(VisitorGameRow).where(VisitorGameRow.id.in_(ids)))

    def share(self, digest: str, *, visitor_game_id: str | None = None, record_id: int | None = None) -> None:
        """Let anyone who has the token with this digest view a game or a record."""
        with self._write_lock, self._database.writing() as session:
            session.add(
                ShareRow(digest=digest, visitor_game_id=visitor_game_id, record_id=record_id, created=datetime.now(UTC))
            )

    def shared(self, digest: str) -> tuple[str | None, int | None]:
        """Return the ids of the shared game and of the shared record; one of them is None."""
        with self._database.reading() as session:
            row = session.get(ShareRow, digest)
            if row is None:
                raise UnknownNameError("unknown link; the game may have been deleted")
            return row.visitor_game_id, row.record_id


def _save(session: Session, save: _PendingSave) -> VisitorGame:
    game = save.game
    result: Any = session.execute(
        update(VisitorGameRow)
        .where(VisitorGameRow.id == game.id, VisitorGameRow.version == game.version - 1)
        .values(
            state=to_json(dict(game.state)),
            version=game.version,
            is_watched=game.is_watched,
            is_over=game.is_over,
            updated=datetime.now(UTC),
        ),
        execution_options={"synchronize_session": False},
    )
    if result.rowcount != 1:
        stored = _row(session, game.id)
        raise ChangedError(f"the game is at version {stored.version}, so version {game.version} cannot be stored")
    if save.record is None:
        return game
    row = _row(session, game.id)
    row.record_id, public_id = _save_record(session, row, save.record)
    return replace(game, record_id=row.record_id, public_record_id=public_id)


def _save_record(session: Session, row: VisitorGameRow, record: Record) -> tuple[int, str]:
    """Add or replace the record of a game; return its ids."""
    existing = None if row.record_id is None else session.get(RecordRow, row.record_id)
    if existing is None:
        added = add_records(session, [record], row.owner)[0]
        return added.id, added.public_id
    with suppress(StoreError):  # an identical game is stored under another id
        replace_record(session, existing.id, record)
    return existing.id, existing.public_id


def _row(session: Session, id: str) -> VisitorGameRow:  # noqa: A002
    row = session.get(VisitorGameRow, id)
    if row is None:
        raise UnknownNameError(NOT_FOUND)
    return row


def _to_game(row: VisitorGameRow, public_record_id: str | None) -> VisitorGame:
    return VisitorGame(
        row.id,
        row.owner,
        row.game,
        json.loads(row.state),
        row.is_watched,
        row.is_over,
        row.record_id,
        public_record_id,
        row.version,
        row.updated,
    )
