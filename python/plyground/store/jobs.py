"""Server jobs, stored so that the next server process can resume them."""

from __future__ import annotations

from datetime import UTC, datetime

from sqlalchemy import delete, select

from plyground.store.database import Database
from plyground.store.entries import Job
from plyground.store.models import JobRow


class Jobs:
    """The tournaments and training runs started on a server, with their owners and states."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def put(self, job: Job) -> None:
        """Insert or update a job."""
        with self._database.writing() as session:
            row = session.get(JobRow, (job.kind, job.key))
            if row is None:
                row = JobRow(kind=job.kind, key=job.key, created=datetime.now(UTC))
                session.add(row)
            row.owner, row.state, row.error = job.owner, job.state, job.error

    def get(self, kind: str, key: str) -> Job | None:
        """Return a job, or None if it was not started on a server."""
        with self._database.reading() as session:
            row = session.get(JobRow, (kind, key))
            return None if row is None else _to_job(row)

    def all(self) -> list[Job]:
        """Return all jobs, oldest first."""
        with self._database.reading() as session:
            return [_to_job(row) for row in session.scalars(select(JobRow).order_by(JobRow.created))]

    def delete(self, kind: str, key: str) -> None:
        """Delete a job, but not its tournament or training run."""
        with self._database.writing() as session:
            session.execute(delete(JobRow).where(JobRow.kind == kind, JobRow.key == key))


def _to_job(row: JobRow) -> Job:
    return Job(row.kind, row.key, row.owner, row.state, row.error)
