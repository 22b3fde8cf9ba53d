"""Tournaments in the store: a schedule of games, and which of them are played.

A tournament is pure data: its settings and a list of jobs, one for each game. Whoever runs it asks for the jobs that
are left, plays them in any order, on any machine, and finishes each with its record. A program that is killed loses
the games it was playing and no other; the next one asks for the jobs that are left and goes on. A job that is
finished twice, by two programs or by one that did not hear the answer, counts once: the first record stays.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session

from plyground.errors import ParseError, StoreError, UnknownNameError
from plyground.records import Record
from plyground.store.data import to_json
from plyground.store.database import Database
from plyground.store.entries import Added, Job, Played, Tournament
from plyground.store.models import AgentRow, JobRow, RecordRow, SeatRow, TournamentRow
from plyground.store.records import add_records, outcome_of

LONGEST_NAME = 200
MOST_JOBS = 1_000_000


class Tournaments:
    """Schedules, what is left of them, and what came of them."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def create(self, name: str, game: str, settings: Mapping[str, Any], jobs: Iterable[Job]) -> Tournament:
        """Begin a tournament; one of the same name, or two jobs with the same key, are an error."""
        planned = list(jobs)
        _check(name, planned)
        with self._database.writing() as session:
            if session.scalar(select(TournamentRow.id).where(TournamentRow.name == name)) is not None:
                raise StoreError(f"there is a tournament {name!r} already; go on with it, or choose another name")
            row = TournamentRow(name=name, game=game, settings=to_json(dict(settings)), created=datetime.now(UTC))
            session.add(row)
            session.flush()
            rows = [{"tournament_id": row.id, "key": job.key, "payload": to_json(dict(job.payload))} for job in planned]
            if rows:
                session.execute(JobRow.__table__.insert(), rows)  # type: ignore[attr-defined]
            return Tournament(name, game, dict(settings), row.created, len(planned), 0)

    def get(self, name: str) -> Tournament:
        """A tournament and how far it is."""
        with self._database.reading() as session:
            return _told(session, _row(session, name))

    def all(self) -> list[Tournament]:
        """Every tournament, the newest first."""
        with self._database.reading() as session:
            rows = session.scalars(select(TournamentRow).order_by(TournamentRow.id.desc()))
            return [_told(session, row) for row in rows]

    def jobs_left(self, name: str, limit: int | None = None) -> list[Job]:
        """The games that are still to be played, in the order of the schedule."""
        with self._database.reading() as session:
            row = _row(session, name)
            query = select(JobRow.key, JobRow.payload).where(JobRow.tournament_id == row.id, JobRow.record_id.is_(None))
            found = session.execute(query.order_by(JobRow.id).limit(limit))
            return [Job(key, json.loads(payload)) for key, payload in found]

    def finish_job(self, name: str, key: str, record: Record) -> Added:
        """Keep the game of a job, which is on disk when this returns; if it was finished before, that game stays."""
        with self._database.writing() as session:
            query = select(JobRow).where(JobRow.tournament_id == _row(session, name).id, JobRow.key == key)
            job = session.scalar(query.with_for_update())
            if job is None:
                raise UnknownNameError(f"the tournament {name!r} has no job {key[:80]!r}")
            if job.record_id is not None:
                return Added(job.record_id, is_new=False)
            (added,) = add_records(session, [record], owner=None)
            job.record_id = added.id
            return Added(added.id, is_new=True)

    def results(self, name: str) -> list[Played]:
        """The finished games in the order of the schedule."""
        with self._database.reading() as session:
            number = _row(session, name).id
            seats: dict[int, dict[str, str]] = {}
            sitting = (
                select(SeatRow.record_id, SeatRow.side, AgentRow.spec)
                .join(AgentRow)
                .where(SeatRow.record_id.in_(select(JobRow.record_id).where(JobRow.tournament_id == number)))
                .order_by(SeatRow.record_id, SeatRow.number)
            )
            for record_id, side, spec in session.execute(sitting):
                seats.setdefault(record_id, {})[side] = spec
            query = (
                select(JobRow.key, JobRow.payload, RecordRow.id, RecordRow.winner, RecordRow.reason, RecordRow.plies)
                .add_columns(RecordRow.headers)
                .join(RecordRow, RecordRow.id == JobRow.record_id)
                .where(JobRow.tournament_id == number)
                .order_by(JobRow.id)
            )
            return [
                Played(
                    key,
                    json.loads(payload),
                    id_,
                    seats.get(id_, {}),
                    outcome_of(winner, reason),
                    plies,
                    json.loads(headers or "{}"),
                )
                for key, payload, id_, winner, reason, plies, headers in session.execute(query)
            ]

    def delete(self, name: str) -> None:
        """Forget a tournament and its schedule; its games stay among the records."""
        with self._database.writing() as session:
            session.execute(delete(TournamentRow).where(TournamentRow.id == _row(session, name).id))


def _check(name: str, jobs: list[Job]) -> None:
    if not 0 < len(name) <= LONGEST_NAME or not name.isprintable():
        raise ParseError(f"tournament {name[:80]!r}: accepted are names of 1 to {LONGEST_NAME} printable characters")
    if len(jobs) > MOST_JOBS:
        raise ParseError(f"a tournament of {len(jobs)} games: accepted are at most {MOST_JOBS}")
    seen: set[str] = set()
    for job in jobs:
        if not 0 < len(job.key) <= LONGEST_NAME or not job.key.isprintable() or job.key in seen:
            raise ParseError(f"job {job.key[:80]!r}: accepted are different keys of 1 to {LONGEST_NAME} characters")
        seen.add(job.key)


def _row(session: Session, name: str) -> TournamentRow:
    row = session.scalar(select(TournamentRow).where(TournamentRow.name == name))
    if row is None:
        names = session.scalars(select(TournamentRow.name).order_by(TournamentRow.id.desc()).limit(20)).all()
        raise UnknownNameError(f"no tournament is called {name[:80]!r}; there are: {', '.join(names) or 'none'}")
    return row


def _told(session: Session, row: TournamentRow) -> Tournament:
    counts = select(func.count(JobRow.id), func.count(JobRow.record_id)).where(JobRow.tournament_id == row.id)
    jobs, finished = session.execute(counts).one()
    return Tournament(row.name, row.game, json.loads(row.settings), row.created, jobs, finished)
