"""Records in the store."""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session, undefer

from plyground._engine import Outcome
from plyground.errors import ParseError, StoreError, UnknownNameError
from plyground.records import Record
from plyground.records import analyses as analyses_json
from plyground.records.json import annotations_to_data, to_data, with_annotations
from plyground.spec import parse_spec
from plyground.store.data import compress, decompress, sha256, to_json
from plyground.store.database import Database, insert_new, serialize_writers
from plyground.store.entries import AddResult, Filter, StoredRecord
from plyground.store.filters import apply_filter
from plyground.store.models import AgentRow, RecordRow, ReviewRow, ScheduledGameRow, SeatRow, TagRow, TournamentRow

MAX_TAG = 100
"""Maximum length of a tag, in characters."""
PUBLIC_ID_BYTES = 12
"""Number of random bytes in a public id, which is 16 characters long."""
BATCH_SIZE = 500
"""Maximum number of values in the IN clause of one query."""

REVIEWED_COLUMNS = ("game", "start", "moves", "winner", "reason")
"""The columns on which a review depends."""


class Records:
    """Adds, finds, tags and deletes records."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, record: Record, *, tags: Iterable[str] = (), owner: str | None = None) -> AddResult:
        """Store a legal game; if the owner has already stored it, only add the tags."""
        return self.add_all([record], tags=tags, owner=owner)[0]

    def add_all(
        self, records: Iterable[Record], *, tags: Iterable[str] = (), owner: str | None = None
    ) -> list[AddResult]:
        """Store several games in one transaction."""
        checked_tags, checked = _check_tags(tags), list(records)
        for record in checked:  # before the transaction, because replaying long games takes a while
            record.check()
        with self._database.writing() as session:
            added = add_records(session, checked, owner)
            _add_tags(session, [result.id for result in added], checked_tags)
            return added

    def replace(self, id: int, record: Record) -> None:  # noqa: A002
        """Replace a record with a later state of the same game."""
        record.check()
        with self._database.writing() as session:
            replace_record(session, id, record)

    def get(self, id: int) -> StoredRecord:  # noqa: A002
        """Return a record with its analyses and annotations."""
        with self._database.reading() as session:
            row = _row(session, id, undefer(RecordRow.analyses))
            record = _to_record(row)
            if row.analyses is None:
                return _to_stored(row, record)
            return _to_stored(row, _with_extras(record, decompress(row.analyses)))

    def find(
        self,
        which: Filter = Filter(),  # noqa: B008
        *,
        limit: int = 100,
        before: int | None = None,
    ) -> list[StoredRecord]:
        """Return matching records without analyses and annotations, newest first.

        `before` is the last id of the previous page.
        """
        query = apply_filter(select(RecordRow), which).order_by(RecordRow.id.desc()).limit(limit)
        if before is not None:
            query = query.where(RecordRow.id < before)
        with self._database.reading() as session:
            return [_to_stored(row, _to_record(row)) for row in session.scalars(query)]

    def count(self, which: Filter = Filter()) -> int:  # noqa: B008
        """Return the number of records that satisfy a filter."""
        with self._database.reading() as session:
            return session.scalar(apply_filter(select(func.count(RecordRow.id)), which)) or 0

    def ids(self, which: Filter = Filter()) -> list[int]:  # noqa: B008
        """Return the ids of the records that satisfy a filter, newest first."""
        with self._database.reading() as session:
            return list(session.scalars(apply_filter(select(RecordRow.id), which).order_by(RecordRow.id.desc())))

    def ids_of(self, public_ids: Sequence[str], *, owner: str | None = None) -> list[int]:
        """Return the ids of records by public id, in order; with `owner`, all records must belong to that owner."""
        found: dict[str, int] = {}
        with self._database.reading() as session:
            for batch in _batches(public_ids):
                query = select(RecordRow.public_id, RecordRow.id).where(RecordRow.public_id.in_(batch))
                rows = session.execute(query if owner is None else query.where(RecordRow.owner == owner))
                found |= {row[0]: row[1] for row in rows}
        for public_id in public_ids:
            if public_id not in found:
                raise UnknownNameError(f"game {public_id[:40]!r} not found")
        return [found[public_id] for public_id in public_ids]

    def tag(self, ids: Sequence[int], *, add: Iterable[str] = (), remove: Iterable[str] = ()) -> None:
        """Add and remove tags of several records in one transaction."""
        new, old = _check_tags(add), list(remove)
        with self._database.writing() as session:
            _check_exist(session, ids)
            for batch in _batches(ids):
                session.execute(delete(TagRow).where(TagRow.record_id.in_(batch), TagRow.tag.in_(old)))
            _add_tags(session, ids, new)

    def tags(self, owner: str | None = None) -> dict[str, int]:
        """Return the number of records with each tag, for all records or for those of one owner."""
        query = select(TagRow.tag, func.count()).group_by(TagRow.tag).order_by(TagRow.tag)
        if owner is not None:
            query = query.join(RecordRow, RecordRow.id == TagRow.record_id).where(RecordRow.owner == owner)
        with self._database.reading() as session:
            return {row[0]: row[1] for row in session.execute(query)}

    def players(self, which: Filter = Filter(), limit: int = 1000) -> dict[str, int]:  # noqa: B008
        """Return the number of matching games of each player, most games first."""
        games = func.count(SeatRow.record_id.distinct())
        query = (
            select(AgentRow.spec, games)
            .join(SeatRow, SeatRow.agent_id == AgentRow.id)
            .where(SeatRow.record_id.in_(apply_filter(select(RecordRow.id), which)))
            .group_by(AgentRow.spec)
            .order_by(games.desc(), AgentRow.spec)
            .limit(limit)
        )
        with self._database.reading() as session:
            return {row[0]: row[1] for row in session.execute(query)}

    def games(self, which: Filter = Filter()) -> list[str]:  # noqa: B008
        """Return the game ids of the records that satisfy a filter."""
        query = apply_filter(select(RecordRow.game_id).distinct(), which).order_by(RecordRow.game_id)
        with self._database.reading() as session:
            return list(session.scalars(query))

    def delete(self, ids: Sequence[int]) -> None:
        """Delete several records in one transaction; tournament games cannot be deleted."""
        with self._database.writing() as session:
            _check_exist(session, ids)
            for batch in _batches(ids):
                query = (
                    select(ScheduledGameRow.record_id, TournamentRow.name)
                    .join(TournamentRow)
                    .where(ScheduledGameRow.record_id.in_(batch))
                )
                if used := session.execute(query).first():
                    raise StoreError(f"game {used[0]} belongs to tournament {used[1]!r}; delete the tournament first")
                session.execute(delete(RecordRow).where(RecordRow.id.in_(batch)))


def add_records(session: Session, records: Sequence[Record], owner: str | None) -> list[AddResult]:
    """Insert checked records that are not stored yet; return one result per record, in the given order."""
    digests = [record_digest(record, owner) for record in records]
    if len(records) > 1:
        serialize_writers(session)
    existing = _ids_by_digest(session, digests)
    missing = {digest: record for digest, record in zip(digests, records, strict=True) if digest not in existing}
    created = datetime.now(UTC)
    rows = [
        {**_columns(record, digest), "public_id": new_public_id(), "created": created, "owner": owner}
        for digest, record in missing.items()
    ]
    inserted = {row[0] for row in insert_new(session, RecordRow, ["digest"], rows)}
    ids = existing | _ids_by_digest(session, list(missing))
    _add_seats(session, {ids[digest].id: missing[digest] for digest in missing if digest in inserted})
    results = []
    for digest in digests:
        results.append(replace(ids[digest], is_new=digest in inserted))
        inserted.discard(digest)  # a duplicate later in the list is not new
    return results


def replace_record(session: Session, record_id: int, record: Record) -> None:
    """Replace a record with a checked later state of the same game."""
    row = _row(session, record_id)
    digest = record_digest(record, row.owner)
    other = session.scalar(select(RecordRow.id).where(RecordRow.digest == digest, RecordRow.id != record_id))
    if other is not None:
        raise StoreError(f"game {record_id} cannot be replaced: the same game is already stored as game {other}")
    columns = _columns(record, digest)
    if any(getattr(row, name) != columns[name] for name in REVIEWED_COLUMNS):  # then reviews are out of date
        session.execute(delete(ReviewRow).where(ReviewRow.record_id == record_id))
    for name, value in columns.items():
        setattr(row, name, value)
    session.execute(delete(SeatRow).where(SeatRow.record_id == record_id))
    _add_seats(session, {record_id: record})


def new_public_id() -> str:
    """Return a random id that cannot be guessed."""
    return secrets.token_urlsafe(PUBLIC_ID_BYTES)


def agent_ids(session: Session, specs: Iterable[str]) -> dict[str, int]:
    """Return the id of each agent, inserting agents that are not stored yet."""
    digests = {sha256(spec): spec for spec in specs}
    insert_new(session, AgentRow, ["digest"], [{"digest": key, "spec": digests[key]} for key in sorted(digests)])
    found: dict[str, int] = {}
    for batch in _batches(list(digests)):
        rows = session.execute(select(AgentRow.digest, AgentRow.id).where(AgentRow.digest.in_(batch)))
        found |= {digests[digest]: agent_id for digest, agent_id in rows}
    return found


def outcome_from_columns(winner: str | None, reason: str | None) -> Outcome | None:
    """Return the outcome stored in the columns `winner` and `reason`."""
    return None if reason is None else Outcome(winner, reason)


def record_digest(record: Record, owner: str | None) -> str:
    """Return the digest that identifies an owner's game. It covers everything except the analyses."""
    data = to_data(Record(**{**vars(record), "analyses": {}}))
    return sha256(json.dumps([owner, data], sort_keys=True))


def _columns(record: Record, digest: str) -> dict[str, Any]:
    outcome = record.outcome
    return {
        "digest": digest,
        "game_id": parse_spec(record.game).name,
        "game": record.game,
        "start": record.start,
        "moves": "\n".join(record.moves),
        "plies": len(record.moves),
        "winner": outcome.winner if outcome else None,
        "reason": outcome.reason if outcome else None,
        "seed": record.seed,
        "started": record.started,
        "headers": to_json(dict(record.headers)) if record.headers else None,
        "analyses": compress(extras) if (extras := _extras(record)) else None,
    }


def _extras(record: Record) -> dict[str, Any]:
    """Return the analyses, keyed by ply, and the annotations as JSON data."""
    return analyses_json.to_data(record.analyses) | annotations_to_data(record)


def _with_extras(record: Record, data: dict[str, Any]) -> Record:
    """Return a record with the data that `_extras` encoded."""
    annotations = {name: data.pop(name) for name in ("notes", "variations") if name in data}
    annotated = with_annotations(record, annotations) if annotations else record
    return replace(annotated, analyses=analyses_json.from_data(data, record.to_position())) if data else annotated


def _to_record(row: RecordRow) -> Record:
    return Record(
        game=row.game,
        moves=tuple(row.moves.split("\n")) if row.plies else (),
        start=row.start,
        outcome=outcome_from_columns(row.winner, row.reason),
        players={seat.side: seat.agent.spec for seat in row.seats},
        seed=row.seed,
        started=row.started,
        headers=json.loads(row.headers) if row.headers else {},
    )


def _to_stored(row: RecordRow, record: Record) -> StoredRecord:
    return StoredRecord(row.id, record, tuple(tag.tag for tag in row.tags), row.created, row.owner, row.public_id)


def _row(session: Session, record_id: int, *options: Any) -> RecordRow:
    row = session.get(RecordRow, record_id, options=options) if 0 < record_id < 2**63 else None
    if row is None:
        raise UnknownNameError(f"game {record_id} not found")
    return row


def _ids_by_digest(session: Session, digests: Sequence[str]) -> dict[str, AddResult]:
    found: dict[str, AddResult] = {}
    for batch in _batches(digests):
        columns = select(RecordRow.digest, RecordRow.id, RecordRow.public_id)
        rows = session.execute(columns.where(RecordRow.digest.in_(batch)))
        found |= {digest: AddResult(record_id, public_id, is_new=False) for digest, record_id, public_id in rows}
    return found


def _add_seats(session: Session, records: dict[int, Record]) -> None:
    agents = agent_ids(session, {spec for record in records.values() for spec in record.players.values()})
    rows = [
        {"record_id": record_id, "side": side, "number": number, "agent_id": agents[spec]}
        for record_id, record in records.items()
        for number, (side, spec) in enumerate(record.players.items())
    ]
    if rows:
        session.execute(SeatRow.__table__.insert(), rows)  # type: ignore[attr-defined]


def _add_tags(session: Session, ids: Sequence[int], tags: Sequence[str]) -> None:
    rows = [{"record_id": record_id, "tag": tag} for record_id in sorted(set(ids)) for tag in sorted(tags)]
    insert_new(session, TagRow, ["record_id", "tag"], rows)


def _check_exist(session: Session, ids: Sequence[int]) -> None:
    for batch in _batches(ids):
        existing = set(session.scalars(select(RecordRow.id).where(RecordRow.id.in_(batch))))
        if missing := [record_id for record_id in batch if record_id not in existing]:
            raise UnknownNameError(f"game {missing[0]} not found")


def _check_tags(tags: Iterable[str]) -> list[str]:
    unique = list(dict.fromkeys(tags))
    for tag in unique:
        if not 0 < len(tag) <= MAX_TAG or not tag.isprintable() or tag != tag.strip():
            raise ParseError(
                f"a tag must have 1 to {MAX_TAG} printable characters and no leading or trailing spaces, "
                f"got {tag[:80]!r}"
            )
    return unique


def _batches(items: Sequence[Any]) -> Iterable[Sequence[Any]]:
    return (items[start : start + BATCH_SIZE] for start in range(0, len(items), BATCH_SIZE))
