"""The database tables. Every change requires a migration; a test compares models and migrations."""

from __future__ import annotations

from datetime import UTC, datetime

from sqlalchemy import (
    BigInteger,
    Boolean,
    DateTime,
    Dialect,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Text,
    TypeDecorator,
    UniqueConstraint,
)
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column, relationship

Id = BigInteger().with_variant(Integer, "sqlite")
"""SQLite assigns ids automatically only to columns of type INTEGER."""


class Instant(TypeDecorator[datetime]):
    """A point in time: timezone-aware in Python, naive UTC in the database."""

    impl = DateTime
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        if value is None or value.tzinfo is None:
            return value
        return value.astimezone(UTC).replace(tzinfo=None)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        return None if value is None else value.replace(tzinfo=UTC)


class Unsigned(TypeDecorator[int]):
    """An unsigned 64-bit integer, stored as the signed integer with the same bits."""

    impl = BigInteger
    cache_ok = True

    def process_bind_param(self, value: int | None, dialect: Dialect) -> int | None:  # noqa: ARG002
        return value - 2**64 if value is not None and value >= 2**63 else value

    def process_result_value(self, value: int | None, dialect: Dialect) -> int | None:  # noqa: ARG002
        return value + 2**64 if value is not None and value < 0 else value


class Base(DeclarativeBase):
    """Base class of the tables. Constraints are named so that migrations can refer to them."""

    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_N_name)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "fk": "fk_%(table_name)s_%(column_0_name)s",
            "pk": "pk_%(table_name)s",
        }
    )


class AgentRow(Base):
    """A player: an agent spec or a name."""

    __tablename__ = "agents"
    id: Mapped[int] = mapped_column(Id, primary_key=True)
    digest: Mapped[str] = mapped_column(String(64), unique=True)
    """SHA-256 of the spec, which may be too long for an index."""
    spec: Mapped[str] = mapped_column(Text)


class RecordRow(Base):
    """A game."""

    __tablename__ = "records"
    __table_args__ = (Index(None, "game_id", "id"), Index(None, "owner", "id"), {"sqlite_autoincrement": True})
    id: Mapped[int] = mapped_column(Id, primary_key=True)
    public_id: Mapped[str] = mapped_column(String(22), index=True, unique=True, server_default="")
    """Random, so that a visitor of a server cannot guess it. Never empty: only the migration uses the default."""
    digest: Mapped[str] = mapped_column(String(64), unique=True)
    """SHA-256 of the game and its owner, so that the same owner cannot store a game twice."""
    game_id: Mapped[str] = mapped_column(Text)
    game: Mapped[str] = mapped_column(Text)
    """The spec of the game."""
    start: Mapped[str | None] = mapped_column(Text)
    moves: Mapped[str] = mapped_column(Text)
    """Separated by newlines."""
    plies: Mapped[int] = mapped_column(Integer)
    winner: Mapped[str | None] = mapped_column(Text)
    reason: Mapped[str | None] = mapped_column(Text)
    """None while the game is unfinished."""
    seed: Mapped[int | None] = mapped_column(Unsigned)
    started: Mapped[str | None] = mapped_column(Text)
    headers: Mapped[str | None] = mapped_column(Text)
    """JSON."""
    analyses: Mapped[bytes | None] = mapped_column(LargeBinary, deferred=True)
    """Analyses by ply, and annotations under `notes` and `variations`; JSON, compressed with zlib."""
    created: Mapped[datetime] = mapped_column(Instant, index=True)
    owner: Mapped[str | None] = mapped_column(String(64))
    seats: Mapped[list[SeatRow]] = relationship(lazy="selectin", passive_deletes=True, order_by="SeatRow.number")
    tags: Mapped[list[TagRow]] = relationship(lazy="selectin", passive_deletes=True, order_by="TagRow.tag")


class SeatRow(Base):
    """The player of one side of a game."""

    __tablename__ = "seats"
    record_id: Mapped[int] = mapped_column(ForeignKey("records.id", ondelete="CASCADE"), primary_key=True)
    side: Mapped[str] = mapped_column(Text, primary_key=True)
    number: Mapped[int] = mapped_column(Integer)
    agent_id: Mapped[int] = mapped_column(ForeignKey("agents.id"), index=True)
    agent: Mapped[AgentRow] = relationship(lazy="joined", innerjoin=True)


class TagRow(Base):
    """A tag of a record."""

    __tablename__ = "tags"
    record_id: Mapped[int] = mapped_column(ForeignKey("records.id", ondelete="CASCADE"), primary_key=True)
    tag: Mapped[str] = mapped_column(String(100), primary_key=True, index=True)


class TournamentRow(Base):
    """A tournament."""

    __tablename__ = "tournaments"
    id: Mapped[int] = mapped_column(Id, primary_key=True)
    name: Mapped[str] = mapped_column(String(200), unique=True)
    game: Mapped[str] = mapped_column(Text)
    settings: Mapped[str] = mapped_column(Text)
    """JSON."""
    created: Mapped[datetime] = mapped_column(Instant)


class ScheduledGameRow(Base):
    """A scheduled game of a tournament; it is finished if it has a record."""

    __tablename__ = "scheduled_games"
    __table_args__ = (UniqueConstraint("tournament_id", "key"),)
    id: Mapped[int] = mapped_column(Id, primary_key=True)
    tournament_id: Mapped[int] = mapped_column(ForeignKey("tournaments.id", ondelete="CASCADE"))
    key: Mapped[str] = mapped_column(String(200))
    payload: Mapped[str] = mapped_column(Text)
    """JSON."""
    record_id: Mapped[int | None] = mapped_column(ForeignKey("records.id"), index=True)


class RatingRow(Base):
    """The rating of an agent in a pool."""

    __tablename__ = "ratings"
    pool: Mapped[str] = mapped_column(String(200), primary_key=True)
    game: Mapped[str] = mapped_column(Text, primary_key=True)
    agent_id: Mapped[int] = mapped_column(ForeignKey("agents.id"), primary_key=True)
    rating: Mapped[float] = mapped_column(Float)
    low: Mapped[float] = mapped_column(Float)
    high: Mapped[float] = mapped_column(Float)
    games: Mapped[int] = mapped_column(Integer)
    agent: Mapped[AgentRow] = relationship(lazy="joined", innerjoin=True)


class RunRow(Base):
    """A training run."""

    __tablename__ = "runs"
    __table_args__ = ({"sqlite_autoincrement": True},)
    id: Mapped[int] = mapped_column(Id, primary_key=True)
    method: Mapped[str] = mapped_column(Text)
    game: Mapped[str] = mapped_column(Text)
    settings: Mapped[str] = mapped_column(Text)
    """JSON."""
    seed: Mapped[int] = mapped_column(Unsigned)
    created: Mapped[datetime] = mapped_column(Instant)
    finished: Mapped[datetime | None] = mapped_column(Instant)


class MetricRow(Base):
    """A value reported by a training run."""

    __tablename__ = "metrics"
    run_id: Mapped[int] = mapped_column(ForeignKey("runs.id", ondelete="CASCADE"), primary_key=True)
    name: Mapped[str] = mapped_column(String(100), primary_key=True)
    step: Mapped[int] = mapped_column(BigInteger, primary_key=True)
    value: Mapped[float] = mapped_column(Float)


class CheckpointRow(Base):
    """The state of a training run at a step."""

    __tablename__ = "checkpoints"
    run_id: Mapped[int] = mapped_column(ForeignKey("runs.id", ondelete="CASCADE"), primary_key=True)
    step: Mapped[int] = mapped_column(BigInteger, primary_key=True)
    header: Mapped[str] = mapped_column(Text)
    """JSON."""
    path: Mapped[str | None] = mapped_column(Text)
    data: Mapped[bytes | None] = mapped_column(LargeBinary)


class VisitorGameRow(Base):
    """A visitor's game in the web UI; finished games also have a record."""

    __tablename__ = "visitor_games"
    __table_args__ = (Index(None, "owner", "updated"),)
    id: Mapped[str] = mapped_column(String(40), primary_key=True)
    owner: Mapped[str] = mapped_column(String(64))
    """The hashed token of the visitor."""
    game: Mapped[str] = mapped_column(Text)
    """The spec of the game."""
    is_watched: Mapped[bool] = mapped_column(Boolean)
    """Whether agents play both sides."""
    is_over: Mapped[bool] = mapped_column(Boolean)
    state: Mapped[str] = mapped_column(Text)
    """JSON."""
    version: Mapped[int] = mapped_column(Integer, server_default="1")
    """Version number of the state, starting at 1."""
    record_id: Mapped[int | None] = mapped_column(ForeignKey("records.id", ondelete="SET NULL"), index=True)
    created: Mapped[datetime] = mapped_column(Instant)
    updated: Mapped[datetime] = mapped_column(Instant)


class ShareRow(Base):
    """A link that lets anyone view a game."""

    __tablename__ = "shares"
    digest: Mapped[str] = mapped_column(String(64), primary_key=True)
    """SHA-256 of the token in the link."""
    visitor_game_id: Mapped[str | None] = mapped_column(ForeignKey("visitor_games.id", ondelete="CASCADE"), index=True)
    record_id: Mapped[int | None] = mapped_column(ForeignKey("records.id", ondelete="CASCADE"), index=True)
    created: Mapped[datetime] = mapped_column(Instant)


class ReviewRow(Base):
    """A visitor's review of a record."""

    __tablename__ = "reviews"
    __table_args__ = (UniqueConstraint("record_id", "owner"),)
    id: Mapped[str] = mapped_column(String(40), primary_key=True)
    record_id: Mapped[int] = mapped_column(ForeignKey("records.id", ondelete="CASCADE"))
    owner: Mapped[str] = mapped_column(String(64))
    """The hashed token of the visitor."""
    seconds: Mapped[float] = mapped_column(Float)
    """Search time per position, in seconds."""
    plies: Mapped[bytes] = mapped_column(LargeBinary)
    """JSON, compressed with zlib."""
    created: Mapped[datetime] = mapped_column(Instant)


class JobRow(Base):
    """A tournament or training run started on a server."""

    __tablename__ = "jobs"
    kind: Mapped[str] = mapped_column(String(20), primary_key=True)
    key: Mapped[str] = mapped_column(String(200), primary_key=True)
    """The name of the tournament or the id of the run."""
    owner: Mapped[str | None] = mapped_column(String(64))
    state: Mapped[str] = mapped_column(String(20))
    error: Mapped[str | None] = mapped_column(Text)
    created: Mapped[datetime] = mapped_column(Instant)


class SecretRow(Base):
    """A random string that a server generated."""

    __tablename__ = "secrets"
    name: Mapped[str] = mapped_column(String(100), primary_key=True)
    value: Mapped[str] = mapped_column(Text)
