"""Reviews of records: the latest that each visitor had made of each game."""

from __future__ import annotations

from datetime import UTC, datetime

from sqlalchemy import ColumnElement, delete, select

from plyground.records import Record
from plyground.store.data import packed, unpacked
from plyground.store.database import Database, one_at_a_time
from plyground.store.entries import Review
from plyground.store.models import RecordRow, ReviewRow
from plyground.store.records import digest_of


class Reviews:
    """Keeping reviews and finding them again; they go with their game, and when it goes on."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def keep(self, review: Review, record: Record) -> bool:
        """Keep the review of a record in the place of an earlier one; False where the game is no longer that one."""
        with self._database.writing() as session:
            one_at_a_time(session)
            row = session.get(RecordRow, review.record_id)
            if row is None or row.digest != digest_of(record, row.owner):
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
                    plies=packed(list(review.plies)),
                    created=datetime.now(UTC),
                )
            )
            return True

    def get(self, id: str) -> Review | None:  # noqa: A002
        """A review by its id."""
        return self._find(ReviewRow.id == id)

    def of(self, record: int, owner: str) -> Review | None:
        """The review that a visitor had made of a record."""
        return self._find(ReviewRow.record_id == record, ReviewRow.owner == owner)

    def _find(self, *conditions: ColumnElement[bool]) -> Review | None:
        with self._database.reading() as session:
            row = session.scalar(select(ReviewRow).where(*conditions))
            if row is None:
                return None
            return Review(row.id, row.record_id, row.owner, row.seconds, unpacked(row.plies))
