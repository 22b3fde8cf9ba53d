"""What a server works on, so that the next one goes on with it."""

from __future__ import annotations

from datetime import UTC, datetime

from sqlalchemy import delete, select

from plyground.store.database import Database
from plyground.store.entries import Work
from plyground.store.models import WorkRow


class Works:
    """Who began which tournament or training run on the page, and whether it is to go on."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def put(self, work: Work) -> None:
        """Keep how some work stands."""
        with self._database.writing() as session:
            row = session.get(WorkRow, (work.kind, work.key))
            if row is None:
                row = WorkRow(kind=work.kind, key=work.key, created=datetime.now(UTC))
                session.add(row)
            row.owner, row.state, row.error = work.owner, work.state, work.error

    def get(self, kind: str, key: str) -> Work | None:
        """How some work stands; None where no server ever worked on it."""
        with self._database.reading() as session:
            row = session.get(WorkRow, (kind, key))
            return None if row is None else _told(row)

    def all(self) -> list[Work]:
        """Everything, in the order in which it was begun."""
        with self._database.reading() as session:
            return [_told(row) for row in session.scalars(select(WorkRow).order_by(WorkRow.created))]

    def delete(self, kind: str, key: str) -> None:
        """Forget that it was worked on."""
        with self._database.writing() as session:
            session.execute(delete(WorkRow).where(WorkRow.kind == kind, WorkRow.key == key))


def _told(row: WorkRow) -> Work:
    return Work(row.kind, row.key, row.owner, row.state, row.error)
