"""Tournaments in the store: a schedule of games and the results of the finished ones.

A tournament consists of settings and scheduled games. A program that runs it requests the remaining games, plays them
in any order on any machine, and stores the record of each. A killed program loses only the games it was playing:
the next one requests the remaining games and resumes. Finishing a game twice is harmless; the first record is kept.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session

from plyground.errors import ParseError, StoreError, UnknownNameError, unknown_name
from plyground.records import Record
from plyground.store.data import to_json
from plyground.store.database import Database
from plyground.store.entries import AddResult, FinishedGame, ScheduledGame, Tournament
from plyground.store.models import AgentRow, RecordRow, ScheduledGameRow, SeatRow, TournamentRow
from plyground.store.records import add_records, outcome_from_columns

MAX_NAME = 200
"""Maximum length of a tournament's name and of a game's key, in characters."""
MAX_GAMES = 1_000_000
"""Maximum number of games in a schedule."""


class Tournaments:
    """Stores schedules and results, and finds remaining games."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def create(self, name: str, game: str, settings: Mapping[str, Any], games: Iterable[ScheduledGame]) -> Tournament:
        """Store a new tournament; its name and the keys of its games must be unique."""
        schedule = list(games)
        _check(name, schedule)
        with self._database.writing() as session:
            if session.scalar(select(TournamentRow.id).where(TournamentRow.name == name)) is not None:
                raise StoreError(f"tournament {name!r} already exists; resume it or choose another name")
            row = TournamentRow(name=name, game=game, settings=to_json(dict(settings)), created=datetime.now(UTC))
            session.add(row)
            session.flush()
            rows = [
                {"tournament_id": row.id, "key": scheduled.key, "payload": to_json(dict(scheduled.payload))}
                for scheduled in schedule
            ]
            if rows:
                session.execute(ScheduledGameRow.__table__.insert(), rows)  # type: ignore[attr-defined]
            return Tournament(name, game, dict(settings), row.created, len(schedule), 0)

    def get(self, name: str) -> Tournament:
        """Return a tournament by name."""
        with self._database.reading() as session:
            return _to_tournament(session, _row(session, name))

    def all(self) -> list[Tournament]:
        """Return all tournaments, newest first."""
        with self._database.reading() as session:
            rows = session.scalars(select(TournamentRow).order_by(TournamentRow.id.desc()))
            return [_to_tournament(session, row) for row in rows]

    def remaining(self, name: str, limit: int | None = None) -> list[ScheduledGame]:
        """Return the unfinished games, in schedule order."""
        with self._database.reading() as session:
            row = _row(session, name)
            query = (
                select(ScheduledGameRow.key, ScheduledGameRow.payload)
                .where(ScheduledGameRow.tournament_id == row.id, ScheduledGameRow.record_id.is_(None))
                .order_by(ScheduledGameRow.id)
                .limit(limit)
            )
            return [ScheduledGame(key, json.loads(payload)) for key, payload in session.execute(query)]

    def finish_game(self, name: str, key: str, record: Record) -> AddResult:
        """Store the record of a scheduled game; if the game is already finished, its first record is kept."""
        record.check()
        with self._database.writing() as session:
            query = select(ScheduledGameRow).where(
                ScheduledGameRow.tournament_id == _row(session, name).id, ScheduledGameRow.key == key
            )
            scheduled = session.scalar(query.with_for_update())
            if scheduled is None:
                raise UnknownNameError(f"tournament {name!r} has no game {key[:80]!r}")
            if scheduled.record_id is not None:
                query_id = select(RecordRow.public_id).where(RecordRow.id == scheduled.record_id)
                return AddResult(scheduled.record_id, session.scalars(query_id).one(), is_new=False)
            (added,) = add_records(session, [record], owner=None)
            scheduled.record_id = added.id
            return AddResult(added.id, added.public_id, is_new=True)

    def results(self, name: str) -> list[FinishedGame]:
        """Return the finished games, in schedule order."""
        with self._database.reading() as session:
            tournament_id = _row(session, name).id
            record_ids = select(ScheduledGameRow.record_id).where(ScheduledGameRow.tournament_id == tournament_id)
            seats = (
                select(SeatRow.record_id, SeatRow.side, AgentRow.spec)
                .join(AgentRow)
                .where(SeatRow.record_id.in_(record_ids))
                .order_by(SeatRow.record_id, SeatRow.number)
            )
            players: dict[int, dict[str, str]] = {}
            for record_id, side, spec in session.execute(seats):
                players.setdefault(record_id, {})[side] = spec
            query = (
                select(ScheduledGameRow.key, ScheduledGameRow.payload, RecordRow.id, RecordRow.public_id)
                .add_columns(RecordRow.winner, RecordRow.reason, RecordRow.plies, RecordRow.headers)
                .join(RecordRow, RecordRow.id == ScheduledGameRow.record_id)
                .where(ScheduledGameRow.tournament_id == tournament_id)
                .order_by(ScheduledGameRow.id)
            )
            return [
                FinishedGame(
                    key,
                    json.loads(payload),
                    record_id,
                    public_id,
                    players.get(record_id, {}),
                    outcome_from_columns(winner, reason),
                    plies,
                    json.loads(headers or "{}"),
                )
                for key, payload, record_id, public_id, winner, reason, plies, headers in session.execute(query)
            ]

    def of_record(self, record_id: int) -> tuple[Tournament, Mapping[str, Any]] | None:
        """Return the latest tournament in which a record was played, with the payload of the game, or None."""
        with self._database.reading() as session:
            query = (
                select(ScheduledGameRow.payload, TournamentRow)
                .join(TournamentRow)
                .where(ScheduledGameRow.record_id == record_id)
                .order_by(TournamentRow.id.desc())
                .limit(1)
            )
            found = session.execute(query).first()
            return None if found is None else (_to_tournament(session, found[1]), json.loads(found[0]))

    def delete(self, name: str) -> None:
        """Delete a tournament and its schedule; the records of its games are kept."""
        with self._database.writing() as session:
            session.execute(delete(TournamentRow).where(TournamentRow.id == _row(session, name).id))


def _check(name: str, schedule: list[ScheduledGame]) -> None:
    if not 0 < len(name) <= MAX_NAME or not name.isprintable():
        raise ParseError(f"a tournament name must have 1 to {MAX_NAME} printable characters, got {name[:80]!r}")
    if len(schedule) > MAX_GAMES:
        raise ParseError(f"a tournament must have at most {MAX_GAMES} games, got {len(schedule)}")
    seen: set[str] = set()
    for scheduled in schedule:
        key = scheduled.key
        if not 0 < len(key) <= MAX_NAME or not key.isprintable():
            raise ParseError(f"a game key must have 1 to {MAX_NAME} printable characters, got {key[:80]!r}")
        if key in seen:
            raise ParseError(f"game keys must be unique, got {key[:80]!r} twice")
        seen.add(key)


def _row(session: Session, name: str) -> TournamentRow:
    row = session.scalar(select(TournamentRow).where(TournamentRow.name == name))
    if row is None:
        names = session.scalars(select(TournamentRow.name).order_by(TournamentRow.id.desc()).limit(20)).all()
        raise unknown_name("tournament", name, names)
    return row


def _to_tournament(session: Session, row: TournamentRow) -> Tournament:
    counts = select(func.count(ScheduledGameRow.id), func.count(ScheduledGameRow.record_id)).where(
        ScheduledGameRow.tournament_id == row.id
    )
    games, finished = session.execute(counts).one()
    return Tournament(row.name, row.game, json.loads(row.settings), row.created, games, finished)
