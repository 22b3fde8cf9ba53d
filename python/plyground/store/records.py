"""Records in the store."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session, undefer

from plyground._engine import Outcome
from plyground.errors import ParseError, StoreError, UnknownNameError
from plyground.records import Record
from plyground.records import analyses as plain_analyses
from plyground.records.json import to_data
from plyground.spec import parse_spec
from plyground.store.data import packed, sha256, to_json, unpacked
from plyground.store.database import Database, insert_new, one_at_a_time
from plyground.store.entries import Added, Filter, Kept
from plyground.store.filters import where
from plyground.store.models import AgentRow, JobRow, RecordRow, ReviewRow, SeatRow, TagRow, TournamentRow

LONGEST_TAG = 100
AT_ONCE = 500
"""Rows that are looked up in one query."""


class Records:
    """Adding, finding, tagging and deleting games."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, record: Record, *, tags: Iterable[str] = (), owner: str | None = None) -> Added:
        """Keep a game that the rules allow; where the same one is kept already, that one gets the tags."""
        return self.add_all([record], tags=tags, owner=owner)[0]

    def add_all(self, records: Iterable[Record], *, tags: Iterable[str] = (), owner: str | None = None) -> list[Added]:
        """Keep many games, all or none."""
        words = _checked_tags(tags)
        with self._database.writing() as session:
            added = add_records(session, list(records), owner)
            _tag(session, [one.id for one in added], words)
            return added

    def replace(self, id: int, record: Record) -> None:  # noqa: A002
        """Keep a later state of a game under the same number: its next move, or its end."""
        with self._database.writing() as session:
            replace_record(session, id, record)

    def get(self, id: int) -> Kept:  # noqa: A002
        """A game with everything that is known of it."""
        with self._database.reading() as session:
            row = _row(session, id, undefer(RecordRow.analyses))
            record = _record(row)
            if row.analyses is None:
                return _kept(row, record)
            found = plain_analyses.from_data(unpacked(row.analyses), record.to_position())
            return _kept(row, Record(**{**vars(record), "analyses": found}))

    def find(self, which: Filter = Filter(), *, limit: int = 100, before: int | None = None) -> list[Kept]:  # noqa: B008
        """Games without their analyses, the newest first; the next page is the one `before` the last number seen."""
        query = where(select(RecordRow), which).order_by(RecordRow.id.desc()).limit(limit)
        if before is not None:
            query = query.where(RecordRow.id < before)
        with self._database.reading() as session:
            return [_kept(row, _record(row)) for row in session.scalars(query)]

    def count(self, which: Filter = Filter()) -> int:  # noqa: B008
        """How many there are."""
        with self._database.reading() as session:
            return session.scalar(where(select(func.count(RecordRow.id)), which)) or 0

    def ids(self, which: Filter = Filter()) -> list[int]:  # noqa: B008
        """The numbers of the games, the newest first."""
        with self._database.reading() as session:
            return list(session.scalars(where(select(RecordRow.id), which).order_by(RecordRow.id.desc())))

    def tag(self, ids: Sequence[int], *, add: Iterable[str] = (), remove: Iterable[str] = ()) -> None:
        """Put words on games and take others off, all or none."""
        new, old = _checked_tags(add), list(remove)
        with self._database.writing() as session:
            _check_there(session, ids)
            for some in _portions(ids):
                session.execute(delete(TagRow).where(TagRow.record_id.in_(some), TagRow.tag.in_(old)))
            _tag(session, ids, new)

    def tags(self, owner: str | None = None) -> dict[str, int]:
        """Every word, and on how many games it is; of one owner's games, or of all."""
        query = select(TagRow.tag, func.count()).group_by(TagRow.tag).order_by(TagRow.tag)
        if owner is not None:
            query = query.join(RecordRow, RecordRow.id == TagRow.record_id).where(RecordRow.owner == owner)
        with self._database.reading() as session:
            return {row[0]: row[1] for row in session.execute(query)}

    def delete(self, ids: Sequence[int]) -> None:
        """Forget games, all or none; one that counts in a tournament stays."""
        with self._database.writing() as session:
            _check_there(session, ids)
            for some in _portions(ids):
                query = (
                    select(JobRow.record_id, TournamentRow.name).join(TournamentRow).where(JobRow.record_id.in_(some))
                )
                if held := session.execute(query).first():
                    raise StoreError(f"game {held[0]} counts in the tournament {held[1]!r}; delete that first")
                session.execute(delete(RecordRow).where(RecordRow.id.in_(some)))


def add_records(session: Session, records: Sequence[Record], owner: str | None) -> list[Added]:
    """Insert games that are not there yet; in the order given, the number of each."""
    for record in records:
        record.check()
    digests = [digest_of(record, owner) for record in records]
    if len(records) > 1:
        one_at_a_time(session)
    there = _numbers(session, digests)
    fresh = {digest: record for digest, record in zip(digests, records, strict=True) if digest not in there}
    created = datetime.now(UTC)
    rows = [{**_columns(one, digest), "created": created, "owner": owner} for digest, one in fresh.items()]
    new = {row[0] for row in insert_new(session, RecordRow, ["digest"], rows)}
    numbers = there | _numbers(session, list(fresh))
    _seat(session, {numbers[digest]: fresh[digest] for digest in fresh if digest in new})
    added = []
    for digest in digests:
        added.append(Added(numbers[digest], digest in new))
        new.discard(digest)  # the same game further on in the list is there already
    return added


def replace_record(session: Session, number: int, record: Record) -> None:
    """Put a later state of a game in the place of the one of this number."""
    record.check()
    row = _row(session, number)
    digest = digest_of(record, row.owner)
    other = session.scalar(select(RecordRow.id).where(RecordRow.digest == digest, RecordRow.id != number))
    if other is not None:
        raise StoreError(f"game {number} cannot become what game {other} is already")
    if digest != row.digest:  # what was said of its moves is old
        session.execute(delete(ReviewRow).where(ReviewRow.record_id == number))
    for name, value in _columns(record, digest).items():
        setattr(row, name, value)
    session.execute(delete(SeatRow).where(SeatRow.record_id == number))
    _seat(session, {number: record})


def agent_numbers(session: Session, specs: Iterable[str]) -> dict[str, int]:
    """The row of each agent, made where it is missing."""
    digests = {sha256(spec): spec for spec in specs}
    insert_new(session, AgentRow, ["digest"], [{"digest": key, "spec": digests[key]} for key in sorted(digests)])
    found: dict[str, int] = {}
    for some in _portions(list(digests)):
        rows = session.execute(select(AgentRow.digest, AgentRow.id).where(AgentRow.digest.in_(some)))
        found |= {digests[digest]: number for digest, number in rows}
    return found


def outcome_of(winner: str | None, reason: str | None) -> Outcome | None:
    """How a game ended, from its two columns."""
    return None if reason is None else Outcome(winner, reason)


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
        "analyses": packed(plain_analyses.to_data(record.analyses)) if record.analyses else None,
    }


def digest_of(record: Record, owner: str | None) -> str:
    """What tells games apart: everything but what agents thought of them."""
    data = to_data(Record(**{**vars(record), "analyses": {}}))
    return sha256(json.dumps([owner, data], sort_keys=True))


def _record(row: RecordRow) -> Record:
    return Record(
        game=row.game,
        moves=tuple(row.moves.split("\n")) if row.plies else (),
        start=row.start,
        outcome=outcome_of(row.winner, row.reason),
        players={seat.side: seat.agent.spec for seat in row.seats},
        seed=row.seed,
        started=row.started,
        headers=json.loads(row.headers) if row.headers else {},
    )


def _kept(row: RecordRow, record: Record) -> Kept:
    return Kept(row.id, record, tuple(tag.tag for tag in row.tags), row.created, row.owner)


def _row(session: Session, number: int, *options: Any) -> RecordRow:
    row = session.get(RecordRow, number, options=options) if 0 < number < 2**63 else None
    if row is None:
        raise UnknownNameError(f"no game has the number {number}")
    return row


def _numbers(session: Session, digests: Sequence[str]) -> dict[str, int]:
    found: dict[str, int] = {}
    for some in _portions(digests):
        rows = session.execute(select(RecordRow.digest, RecordRow.id).where(RecordRow.digest.in_(some)))
        found |= {row[0]: row[1] for row in rows}
    return found


def _seat(session: Session, records: dict[int, Record]) -> None:
    agents = agent_numbers(session, {spec for record in records.values() for spec in record.players.values()})
    rows = [
        {"record_id": record_id, "side": side, "number": number, "agent_id": agents[spec]}
        for record_id, record in records.items()
        for number, (side, spec) in enumerate(record.players.items())
    ]
    if rows:
        session.execute(SeatRow.__table__.insert(), rows)  # type: ignore[attr-defined]


def _tag(session: Session, ids: Sequence[int], tags: Sequence[str]) -> None:
    rows = [{"record_id": number, "tag": tag} for number in sorted(set(ids)) for tag in sorted(tags)]
    insert_new(session, TagRow, ["record_id", "tag"], rows)


def _check_there(session: Session, ids: Sequence[int]) -> None:
    for some in _portions(ids):
        there = set(session.scalars(select(RecordRow.id).where(RecordRow.id.in_(some))))
        if missing := [number for number in some if number not in there]:
            raise UnknownNameError(f"no game has the number {missing[0]}")


def _checked_tags(tags: Iterable[str]) -> list[str]:
    words = list(dict.fromkeys(tags))
    for word in words:
        if not 0 < len(word) <= LONGEST_TAG or not word.isprintable() or word != word.strip():
            raise ParseError(f"tag {word[:80]!r}: accepted are 1 to {LONGEST_TAG} printable characters")
    return words


def _portions(items: Sequence[Any]) -> Iterable[Sequence[Any]]:
    return (items[at : at + AT_ONCE] for at in range(0, len(items), AT_ONCE))
