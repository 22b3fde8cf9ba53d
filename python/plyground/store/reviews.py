"""Reviews of records: the latest review of each record by each visitor."""

from __future__ import annotations

from datetime import UTC, datetime

from sqlalchemy import ColumnElement, delete, select

from plyground.records import Record
from plyground.store.data import compress, decompress
from plyground.store.database import Database, serialize_writers
from plyground.store.entries import Review
from plyground.store.models import RecordRow, ReviewRow
from plyground.store.records import record_digest


class Reviews:
    """Stores and finds reviews. A review is deleted when its record is deleted or changed."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def save(self, review: Review, record: Record) -> bool:
        """Replace the owner's review of a record; return False if the stored record has changed."""
        with self._database.writing() as session:
            serialize_writers(session)
            row = session.get(RecordRow, review.record_id)
            if row is None or row.digest != record_digest(record, row.owner):
                return False
            session.execute(
                delete(ReviewRow).where(ReviewRow.record_id == review.record_id, ReviewRow.owner == review.owner)
            )
            session.add(
                ReviewRow(
                    id=review.id,
                    record_id=review.record_id,
                    owner=review.owner,
                    seconds=review.seconds,
                    plies=compress(list(review.plies)),
                    created=datetime.now(UTC),
                )
            )
            return True

    def get(self, id: str) -> Review | None:  # noqa: A002
        """Return the review with this id, or None."""
        return self._find(ReviewRow.id == id)

    def find(self, record_id: int, owner: str) -> Review | None:
        """Return a visitor's review of a record, or None."""
        return self._find(ReviewRow.record_id == record_id, ReviewRow.owner == owner)

    def _find(self, *conditions: ColumnElement[bool]) -> Review | None:
        with self._database.reading() as session:
            row = session.scalar(select(ReviewRow).where(*conditions))
            if row is None:
                return None
            return Review(row.id, row.record_id, row.owner, row.seconds, decompress(row.plies))
